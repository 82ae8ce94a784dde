"""What the table looks like, learned from the rim."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.photographs.background import LIKE_TABLE, learn_background, to_lab


@pytest.fixture(scope="module")
def scene():
    """A brown table, lit from the left, with a blue tile that reaches the rim and a shadow."""
    random = np.random.default_rng(0)
    light = np.linspace(1.1, 0.8, 300)[None, :, None]
    picture = np.array([150, 110, 80]) * light * np.ones((200, 300, 1))
    picture[60:120, 0:70] = (40, 60, 150)
    picture[100:150, 200:260] *= 0.75
    picture += random.normal(0, 2, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def test_tile_and_table_differ_in_spite_of_uneven_light(scene):
    background = learn_background(to_lab(scene), 1.0)
    assert np.median(background.difference[70:110, 5:60]) > 5 * LIKE_TABLE
    table = np.concatenate(
        [background.difference[:50].ravel(), background.difference[160:].ravel()]
    )
    assert (table < LIKE_TABLE).mean() > 0.97


def test_a_shadow_counts_as_table_and_a_tile_does_not(scene):
    lab = to_lab(scene)
    background = learn_background(lab, 1.0)
    rows, cols = np.mgrid[:200, :300]
    soft = cv2.GaussianBlur(lab, (0, 0), 2)
    unlike = background.unlike_table(soft, np.stack([cols, rows], axis=-1).astype(float))
    assert np.median(background.difference[110:140, 210:250]) > LIKE_TABLE
    assert np.median(unlike[110:140, 210:250]) < LIKE_TABLE
    assert np.median(unlike[70:110, 5:60]) > LIKE_TABLE


def test_edges_stand_out_from_texture(scene):
    slope = learn_background(to_lab(scene), 1.0).slope
    assert slope[80:100, 68:72].max(axis=1).min() > 2
    assert np.median(slope[:50]) < 1
