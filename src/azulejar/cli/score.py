"""``azulejar score``: how well every two edges fit."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, console, read_tiles
from azulejar.cli.options import (
    Device,
    Exact,
    MeasureName,
    Model,
    Overwrite,
    TilesFolder,
    Upright,
)
from azulejar.errors import AzulejarError
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.measures.postprocess import check_steps


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
            help="Other steps to the score than the measure's own, of likelihood, ratio, softmax, "
            "minmax, mutual, symmetric; 'none' leaves what the measure gives.",
        ),
    ] = None,
    device: Device = "auto",
    exact: Exact = False,
    model: Model = None,
    overwrite: Overwrite = False,
) -> None:
    """Score all pairs of edges and write them as scores.npz.

    Example: azulejar score my_tiles -o scores.npz
    """
    if output.exists() and not overwrite:
        raise AzulejarError(f"{output} exists already.", "Give another -o, or --overwrite.")
    scorer = get_measure(measure, device=device, exact=exact, model=model)
    steps = _steps(post)
    check_steps(scorer.post if steps is None else steps, scorer.learned)
    found = read_tiles(tiles)
    with bar(f"Scoring edges with {measure}") as progress:
        scores = scorer.score(found, upright=upright, post=steps, on_progress=progress)
    scores.save(output)
    console.print(f"Scores of {len(found)} tiles: {output}", markup=False, soft_wrap=True)


def _steps(post: str | None) -> list[str] | None:
    if post is None:
        return None
    return [] if post == "none" else [step.strip() for step in post.split(",")]
