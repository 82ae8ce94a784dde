"""``azulejar evaluate``: a solution against the truth."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console
from azulejar.cli.inputs import read_solution
from azulejar.cli.options import SolutionFile
from azulejar.evaluation.metrics import Accuracy, evaluate_solution


def command(
    solution: SolutionFile,
    truth: Annotated[
        Path, typer.Argument(metavar="TRUTH", help="truth.json, or the folder that holds it.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print neighbour and direct accuracy, whether all is right, and the largest right part.

    Example: azulejar evaluate result/solution.json puzzle/truth.json
    """
    accuracy = evaluate_solution(read_solution(solution), read_solution(truth, "truth.json"))
    if as_json:
        typer.echo(json.dumps(asdict(accuracy)))
        return
    print_accuracy(accuracy)


def print_accuracy(accuracy: Accuracy) -> None:
    """Print the four figures."""
    console.print(f"neighbour  {accuracy.neighbour:7.2%}   of the true joints are there")
    console.print(f"direct     {accuracy.direct:7.2%}   of the tiles are in their place")
    console.print(f"perfect    {'yes' if accuracy.perfect else 'no':>7}")
    console.print(
        f"largest    {accuracy.largest:7.2%}   of the tiles are in the largest right part"
    )
