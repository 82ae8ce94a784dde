"""``report.html``: the whole result on one page that needs nothing beside itself."""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.judging.candidates import Candidate, alternatives_for
from azulejar.outputs.html import write_html
from azulejar.outputs.joint_map import JudgedAssembly, joint_bars, map_joints, scale_steps
from azulejar.outputs.language import ENGLISH, Words
from azulejar.outputs.mosaics import data_uri, draw_mosaic, tile_grid, tile_uri
from azulejar.outputs.objective_chart import chart_objective
from azulejar.outputs.wording import doubts

PANEL_PIXELS = 1600
TILE_PIXELS = 96
DOUBTED = 12  # tiles that are shown
ALTERNATIVES = 4  # other tiles for the place of each


class ReferenceShown(NamedTuple):
    """The sentence about an old picture in a report, and the picture [h, w, 3] if it is shown."""

    sentence: str
    picture: NDArray[np.uint8] | None


def write_report(
    path: str | os.PathLike[str],
    judged: JudgedAssembly,
    solution: Solution,
    *,
    history: Sequence[tuple[float, int, float]],
    panel_picture: NDArray[np.uint8],
    title: str | None = None,
    remarks: Sequence[str] = (),
    reference: ReferenceShown | None = None,
    say: Words = ENGLISH,
) -> None:
    """Write the report of an assembly and the solution that was made of it.

    ``history`` holds (seconds, generation, the solver's objective) as the solver went along, and
    may be empty; ``panel_picture`` [h, w, 3] is shown as it is, scaled down; ``title`` is by
    default the name of the tiles' folder; ``remarks`` stand on top, after the warning of a doubtful
    panel; ``reference`` is an old picture of the panel; ``say`` has the language.
    """
    tiles = judged.tiles
    loose = np.flatnonzero(judged.assembly.panel < 0).tolist()
    write_html(
        path,
        "report.html",
        say=say,
        language=say.language,
        title=_folder_title(tiles) if title is None else title,
        facts=_facts(judged, solution, say),
        remarks=[*_warnings(judged, solution, say), *remarks],
        panel_picture=data_uri(panel_picture, PANEL_PIXELS),
        reference=_reference(reference, panel_picture),
        scale=scale_steps(judged),
        maps=[map_joints(judged, panel) for panel in judged.panels if len(judged.joints)],
        doubts=[_doubt(judged, tile, solution.upright, say) for tile in _doubted(judged)],
        loose=[
            {
                "picture": tile_uri(tiles.pixels[tile], 0, TILE_PIXELS),
                "number": judged.numbers[tile],
            }
            for tile in loose
        ],
        chart=chart_objective(history) if history else None,
        settings=_settings(judged, solution, say),
        notes=tiles.notes,
    )


def _reference(found: ReferenceShown | None, panel: NDArray[np.uint8]) -> dict[str, Any] | None:
    """Return the sentence about a reference, and if shown, pictures of panel and reference."""
    if found is None:
        return None
    pictures = [] if found.picture is None else [panel, found.picture]
    return {
        "sentence": found.sentence,
        "pictures": [data_uri(each, PANEL_PIXELS // 2) for each in pictures],
    }


def _folder_title(tiles: TileSet) -> str:
    return tiles.folder.name if tiles.folder and tiles.folder.name else "Panel"


def _warnings(judged: JudgedAssembly, solution: Solution, say: Words) -> list[str]:
    if judged.has_copies:
        return []
    return doubts(judged.mean_confidence, say, upright=solution.upright)


def _facts(judged: JudgedAssembly, solution: Solution, say: Words) -> dict[str, str]:
    return {
        say("tiles"): say.decimal(len(judged.tiles), 0),
        say("rows × cols"): f"{solution.rows} × {solution.cols}",
        say("mean confidence"): _format(judged.mean_confidence, say),
        say("measure"): _format(solution.measure, say),
        say("solver"): _format(solution.solver, say),
        say("seed"): _format(solution.seed, say),
        say("seconds"): _format(solution.seconds, say),
        say("version"): _format(solution.version, say),
    }


def _settings(judged: JudgedAssembly, solution: Solution, say: Words) -> dict[str, str]:
    settings = {
        say("Measure"): solution.measure,
        say("Solver"): solution.solver,
        say("Preset"): solution.preset,
        say("Seed"): solution.seed,
        say("Turn of the tiles"): say("known (upright)") if solution.upright else say("unknown"),
        say("Working size of a tile"): say("{size} pixels", size=judged.tiles.size),
        say("Joints"): len(judged.joints),
        say("Fitness"): solution.fitness,
        say("Seconds"): solution.seconds,
        say("Version of azulejar"): solution.version,
    }
    return {name: _format(value, say) for name, value in settings.items()}


def _format(value: object, say: Words) -> str:
    """Return a setting as text; fractions have two decimals."""
    if value is None:
        return "–"
    return say.decimal(value) if isinstance(value, float) else str(value)


def _doubted(judged: JudgedAssembly) -> list[int]:
    """Return the tiles of lowest confidence, lowest first; tiles without joints are not judged."""
    tiles = np.unique(judged.joints // 4)
    order = np.argsort(judged.tile_confidence[tiles], kind="stable")
    return [int(tile) for tile in tiles[order[:DOUBTED]]]


def _doubt(judged: JudgedAssembly, tile: int, upright: bool, say: Words) -> dict[str, Any]:
    """Return one tile among its neighbours, and the tiles that would fit its place best."""
    assembly = judged.assembly
    own = float(judged.tile_confidence[tile])
    found = alternatives_for(
        judged.compatibility, assembly, tile, upright=upright, rivals=judged.rivals
    )
    row, col = int(assembly.row[tile]), int(assembly.col[tile])
    around = np.pad(tile_grid(assembly, int(assembly.panel[tile])), 1, constant_values=-1)
    places = around[row : row + 3, col : col + 3]
    picture = draw_mosaic(judged.tiles, assembly.turn, places, 3 * TILE_PIXELS)
    joints = np.flatnonzero((judged.joints // 4 == tile).any(1))
    return {
        "number": judged.numbers[tile],
        "place": judged.describe_place(tile, say),
        "turn": 90 * int(assembly.turn[tile]),
        "confidence": own,
        "picture": data_uri(picture, 3 * TILE_PIXELS),
        "bars": joint_bars(judged, joints, row - 1, col - 1),
        "alternatives": [_alternative(judged, other, own, say) for other in found[:ALTERNATIVES]],
    }


def _alternative(
    judged: JudgedAssembly, other: Candidate, own: float, say: Words
) -> dict[str, Any]:
    return {
        "number": judged.numbers[other.tile],
        "picture": tile_uri(judged.tiles.pixels[other.tile], other.turn, TILE_PIXELS),
        "turn": 90 * other.turn,
        "place": judged.describe_place(other.tile, say),
        "fit": other.probability,
        "better": other.probability > own,
    }
