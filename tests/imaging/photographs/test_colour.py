"""Balance by a grey card or the grey world."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.colour import balance, card_gains, find_card, grey_world

CARD = np.array([[30.0, 30], [110, 30], [110, 90], [30, 90]])
TILE = np.array([[150.0, 40], [230, 40], [230, 120], [150, 120]])


@pytest.fixture
def tinted():
    """A grey card and a painted tile on a brown table, under a yellow lamp."""
    random = np.random.default_rng(0)
    picture = np.full((160, 260, 3), (120, 90, 60), float)
    picture[30:91, 30:111] = 130
    picture[40:121, 150:231] = random.integers(0, 256, (81, 81, 3))
    picture *= [1.1, 1.0, 0.8]
    return np.clip(picture, 0, 255).astype(np.uint8)


def test_the_card_becomes_grey(tinted):
    card = find_card(tinted, [TILE, CARD])
    np.testing.assert_array_equal(card, CARD)
    balanced = balance(tinted, card_gains(tinted, card))
    assert np.ptp(balanced[60, 70].astype(int)) <= 2


def test_the_world_becomes_grey(tinted):
    means = balance(tinted, grey_world(tinted)).reshape(-1, 3).mean(axis=0)
    assert np.ptp(means) < 3


def test_without_a_card_that_is_said(tinted):
    with pytest.raises(AzulejarError, match="No grey card"):
        find_card(tinted, [TILE, CARD * [3, 1]])
