"""Joints without features, which bound what a measure can read from the tiles."""

from collections import Counter

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.edges import edge_strips
from azulejar.core.tiles import TileSet

DEPTH = 1 / 6  # how far from its edge a side is looked at, as a share of the tile's side
SMOOTHING = 1 / 50  # standard deviation of the blur that removes noise, likewise
CONTRAST = 3.0  # grey levels; a side whose standard deviation is lower in all channels is plain


def share_featureless(tiles: TileSet, truth: Assembly) -> float:
    """Return the share of the true joints without features, from 0 to 1.

    Both sides of such a joint are plain, or one of its tiles has an exact copy. Only the shade of
    the glaze and the other sides of the two tiles can tell that they belong together.
    """
    joints = truth.joints()
    if not len(joints):
        return 0.0
    plain = find_plain(tiles.pixels)[joints].all(axis=1)
    copied = _find_copies(tiles.pixels)[joints // 4].any(axis=1)
    return float((plain | copied).mean())


def find_plain(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell for each edge of tiles [n, S, S, 3] whether no brush stroke lies beside it [4n].

    Noise and a steady gradient, as of light that falls from one side, are no strokes.
    """
    size = pixels.shape[1]
    strips = edge_strips(pixels, max(round(DEPTH * size), 1))
    smooth = np.stack([cv2.GaussianBlur(strip, (0, 0), SMOOTHING * size) for strip in strips])
    depth, length = smooth.shape[1:3]
    y, x = np.mgrid[:depth, :length]
    planes, _ = np.linalg.qr(np.stack([np.ones(y.size), y.ravel(), x.ravel()], axis=1))
    flat = smooth.reshape(len(smooth), -1, 3)
    strokes = flat - planes @ (planes.T @ flat)
    return (strokes.std(axis=1) < CONTRAST).all(axis=1)


def _find_copies(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell which tiles have the same pixels as another one, in whatever turn."""
    keys = [min(np.rot90(tile, turn).tobytes() for turn in range(4)) for tile in pixels]
    count = Counter(keys)
    return np.array([count[key] > 1 for key in keys])
