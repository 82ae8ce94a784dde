"""All tiles of a photograph, and nothing else."""

import numpy as np
import pytest

from azulejar.imaging.photographs.find import DetectedTile, find_tiles, in_reading_order
from azulejar.imaging.photographs.quads import area_of, corner_distance, side_of


def errors(found, truth):
    """The worst corner's error of each true tile's nearest outline, in sides."""
    return [
        min(corner_distance(each.corners, quad) for each in found.tiles) / side_of(quad)
        for quad in truth
    ]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("dark cloth", 6),
        ("wood", 6),
        ("paper", 6),
        ("scanner", 8),
        ("touching", 6),
    ],
)
def test_every_tile_is_found_and_none_invented(photograph, finding, kind, count):
    found, truth = finding(kind, count), photograph(kind, count).corners
    assert len(found.tiles) == count
    assert max(errors(found, truth)) < 0.04
    assert np.median(errors(found, truth)) < 0.015


def test_a_table_with_other_things_has_no_tile(finding):
    assert finding("empty", 0, 2).tiles == ()


def test_other_things_are_no_tiles(photograph, finding):
    found = finding("with things", 6, 1)
    assert len(found.tiles) == 6
    assert max(errors(found, photograph("with things", 6, 1).corners)) < 0.05


def test_corners_run_clockwise_from_the_top_left(finding):
    for each in finding("wood", 6).tiles:
        assert area_of(each.corners) > 0
        assert each.corners.sum(axis=1).argmin() == 0


def test_the_same_photograph_gives_the_same_tiles(photograph, finding):
    first, again = finding("scanner", 8), find_tiles(photograph("scanner", 8).picture.copy())
    for one, other in zip(first.tiles, again.tiles, strict=True):
        np.testing.assert_array_equal(one.corners, other.corners)


def test_a_picture_of_nothing_but_a_tile_is_the_tile(painted):
    picture = np.kron(painted[8], np.ones((4, 4, 1), np.uint8))
    (only,) = find_tiles(picture).tiles
    assert side_of(only.corners) > 0.95 * len(picture)


def test_an_even_picture_has_no_tile():
    assert find_tiles(np.full((300, 300, 3), 200, np.uint8)).tiles == ()


def test_reading_order_goes_by_rows_that_need_not_be_level():
    square = np.array([[0.0, 0], [100, 0], [100, 100], [0, 100]])
    places = [(0, 0), (150, 12), (300, 25), (0, 150), (150, 165), (300, 172)]
    tiles = [DetectedTile(square + place, 1.0, 0.0) for place in places]
    shuffled = [tiles[k] for k in (4, 0, 5, 2, 1, 3)]
    assert in_reading_order(shuffled) == tiles
    assert in_reading_order([]) == []
