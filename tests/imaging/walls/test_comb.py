"""Combs fitted to lines that are known."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.imaging.walls.comb import Comb, Trials, _best_combs, _leaning, _middle, fit_combs


@given(place=st.floats(-1, 1), chirp=st.floats(-0.15, 0.15))
def test_the_middle_of_a_joint_solves_its_equation(place, chirp):
    middle = _middle(place, chirp)
    assert abs(middle + chirp * (middle**2 - 1) - place) < 1e-6


def test_joints_of_a_straight_comb_are_evenly_spaced():
    numbers, middles, leans = Comb(0.1, 0.0, 0.0, 0.5, -1.0, 0.0).joints()
    np.testing.assert_allclose(middles, -1 + 0.5 * numbers)
    np.testing.assert_allclose(leans, 0.1)


def test_lines_that_lean_are_gathered_as_by_hand():
    random = np.random.default_rng(0)
    lines = random.random((5, 30)).astype(np.float32)
    heights, leans = np.linspace(-0.8, 0.8, 5), np.array([-2.5, 0.0, 3.0])
    gathered = _leaning(lines, heights, leans)
    for lean, row in zip(leans, gathered, strict=True):
        x = np.arange(8, 22)
        rows = [
            np.interp(x + lean * height, np.arange(30), line)
            for height, line in zip(heights, lines, strict=True)
        ]
        np.testing.assert_allclose(row[8:22], np.mean(rows, axis=0), atol=1e-5)


def test_the_best_comb_is_that_of_a_slow_search():
    random = np.random.default_rng(1)
    gain = random.normal(size=(5, 60)).astype(np.float32)
    slants, fans, chirps = np.array([-0.1, 0.0, 0.1]), np.array([0.0, 0.05]), np.array([0.0])
    periods, phases, margin, half, first, step = np.array([9.0, 11.0]), 4, 5, 25.0, -4.0, 2.0
    gains, best = _best_combs(
        gain, margin, half, first, step, slants, fans, chirps, periods, phases
    )
    for b, fan in enumerate(fans):
        totals = {}
        for a, slant in enumerate(slants):
            for p, period in enumerate(periods):
                for phase in range(phases):
                    x = np.arange(phase * period / phases, 50, period).astype(int)
                    leans = (slant + fan * ((x + 0.5) / half - 1)) * half
                    rows = np.clip(((leans - first) / step + 0.5).astype(int), 0, 4)
                    totals[a, p, phase] = gain[rows, margin + x].sum()
        assert np.isclose(gains[b, 0], max(totals.values()), atol=1e-4)
        assert np.isclose(totals[tuple(best[b, 0].tolist())], gains[b, 0], atol=1e-4)


def test_drawn_lines_are_found():
    ridge = np.random.default_rng(2).normal(0, 0.2, (400, 464)).astype(np.float32)
    ridge[:, 32 + 20 : 432 : 40] += 2
    at = np.array([0.0])
    trials = Trials(at, at, at, np.array([30.0, 35.0, 40.0, 45.0]), phases=8)
    comb = fit_combs(ridge, 32, trials, tone=1, tolerance=1, most=2).comb(0, 0)
    assert comb.tiles == 10
    assert abs(comb.start + 1 - 20 / 200) < 0.03
