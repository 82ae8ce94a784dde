"""Read the colours across a side of a tile, at the scale that suits its size."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.background import LIKE_TABLE, Background, to_lab

STEP = 0.5  # pixels between readings across a side
SPAN, WIDE = 4, 12  # readings compared on either side of an edge
ALONG = 48  # readings along a side
MARGIN = 0.06  # of the side, left out at its ends, where corners are chipped
OUTSIDE = (0.005, 0.03)  # of the side: the band outside an edge that should be table
SMOOTHED = 5  # readings along the side averaged, against weave and grain


@dataclass(frozen=True)
class Pyramid:
    """The photograph uint8 [H, W, 3], and its halves, quarters and so on."""

    levels: tuple[NDArray[np.uint8], ...]

    @classmethod
    def of(cls, picture: NDArray[np.uint8]) -> "Pyramid":
        """Build the pyramid of a picture."""
        levels = [picture]
        while max(levels[-1].shape) > 300:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        return cls(tuple(levels))

    def level_for(self, side: float, wanted: float) -> int:
        """Return the level at which a side of ``side`` pixels is about ``wanted`` long, or less."""
        level = int(np.ceil(np.log2(max(side / wanted, 1))))
        return min(level, len(self.levels) - 1)


@dataclass(frozen=True)
class TablePhoto:
    """A photograph of a table, prepared for the search; ``usual`` is the contrast in Lab that the
    texture of the table itself may have.
    """

    pyramid: Pyramid
    background: Background
    usual: float


@dataclass(frozen=True)
class Strip:
    """Readings across a side: ``contrast`` [n, m] at n places along it and m offsets outwards.

    ``colours`` [n, m, 3] are Lab, ``table`` [n, m] says how far what lies just outside each
    offset looks like the table. ``places`` [n, 2] lie on the side, ``outward`` [2] is its normal,
    ``offsets`` [m]; all in pixels of the photograph. ``unit`` is a pixel of the level read.
    """

    contrast: NDArray[np.float32]
    colours: NDArray[np.float32]
    table: NDArray[np.float32]
    places: NDArray[np.float64]
    outward: NDArray[np.float64]
    offsets: NDArray[np.float64]
    unit: float


def read_strip(view: TablePhoto, level: int, start: NDArray, end: NDArray, reach: float) -> Strip:
    """Read across the side from ``start`` to ``end``, clockwise, up to ``reach`` pixels away."""
    unit = float(2**level)
    along = (end - start) / max(np.linalg.norm(end - start), 1e-9)
    outward = np.array([along[1], -along[0]])
    share = np.linspace(MARGIN, 1 - MARGIN, ALONG)
    places = start + share[:, None] * (end - start)
    count = max(int(np.ceil(reach / unit / STEP)), 2) + WIDE
    offsets = np.arange(-count, count + 1, dtype=np.float64) * STEP * unit
    points = places[:, None] + offsets[:, None] * outward
    colours = _colours(view.pyramid.levels[level], (points + 0.5) / unit - 0.5)
    sums = _running_sums(colours)
    near, wide = _contrast(sums, SPAN), _contrast(sums, WIDE)
    # The border of a shadow is wide, that of a tile sharp.
    sharp = np.clip((near / np.maximum(wide, 1e-3) - 0.33) / 0.4, 0.15, 1)
    unlike = view.background.unlike_table(colours, points)
    table = _table_outside(unlike, float(np.linalg.norm(end - start)) / (STEP * unit))
    kept = slice(WIDE, len(offsets) - WIDE)
    return Strip(
        (near * sharp)[:, kept].astype(np.float32), colours[:, kept], table[:, kept],
        places, outward, offsets[kept], unit,
    )  # fmt: skip


def _running_sums(readings: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums [n, m + 1, ...] of all readings [n, m, ...] before each, and of all."""
    sums = np.zeros((len(readings), readings.shape[1] + 1, *readings.shape[2:]), np.float32)
    np.cumsum(readings, axis=1, out=sums[:, 1:])
    return sums


def _contrast(sums: NDArray[np.float32], span: int) -> NDArray[np.float32]:
    """Return the difference [n, m] between ``span`` readings outside each offset and inside."""
    width = sums.shape[1] - 1
    index = np.arange(width)
    first, last = np.maximum(index - span, 0), np.minimum(index + span + 1, width)
    outer, inner = sums[:, last] - sums[:, index + 1], sums[:, index] - sums[:, first]
    light, a, b = np.moveaxis(outer - inner, 2, 0)
    return np.asarray(np.sqrt(light * light + a * a + b * b) / span, np.float32)


def _table_outside(unlike: NDArray[np.float32], side: float) -> NDArray[np.float32]:
    """Return the share of table [n, m] in a band just outside each offset, ``side`` in readings."""
    width = unlike.shape[1]
    sums = _running_sums((unlike < LIKE_TABLE).astype(np.float32))
    near, far = max(round(OUTSIDE[0] * side), 3), max(round(OUTSIDE[1] * side), 5)
    first = np.minimum(np.arange(width) + near, width - 1)
    last = np.minimum(np.arange(width) + far, width)
    return (sums[:, last] - sums[:, first]) / np.maximum(last - first, 1)


def _colours(picture: NDArray[np.uint8], points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return Lab colours [n, m, 3] at points [n, m, 2], averaged a little along the side."""
    # OpenCV's remap counts pixels in 16 bits, so it is given only the part that is needed.
    height, width = picture.shape[:2]
    low = np.clip(np.floor(points.min(axis=(0, 1))).astype(int) - 2, 0, [width - 2, height - 2])
    high = np.clip(np.ceil(points.max(axis=(0, 1))).astype(int) + 3, low + 2, [width, height])
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    where = (points - low).astype(np.float32)
    read = cv2.remap(
        part, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    lab = to_lab(np.asarray(read, np.uint8))
    return np.asarray(cv2.blur(lab, (1, SMOOTHED), borderType=cv2.BORDER_REPLICATE), np.float32)
