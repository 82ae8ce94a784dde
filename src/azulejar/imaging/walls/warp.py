"""Map tiles to pixels of a wall that is not quite flat."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.ndimage import map_coordinates

from azulejar.imaging.walls.photo import Points, project_points


@dataclass(frozen=True)
class Warp:
    """Small shifts of the crossings, in tiles, followed by a homography [3, 3].

    ``shifts`` [rows + 3, cols + 3, 2] covers the crossings of the panel and one more on each side.
    """

    homography: Points
    shifts: Points

    @classmethod
    def flat(cls, homography: Points, rows: int, cols: int) -> "Warp":
        """Return a warp without shifts."""
        return cls(homography, np.zeros((rows + 3, cols + 3, 2)))

    @property
    def rows(self) -> int:
        return len(self.shifts) - 3

    @property
    def cols(self) -> int:
        return self.shifts.shape[1] - 3

    def __call__(self, tiles: Points) -> Points:
        """Map points [..., 2] in tiles, (col, row), to points of the photograph."""
        places = [tiles[..., 1] + 1, tiles[..., 0] + 1]
        shifts = [
            map_coordinates(self.shifts[..., axis], places, order=3, mode="nearest")
            for axis in (0, 1)
        ]
        return project_points(self.homography, tiles + np.stack(shifts, axis=-1))

    def crossings(self) -> Points:
        """Return the crossings [rows + 1, cols + 1, 2] in pixels of the photograph."""
        return self(_numbers(self.rows, self.cols))

    def shifted(self, shifts: Points) -> "Warp":
        """Return a copy with these shifts [rows + 1, cols + 1, 2] of the crossings."""
        for axis in (0, 1):
            shifts = np.moveaxis(shifts, axis, 0)
            extrapolated = (2 * shifts[:1] - shifts[1:2], shifts, 2 * shifts[-1:] - shifts[-2:-1])
            shifts = np.moveaxis(np.concatenate(extrapolated), 0, axis)
        return replace(self, shifts=shifts)

    def cropped(self, left: int, top: int, right: int, bottom: int) -> "Warp":
        """Drop so many tiles at each side; negative numbers add tiles."""
        shifts = self.shifts[1:-1, 1:-1]
        for axis, (first, last) in enumerate(((top, bottom), (left, right))):
            shifts = _resize(np.moveaxis(shifts, axis, 0), first, last)
            shifts = np.moveaxis(shifts, 0, axis)
        return self._from(left, top, 1, shifts)

    def every_second(self, left: int, top: int) -> "Warp":
        """Keep every second joint from these on: tiles twice as large."""
        shifts = self.shifts[1:-1, 1:-1][top::2, left::2] / 2
        return self._from(left, top, 2, shifts)

    def _from(self, left: int, top: int, side: int, shifts: Points) -> "Warp":
        """Return the warp with its origin moved to a crossing and tiles ``side`` times as large."""
        moved = self.homography @ np.array([[side, 0, left], [0, side, top], [0, 0, 1.0]])
        rows, cols = shifts.shape[0] - 1, shifts.shape[1] - 1
        return Warp.flat(moved, rows, cols).shifted(shifts).flattest()

    def flattest(self) -> "Warp":
        """Return the same map, with as much of the shifts as possible in the homography."""
        numbers = _numbers(self.rows + 2, self.cols + 2) - 1
        points = project_points(self.homography, numbers + self.shifts)
        inner = np.s_[1:-1, 1:-1]
        fitted, _ = cv2.findHomography(numbers[inner].reshape(-1, 2), points[inner].reshape(-1, 2))
        homography = np.asarray(fitted, np.float64)
        inverse = np.linalg.inv(homography).astype(np.float64)
        return Warp(homography, project_points(inverse, points) - numbers)


def _numbers(rows: int, cols: int) -> Points:
    """Return (col, row) of the crossings as [rows + 1, cols + 1, 2]."""
    return np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)


def _resize(shifts: Points, first: int, last: int) -> Points:
    """Drop shifts at both ends of the first axis, or add some by linear extrapolation."""
    for _ in range(-first):
        shifts = np.concatenate([2 * shifts[:1] - shifts[1:2], shifts])
    for _ in range(-last):
        shifts = np.concatenate([shifts, 2 * shifts[-1:] - shifts[-2:-1]])
    return shifts[max(first, 0) : len(shifts) - max(last, 0)]
