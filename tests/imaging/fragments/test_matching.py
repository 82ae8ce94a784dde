"""Fragments of one tile find each other."""

import cv2
import numpy as np
import pytest

from azulejar.core.edges import turn_picture
from azulejar.imaging.fragments.matching import join_fragments


@pytest.fixture(scope="module")
def joined(fragments):
    return join_fragments(fragments)


def test_fragments_of_one_tile_are_joined_and_others_left(joined):
    assert {frozenset(tile.files) for tile in joined} == {
        frozenset(("a_1.png", "a_2.png")),
        frozenset(("b_1.png", "b_2.png", "b_3.png")),
    }
    assert all(tile.probability > 0.5 for tile in joined)


def test_the_tile_looks_as_before_it_broke(joined, painted_tiles):
    for tile in joined:
        true = painted_tiles["ab".index(tile.files[0][0])]
        shown = cv2.resize(tile.picture, true.shape[:2])
        there = cv2.erode(shown[..., 3], np.ones((5, 5))) == 255
        assert there.mean() > 0.8
        likeness = [
            np.corrcoef(shown[there][:, 0], turn_picture(true, turn)[there][:, 0])[0, 1]
            for turn in range(4)
        ]
        assert max(likeness) > 0.9


def test_refused_pairs_are_never_joined(fragments):
    pair = [fragment for fragment in fragments if fragment.file.startswith("a")]
    assert join_fragments(pair)
    assert not join_fragments(pair, refused={frozenset(("a_1.png", "a_2.png"))})
