"""Designs of one pattern are linked, and no others."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from azulejar.patterns.linking import SPREAD, _spread_of_stock, _stock_odds, group_designs
from azulejar.practice.painting.patterns import DESIGNS, paint_module
from azulejar.practice.puzzles import cut

BY_NAME = {design.name: design for design in DESIGNS}


@pytest.fixture(scope="module")
def pictures():
    """The first row of a mirrored module of 4 × 4 tiles, and a trellis."""
    found = []
    for design in (replace(BY_NAME["whirl"], symmetry="mirrors"), BY_NAME["trellis"]):
        tiles = cut(paint_module(design, 52), *design.period)
        found += [cv2.resize(tile[1:-1, 1:-1], (50, 50)) for tile in tiles[:4]]
    return np.array(found)


def test_the_designs_of_a_mirrored_module_are_joined(pictures):
    assert group_designs(pictures, np.full(5, 20)).tolist() == 4 * [0] + [1]


def test_names_keep_designs_apart_and_join_them(pictures):
    names = ["P-1", None, None, "P-2", "P-2"]
    found = group_designs(pictures, np.full(5, 20), names)
    assert found[3] == found[4] != found[0]


def test_a_design_on_its_own_is_a_pattern():
    plain = np.full((1, 50, 50, 3), 200, np.uint8)
    assert group_designs(plain, np.array([9])).tolist() == [0]


def test_equal_numbers_speak_for_one_wall():
    stock = np.array([60, 66, 15, 200])
    turned = stock * [1, 1, 4, 1]
    odds = [_stock_odds(stock, turned, np.array([0]), np.array([i]), SPREAD) for i in (1, 2, 3)]
    assert min(odds[:2]) > 0.3
    assert odds[2] < -1


def test_even_numbers_within_a_part_make_an_odd_one_suspect():
    stock = np.array([40, 41, 39, 60, 25, 40, 22])
    even, uneven = np.array([0, 1, 2]), np.array([3, 4, 5])
    odds = [_stock_odds(stock, stock, part, np.array([6]), SPREAD) for part in (even, uneven)]
    assert odds[0] < 0 < odds[1]


def test_sure_neighbours_tell_how_evenly_tiles_were_kept():
    stock = np.array([100, 100, 40, 90, 30])
    no_pairs = np.array([], int)
    assert _spread_of_stock(stock, stock, no_pairs, no_pairs) == SPREAD
    even, uneven = (
        _spread_of_stock(stock, stock, np.array(one), np.array(other))
        for one, other in (([0, 0], [1, 1]), ([0, 2, 3], [2, 3, 4]))
    )
    assert even < SPREAD < uneven
    pair = np.array([0]), np.array([2])
    assert _stock_odds(stock, stock, *pair, even) < _stock_odds(stock, stock, *pair, uneven)
