"""``azulejar demo``: a panel that the program paints, ages, shuffles and puts together again."""

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from azulejar.cli.console import console, say
from azulejar.cli.evaluate import print_accuracy
from azulejar.cli.inputs import read_tiles, score_tiles
from azulejar.cli.options import Overwrite, Seed
from azulejar.cli.serve import how_to_open
from azulejar.cli.solve import print_result, run_solver
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.solution import Solution
from azulejar.evaluation.metrics import evaluate_solution, turn_like_truth
from azulejar.imaging.picture import write_picture
from azulejar.imaging.render import render
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.outputs.result import write_result
from azulejar.outputs.tile_folders import PUZZLE_MARK, write_puzzle
from azulejar.practice.samples import DEMO_COLS, DEMO_ROWS, worn_puzzle
from azulejar.solvers import get_preset
from azulejar.system.atomic import refuse_existing
from azulejar.system.interrupts import stopped_by_interrupt

PRESET = "standard"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the demo.")
    ] = Path("demo"),
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Paint a panel of 140 tiles, age, shuffle and turn them, and put it together again.

    Neither the tiles' turns nor the panel's size are told to the solver.

    Example: azulejar demo -o demo
    """
    puzzle, result = output / "puzzle", output / "result"
    refuse_existing(puzzle, PUZZLE_MARK, overwrite)
    refuse_existing(result, "solution.json", overwrite)
    painted, placed = worn_puzzle(seed, DEMO_ROWS, DEMO_COLS)
    write_puzzle(puzzle, painted, placed, upright=False, seed=seed, overwrite=overwrite)
    console.print("Painted a panel, then aged, shuffled and turned its tiles.")
    tiles = read_tiles(puzzle / "tiles", any_shape=True)
    row, col = np.divmod(np.arange(len(tiles)), DEMO_COLS)
    before = Assembly.of(row, col, np.zeros(len(tiles), int))
    write_picture(puzzle / "shuffled.png", render(tiles, before))
    scores = score_tiles(get_measure(DEFAULT_MEASURE), tiles, upright=False)
    solver = get_preset(PRESET)
    with stopped_by_interrupt() as stop:
        started = time.perf_counter()
        run = run_solver(scores, Knowns(), solver=solver, seed=seed, stop=stop)
        seconds = time.perf_counter() - started
    truth = Solution.load(puzzle / PUZZLE_MARK)
    solution = write_result(
        result,
        tiles,
        scores,
        turn_like_truth(run.assembly, truth.assembly()),
        history=run.history,
        overwrite=overwrite,
        solver=solver.name,
        preset=PRESET,
        seed=seed,
        seconds=round(seconds, 2),
    )
    print_accuracy(evaluate_solution(solution, truth))
    say(f"Before: {puzzle / 'shuffled.png'}")
    print_result(solution, result)
    say(f"In the browser: {how_to_open(result)}")
