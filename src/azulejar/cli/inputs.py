"""What commands take in: tiles, solutions with the pictures of their tiles, and scores."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from azulejar.cli.console import bar, exit_stopped, note, say
from azulejar.core.compatibility import Compatibility
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import halves_in, load_tiles
from azulejar.imaging.layout import LARGEST_TILE, Box, fitting_size
from azulejar.imaging.originals import Originals, find_tiles_folder
from azulejar.measures import Measure, get_measure
from azulejar.measures.cache import cache_folder
from azulejar.measures.scores_file import load_scores
from azulejar.outputs.wording import count_noun
from azulejar.system.interrupts import interrupted_at_progress

Score = Callable[[TileSet, bool], Compatibility]
"""From tiles, and whether they are upright, to the scores of their edges."""


def read_tiles(
    folder: Path,
    any_shape: bool = False,
    any_size: bool = False,
    files: Sequence[str] | None = None,
) -> TileSet:
    """Read the tiles under a bar, and say what was left out or changed."""
    with bar("Reading tiles") as progress:
        tiles = load_tiles(
            folder, on_progress=progress, files=files, any_shape=any_shape, any_size=any_size
        )
    say(f"{count_noun(len(tiles), 'tile')} of {tiles.size} px from {folder}")
    for text in tiles.notes:
        note(text)
    return tiles


def read_tiles_of(solution: Solution, moved: Path | None) -> TileSet:
    """Read the tiles of a solution, and others in their folder, as it takes them.

    They lie in the folder that it names, unless they have ``moved``. If they lie in several crates
    below it, as those of a museum's panel, they are read alone.
    """
    folder = find_tiles_folder(solution, moved)
    files = [tile.file for tile in solution.tiles]
    in_crates = any("/" in file for file in files)
    tiles = read_tiles(folder, any_shape=True, files=files if in_crates else None)
    halved = solution.with_loose(tiles.files).halved(tiles.files)
    return replace(tiles, halved=halved, half_share=halves_in(folder, tiles.files)[1])


def choose_scores(measure: str, device: str, model: str | None, scores: Path | None) -> Score:
    """Return how edges get their scores: from a file, if one is given, or else by a measure.

    A measure that cannot be had is refused here, before any tile is read.
    """
    if scores is not None:
        return lambda tiles, upright: load_scores(scores, tiles, on_note=note)
    chosen = get_measure(measure, device=device, model=model)
    return lambda tiles, upright: score_tiles(chosen, tiles, upright)


def score_tiles(
    measure: Measure, tiles: TileSet, upright: bool, post: Sequence[str] | None = None
) -> Compatibility:
    """Score the tiles under a bar; after Ctrl-C, tell whether the next command goes on from there.

    ``post`` are the steps after the measure, by default its own.
    """
    try:
        with (
            bar(f"Scoring edges with {measure.name}") as show,
            interrupted_at_progress(show) as progress,
        ):
            return measure.score(tiles, upright=upright, post=post, on_progress=progress)
    except KeyboardInterrupt:
        if not measure.learned or cache_folder() is None:
            raise
        exit_stopped("what was scored is kept. Continue with the same command.")


def read_solution(path: Path, name: str = "solution.json") -> Solution:
    """Read a solution from a file, or from the file ``name`` in a folder."""
    return Solution.load(path / name if path.is_dir() else path)


def read_solution_and_originals(path: Path, tiles: Path | None) -> tuple[Solution, Originals]:
    """Read a solution, and open the pictures of its tiles in natural order of their names."""
    solution = read_solution(path)
    if all(tile.panel < 0 for tile in solution.tiles):
        raise AzulejarError(
            "solution-without-places",
            "No tile of this solution is placed.",
            "Place one tile at least.",
        )
    return solution, Originals.of(solution, tiles)


def parse_tile_size(
    text: str | None, originals: Originals, boxes: tuple[Box, ...], longest: int
) -> int:
    """Return the side of a tile in pixels; by default the picture is at most ``longest`` long."""
    if text is None:
        return fitting_size(boxes, originals.side, longest)
    if text == "full":
        return min(originals.side, LARGEST_TILE)
    try:
        return int(text)
    except ValueError:
        raise AzulejarError(
            "tile-size-no-number",
            "--tile-size is {text!r}, which is no number of pixels.",
            "Give a number such as 400, or full.",
            text=text,
        ) from None
