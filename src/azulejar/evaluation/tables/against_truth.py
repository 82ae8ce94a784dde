"""Assemblies that score higher than the truth, beside it: is the solver wrong, or the truth?"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.evaluation.markdown import NONE, markdown_table, write_markdown
from azulejar.evaluation.tables.assembly_pictures import (
    PICTURES,
    Colour,
    draw_assembly,
    frame_joints,
    joints_missing_from,
    picture_file_name,
    remove_other_pictures,
    write_jpeg,
)
from azulejar.evaluation.tables.methods import method_title
from azulejar.evaluation.tables.result_store import result_key
from azulejar.evaluation.tables.results import (
    SearchResult,
    TilesOf,
    aligned_assembly,
    best_runs,
    each_with_puzzle,
    loss_title,
    panel_title,
    puzzle_key,
    variant_title,
)
from azulejar.evaluation.tables.summary import ROUNDING
from azulejar.outputs.html import write_html

# Returns the scores that the solver of a result was given.
ScoresOf = Callable[[SearchResult], Compatibility]

TITLE = "Against the truth"
LONGEST = 1100  # side of a picture in pixels
HIGHER: Colour = (0, 158, 115)
LOWER: Colour = (213, 94, 0)
COLOURS = {
    HIGHER: "scores higher than what the other has there, if anything",
    LOWER: "scores lower",
}
READING = (
    "By their solver's objective these assemblies are worth more than the truth, and yet they "
    "differ from it. Most often the measure was misled by plain tiles or a repeating pattern. But "
    "what we call the truth is how somebody laid the tiles, and people make mistakes too: Rika et "
    "al. (2019) found three such panels in the museum, where it was apparently the museum's staff "
    "who had erred. A few joints in question in a panel that is otherwise right are worth a look "
    "at the wall; the list begins with them."
)


@dataclass(frozen=True)
class ComparedAssembly:
    """One of two assemblies, with those of its ``joints`` [m, 2] that the other lacks.

    ``higher`` [m] tells which of them score higher than the joints that the other has there; None
    without scores.
    """

    assembly: Assembly
    joints: NDArray[np.int32]
    higher: NDArray[np.bool_] | None


@dataclass(frozen=True)
class Case:
    """An assembly that is worth more to its solver than the truth."""

    result: SearchResult
    tiles: TileSet
    truth: ComparedAssembly
    found: ComparedAssembly


def scores_higher(result: SearchResult) -> bool:
    """Tell whether the assembly differs from the truth and is worth more."""
    return result.neighbour < 1 and result.worth - result.truth_worth > ROUNDING * abs(
        result.truth_worth
    )


def write_against_truth(
    results: Iterable[SearchResult],
    folder: str | os.PathLike[str],
    tiles_of: TilesOf,
    scores_of: ScoresOf | None = None,
) -> bool:
    """Write ``against_truth.md`` and the page ``against_truth/index.html`` into ``folder``.

    Return False, and write nothing, where no assembly scores higher than the truth.
    """
    chosen = [result for result in best_runs(results) if scores_higher(result)]
    if not chosen:
        return False
    cases = [_case(*puzzle, scores_of) for puzzle in each_with_puzzle(chosen, tiles_of)]
    cases.sort(key=lambda case: len(case.found.joints))
    home = Path(folder) / "against_truth"
    for case in cases:
        for name, side in _pictures(case).items():
            if not (home / PICTURES / name).exists():
                write_jpeg(home / PICTURES / name, _draw_framed(case.tiles, side))
    write_html(
        home / "index.html",
        "against_truth.html",
        title=TITLE,
        pictures=PICTURES,
        reading=READING,
        colours={} if cases[0].found.higher is None else COLOURS,
        cases=[_facts(case) for case in cases],
    )
    write_markdown(Path(folder) / "against_truth.md", _parts(cases))
    remove_other_pictures(home, {name for case in cases for name in _pictures(case)})
    return True


def find_outscoring(
    scores: Compatibility, joints: NDArray[np.int32], other: Assembly
) -> NDArray[np.bool_]:
    """Tell which ``joints`` [m, 2] score higher than the joints of either edge in the other."""
    met = other.neighbours()
    higher = np.ones(len(joints), bool)
    for edge in joints.T:
        rival = np.flatnonzero(met[edge] >= 0)
        own = scores.mutual(joints[rival, 0], joints[rival, 1])
        higher[rival] &= own > scores.mutual(edge[rival], met[edge[rival]])
    return higher


def _case(
    result: SearchResult, tiles: TileSet, truth: Assembly, scores_of: ScoresOf | None
) -> Case:
    found = aligned_assembly(result, truth)
    scores = None if scores_of is None else scores_of(result)
    return Case(result, tiles, _side(truth, found, scores), _side(found, truth, scores))


def _side(assembly: Assembly, other: Assembly, scores: Compatibility | None) -> ComparedAssembly:
    joints = joints_missing_from(assembly, other)
    return ComparedAssembly(
        assembly, joints, None if scores is None else find_outscoring(scores, joints, other)
    )


def _draw_framed(tiles: TileSet, side: ComparedAssembly) -> NDArray[np.uint8]:
    picture, size = draw_assembly(tiles, side.assembly, LONGEST)
    higher = np.zeros(len(side.joints), bool) if side.higher is None else side.higher
    for chosen, colour in ((~higher, LOWER), (higher, HIGHER)):
        frame_joints(picture, side.assembly, side.joints[chosen], size, colour)
    return picture


def _pictures(case: Case) -> dict[str, ComparedAssembly]:
    """Return the truth and the assembly by the names of their pictures."""
    sides = {"truth": case.truth, "assembly": case.found}
    same = (LONGEST, puzzle_key(case.result), case.result.place)
    return {
        picture_file_name(
            case.result.panel,
            result_key(*same, kind, None if side.higher is None else side.higher.tolist()),
        ): side
        for kind, side in sides.items()
    }


def _facts(case: Case) -> dict[str, Any]:
    """Return what the page shows of a case."""
    result = case.result
    titles = (
        loss_title(result),
        variant_title(result),
        method_title(result.solver, result.measure),
    )
    truth, found = _pictures(case)
    return {
        "panel": panel_title(result),
        "facts": ", ".join(titles),
        "worth": result.worth,
        "truth_worth": result.truth_worth,
        "gain": _gain(result),
        "in_question": _in_question(case),
        "truth_picture": truth,
        "found_picture": found,
        "neighbour": result.neighbour,
    }


def _parts(cases: Sequence[Case]) -> Iterator[str]:
    yield f"# {TITLE}"
    yield f"{READING} The pictures are in [against_truth/](against_truth/index.html)."
    head = ["panel", "loss", "variant", "method", "worth", "the truth's", "gain", "in question"]
    yield markdown_table(head, map(_line, cases), align_right=True)


def _line(case: Case) -> list[str]:
    result = case.result
    return [
        result.panel,
        loss_title(result).lower(),
        variant_title(result),
        method_title(result.solver, result.measure),
        f"{result.worth:.2f}",
        f"{result.truth_worth:.2f}",
        _gain(result),
        _in_question(case),
    ]


def _gain(result: SearchResult) -> str:
    return f"{100 * (result.worth / result.truth_worth - 1):+.2f} %" if result.truth_worth else NONE


def _in_question(case: Case) -> str:
    count = len(case.found.joints)
    joints = f"{count} joint{'s' * (count != 1)}"
    if case.found.higher is None:
        return joints
    return f"{joints} ({int(case.found.higher.sum())} higher)"
