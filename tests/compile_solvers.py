"""Compile all solvers in two processes, so that no two workers of the test run compile the same."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.solvers import SOLVERS, Budget, solve

# It takes as long as all others; in one process, what its forms share is compiled once.
LONGEST = "guided-growth"


def compile_solvers(names: Sequence[str]) -> None:
    """Solve puzzles of four tiles of known and unknown size, upright and turned.

    Growth that keeps locks is compiled by itself.
    """
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    sizes, locks = ((2, 2), (None, None)), ((), (Lock(0, 0, 0, 0),))
    for name, size, upright, lock in product(names, sizes, (True, False), locks):
        solver = SOLVERS[name]()
        knowns = Knowns(*size, upright=upright, locks=lock)
        if solver.can(knowns):
            solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))


if __name__ == "__main__":
    others = [name for name in SOLVERS if name != LONGEST]
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(compile_solvers, ([LONGEST], others)))
