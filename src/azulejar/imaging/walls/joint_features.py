"""Features of a view at and beside the joints, and how likely they make a joint there.

A joint is read piece by piece; a piece is one side of a tile. How light and how yellow a joint
is against the glaze around it differs from wall to wall, so once the joints are roughly known,
the features are weighed as suits the wall at hand.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.photo import TileMap, Values, WallPhoto, ridges
from azulejar.system.compiling import lean

FEATURE_SIDE = 64  # pixels of a view to a tile: a joint is then about two pixels wide
SMOOTH = 0.7  # pixels
MOST = 1.5  # limit of one pixel's ridge, so that a painted outline counts no more than a joint
END = 2  # pixels at the crossings that belong to other joints
AT, BESIDE, FAR = 0.03, 0.08, 0.3  # tiles: joints lie within AT, and not from BESIDE to FAR
SHRINK = 0.1  # shrinkage of the covariance, so that few joints do not decide too much
# Log odds of a joint as a line over the deviations by which a place stands out, as counted on
# real walls. Neighbouring pieces are painted alike, so each counts by HALF.
SLOPE, USUAL, LEAST, CLEAREST, HALF = 0.9, 1.6, -2.2, 4.0, 0.5

Features = NDArray[np.float64]

# Weights for any wall: a line of either tone, and a little yellower than the glaze.
ANY_WALL: Values = np.array([1, 0, 0, 0.3, 0])


def read_features(
    photo: WallPhoto, place: TileMap, rows: int, cols: int
) -> tuple[Features, Features]:
    """Return the features of joints that run down and, transposed, of those that run across.

    Each is [pieces down, pixels across, 5], with one tile of margin at both ends of the pixels.
    """
    view = photo.view(place, (-1, -1, cols + 1, rows + 1), FEATURE_SIDE)
    return _compute_features(view), _compute_features(np.asarray(cv2.transpose(view), np.float32))


def fit_weights(features: Features) -> Values:
    """Return the weights [5] that best tell this wall's joints from what lies beside them.

    This is Fisher's linear discriminant.
    """
    at, beside = (
        _about(features, FAR)[:, :, chosen].reshape(-1, features.shape[-1])
        for chosen in (np.abs(_offsets(FAR)) < AT, np.abs(_offsets(FAR)) > BESIDE)
    )
    varies = np.cov(at.T) + np.cov(beside.T)
    varies += np.diag(SHRINK * np.diag(varies) + 1e-6)
    return np.asarray(np.linalg.solve(varies, at.mean(axis=0) - beside.mean(axis=0)), np.float64)


def log_odds(features: Features, own: Values | None, reach: float) -> Values:
    """Return the log odds of a joint: [pieces down, joints across, 2·far + 1 pixels].

    The pixels lie up to ``reach`` tiles to either side of each joint. ``own`` are the weights of
    this wall, if they are known.
    """
    strength = _deviations(features @ ANY_WALL)
    if own is not None:
        strength = _deviations(strength + _deviations(features @ own))
    return np.clip(SLOPE * _about(strength, reach) - USUAL, LEAST, CLEAREST)


def _compute_features(view: NDArray[np.float32]) -> Features:
    """Return the features of joints that run down a view [H, W, 2]."""
    about = cv2.blur(view, (FEATURE_SIDE // 4, FEATURE_SIDE // 4))
    mean, deviation = (part[:, 0].astype(np.float32) for part in cv2.meanStdDev(about))
    sums = np.zeros((len(view) // FEATURE_SIDE - 2, 4, view.shape[1]), np.float32)
    _sum_ridges(ridges(view, SMOOTH, FEATURE_SIDE), about, mean, 1 / (deviation + 1), sums)
    means = np.moveaxis(sums, 1, 2) / (FEATURE_SIDE - 2 * END)
    return np.concatenate([np.abs(means[..., :1]), means], axis=-1, dtype=np.float64)


@lean
def _sum_ridges(ridge, about, mean, contrast, sums):
    """Sum the ridges over each piece but its ends, and the ridges times how light and how yellow
    the glaze around them is, compared with the whole view.
    """
    most, palest = np.float32(MOST), np.float32(2)
    for piece in range(len(sums)):
        for y in range((piece + 1) * FEATURE_SIDE + END, (piece + 2) * FEATURE_SIDE - END):
            for channel in range(2):
                plain, with_glaze = sums[piece, 2 * channel], sums[piece, 2 * channel + 1]
                for x in range(len(plain)):
                    said = _within(ridge[y, x, channel], most)
                    glaze = (about[y, x, channel] - mean[channel]) * contrast[channel]
                    plain[x] += said
                    with_glaze[x] += said * _within(glaze, palest)


@lean
def _within(value, most):
    return -most if value < -most else most if value > most else value


def _deviations(strength: Values) -> Values:
    """Return values less their median, in robust standard deviations."""
    middle = np.median(strength)
    return (strength - middle) / (1.48 * np.median(np.abs(strength - middle)) + 1e-6)


def _offsets(reach: float) -> Values:
    """Return the offsets from a joint, in tiles, that are read."""
    far = round(reach * FEATURE_SIDE)
    return np.arange(-far, far + 1) / FEATURE_SIDE


def _about(values: Values, reach: float) -> Values:
    """Take values [pieces, pixels, …] around the joints as [pieces, joints, 2·far + 1, …]."""
    joints = values.shape[1] // FEATURE_SIDE - 1
    offsets = np.rint(_offsets(reach) * FEATURE_SIDE).astype(int)
    at = (np.arange(joints) + 1)[:, None] * FEATURE_SIDE + offsets
    # A joint lies between two pixels.
    return (values[:, at] + values[:, at - 1]) / 2
