"""The light of one photograph."""

import numpy as np

from azulejar.imaging.photographs.background import Background
from azulejar.imaging.photographs.light import (
    ENOUGH_TILES,
    PhotoLight,
    contradicts,
    fall_off,
    glaze_of,
    light_at,
    tile_white,
)

WHITE = np.array([230.0, 225, 210])


def painted_tiles(count, seed=0):
    """Tiles of white glaze, a share of each painted blue, some all over."""
    random = np.random.default_rng(seed)
    tiles = np.empty((count, 32, 32, 3), np.uint8)
    for tile in tiles:
        ink = random.random((32, 32, 1)) < random.uniform(0.1, 1)
        tile[:] = np.where(ink, WHITE * [0.3, 0.4, 0.8], WHITE)
    return tiles


def background(colour, difference):
    lab = np.zeros((*difference.shape, 3), np.float32)
    lab[..., 0] = colour
    return Background(1.0, lab, np.eye(3), difference, np.zeros_like(difference))


def test_the_glaze_is_read_from_the_tiles_that_show_it():
    whites = np.array([tile_white(tile) for tile in painted_tiles(16)])
    glaze, errors = glaze_of(whites)
    np.testing.assert_allclose(glaze, WHITE, rtol=0.03)
    assert max(errors) < 0.05
    np.testing.assert_array_equal(glaze, glaze_of(whites)[0])


def test_tiles_that_disagree_leave_the_glaze_uncertain():
    whites = np.array([tile_white(tile) for tile in painted_tiles(16)])
    lights = np.random.default_rng(1).uniform(0.7, 1.3, (16, 3))
    steady, unsteady = glaze_of(whites)[1], glaze_of(whites * lights)[1]
    assert unsteady[0] > steady[0]
    assert unsteady[1] > steady[1]


def test_the_table_shows_how_light_falls_off():
    ramp = np.tile(np.linspace(40, 60, 90, dtype=np.float32), (60, 1))
    light = fall_off(background(ramp, np.zeros((60, 90), np.float32)))
    assert abs(light.mean() - 1) < 1e-3
    assert light[30, 89] / light[30, 0] > 1.4
    np.testing.assert_allclose(light_at(light, np.array([[[20.0, 9.0]]]), 1.0), light[9, 20])


def test_a_table_that_is_hidden_or_black_tells_nothing():
    hidden = np.full((60, 90), 50, np.float32)
    hidden[:, :30] = 0
    assert fall_off(background(50, hidden)) is None
    assert fall_off(background(3, np.zeros((60, 90), np.float32))) is None


def test_a_pattern_on_the_table_is_not_taken_for_light():
    light = np.linspace(0.8, 1.2, ENOUGH_TILES)
    whites = np.full((ENOUGH_TILES, 3), 200.0) + np.arange(ENOUGH_TILES)[::-1, None] % 3
    assert not contradicts(whites * light[:, None], light)
    assert contradicts(whites, light)
    painted = np.random.default_rng(0).uniform(0.5, 1, (ENOUGH_TILES, 1))
    assert not contradicts(whites * painted, light)  # such different tiles do not tell


def test_light_is_recorded():
    light = PhotoLight((230.0, 225.0, 210.0), (0.02, 0.01), 16, source="chart")
    assert PhotoLight.of({"glaze": [230.0, 225.0, 210.0], "errors": [0.02, 0.01], "tiles": 16,
                          "source": "chart"}) == light  # fmt: skip
