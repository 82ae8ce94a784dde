"""Compile all solvers side by side, so that no two workers of the test run compile the same."""

from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.solvers import SOLVERS, Budget, solve


def compile_solver(name: str, locks: tuple[Lock, ...]) -> None:
    """Solve puzzles of four tiles of known and unknown size, upright and turned."""
    solver = SOLVERS[name]()
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    for size, upright in product(((2, 2), (None, None)), (True, False)):
        knowns = Knowns(*size, upright=upright, locks=locks)
        if solver.can(knowns):
            solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))


if __name__ == "__main__":
    # Growth that keeps locks is compiled by itself. What takes longest begins first.
    forms = [(name, locks) for name in SOLVERS for locks in ((), (Lock(0, 0, 0, 0),))]
    with ProcessPoolExecutor() as pool:
        list(pool.map(compile_solver, *zip(*forms, strict=True)))
