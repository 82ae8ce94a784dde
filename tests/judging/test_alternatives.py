import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.alternatives import alternatives, fit

N = 12
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # above, right, below, left


def slow_alternatives(scores, assembly, tile, k, upright):
    """The same by a double loop over tiles and turns."""
    place = {
        (assembly.row[t], assembly.col[t], assembly.panel[t]): t
        for t in range(len(assembly))
        if assembly.panel[t] >= 0
    }
    around = {}
    for direction, (down, along) in enumerate(STEPS):
        spot = (assembly.row[tile] + down, assembly.col[tile] + along, assembly.panel[tile])
        if spot in place:
            around[direction] = place[spot]
    found = []
    for other in range(len(assembly)):
        if not around or other == tile or other in around.values():
            continue
        best = None
        for turn in [0] if upright else range(4):
            total = 0.0
            for direction, neighbour in around.items():
                a = 4 * other + (direction - turn) % 4
                b = 4 * neighbour + (direction + 2 - assembly.turn[neighbour]) % 4
                total += min(max((float(scores[a, b]) + float(scores[b, a])) / 2, 0), 1)
            score = total / len(around)
            if best is None or score > best[2] + 1e-12:
                best = (other, turn, score)
        found.append(best)
    return sorted(found, key=lambda one: -one[2])[:k]


@pytest.fixture
def compatibility():
    scores = np.random.default_rng(2).random((4 * N, 4 * N)).astype(np.float32)
    return Compatibility(scores, tuple(f"{i}.png" for i in range(N)), "test")


@pytest.fixture
def assembly():
    """3 × 3 with a hole in its corner, two tiles in a second panel, two not placed."""
    turn = np.random.default_rng(3).integers(0, 4, N)
    row = [0, 0, 0, 1, 1, 1, 2, 2, 0, 1, 0, 0]
    col = [0, 1, 2, 0, 1, 2, 0, 1, 0, 0, 0, 0]
    return Assembly.of(row, col, turn, [0] * 8 + [1, 1, -1, -1])


@pytest.mark.parametrize("upright", [False, True])
def test_alternatives_equal_a_slow_double_loop(compatibility, assembly, upright):
    for tile in range(N):
        found = alternatives(compatibility, assembly, tile, 5, upright)
        expected = slow_alternatives(compatibility.scores, assembly, tile, 5, upright)
        assert [one[:2] for one in found] == [one[:2] for one in expected]
        assert [one[2] for one in found] == pytest.approx([one[2] for one in expected])


def test_an_alternative_s_score_is_the_fit_it_would_have(compatibility, assembly):
    other, turn, score = alternatives(compatibility, assembly, 4, 1, upright=False)[0]
    row, col, turns, panel = (
        a.copy() for a in (assembly.row, assembly.col, assembly.turn, assembly.panel)
    )
    row[other], col[other], turns[other], panel[other], panel[4] = 1, 1, turn, 0, -1
    changed = Assembly(row, col, turns, panel)
    assert fit(compatibility, changed, other) == pytest.approx(score)
    assert fit(compatibility, changed, 4) == 0


def test_top_k_scores_give_the_same_as_dense_ones(compatibility, assembly):
    index, value = compatibility.best(4 * N)
    top = Compatibility(value, compatibility.files, "test", index)
    assert alternatives(top, assembly, 4, 3, False) == alternatives(
        compatibility, assembly, 4, 3, False
    )


def test_a_tile_without_neighbours_has_no_alternatives(compatibility, assembly):
    assert alternatives(compatibility, assembly, 10, 3, False) == []


def test_two_tiles_have_no_alternatives():
    compatibility = Compatibility(np.ones((8, 8), np.float32), ("a", "b"), "test")
    assert alternatives(compatibility, Assembly.of([0, 0], [0, 1], [0, 0]), 0, 4, False) == []
