"""``azulejar score``: how well every two edges fit."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, console, read_tiles
from azulejar.cli.options import MeasureName, Overwrite, TilesFolder, Upright
from azulejar.errors import AzulejarError
from azulejar.measures import get_measure
from azulejar.measures.postprocess import DEFAULT


def command(
    tiles: TilesFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="scores.npz", help="File for the scores.")
    ],
    measure: MeasureName = "mgc",
    upright: Upright = False,
    post: Annotated[
        str,
        typer.Option(
            metavar="STEPS",
            help="Steps from dissimilarity to score: likelihood, ratio, minmax, symmetric; "
            "'none' leaves the negated dissimilarity.",
        ),
    ] = ",".join(DEFAULT),
    overwrite: Overwrite = False,
) -> None:
    """Score all pairs of edges and write them as scores.npz.

    Example: azulejar score my_tiles -o scores.npz --measure mgc
    """
    if output.exists() and not overwrite:
        raise AzulejarError(f"{output} exists already.", "Give another -o, or --overwrite.")
    found = read_tiles(tiles)
    steps = [] if post == "none" else [step.strip() for step in post.split(",")]
    with bar(f"Scoring edges with {measure}") as progress:
        scores = get_measure(measure).score(
            found, upright=upright, post=steps, on_progress=progress
        )
    scores.save(output)
    console.print(f"Scores of {len(found)} tiles: {output}", markup=False, soft_wrap=True)
