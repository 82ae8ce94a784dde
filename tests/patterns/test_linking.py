"""Designs of one pattern are linked, and no others."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from azulejar.patterns.linking import link_designs
from azulejar.practice.painting.patterns import DESIGNS, paint_module
from azulejar.practice.puzzles import cut

BY_NAME = {design.name: design for design in DESIGNS}


@pytest.fixture(scope="module")
def linked():
    """The links of the first row of a mirrored module of 4 × 4 tiles, and of a trellis."""
    pictures = []
    for design in (replace(BY_NAME["whirl"], symmetry="mirrors"), BY_NAME["trellis"]):
        tiles = cut(paint_module(design, 52), *design.period)
        pictures += [cv2.resize(tile[1:-1, 1:-1], (50, 50)) for tile in tiles[:4]]
    return link_designs(np.array(pictures))


def test_mirror_images_are_linked(linked):
    assert linked[0, 3] and linked[1, 2]


def test_the_designs_of_a_mirrored_module_are_joined(linked):
    parts = connected_components(coo_matrix(linked), directed=False)[1]
    assert parts.tolist() == 4 * [0] + [1]


def test_a_design_on_its_own_is_linked_to_itself():
    assert link_designs(np.full((1, 50, 50, 3), 200, np.uint8)).tolist() == [[True]]
