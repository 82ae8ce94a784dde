"""``azulejar joints``: the list of joints that are accepted."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import say
from azulejar.cli.inputs import choose_scores, read_solution, read_tiles_of
from azulejar.cli.options import (
    By,
    Day,
    Device,
    Headings,
    MeasureName,
    Model,
    Overwrite,
    Scores,
    SolutionFile,
    TilesMoved,
    Tongue,
)
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.evidence import Rivals
from azulejar.measures import DEFAULT_MEASURE
from azulejar.outputs.joint_list import LEAST, write_joint_list
from azulejar.outputs.records import check_day
from azulejar.outputs.spreadsheets import ListStyle
from azulejar.outputs.wording import count_noun
from azulejar.patterns.laying import find_copies
from azulejar.system.atomic import refuse_existing_file
from azulejar.version import __version__


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="CSV file to write.")
    ] = Path("joints.csv"),
    least: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Least probability of a joint.")
    ] = LEAST,
    by: By = None,
    day: Day = None,
    headings: Headings = Tongue.EN,
    tiles: TilesMoved = None,
    measure: MeasureName = DEFAULT_MEASURE,
    device: Device = "auto",
    model: Model = None,
    scores: Scores = None,
    overwrite: Overwrite = False,
) -> None:
    """List the joints of a panel that are accepted: tile, side, tile, side, how sure, who, when.

    Example: azulejar joints result -o joints.csv --least 0.95 --by "Ana Silva"
    """
    refuse_existing_file(output, overwrite)
    when = date.today().isoformat() if day is None else check_day(day)
    score = choose_scores(measure, device, model, scores)
    laid = read_solution(solution)
    found = read_tiles_of(laid, tiles)
    assembly = laid.with_loose(found.files).assembly(found.files)
    compatibility = score(found, laid.upright)
    rivals = Rivals.of(compatibility, find_copies(found.pixels))
    listed = write_joint_list(
        output,
        found.numbers,
        *joint_confidence(compatibility, assembly, rivals),
        by=by or f"azulejar {__version__}",
        day=when,
        least=least,
        style=ListStyle(headings.value),
    )
    say(f"{count_noun(listed, 'joint')} of {len(assembly.joints())}: {output}")
