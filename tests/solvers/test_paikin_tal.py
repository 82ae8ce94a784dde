"""Greedy placement by best buddies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid import lie

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import solve
from azulejar.solvers.kernels.buddies import choose_again, free_buddy, mutual_clarity, new_choices
from azulejar.solvers.kernels.kernel import edge_facing, facing, is_free, is_open, new_kernel, put
from azulejar.solvers.paikin_tal import PaikinTal


@given(n=st.integers(2, 30), panels=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_there_are_at_most_so_many_panels(noise_scores, n, panels, seed):
    panels = min(panels, n)
    assembly = solve(noise_scores(n, seed), Knowns(panels=panels), solver=PaikinTal())
    used = np.unique(assembly.panel)
    assert used.tolist() == list(range(len(used)))
    assert len(used) <= panels
    assert len({tuple(place[:3]) for place in lie(assembly)}) == n


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("panels", [2, None])
@pytest.mark.parametrize("seed", range(3))
def test_two_panels_are_told_apart(make_truth, perfect_scores, upright, panels, seed):
    both = [make_truth(4, 5, upright, seed), make_truth(3, 4, upright, seed + 10)]
    parts = [
        np.concatenate([getattr(one, name) for one in both]) for name in ("row", "col", "turn")
    ]
    truth = Assembly.of(*parts, np.repeat([0, 1], [20, 12]))
    knowns = Knowns(upright=upright, panels=panels)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=PaikinTal())
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()
    assert len(np.unique(assembly.panel)) == 2
    together = solve(perfect_scores(truth, seed), Knowns(upright=upright), solver=PaikinTal())
    assert together.panel.tolist() == [0] * 32


def test_no_threshold_no_second_panel(make_truth, perfect_scores):
    both = [make_truth(3, 3, True), make_truth(3, 3, True, 1)]
    parts = [
        np.concatenate([getattr(one, name) for one in both]) for name in ("row", "col", "turn")
    ]
    scores = perfect_scores(Assembly.of(*parts, np.repeat([0, 1], 9)))
    knowns = Knowns(upright=True, panels=None)
    assert solve(scores, knowns, solver=PaikinTal(threshold=-1.0)).panel.max() == 0
    assert solve(scores, knowns, solver=PaikinTal(threshold=0.5)).panel.max() == 1


@pytest.mark.parametrize("holes", [[(1, 1), (1, 2), (3, 4)], [(0, 0), (2, 3), (4, 2)]])
def test_holes_stay_holes(make_truth, perfect_scores, variant, holes):
    upright, known = variant
    whole = make_truth(5, 6, upright)
    kept = [at not in holes for at in zip(whole.row, whole.col, strict=True)]
    truth = Assembly.of(whole.row[kept], whole.col[kept], whole.turn[kept])
    knowns = Knowns(5, 6, upright) if known else Knowns(upright=upright)
    assembly = solve(perfect_scores(truth), knowns, solver=PaikinTal())
    assert len(assembly) == 27
    assert evaluate(assembly, truth, upright=upright).perfect
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()


def slow_clarity(scores, edge, other, partners):
    rivals = [scores[edge, rival] for rival in partners(edge) if rival != other]
    rival = max(rivals, default=0)
    return (scores[edge, other] - rival) / max(scores[edge, other], rival)


@given(
    n=st.integers(3, 8),
    laid=st.integers(0, 6),
    upright=st.booleans(),
    known=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_choices_and_clarity_are_those_among_the_edges_left(
    noise_scores, n, laid, upright, known, seed
):
    """Some tiles are laid in a row; what is left is then looked at edge by edge."""
    laid = min(laid, n - 2)
    scores = noise_scores(n, seed).scores
    kernel = new_kernel(n, 2 if known else 0, n - 1 if known else 0, upright)
    choices = new_choices(scores, kernel)
    for tile in range(laid):
        put(kernel, tile, 0, tile, 0)
        if tile == laid // 2:
            choose_again(choices, kernel)
    choose_again(choices, kernel)

    def left(edge):
        return is_free(kernel, edge // 4) or is_open(kernel, *facing(kernel, edge)[1:])

    def partners(edge):
        return [
            other
            for other in range(4 * n)
            if other // 4 != edge // 4
            and left(other)
            and (is_free(kernel, edge // 4) or is_free(kernel, other // 4))
            and (not upright or (edge - other) % 4 == 2)
        ]

    def best(edge):
        return max(partners(edge), key=lambda other: scores[edge, other], default=-1)

    edges = [edge for edge in range(4 * n) if left(edge)]
    for edge in edges:
        assert choices.partner[edge, 0] == best(edge)
        buddy = best(edge) if best(best(edge)) == edge and is_free(kernel, best(edge) // 4) else -1
        assert free_buddy(choices, kernel, edge) == buddy
        for other in partners(edge)[:5]:
            there = slow_clarity(scores, edge, other, partners)
            back = slow_clarity(scores, other, edge, partners)
            found = mutual_clarity(choices, edge, other)
            assert found == pytest.approx((there + back) / 2, abs=1e-5)
    assert all(edge_facing(kernel, 3, 0, tile + 1) == 4 * tile + 1 for tile in range(laid))
