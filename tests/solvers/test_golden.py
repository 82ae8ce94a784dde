"""Seeded runs as they came out once: a change of any draw or any step shows here.

When a solver is changed on purpose, look at what comes out now and write it down anew.
"""

from dataclasses import replace

import numpy as np
import pytest

from azulejar.core.knowns import Knowns
from azulejar.solvers import PRESETS, solve

TOPS = "↑→↓←"  # where the top of a tile points

# Preset and case: the panel row by row, and the best fitness after each generation, and after each
# round of annealing.
GOLDEN = {
    ("fast", "upright-known"): (
        ["4↑ 9↑ 1↑ 2↑", "7↑ 3↑ 10↑ 6↑", "0↑ 11↑ 5↑ 8↑"],
        [14.403, 14.403, 14.403],
    ),
    ("standard", "upright-known"): (
        ["4↑ 9↑ 1↑ 2↑", "7↑ 3↑ 10↑ 6↑", "0↑ 11↑ 5↑ 8↑"],
        [14.403, 14.403, 14.403, 14.403],
    ),
    ("paper", "upright-known"): (
        ["7↑ 9↑ 3↑ 10↑", "5↑ 0↑ 11↑ 2↑", "6↑ 8↑ 1↑ 4↑"],
        [12.471, 12.628, 12.628],
    ),
    ("fast", "turned-unknown"): (
        ["4↑ 2← 5→", "10← 6← 8→", "9↓ 7↑ 3↑", "1→ 0↑ 11↑"],
        [15.256, 15.256, 15.364],
    ),
    ("standard", "turned-unknown"): (
        ["2↑ 10← 6← 8→", "4↓ 9↓ 7↑ 3↑", "5↑ 1→ 0↑ 11↑"],
        [15.608, 15.608, 15.608],
    ),
    ("paper", "turned-unknown"): (
        [". 6↓ 2↑", ". 10↓ 9→", "8↑ 3← 11←", "4← 7← 0←", "1← 5↓ ."],
        [13.066, 13.066, 13.066],
    ),
}


@pytest.fixture
def scores(make_truth, as_scores, slow_stream):
    """12 tiles whose true joints hardly stand out; all scores are whole 1024ths, so exact."""
    random = slow_stream(0)
    edges = 48
    scores = np.zeros((edges, edges))
    for a in range(edges):
        for b in range(a):
            scores[a, b] = scores[b, a] = random.below(900) / 1024
    place = sorted(range(12), key=lambda tile: random.bits())
    for tile in range(12):
        right, below = 4 * place[tile] + 1, 4 * place[tile] + 2
        if tile % 4 < 3:
            left = 4 * place[tile + 1] + 3
            scores[right, left] = scores[left, right] = (500 + random.below(524)) / 1024
        if tile < 8:
            above = 4 * place[tile + 4]
            scores[below, above] = scores[above, below] = (500 + random.below(524)) / 1024
    return as_scores(scores)


def drawn(assembly):
    """The panel row by row: number of each tile and where its top points."""
    cells = [["."] * assembly.cols for _ in range(assembly.rows)]
    for tile, (row, col, turn) in enumerate(
        zip(assembly.row, assembly.col, assembly.turn, strict=True)
    ):
        cells[row][col] = f"{tile}{TOPS[turn]}"
    return [" ".join(row) for row in cells]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("case", ["upright-known", "turned-unknown"])
def test_a_seeded_run_comes_out_as_before(scores, name, case):
    knowns = Knowns(3, 4, upright=True) if case == "upright-known" else Knowns()
    told = []
    assembly = solve(
        scores,
        knowns,
        solver=replace(PRESETS[name], generations=3),
        seed=0,
        on_progress=told.append,
    )
    fitness = [round(one.fitness, 3) for one in told]
    assert (drawn(assembly), fitness) == GOLDEN[name, case]
