"""Sizes of tiles in cm, by the side of whole ones."""

import cv2
import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.geometry import fit_plane
from azulejar.imaging.photographs.import_log import ImportedPhoto, ImportedTile
from azulejar.imaging.photographs.sizes import check_side, measure, sizes_by_kind


def tile(width, height, half=""):
    return ImportedTile("a.png", "", 0, 0, 0, 1, [], False, half, width=width, height=height)


def test_a_tile_is_measured_on_the_table_by_the_tiles_around_it():
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    places = np.array([(x, y) for y in range(3) for x in range(3)])[:, None] * 1.4 + square
    oblong = np.array([[5, 0], [6, 0], [6, 0.5], [5, 0.5]])
    slant = cv2.getPerspectiveTransform(
        np.array([[0, 0], [6, 0], [6, 4], [0, 4]], np.float32),
        np.array([[150, 80], [820, 60], [900, 560], [60, 600]], np.float32),
    )

    def seen(points):
        flat = np.append(points, np.ones((*points.shape[:-1], 1)), axis=-1) @ slant.T
        return flat[..., :2] / flat[..., 2:]

    plane = fit_plane(seen(places), (700, 1000))
    assert measure(plane, seen(oblong)) == pytest.approx((1, 0.5), abs=0.02)
    assert measure(plane, np.roll(seen(oblong), 1, axis=0)) == pytest.approx((0.5, 1), abs=0.02)


def test_tiles_are_counted_by_kind_and_those_not_measured_are_not():
    tiles = (
        tile(1.01, 1.0), tile(0.99, 1.02), tile(1.0, 1.0), tile(None, None),
        tile(1.0, 0.5, "height"), tile(0.49, 1.0, "width"), tile(0.5, 0.5, "both"),
        tile(0.8, 1.0),
    )  # fmt: skip
    found = sizes_by_kind([ImportedPhoto("p.jpg", "", {}, tiles)], 14)
    assert [(each.kind, each.tiles) for each in found] == [
        ("whole", 3), ("half", 2), ("quarter", 1), ("narrow", 1),
    ]  # fmt: skip
    whole, half, quarter, narrow = found
    assert whole[2:] == pytest.approx((14.14, 14.0, 13.86, 14.28))
    assert half[2:] == pytest.approx((14.0, 6.93, 6.86, 14.0))
    assert quarter[2:4] == pytest.approx((7, 7))
    assert narrow[2:4] == pytest.approx((14, 11.2))


@pytest.mark.parametrize("side", [0, -14, 0.5, 201, float("nan"), float("inf")])
def test_a_side_that_no_tile_has_is_refused(side):
    with pytest.raises(AzulejarError, match=r"No tile has a side of .* from 1 to 200\."):
        check_side(side)
    check_side(14)
