"""Assemblies that score higher than the truth, beside it: is the solver wrong, or the truth?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.evaluation.tables import markdown
from azulejar.evaluation.tables.best_runs import (
    TilesOf,
    assembly_of,
    best_runs,
    loss_title,
    panel_title,
    puzzle_of,
    variant_title,
    with_tiles,
)
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.marks import Colour, draw, frame_joints, joints_lacking
from azulejar.evaluation.tables.rows import readable
from azulejar.evaluation.tables.store import key_of
from azulejar.evaluation.tables.summary import ROUNDING
from azulejar.evaluation.tables.web_page import (
    PICTURES,
    image,
    picture_name,
    remove_others,
    write_jpeg,
    write_page,
)

# The scores that a cell's solver was given.
ScoresOf = Callable[[Cell], Compatibility]

LONGEST = 1100  # side of a picture in pixels
HIGHER: Colour = (0, 158, 115)
LOWER: Colour = (213, 94, 0)
READING = (
    "These assemblies are worth more than the truth by what their solver makes large, and yet "
    "differ from it. Most often the measure was misled, by plain tiles or a pattern that repeats. "
    "But what we call the truth is how somebody laid the tiles, and people err as well: Rika et "
    "al. (2019) found three such panels of the museum, and it was apparently the museum's "
    "staff that had erred. Few joints in question in a panel that is otherwise true "
    "are worth a look at the wall; the list begins with them."
)
FRAMES = (
    "Framed are the joints that the other picture lacks. Look whether lines run on across them, "
    "here and there."
)


@dataclass(frozen=True)
class Side:
    """One of two assemblies, and its ``joints`` [m, 2] that the other lacks.

    ``higher`` [m] tells which of them score higher than all that the other has there; None where
    the scores are not at hand.
    """

    assembly: Assembly
    joints: NDArray[np.int32]
    higher: NDArray[np.bool_] | None


@dataclass(frozen=True)
class Case:
    """An assembly worth more than the truth."""

    cell: Cell
    tiles: TileSet
    truth: Side
    found: Side


def scores_higher(cell: Cell) -> bool:
    """Whether the assembly differs from the truth and is worth more."""
    return cell.neighbour < 1 and cell.worth - cell.truth_worth > ROUNDING * abs(cell.truth_worth)


def write_against_truth(
    cells: Iterable[Cell], folder: Path, tiles_of: TilesOf, scores_of: ScoresOf | None = None
) -> bool:
    """Write ``against_truth.md`` and the page ``against_truth/index.html`` into ``folder``.

    False, and nothing, where no assembly scores higher than the truth.
    """
    chosen = [cell for cell in best_runs(cells) if scores_higher(cell)]
    if not chosen:
        return False
    cases = [_case(*puzzle, scores_of) for puzzle in with_tiles(chosen, tiles_of)]
    cases.sort(key=lambda case: len(case.found.joints))
    home = Path(folder) / "against_truth"
    for case in cases:
        for name, side in _pictures(case).items():
            if not (home / PICTURES / name).exists():
                write_jpeg(home / PICTURES / name, _framed(case.tiles, side))
    write_page(home / "index.html", "Against the truth", "\n".join(_body(cases)))
    markdown.write_page(Path(folder) / "against_truth.md", _parts(cases))
    remove_others(home, {name for case in cases for name in _pictures(case)})
    return True


def outscoring(
    scores: Compatibility, joints: NDArray[np.int32], other: Assembly
) -> NDArray[np.bool_]:
    """Which ``joints`` [m, 2] score higher than the joint that either edge has in the other."""
    met = other.neighbours()
    higher = np.ones(len(joints), bool)
    for edge in joints.T:
        rival = np.flatnonzero(met[edge] >= 0)
        own = scores.mutual(joints[rival, 0], joints[rival, 1])
        higher[rival] &= own > scores.mutual(edge[rival], met[edge[rival]])
    return higher


def _case(cell: Cell, tiles: TileSet, truth: Assembly, scores_of: ScoresOf | None) -> Case:
    found = assembly_of(cell, truth)
    scores = None if scores_of is None else scores_of(cell)
    return Case(cell, tiles, _side(truth, found, scores), _side(found, truth, scores))


def _side(assembly: Assembly, other: Assembly, scores: Compatibility | None) -> Side:
    joints = joints_lacking(assembly, other)
    return Side(assembly, joints, None if scores is None else outscoring(scores, joints, other))


def _framed(tiles: TileSet, side: Side) -> NDArray[np.uint8]:
    picture, size = draw(tiles, side.assembly, LONGEST)
    higher = np.zeros(len(side.joints), bool) if side.higher is None else side.higher
    for chosen, colour in ((~higher, LOWER), (higher, HIGHER)):
        frame_joints(picture, side.assembly, side.joints[chosen], size, colour)
    return picture


def _pictures(case: Case) -> dict[str, Side]:
    """Both sides by the names of their pictures, the truth first."""
    sides = {"truth": case.truth, "assembly": case.found}
    same = (LONGEST, puzzle_of(case.cell), case.cell.place)
    return {
        picture_name(
            case.cell.panel,
            key_of(*same, kind, None if side.higher is None else side.higher.tolist()),
        ): side
        for kind, side in sides.items()
    }


def _body(cases: Sequence[Case]) -> Iterator[str]:
    scored = cases[0].found.higher is not None
    yield (
        f'<header><h1>Against the truth</h1><p class="lead">{READING}</p>'
        f'<p class="lead">{FRAMES}{_legend() if scored else ""}</p></header>'
    )
    yield from map(_article, cases)


def _legend() -> str:
    keys = {
        HIGHER: "scores higher than what the other has there, if anything",
        LOWER: "scores lower",
    }
    return "".join(
        f'<br><span class="key" style="border-color:rgb{colour}"></span>{text}'
        for colour, text in keys.items()
    )


def _article(case: Case) -> str:
    cell = case.cell
    truth, found = _pictures(case)
    facts = ", ".join((loss_title(cell), variant_title(cell), readable(cell.solver, cell.measure)))
    return (
        f'<article class="card case"><h2>{escape(panel_title(cell))}</h2>'
        f'<p class="lead">{escape(facts)}: {cell.worth:.2f} against {cell.truth_worth:.2f}, '
        f"{_gain(cell)}; {_question(case)} in question.</p>"
        f'<div class="pair"><figure>{image(truth, f"The truth of {panel_title(cell)}")}'
        "<figcaption>The truth</figcaption></figure>"
        f"<figure>{image(found, f'{panel_title(cell)}, assembled otherwise')}"
        f"<figcaption>The assembly, {100 * cell.neighbour:.1f} % of the true joints</figcaption>"
        "</figure></div></article>"
    )


def _parts(cases: Sequence[Case]) -> Iterator[str]:
    yield "# Against the truth"
    yield f"{READING} The pictures are in [against_truth/](against_truth/index.html)."
    head = ["panel", "loss", "variant", "method", "worth", "the truth's", "gain", "in question"]
    yield markdown.table(head, map(_line, cases))


def _line(case: Case) -> list[str]:
    cell = case.cell
    return [
        cell.panel,
        loss_title(cell).lower(),
        variant_title(cell),
        readable(cell.solver, cell.measure),
        f"{cell.worth:.2f}",
        f"{cell.truth_worth:.2f}",
        _gain(cell),
        _question(case),
    ]


def _gain(cell: Cell) -> str:
    return f"{100 * (cell.worth / cell.truth_worth - 1):+.2f} %" if cell.truth_worth else "–"


def _question(case: Case) -> str:
    count = len(case.found.joints)
    joints = f"{count} joint{'s' * (count != 1)}"
    if case.found.higher is None:
        return joints
    return f"{joints} ({int(case.found.higher.sum())} higher)"
