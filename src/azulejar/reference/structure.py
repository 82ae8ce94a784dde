"""Compare tiles with places of a picture by what survives another hand, light and medium.

A photograph has other tones than the tiles, a drawing has lines in the place of contours, an
engraving hatches what a tile shades. The direction of contours is common to all of them, and the
large differences of tone often are. So a picture becomes cells with the strength of contours in
each direction, whichever side of them is darker, and the mean tone. Windows of cells, as large as a
tile, are compared by their correlation.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

PITCH = 32  # pixels from tile to tile, at which pictures are looked at
CELL = 4  # pixels
STEP = PITCH // CELL  # cells from tile to tile
DIRECTIONS = 6  # of contours, over half a turn
# A tile shows less than the place that it was made for: joint and worn edge are lost.
SIDE = 7  # cells of a tile
INSET = (STEP - SIDE) / 2  # cells from the corner of a place to that of its tile
FAINT = 0.35  # share of the common contrast; windows with less are plain, and correlate less

Floats = NDArray[np.float32]


class Windows(NamedTuple):
    """Standardised windows: contours [m, 7·7·6] and tones [m, 7·7].

    The inner product of two of a kind is their correlation; plain windows are shorter than 1.
    """

    contours: Floats
    tones: Floats

    def take(self, chosen: NDArray[np.integer]) -> "Windows":
        """Return some of the windows."""
        return Windows(self.contours[chosen], self.tones[chosen])


@dataclass(frozen=True)
class CellMap:
    """A picture as cells [h, w, 7], the last of the channels tone, and their common contrasts."""

    cells: Floats
    contrast: tuple[float, float]

    @classmethod
    def of(cls, grey: Floats) -> "CellMap":
        """Look at a picture [H, W] that has ``PITCH`` pixels from tile to tile."""
        cells = cells_of(grey)
        rows = np.arange(0, cells.shape[0] - SIDE + 1, STEP // 2)
        cols = np.arange(0, cells.shape[1] - SIDE + 1, STEP // 2)
        return cls(cells, _contrasts(_centre(_cut(cells, rows, cols))))

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and cols of windows there are, one at every cell."""
        return self.cells.shape[0] - SIDE + 1, self.cells.shape[1] - SIDE + 1

    def windows(self, rows: NDArray[np.integer], cols: NDArray[np.integer]) -> Windows:
        """Return the windows whose upper left cells are in these rows and cols, row by row."""
        return _standardise(_centre(_cut(self.cells, rows, cols)), self.contrast)


def to_grey(picture: NDArray[np.uint8]) -> Floats:
    """Return the lightness [H, W] of a picture [H, W, 3]."""
    return cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)


def cells_of(grey: Floats) -> Floats:
    """Return the contours and the tone of each cell of a picture [H, W] as [h, w, 7]."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    right = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    strength, angle = cv2.cartToPolar(right, down)
    cv2.sqrt(strength, strength)  # tells a line from none more than a strong line from a faint one
    angle = np.mod(angle * (DIRECTIONS / np.pi), DIRECTIONS)  # in steps between directions
    size = (grey.shape[1] // CELL, grey.shape[0] // CELL)
    found = np.empty((size[1], size[0], DIRECTIONS + 1), np.float32)
    for k in range(DIRECTIONS):
        off = np.abs(angle - k)
        near = np.maximum(0, 1 - np.minimum(off, DIRECTIONS - off))
        found[..., k] = _pool(strength * near, size)
    found[..., DIRECTIONS] = _pool(smooth.astype(np.float32), size)
    return found


def _pool(values: Floats, size: tuple[int, int]) -> Floats:
    """Return the means of cells."""
    whole = values[: size[1] * CELL, : size[0] * CELL]
    return cv2.resize(whole, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def tile_windows(pixels: NDArray[np.uint8]) -> Windows:
    """Return the windows of tiles [n, S, S, 3], each at its four turns, clockwise [4n]."""
    side = SIDE * CELL
    found = []
    for tile in pixels:
        small = cv2.resize(to_grey(tile), (side, side), interpolation=cv2.INTER_AREA)
        found += [cells_of(np.ascontiguousarray(np.rot90(small, -turn))) for turn in range(4)]
    centred = _centre(np.stack(found).reshape(len(found), SIDE * SIDE, -1))
    return _standardise(centred, _contrasts(centred))


def _cut(cells: Floats, rows: NDArray[np.integer], cols: NDArray[np.integer]) -> Floats:
    """Return the windows at these rows and cols as [m, cells, channels]."""
    view = np.lib.stride_tricks.sliding_window_view(cells, (SIDE, SIDE), axis=(0, 1))
    chosen = view[np.ix_(rows, cols)].transpose(0, 1, 3, 4, 2)
    return chosen.reshape(len(rows) * len(cols), SIDE * SIDE, -1)


def _centre(cells: Floats) -> tuple[Floats, Floats]:
    centred = cells - cells.mean(axis=1, keepdims=True)
    return centred[..., :-1].reshape(len(cells), -1), centred[..., -1]


def _contrasts(centred: tuple[Floats, Floats]) -> tuple[float, float]:
    contours, tones = (float(np.median(np.linalg.norm(each, axis=1))) for each in centred)
    return max(contours, 1e-3), max(tones, 1e-3)


def _standardise(centred: tuple[Floats, Floats], contrast: tuple[float, float]) -> Windows:
    return Windows(*(
        (each / np.sqrt((each**2).sum(axis=1, keepdims=True) + (FAINT * common) ** 2))
        for each, common in zip(centred, contrast, strict=True)
    ))  # fmt: skip
