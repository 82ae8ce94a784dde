"""``azulejar candidates``: which loose tiles fit a hole."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from azulejar.cli.console import console, say
from azulejar.cli.inputs import read_solution, read_tiles_of, score_tiles
from azulejar.cli.options import Device, Model, Overwrite, SolutionFile, TilesMoved
from azulejar.core.assembly import Assembly, Place
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.judging.candidates import Candidate, candidates_for, tiles_to_try
from azulejar.measures import DEFAULT_MEASURE, MEASURES, get_measure
from azulejar.outputs.candidate_sheet import MARK, write_candidates
from azulejar.system.atomic import refuse_existing


def command(
    solution: SolutionFile,
    row: Annotated[int, typer.Option(help="Row of the hole, from 1; 0 is above the panel.")],
    col: Annotated[int, typer.Option(help="Column of the hole, from 1; 0 is left of the panel.")],
    panel: Annotated[int, typer.Option(min=1, help="Which panel, from 1.")] = 1,
    among: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Search this folder of tiles too; may be repeated."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Tiles that have a place are candidates too.")
    ] = False,
    top: Annotated[int, typer.Option(min=1, help="How many to show.")] = 12,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Folder; by default named by place."),
    ] = None,
    tiles: TilesMoved = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure", "-m", metavar="NAME", help="Default: the one it was solved with."
        ),
    ] = None,
    device: Device = "auto",
    model: Model = None,
    overwrite: Overwrite = False,
) -> None:
    """Rank the loose tiles that fit a hole, all its sides taken together.

    Rows and columns count from 1, as in placement.csv and the report. Writes candidates.json (which
    counts from 0), candidates.csv and candidates.png, each candidate in its surroundings.

    Example: azulejar candidates result --row 4 --col 7 --among other_crate
    """
    place = Place(panel - 1, row - 1, col - 1)
    folder = output or Path(f"candidates_{panel}_{row}_{col}")
    refuse_existing(folder, MARK, overwrite)
    solved = read_solution(solution)
    known = solved.measure if solved.measure in MEASURES else DEFAULT_MEASURE
    scorer = get_measure(measure or str(known), device=device, model=model)
    found = _read_all_tiles(solved, tiles, among or [])
    assembly = _lay_tiles(solved, found)
    chosen = tiles_to_try(assembly, place, found.numbers, placed_too=everything)
    compatibility = score_tiles(scorer, found, solved.upright)
    fits, none = candidates_for(compatibility, assembly, place, chosen, upright=solved.upright)
    write_candidates(folder, found, assembly, place, fits[:top], none, measure=scorer.name,
                     overwrite=overwrite)  # fmt: skip
    _print_ranking(found, assembly, place, fits[:top], none)
    say(f"Picture: {folder / 'candidates.png'}")


def _read_all_tiles(solution: Solution, tiles: Path | None, among: list[Path]) -> TileSet:
    """Return the solution's tiles, then those of other folders, each named with its folder."""
    own = read_tiles_of(solution, tiles)
    if not among:
        return own
    others = [load_tiles(path, size=own.size, any_shape=True) for path in among]
    count = sum(map(len, others))
    say(f"{count} tiles more from {', '.join(map(str, among))}")
    return own.with_others(dict(zip(map(str, among), others, strict=True)))


def _lay_tiles(solution: Solution, tiles: TileSet) -> Assembly:
    """Return where the tiles lie; those that the solution does not know have no place."""
    missing = sorted(set(solution.files) - set(tiles.files))
    if missing:
        raise AzulejarError(
            "tiles-lack-file",
            "The folder of tiles lacks {file}.",
            "Say where the tiles lie: --tiles.",
            file=missing[0],
        )
    return solution.with_loose(tiles.files).assembly(tiles.files)


def _print_ranking(
    tiles: TileSet, assembly: Assembly, place: Place, found: list[Candidate], none: float
) -> None:
    """Print the ranking as a table."""
    title = f"Row {place.row + 1}, col {place.col + 1} (counted from 1)"
    shown = Table("rank", "tile", "turn", "probability", "now", title=title, title_justify="left")
    for rank, each in enumerate(found):
        tile = each.tile
        now = (
            f"row {assembly.row[tile] + 1}, col {assembly.col[tile] + 1}"
            if assembly.panel[tile] >= 0
            else "loose"
        )
        shown.add_row(str(rank + 1), tiles.numbers[tile], f"{90 * each.turn}°",
                      f"{each.probability:.1%}", now)  # fmt: skip
    console.print(shown)
    console.print(f"None of them: {none:.1%}")
