"""``azulejar score``: how well every two edges fit."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import say
from azulejar.cli.inputs import read_tiles, score_tiles
from azulejar.cli.options import (
    AnyShape,
    Device,
    MeasureName,
    Model,
    Overwrite,
    TilesFolder,
    Upright,
)
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.measures.postprocess import check_steps
from azulejar.system.atomic import refuse_existing_file


def command(
    tiles: TilesFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="scores.npz", help="File for the scores.")
    ],
    measure: MeasureName = DEFAULT_MEASURE,
    upright: Upright = False,
    post: Annotated[
        str | None,
        typer.Option(
            metavar="STEPS",
            help="Steps instead of the measure's own, from likelihood, ratio, softmax, minmax, "
            "mutual, symmetric, loops, outer, dnn-buddies; 'none' keeps the measure's output.",
        ),
    ] = None,
    device: Device = "auto",
    model: Model = None,
    these_are_tiles: AnyShape = False,
    overwrite: Overwrite = False,
) -> None:
    """Score all pairs of edges and write them as scores.npz.

    Example: azulejar score my_tiles -o scores.npz
    """
    refuse_existing_file(output, overwrite)
    scorer = get_measure(measure, device=device, model=model)
    steps = _parse_steps(post)
    check_steps(scorer.post if steps is None else steps, scorer.learned)
    found = read_tiles(tiles, these_are_tiles)
    score_tiles(scorer, found, upright, steps).save(output)
    say(f"Scores of {len(found)} tiles: {output}")


def _parse_steps(post: str | None) -> list[str] | None:
    if post is None:
        return None
    return [] if post == "none" else [step.strip() for step in post.split(",")]
