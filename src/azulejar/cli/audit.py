"""``azulejar audit``: which tiles of an assembly seem to be in the wrong place or turned."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from azulejar.cli.console import bar, console, read_tiles
from azulejar.cli.evaluate import load
from azulejar.cli.options import Device, Exact, MeasureName, Model, OutFolder, Overwrite, Scores
from azulejar.cli.scores import load_scores
from azulejar.cli.solutions import TilesMoved, tiles_of
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import LARGEST_KEPT, WORKING_SIDE
from azulejar.imaging.picture import read_picture
from azulejar.judging.audit import THRESHOLD, Audit, audit
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.outputs.audit import MARK, write_audit
from azulejar.outputs.audit_words import sentence
from azulejar.practice.puzzles import check_trim, cut
from azulejar.system.atomic import refuse_existing

SHOWN = 10  # findings that the terminal tells
DOUBTFUL = 0.1  # probability from which a tile that is not marked is mentioned


def command(
    assembly: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTION_OR_PANEL",
            help="solution.json, the folder that holds it, or a picture of a whole panel.",
        ),
    ],
    output: OutFolder,
    rows: Annotated[int | None, typer.Option(help="Rows of tiles of the picture.")] = None,
    cols: Annotated[int | None, typer.Option(help="Columns of tiles of the picture.")] = None,
    trim: Annotated[
        float, typer.Option(help="Fraction of the side to cut off each tile of the picture.")
    ] = 0.03,
    tiles: TilesMoved = None,
    upright: Annotated[
        bool, typer.Option("--upright", help="No tile is turned wrongly: look for swaps alone.")
    ] = False,
    threshold: Annotated[
        float, typer.Option(metavar="P", help="Least probability of a finding.")
    ] = THRESHOLD,
    measure: MeasureName = DEFAULT_MEASURE,
    device: Device = "auto",
    exact: Exact = False,
    model: Model = None,
    scores: Scores = None,
    overwrite: Overwrite = False,
) -> None:
    """Mark tiles that seem misplaced or turned, and say what would fit better.

    Empty places are tried too, also with tiles of the folder that have no place. Writes audit.html
    with pictures, audit.csv, audit.json, and proposed.json, which azulejar render draws. Plain
    tiles, which fit everywhere alike, cannot be judged.

    Example: azulejar audit panel.jpg --rows 8 --cols 12 -o audit
    """
    refuse_existing(output, MARK, overwrite)
    if scores is None:
        scorer = get_measure(measure, device=device, exact=exact, model=model)
    if assembly.is_dir() or assembly.suffix.lower() == ".json":
        found, laid = _of_solution(assembly, tiles, rows, cols)
    else:
        found, laid = _of_picture(assembly, rows, cols, trim)
    if scores is None:
        with bar(f"Scoring edges with {scorer.name}") as progress:
            compatibility = scorer.score(found, upright=upright, on_progress=progress)
    else:
        compatibility = load_scores(scores, found)
    judged = audit(compatibility, laid, upright=upright, threshold=threshold)
    write_audit(
        output,
        found,
        judged,
        name=assembly.resolve().stem,
        measure=compatibility.measure,
        threshold=threshold,
        overwrite=overwrite,
    )
    _tell(found, judged, output)


def _of_solution(
    path: Path, moved: Path | None, rows: int | None, cols: int | None
) -> tuple[TileSet, Assembly]:
    """The tiles of a solution and how they lie."""
    if rows or cols:
        raise AzulejarError(
            "A solution says itself how many rows and cols there are.",
            "Leave --rows and --cols out, or give a picture.",
        )
    solution: Solution = load(path, "solution.json")
    tiles = read_tiles(tiles_of(solution, moved))
    return tiles, solution.with_loose(tiles.files).assembly(tiles.files)


def _of_picture(
    path: Path, rows: int | None, cols: int | None, trim: float
) -> tuple[TileSet, Assembly]:
    """The tiles that a picture of a panel shows, named by row and col from 1."""
    picture = read_picture(path)
    if not rows or not cols:
        raise AzulejarError(f"How many tiles {path} shows is not known.", "Give --rows and --cols.")
    check_trim(trim)
    side = min(picture.shape[0] / rows, picture.shape[1] / cols) * (1 - 2 * trim)
    cells = cut(picture, rows, cols, trim, None if side <= LARGEST_KEPT else WORKING_SIDE)
    row, col = np.divmod(np.arange(rows * cols), cols)
    digits = len(str(max(rows, cols)))
    names = [f"r{r + 1:0{digits}}_c{c + 1:0{digits}}" for r, c in zip(row, col, strict=True)]
    return TileSet(cells, tuple(names)), Assembly.of(row, col, np.zeros(rows * cols))


def _tell(tiles: TileSet, judged: Audit, output: Path) -> None:
    if not judged.findings:
        console.print("No tile seems to be in the wrong place or turned.")
    for number, found in enumerate(judged.findings[:SHOWN], 1):
        text = f"{number}. {sentence(tiles, judged, found)} ({found.probability:.2f})"
        console.print(text, markup=False, soft_wrap=True)
    if len(judged.findings) > SHOWN:
        console.print(f"… and {len(judged.findings) - SHOWN} more.")
    doubtful = int((judged.wrong >= DOUBTFUL).sum()) - len(judged.marked)
    if doubtful > 0:
        console.print(f"Less sure: {doubtful} more (--threshold {DOUBTFUL} shows why).")
    console.print(f"Audit: {output / 'audit.html'}", markup=False, soft_wrap=True)
