"""Grids on disk, and grids that are the same where both lie."""

import json

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.grid import Grid, load_grid, shared_crossings, tiles_off


def plain_grid(rows=2, cols=3, side=10.0, clear=1.0):
    crossings = np.stack(np.meshgrid(np.arange(cols + 1), np.arange(rows + 1)), axis=-1) * side
    down, across = np.full((rows, cols + 1), clear), np.full((rows + 1, cols), clear)
    return Grid(crossings.astype(float), down, across, 0.8)


def test_a_saved_grid_is_read_again(tmp_path):
    plain_grid().save(tmp_path / "grid.json")
    again = load_grid(tmp_path / "grid.json")
    assert (again.rows, again.cols, again.side) == (2, 3, 10)
    np.testing.assert_array_equal(again.crossings, plain_grid().crossings)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "other/1"}, "is no grid.json"),
        (
            {"crossings": [[[0, 0], [1e300, 0]], [[0, 1], [1e300, 1]]], "rows": 1, "cols": 1},
            "fold over",
        ),
        ({"rows": 3}, "does not hold 4 lists of 4 crossings"),
        ({"crossings": [[[0, 0], [1, 0]], [[0, 1], [-1, 1]]], "rows": 1, "cols": 1}, "fold over"),
        ({"crossings": "none"}, "is no grid.json"),
    ],
)
def test_a_grid_that_cannot_be_cut(tmp_path, change, told):
    path = tmp_path / "grid.json"
    plain_grid().save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(AzulejarError, match=told):
        load_grid(path)


def test_a_grid_that_is_not_there(tmp_path):
    with pytest.raises(AzulejarError, match="No such file"):
        load_grid(tmp_path / "grid.json")


def crossings_of(rows, cols, side=50.0, left=0.0, top=0.0, skew=0.0):
    """Crossings; ``left`` and ``top`` in tiles."""
    col, row = np.meshgrid(np.arange(cols + 1.0) + left, np.arange(rows + 1.0) + top)
    return side * np.stack([col + skew * row, row], axis=-1)


def test_a_part_of_a_grid_agrees_with_the_whole():
    assert shared_crossings(crossings_of(10, 12), crossings_of(10, 12)) == 1
    assert shared_crossings(crossings_of(10, 12), crossings_of(5, 6, left=3, top=2)) == 1
    assert shared_crossings(crossings_of(5, 6, left=3, top=2), crossings_of(10, 12)) == 1


def test_grids_that_overlap_agree_where_both_lie():
    assert shared_crossings(crossings_of(8, 10), crossings_of(8, 10, left=4)) == 1


@pytest.mark.parametrize(
    "other",
    [
        crossings_of(10, 12, left=0.1),
        crossings_of(10, 12, left=0.5, top=0.5),
        crossings_of(20, 24, side=25.0),
    ],
    ids=["shifted", "between", "half as large"],
)
def test_other_grids_do_not(other):
    assert shared_crossings(crossings_of(10, 12), other) < 0.5


def test_a_grid_that_runs_away_agrees_in_part():
    assert 0.2 < shared_crossings(crossings_of(10, 12), crossings_of(10, 12, skew=0.01)) < 0.8


def test_too_little_in_common_is_none():
    assert shared_crossings(crossings_of(8, 10), crossings_of(8, 10, left=7)) == 0
    assert shared_crossings(crossings_of(8, 10), crossings_of(8, 10, left=100)) == 0
    assert shared_crossings(crossings_of(3, 3), crossings_of(3, 3)) == 0


def test_distances_are_in_tiles_whatever_the_angle():
    crossings = crossings_of(4, 5) @ np.array([[1.0, 0.2], [0.1, 0.5]])
    moved = crossings_of(4, 5, left=0.03, top=0.04) @ np.array([[1.0, 0.2], [0.1, 0.5]])
    np.testing.assert_allclose(tiles_off(moved, crossings), 0.05)
