"""Palettes: pigments are told apart, light is not."""

import numpy as np

from azulejar.imaging.pigments import read_palettes
from azulejar.practice.samples import COLOURS, recolour

INK = np.full((40, 40, 3), 243, np.uint8)
INK[8:30, 6:14] = 140  # a wash
INK[12:34, 20:25] = 60  # a line
PIGMENTS = np.stack([recolour(INK, colours) for colours in COLOURS])


def alike(one, other):
    return float(read_palettes(one[None])[0] @ read_palettes(other[None])[0])


def test_pigments_differ_and_each_is_like_itself():
    palettes = read_palettes(PIGMENTS)
    likeness = palettes @ palettes.T
    np.testing.assert_allclose(np.diag(likeness), 1, atol=1e-5)
    assert likeness[~np.eye(len(likeness), dtype=bool)].max() < 0.7


def test_light_tint_and_amount_of_paint_say_nothing():
    rng = np.random.default_rng(0)
    for tile in PIGMENTS:
        lit = np.clip(tile * rng.uniform(0.85, 1.02, 3), 0, 255).astype(np.uint8)
        assert alike(tile, lit) > 0.9
        less = tile.copy()
        less[20:] = tile[0, 0]
        assert alike(tile, np.rot90(less)) > 0.9


def test_tiles_without_paint_say_nothing():
    rng = np.random.default_rng(0)
    glaze = rng.normal(240, 2, (2, 40, 40, 3)).astype(np.uint8)
    assert not read_palettes(glaze).any()
    assert read_palettes(np.empty((0, 40, 40, 3), np.uint8)).shape[0] == 0
