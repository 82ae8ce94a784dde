"""Compile all solvers side by side, so that no two workers of the test run compile the same."""

from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.solvers import SOLVERS, Budget, solve


def compile_solver(name: str) -> None:
    """Solve puzzles of four tiles in every form for which a solver is compiled by itself."""
    solver = SOLVERS[name]()
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    for size, upright, locks in product(
        ((2, 2), (None, None)), (True, False), ((), (Lock(0, 0, 0, 0),))
    ):
        knowns = Knowns(*size, upright=upright, locks=locks)
        if solver.can(knowns):
            solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        list(pool.map(compile_solver, SOLVERS))
