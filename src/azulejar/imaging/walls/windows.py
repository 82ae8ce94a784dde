"""Quadrangles of a photograph that would be squares on a wall, after how its lines lean."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.photo import Photo, Points

LONGEST = 1200  # pixels of the picture in which lines are looked for
SHORTEST = 12  # pixels of a line there
APART = 4 / 3  # half sides from one window to the next, at most
STEEPEST = 0.6  # slope of a line against the picture's own directions
SLACK = 0.03  # by how much the slopes of lines that go together may well differ


def windows(photo: Photo, half: float) -> Iterator[Points]:
    """Corners [4, 2] of windows over all of the photograph, whose half side is so much of its
    shorter side.
    """
    lines = photo.lines(LONGEST, SHORTEST)
    size = np.array([photo.width, photo.height])
    reach = half * size.min()
    cols, rows = np.ceil(size / (APART * reach)).astype(int)
    for y in np.linspace(reach, photo.height - reach, rows):
        for x in np.linspace(reach, photo.width - reach, cols):
            yield _window(lines, np.array([x, y]), reach)


def _window(lines: NDArray[np.float64], middle: Points, half: float) -> Points:
    """A window whose sides lean as most of the lines [n, 4] in and about it."""
    first, last = (lines[:, :2] - middle) / half, (lines[:, 2:] - middle) / half
    at, step = (first + last) / 2, last - first
    near = (np.abs(at) < 1.5).all(axis=1)
    at, step = at[near], step[near]
    flat = np.abs(step[:, 1]) < STEEPEST * np.abs(step[:, 0])
    steep = np.abs(step[:, 0]) < STEEPEST * np.abs(step[:, 1])
    lean, fan = _lean(at[flat, 1], step[flat, 1] / step[flat, 0], np.abs(step[flat, 0]))
    tip, spread = _lean(at[steep, 0], step[steep, 0] / step[steep, 1], np.abs(step[steep, 1]))
    u, v = np.array([-1, 1, 1, -1.0]), np.array([-1, -1, 1, 1.0])
    corners = np.stack([u + (tip + spread * u) * v, v + (lean + fan * v) * u], axis=-1)
    return np.asarray(middle + half * corners, np.float64)


def _lean(
    at: NDArray[np.float64], slopes: NDArray[np.float64], lengths: NDArray[np.float64]
) -> tuple[float, float]:
    """Slope in the middle, and its change over half a window, that most of the lines have."""
    means, changes = np.meshgrid(np.arange(-0.5, 0.501, 0.02), np.arange(-0.3, 0.301, 0.03))
    means, changes = means.ravel(), changes.ravel()
    off = slopes - (means[:, None] + changes[:, None] * at)
    votes = np.exp(-0.5 * (off / SLACK) ** 2) @ lengths
    # Without lines, or with as many for either, the wall is seen from straight ahead.
    votes = (votes + 1e-6) * (1 - 0.3 * np.abs(means) - 0.3 * np.abs(changes))
    best = int(votes.argmax())
    return float(means[best]), float(changes[best])
