"""``azulejar evaluate``: a solution against the truth."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console
from azulejar.cli.options import SolutionFile
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import Accuracy, evaluate


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
    accuracy = compared(load(solution, "solution.json"), load(truth, "truth.json"))
    if as_json:
        typer.echo(json.dumps(asdict(accuracy)))
        return
    show(accuracy)


def load(path: Path, name: str) -> Solution:
    """The solution in a file, or in the file of that name in a folder."""
    return Solution.load(path / name if path.is_dir() else path)


def compared(solution: Solution, truth: Solution) -> Accuracy:
    """Accuracy of a solution of the same tiles."""
    if sorted(solution.files) != sorted(truth.files):
        odd = sorted(set(solution.files) ^ set(truth.files))[0]
        raise AzulejarError(
            f"Solution and truth are of other tiles ({odd} is only in one of the two).",
            "Give a solution and a truth that belong together.",
        )
    if not truth.files:
        raise AzulejarError("The truth has no tiles.", "Give the truth of a puzzle.")
    found, true = solution.assembly(truth.files), truth.assembly()
    return evaluate(found, true, upright=truth.upright)


def show(accuracy: Accuracy) -> None:
    """Print the four figures."""
    console.print(f"neighbour  {accuracy.neighbour:7.2%}   of the true joints are there")
    console.print(f"direct     {accuracy.direct:7.2%}   of the tiles are in their place")
    console.print(f"perfect    {'yes' if accuracy.perfect else 'no':>7}")
    console.print(
        f"largest    {accuracy.largest:7.2%}   of the tiles are in the largest right part"
    )
