import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.judging import verdict
from azulejar.judging.verdict import (
    better_size,
    is_probably_wrong,
    is_ragged,
    mean_confidence,
)
from azulejar.solvers import solve


@pytest.fixture
def truth():
    """6 rows of 4 tiles, each turned."""
    row, col = np.divmod(np.arange(24), 4)
    return Assembly.of(row, col, np.arange(24) % 4)


def test_tiles_without_a_place_do_not_count():
    assembly = Assembly.of([0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, -1])
    assert mean_confidence(assembly, np.array([0.8, 0.6, 0.0])) == pytest.approx(0.7)
    nothing = Assembly.of([0], [0], [0], [-1])
    assert mean_confidence(nothing, np.array([0.0])) is None


def test_people_are_warned_of_little_confidence_alone():
    assert [is_probably_wrong(mean) for mean in (None, 0.3, 0.95)] == [False, True, False]


def test_a_panel_far_from_a_rectangle_is_ragged_unless_its_size_is_known(truth):
    heaped = Assembly.of(np.where(truth.row == 5, 8, truth.row), truth.col + 2 * (truth.row > 3),
                         truth.turn)  # fmt: skip
    assert is_ragged(Knowns(), heaped)
    assert is_ragged(Knowns(rows=9), heaped)
    assert not is_ragged(Knowns(9, 6), heaped)
    assert not is_ragged(Knowns(empty=((0, 5),)), heaped)
    assert not is_ragged(Knowns(), truth)


def test_holes_all_around_make_a_panel_ragged_and_as_many_inside_do_not():
    rim = [(0, 1), (0, 3), (0, 5), (3, 1), (3, 3), (3, 5), (1, 0), (2, 7)]
    inside = [(row, col) for row in (1, 2) for col in (1, 2, 4, 5)]
    for holes, ragged in ((rim, True), (inside, False)):
        places = [place for place in np.ndindex(4, 8) if place not in holes]
        row, col = np.array(places).T
        assert is_ragged(Knowns(), Assembly.of(row, col, np.zeros(24, int))) is ragged


def test_a_panel_that_lacks_some_tiles_is_not_ragged(truth):
    missing = np.isin(np.arange(24), [0, 3, 9, 13, 20])
    left = Assembly.of(truth.row[~missing], truth.col[~missing], truth.turn[~missing])
    assert not is_ragged(Knowns(), left)


@pytest.mark.parametrize("known", [Knowns(), Knowns(rows=6), Knowns(6, 4), Knowns(cols=4)], ids=str)
def test_the_right_size_is_not_questioned(perfect_scores, truth, known):
    scores = perfect_scores(truth)
    assembly = solve(scores, known, preset="fast")
    assert better_size(scores, known, assembly) is None


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (3, 8), (2, 12)])
def test_a_size_into_which_the_tiles_are_forced_is_questioned(perfect_scores, truth, rows, cols):
    scores = perfect_scores(truth)
    known = Knowns(rows, cols)
    found = better_size(scores, known, solve(scores, known, preset="fast"))
    assert found is not None
    assert sorted(found) == [4, 6]


def test_a_ragged_panel_tells_no_size(perfect_scores, truth, monkeypatch):
    scores, known = perfect_scores(truth), Knowns(3, 8)
    forced = solve(scores, known, preset="fast")
    assert better_size(scores, known, forced) is not None
    sticks_out = np.where(np.arange(24) == 0, -2, truth.row)
    ragged = Assembly.of(sticks_out, truth.col, truth.turn)
    monkeypatch.setattr(verdict, "solve", lambda *arguments, **options: ragged)
    assert better_size(scores, known, forced) is None


def test_a_ragged_part_of_a_size_too_large_is_not_told_as_the_size(perfect_scores, truth):
    """A column lies on the wrong side, in a frame of which a row stays empty."""
    scores = perfect_scores(truth)
    ends = (truth.col == 0) & (truth.row < 3)
    ragged = Assembly.of(truth.row, np.where(ends, 4, truth.col), truth.turn, size=(7, 5))
    assert sorted(better_size(scores, Knowns(rows=7), ragged)) == [4, 6]


def test_a_panel_that_lacks_a_tile_is_told_without_its_empty_row(perfect_scores, truth):
    scores, kept = perfect_scores(truth), np.delete(np.arange(24), 9)
    laid = Assembly.of(*(each[kept] for each in (truth.row, truth.col, truth.turn)), size=(7, 4))
    assert better_size(scores.take(kept), Knowns(7, 4), laid) == (6, 4)


@pytest.mark.parametrize("known", [Knowns(rows=7), Knowns(7, 4)], ids=str)
def test_a_row_too_many_stays_empty_and_is_told(perfect_scores, truth, known):
    scores = perfect_scores(truth)
    assembly = solve(scores, known, preset="fast")
    assert better_size(scores, known, assembly) == (6, 4)
