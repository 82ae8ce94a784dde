"""Compile all solvers, what sorts tiles and finds walls, and the tests, in two processes.

So no two workers of the test run compile the same.
"""

import gc
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.imaging.walls.detect import detect_grids
from azulejar.solvers import SOLVERS, Budget, solve
from azulejar.sorting import sort_tiles

LONGEST = "guided-growth"  # takes as long as all others


def compile_solver(name: str) -> None:
    """Solve puzzles of four tiles of known and unknown size, upright and turned.

    Growth that keeps locks is compiled by itself.
    """
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    sizes, locks = ((2, 2), (None, None)), ((), (Lock(0, 0, 0, 0),))
    for size, upright, lock in product(sizes, (True, False), locks):
        solver = SOLVERS[name]()
        knowns = Knowns(*size, upright=upright, locks=lock)
        if solver.can(knowns):
            solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))


def compile_others() -> None:
    """Sort the tiles of a panel whose joints are known, and search noise for a panel on a wall."""
    random = np.random.default_rng(0)
    row, col = np.divmod(np.arange(36), 6)
    met = Assembly.of(row, col, np.zeros(36, int)).neighbours()
    scores = 0.1 * random.random((len(met), len(met)), np.float32)
    scores[met >= 0, met[met >= 0]] = 1
    sort_tiles(Compatibility(scores, tuple(map(str, range(36))), "made up"))
    detect_grids(random.integers(0, 256, (112, 112, 3), np.uint8))


def compile_tests() -> None:
    """Let pytest find all tests once, unless it has: it rewrites their modules and keeps them."""
    if not any(Path(__file__).parent.glob("__pycache__/conftest.*-pytest-*.pyc")):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0"]
        subprocess.run(command, stdout=subprocess.DEVNULL)  # the run itself tells of errors


if __name__ == "__main__":
    with ProcessPoolExecutor(2, initializer=gc.disable) as pool:  # compiling leaves no garbage
        # What solvers share is compiled with the longest, and cached before the others begin.
        compiling = [pool.submit(compile_solver, LONGEST), pool.submit(compile_others)]
        compiling += [pool.submit(compile_solver, name) for name in SOLVERS if name != LONGEST]
        compiling.append(pool.submit(compile_tests))
        for each in compiling:
            each.result()
