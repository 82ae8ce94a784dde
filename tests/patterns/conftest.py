"""Worn, turned and shuffled tiles of painted pattern walls."""

import numpy as np
import pytest

from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles

BY_NAME = {design.name: design for design in DESIGNS}


@pytest.fixture(scope="session", autouse=True)
def few_decoys():
    """Let designs compete with few decoys, which take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("azulejar.patterns.linking.CROWD", 16)
        yield


@pytest.fixture(scope="session")
def worn():
    """Make the worn tiles of a wall of a design: see ``_worn_tiles``."""
    return _worn_tiles


def _worn_tiles(name, rows, cols, seed=0, size=50):
    """Return tiles [rows·cols, size, size, 3] of a wall, shuffled and turned."""
    rng = np.random.default_rng(seed)
    wall = paint_pattern(BY_NAME[name], rows, cols, size, seed)
    tiles = age_tiles(cut(wall, rows, cols), rng, 0.5)
    return np.stack([np.rot90(tiles[i], rng.integers(4)) for i in rng.permutation(len(tiles))])


@pytest.fixture(scope="session")
def stock():
    """Two rosette walls' worth of tiles and as many of a panel, mixed; and which is which."""
    panel = cut(paint_panel(6, 8, 50, 4), 6, 8)
    parts = [_worn_tiles("rosettes", 4, 6), _worn_tiles("camellia", 4, 6, 1), panel]
    order = np.random.default_rng(2).permutation(sum(map(len, parts)))
    kind = np.repeat([0, 1, -1], [len(part) for part in parts])
    return np.concatenate(parts)[order], kind[order]
