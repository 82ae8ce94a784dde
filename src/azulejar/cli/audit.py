"""``azulejar audit``: which tiles of an assembly seem to be in the wrong place or turned."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console, say, warn
from azulejar.cli.inputs import choose_scores, read_solution, read_tiles_of
from azulejar.cli.options import (
    Device,
    MeasureName,
    Model,
    OutFolder,
    Overwrite,
    Scores,
    TilesMoved,
)
from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_picture
from azulejar.judging.audit import THRESHOLD, Audit, audit
from azulejar.measures import DEFAULT_MEASURE
from azulejar.outputs.audit_report import (
    MARK,
    describe_finding,
    describe_unmarked,
    remarks_of,
    write_audit,
)
from azulejar.outputs.wording import format_probability
from azulejar.panel.doubts import question_laid
from azulejar.patterns.laying import find_copies
from azulejar.practice.puzzles import cut_in_place
from azulejar.solvers import Budget
from azulejar.system.atomic import refuse_existing

SHOWN = 10  # findings that are printed


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
    model: Model = None,
    scores: Scores = None,
    overwrite: Overwrite = False,
) -> None:
    """Mark tiles that seem misplaced or turned, and say what would fit better.

    Empty places are tried too, also with tiles of the folder that have no place. Says too if a part
    of the panel may not belong to the rest, or another size fits better. Writes audit.html with
    pictures, audit.csv, audit.json, and proposed.json, which azulejar render draws. Plain
    tiles, which fit everywhere alike, cannot be judged.

    Example: azulejar audit panel.jpg --rows 8 --cols 12 -o audit
    """
    refuse_existing(output, MARK, overwrite)
    score = choose_scores(measure, device, model, scores)
    if assembly.is_dir() or assembly.suffix.lower() == ".json":
        found, laid = _read_solution(assembly, tiles, rows, cols)
    else:
        found, laid = _cut_picture(assembly, rows, cols, trim)
    compatibility = score(found, upright)
    judged = audit(compatibility, laid, upright=upright, threshold=threshold)
    copies = find_copies(found.pixels)
    doubted = list(
        question_laid(compatibility, laid, found.pixels, Budget(), upright=upright, copies=copies)
    )
    write_audit(
        output,
        found,
        judged,
        name=assembly.resolve().stem,
        measure=compatibility.measure,
        threshold=threshold,
        doubted=doubted,
        overwrite=overwrite,
    )
    _print_findings(found, judged, remarks_of(judged, doubted), output)


def _read_solution(
    path: Path, moved: Path | None, rows: int | None, cols: int | None
) -> tuple[TileSet, Assembly]:
    """Return the tiles of a solution and how they lie."""
    if rows or cols:
        raise AzulejarError(
            "solution-has-size",
            "A solution says itself how many rows and cols there are.",
            "Leave --rows and --cols out, or give a picture.",
        )
    solution = read_solution(path)
    tiles = read_tiles_of(solution, moved)
    return tiles, solution.with_loose(tiles.files).assembly(tiles.files)


def _cut_picture(
    path: Path, rows: int | None, cols: int | None, trim: float
) -> tuple[TileSet, Assembly]:
    """Return the tiles that a picture of a panel shows, and how they lie."""
    picture = read_picture(path)
    if not rows or not cols:
        raise AzulejarError(
            "picture-size-unknown",
            "How many tiles {path} shows is not known.",
            "Give --rows and --cols.",
            path=str(path),
        )
    return cut_in_place(picture, rows, cols, trim)


def _print_findings(tiles: TileSet, judged: Audit, remarks: list[str], output: Path) -> None:
    for remark in remarks:
        warn(remark)
    for number, found in enumerate(judged.findings[:SHOWN], 1):
        likely = format_probability(found.probability)
        say(f"{number}. {describe_finding(tiles, judged, found)} ({likely})")
    if len(judged.findings) > SHOWN:
        console.print(f"… and {len(judged.findings) - SHOWN} more.")
    if unmarked := describe_unmarked(judged, doubted=bool(remarks)):
        console.print(unmarked)
    say(f"Audit: {output / 'audit.html'}")
