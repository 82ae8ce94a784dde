"""How light is evened out by name, and the grey world."""

import numpy as np
import pytest

from azulejar.imaging.photographs.colour import Colour, balance, grey_world


@pytest.mark.parametrize(("former", "now"), [("none", "off"), ("card", "chart"), ("auto", "auto")])
def test_former_names_still_work(former, now):
    assert Colour(former).current == now


def test_the_world_becomes_grey():
    tinted = np.random.default_rng(0).integers(0, 200, (40, 50, 3)) * [1.1, 1.0, 0.8]
    picture = tinted.astype(np.uint8)
    means = balance(picture, grey_world(picture)).reshape(-1, 3).mean(axis=0)
    assert np.ptp(means) < 3
