"""A colour chart or grey card is found, and is never taken for a tile."""

import numpy as np
import pytest

from azulejar.imaging.photographs.chart import PATCHES, card_colour, find_card, find_chart
from azulejar.imaging.photographs.find import find_tiles
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.scenes.objects import draw_chart

CARD = np.array([[30.0, 30], [110, 30], [110, 90], [30, 90]])
TILE = np.array([[150.0, 40], [230, 40], [230, 120], [150, 120]])


def on_table(*turned, lamp=(1.0, 1.0, 1.0)):
    """A chart on brown cloth, so many quarters turned, under a lamp."""
    chart = np.rot90(draw_chart(20), *turned)
    table = np.full((300, 320, 3), (110, 80, 50), float)
    table[40 : 40 + len(chart), 60 : 60 + chart.shape[1]] = chart
    noise = np.random.default_rng(0).normal(0, 2, table.shape)
    return np.clip(table * lamp + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("turned", range(4))
def test_a_chart_is_read_any_way_round(turned):
    lamp = np.array([0.9, 0.8, 0.7])
    chart = find_chart(on_table(turned, lamp=lamp))
    np.testing.assert_allclose(chart.colours, PATCHES * lamp, atol=4)
    np.testing.assert_allclose(chart.white, 255 * lamp, rtol=0.02)
    around = np.sort(chart.corners[:, 0]), np.sort(chart.corners[:, 1])
    wide, high = np.rot90(draw_chart(20), turned).shape[1::-1]
    np.testing.assert_allclose(around[0], np.array([60, 60, 60 + wide, 60 + wide]), atol=3)
    np.testing.assert_allclose(around[1], np.array([40, 40, 40 + high, 40 + high]), atol=3)


def test_overexposed_patches_do_not_tell_the_light():
    lamp = np.array([1.2, 1.1, 1.0])  # the white patch is clipped
    np.testing.assert_allclose(find_chart(on_table(lamp=lamp)).white, 255 * lamp, rtol=0.02)


def test_squares_of_other_colours_are_no_chart():
    picture = on_table()
    assert find_chart(picture) is not None
    assert find_chart(picture[::-1]) is None  # a mirrored chart has its colours elsewhere
    assert find_chart(np.ascontiguousarray(picture[..., ::-1])) is None


@pytest.mark.parametrize("kind", ["dark cloth", "wood"])
def test_a_chart_is_never_taken_for_a_tile(painted, kind):
    rendered = render_scene(SCENES[kind], painted[:6], (600, 900), 2, chart=True)
    found = find_tiles(rendered.picture)
    assert found.chart is not None
    assert len(found.tiles) == 6
    middles = np.array([tile.corners.mean(axis=0) for tile in found.tiles])
    true = rendered.corners.mean(axis=1)
    assert (np.linalg.norm(middles[:, None] - true, axis=2).min(axis=1) < 5).all()


@pytest.fixture
def carded():
    """A grey card and a painted tile on a brown table, under a yellow lamp."""
    random = np.random.default_rng(0)
    picture = np.full((160, 260, 3), (120, 90, 60), float)
    picture[30:91, 30:111] = 130
    picture[40:121, 150:231] = random.integers(0, 256, (81, 81, 3))
    picture *= [1.1, 1.0, 0.8]
    return np.clip(picture, 0, 255).astype(np.uint8)


def test_a_grey_card_is_found_beside_tiles(carded):
    card = find_card(carded, [TILE, CARD], [TILE])
    np.testing.assert_array_equal(card, CARD)
    np.testing.assert_allclose(card_colour(carded, card), [143, 130, 104], atol=1)
    assert find_card(carded, [TILE, CARD], [TILE, CARD]) is CARD  # though it was taken for a tile


def test_what_may_be_a_plain_tile_is_no_card(carded):
    assert find_card(carded, [TILE, CARD], [CARD]) is None
    assert find_card(carded, [TILE, CARD * [3, 1]], [TILE]) is None
    tinted = carded.copy()
    tinted[30:91, 30:111] = 143, 120, 120  # a wash of colour all over a tile
    assert find_card(tinted, [CARD], [TILE]) is None
    carded[40:121, 150:231] = 150  # a plain tile that is hardly brighter
    assert find_card(carded, [CARD], [TILE]) is None


def test_a_card_of_the_size_of_tiles_is_not_imported(painted):
    table = np.full((420, 700, 3), (60, 40, 30), np.uint8)
    places = [(40, 40), (40, 190), (40, 340), (250, 40), (250, 190)]
    for tile, (top, left) in zip(painted[5:], places, strict=False):
        table[top : top + 96, left : left + 96] = tile
    table[250:346, 340:436] = 118
    found = find_tiles(table)
    assert len(found.tiles) == 5
    assert found.card is not None
