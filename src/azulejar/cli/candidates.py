"""``azulejar candidates``: which loose tiles fit a hole."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from azulejar.cli.console import console, read_tiles
from azulejar.cli.evaluate import load
from azulejar.cli.options import Device, Exact, Model, Overwrite, SolutionFile
from azulejar.cli.solutions import TilesMoved, tiles_of
from azulejar.cli.solve import measured
from azulejar.core.assembly import Assembly, Place
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.judging.candidates import Candidate, candidates_for, surroundings
from azulejar.measures import DEFAULT_MEASURE, MEASURES, get_measure
from azulejar.outputs.candidates import MARK, write_candidates
from azulejar.system.atomic import refuse_existing


def command(
    solution: SolutionFile,
    row: Annotated[int, typer.Option(help="Row of the hole, from 1; 0 is above the panel.")],
    col: Annotated[int, typer.Option(help="Column of the hole, from 1; 0 is left of the panel.")],
    panel: Annotated[int, typer.Option(min=1, help="Which panel, from 1.")] = 1,
    among: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Search this folder of tiles too; may be given often."),
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
        str | None, typer.Option("--measure", "-m", metavar="NAME", help="Default: as it was.")
    ] = None,
    device: Device = "auto",
    exact: Exact = False,
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
    solved = load(solution, "solution.json")
    known = solved.measure if solved.measure in MEASURES else DEFAULT_MEASURE
    scorer = get_measure(measure or str(known), device=device, exact=exact, model=model)
    found = gathered(solved, tiles, among or [])
    assembly = placed(solved, found)
    chosen = searched(assembly, place, found, everything)
    compatibility = measured(found, scorer, solved.upright)
    fits, none = candidates_for(compatibility, assembly, place, chosen, upright=solved.upright)
    write_candidates(folder, found, assembly, place, fits[:top], none, measure=scorer.name,
                     overwrite=overwrite)  # fmt: skip
    tell(found, assembly, place, fits[:top], none)
    console.print(f"Picture: {folder / 'candidates.png'}", markup=False, soft_wrap=True)


def gathered(solution: Solution, tiles: Path | None, among: list[Path]) -> TileSet:
    """The solution's tiles, then those of other folders, whose names go before their files'."""
    own = read_tiles(tiles_of(solution, tiles))
    if not among:
        return own
    others = [load_tiles(path, size=own.size) for path in among]
    files = [f"{path}/{file}" for path, each in zip(among, others, strict=True)
             for file in each.files]  # fmt: skip
    console.print(f"{len(files)} tiles more from {', '.join(map(str, among))}", markup=False)
    pixels = np.concatenate([own.pixels, *(each.pixels for each in others)])
    return TileSet(pixels, (*own.files, *files), None)


def placed(solution: Solution, tiles: TileSet) -> Assembly:
    """Where the tiles lie; those that the solution does not know have no place."""
    missing = sorted(set(solution.files) - set(tiles.files))
    if missing:
        raise AzulejarError(
            f"The folder of tiles lacks {missing[0]}.", "Say where the tiles lie: --tiles."
        )
    return solution.with_loose(tiles.files).assembly(tiles.files)


def searched(assembly: Assembly, place: Place, tiles: TileSet, everything: bool) -> list[int]:
    """The tiles that may be candidates; raises where there is no hole to fill."""
    here = (assembly.panel == place.panel) & (assembly.row == place.row)
    lies = np.flatnonzero(here & (assembly.col == place.col))
    if len(lies) and not everything:
        raise AzulejarError(
            f"Row {place.row + 1}, col {place.col + 1} is no hole: "
            f"{tiles.numbers[lies[0]]} lies there.",
            "Choose an empty place, or give --all.",
        )
    surroundings(assembly, place)
    chosen = np.arange(len(assembly)) if everything else np.flatnonzero(assembly.panel < 0)
    if not len(chosen):
        raise AzulejarError(
            "All tiles have a place, so none is loose.", "Give --among other folders, or --all."
        )
    return [int(tile) for tile in chosen]


def tell(
    tiles: TileSet, assembly: Assembly, place: Place, found: list[Candidate], none: float
) -> None:
    """The ranking as a table."""
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
