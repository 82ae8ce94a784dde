"""A set of tiles."""

import numpy as np

from azulejar.core.tiles import TileSet


def test_a_set_knows_its_number_and_size():
    tiles = TileSet(np.zeros((3, 8, 8, 3), np.uint8), ("a.png", "b.png", "c.png"))
    assert (len(tiles), tiles.size) == (3, 8)
    assert (tiles.folder, tiles.notes) == (None, ())
