"""Joints of a view, piece by piece: what lies at and beside them, and how like a joint it is.

A piece is one side of a tile. How light and how yellow a joint is, against the glaze about it,
differs from wall to wall; once its joints are roughly known, a wall shows what its own look like.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.evidence import ridges
from azulejar.imaging.walls.photo import Photo, Place
from azulejar.system.compiling import lean

SIDE = 64  # pixels of a view to a tile: a joint is then about two pixels wide
SMOOTH = 0.7  # pixels
MOST = 1.5  # what one pixel may say, over what is usual: a painted outline says no more
END = 2  # pixels at the crossings that belong to other joints
AT, BESIDE, FAR = 0.03, 0.08, 0.3  # tiles: where a wall's joints are, and surely are not
SHRINK = 0.1  # of what looks vary, so that few joints do not say too much
# Logarithm of how much more often joints than other places stand out by so many deviations: a
# line through what was counted on real walls. Neighbouring pieces are painted alike, so each
# counts by HALF.
SLOPE, USUAL, LEAST, CLEAREST, HALF = 0.9, 1.6, -2.2, 4.0, 0.5

Looks = NDArray[np.float64]
Values = NDArray[np.float64]

# Of any wall: a line of either tone, and a little yellower than the glaze.
ANY_LOOK: Values = np.array([1, 0, 0, 0.3, 0])


def looks_of(photo: Photo, place: Place, rows: int, cols: int) -> tuple[Looks, Looks]:
    """Looks of the pieces of joints that run down, and, turned, of those that run across:
    [pieces down, pixels across, 5], with one tile of margin at both ends of the pixels.
    """
    view = photo.view(place, (-1, -1, cols + 1, rows + 1), SIDE)
    return _looks(view), _looks(np.asarray(cv2.transpose(view), np.float32))


def own_look(looks: Looks) -> Values:
    """Weights of the looks that best tell the joints of this wall from what is beside them."""
    at, beside = (
        _about(looks, FAR)[:, :, chosen].reshape(-1, looks.shape[-1])
        for chosen in (np.abs(_asides(FAR)) < AT, np.abs(_asides(FAR)) > BESIDE)
    )
    varies = np.cov(at.T) + np.cov(beside.T)
    varies += np.diag(SHRINK * np.diag(varies) + 1e-6)
    return np.asarray(np.linalg.solve(varies, at.mean(axis=0) - beside.mean(axis=0)), np.float64)


def chances(looks: Looks, own: Values | None, reach: float) -> Values:
    """Logarithm of how much likelier a joint than none is to look so, for every piece, joint and
    place up to ``reach`` tiles aside: [pieces down, joints across, 2·far + 1 pixels].
    """
    strength = _deviations(looks @ ANY_LOOK)
    if own is not None:
        strength = _deviations(strength + _deviations(looks @ own))
    return np.clip(SLOPE * _about(strength, reach) - USUAL, LEAST, CLEAREST)


def _looks(view: NDArray[np.float32]) -> Looks:
    about = cv2.blur(view, (SIDE // 4, SIDE // 4))
    mean, deviation = (part[:, 0].astype(np.float32) for part in cv2.meanStdDev(about))
    sums = np.zeros((len(view) // SIDE - 2, 4, view.shape[1]), np.float32)
    _gather(ridges(view, SMOOTH, SIDE), about, mean, 1 / (deviation + 1), sums)
    means = np.moveaxis(sums, 1, 2) / (SIDE - 2 * END)
    return np.concatenate([np.abs(means[..., :1]), means], axis=-1, dtype=np.float64)


@lean
def _gather(ridge, about, mean, contrast, sums):
    """Sums over each piece but its ends of the ridges, and of these times how light and how yellow
    the glaze is about them, against the whole view.
    """
    most, palest = np.float32(MOST), np.float32(2)
    for piece in range(len(sums)):
        for y in range((piece + 1) * SIDE + END, (piece + 2) * SIDE - END):
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
    middle = np.median(strength)
    return (strength - middle) / (1.48 * np.median(np.abs(strength - middle)) + 1e-6)


def _asides(reach: float) -> Values:
    """Tiles aside of the places that are looked at."""
    far = round(reach * SIDE)
    return np.arange(-far, far + 1) / SIDE


def _about(values: Values, reach: float) -> Values:
    """Values [pieces, pixels, …] at and beside the joints: [pieces, joints, 2·far + 1, …]."""
    joints = values.shape[1] // SIDE - 1
    at = (np.arange(joints) + 1)[:, None] * SIDE + np.rint(_asides(reach) * SIDE).astype(int)
    # A joint's place lies between two pixels.
    return (values[:, at] + values[:, at - 1]) / 2
