"""What joints look like, and where they are."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.joint_features import (
    END,
    MOST,
    SMOOTH,
    _compute_features,
    fit_weights,
    log_odds,
    read_features,
)
from azulejar.imaging.walls.joint_features import (
    FEATURE_SIDE as SIDE,
)
from azulejar.imaging.walls.photo import WallPhoto, ridges

ROWS, COLS = 4, 5


def noisy_wall(joint, off=0):
    """A photograph of tiles of SIDE pixels, their joints two pixels wide and ``off`` to the right,
    with one tile of wall all round.
    """
    random = np.random.default_rng(0)
    shape = ((ROWS + 2) * SIDE, (COLS + 2) * SIDE, 3)
    picture = random.integers(90, 150, shape).astype(np.uint8)
    for col in range(1, COLS + 2):
        picture[:, col * SIDE - 1 + off : col * SIDE + 1 + off] = joint
    return WallPhoto(picture)


def straight(points):
    return (points + 1) * SIDE


@pytest.mark.parametrize("joint", [(200, 190, 170), (40, 40, 30)])
@pytest.mark.parametrize("off", [0, -7, 5])
def test_a_joint_is_likeliest_where_it_lies(joint, off):
    features, _ = read_features(noisy_wall(joint, off), straight, ROWS, COLS)
    odds = log_odds(features, None, 0.2)
    assert odds.shape == (ROWS, COLS + 1, 2 * round(0.2 * SIDE) + 1)
    aside = np.arange(odds.shape[-1]) - odds.shape[-1] // 2
    clear = odds > 2
    found = (clear * aside).sum(axis=-1) / clear.sum(axis=-1)
    assert np.abs(found - off).max() <= 1


def slow_features(view):
    """Means over the pieces, one feature after the other."""
    about = cv2.blur(view, (SIDE // 4, SIDE // 4))
    glaze = (about - about.mean(axis=(0, 1))) / (about.std(axis=(0, 1)) + 1)
    ridge = np.clip(ridges(view, SMOOTH, SIDE), -MOST, MOST)
    features = []
    for piece in range(1, len(view) // SIDE - 1):
        rows = slice(piece * SIDE + END, (piece + 1) * SIDE - END)
        plain = ridge[rows].mean(axis=0)
        with_glaze = (ridge * np.clip(glaze, -2, 2))[rows].mean(axis=0)
        light, yellow = plain.T
        features.append(
            np.stack([np.abs(light), light, with_glaze[:, 0], yellow, with_glaze[:, 1]], -1)
        )
    return np.array(features)


def test_features_are_those_of_the_slow_way():
    random = np.random.default_rng(0)
    view = random.uniform(0, 255, ((ROWS + 2) * SIDE, (COLS + 2) * SIDE, 2)).astype(np.float32)
    view = cv2.GaussianBlur(view, (0, 0), 3)
    np.testing.assert_allclose(_compute_features(view), slow_features(view), atol=1e-3)


def test_where_no_joints_run_nothing_looks_like_them():
    _, turned = read_features(noisy_wall((200, 190, 170)), straight, ROWS, COLS)
    assert log_odds(turned, None, 0.2).mean() < 0


def test_a_wall_shows_what_its_own_joints_look_like():
    joint, painted, aside = 150, 90, 13
    random = np.random.default_rng(1)
    picture = random.integers(80, 160, ((ROWS + 2) * SIDE, (COLS + 2) * SIDE, 3)).astype(np.uint8)
    for col in range(1, COLS + 2):
        picture[:, col * SIDE - 1 : col * SIDE + 1] = joint
        picture[:, col * SIDE - 1 + aside : col * SIDE + 1 + aside] = painted
    features, _ = read_features(WallPhoto(picture), straight, ROWS, COLS)
    score = features @ fit_weights(features)
    joints = (np.arange(COLS + 1) + 1) * SIDE
    assert score[:, joints].min() > score[:, joints + aside].max()
