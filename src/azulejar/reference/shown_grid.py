"""The grid of a panel's places as a picture shows it, in perspective and perhaps cropped."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.alignment import Motion
from azulejar.reference.structure import CELL, PITCH, STEP, CellMap, Floats

MARGIN = 2 * STEP  # cells around the places of a flattened picture
SHOWN = 0.8  # share of a place that the picture has to show
PARALLEL = 0.03  # weight of the wish that parallels stay so: few tiles tell the perspective badly
FAR = 1e6  # places from the first one, beyond which nobody looks
PASSES = 8  # of robust fitting
AFFINE, PROJECTIVE = 4, 12  # tiles from which such a grid is fitted


@dataclass(frozen=True)
class ShownGrid:
    """Where a picture shows the places of a panel.

    ``matrix`` [3, 3] takes (col, row, 1) of the corners of places to pixels. The box of ``rows`` ×
    ``cols`` places from ``top`` and ``left`` on holds all that the picture shows.
    """

    matrix: NDArray[np.float64]
    top: int
    left: int
    rows: int
    cols: int

    @classmethod
    def over(cls, matrix: NDArray[np.float64], shape: tuple[int, ...]) -> "ShownGrid":
        """Return the grid of the places of which a picture of this shape shows a part."""
        height, width = shape[:2]
        corners = np.array([[0, 0], [width, 0], [0, height], [width, height]], np.float64)
        there = np.clip(np.nan_to_num(move(corners, np.linalg.inv(matrix))), -FAR, FAR)
        left, top = np.floor(there.min(axis=0) + 1 - SHOWN).astype(int).tolist()
        right, bottom = np.ceil(there.max(axis=0) - 1 + SHOWN).astype(int).tolist()
        return cls(matrix, top, left, bottom - top, right - left)

    @classmethod
    def between(cls, corners: NDArray[np.floating], rows: int, cols: int) -> "ShownGrid":
        """Return the grid of ``rows`` × ``cols`` places whose corners [4, 2] lie at these pixels.

        They go clockwise from the top left.
        """
        places = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
        matrix = cv2.getPerspectiveTransform(places, corners.astype(np.float32))
        return cls(matrix.astype(np.float64), 0, 0, rows, cols)

    def holds(self, most: int) -> bool:
        """Whether the picture shows any places, and no more than so many."""
        return min(self.rows, self.cols) > 0 and self.rows * self.cols <= most

    def box(self, top: int, left: int, rows: int, cols: int) -> "ShownGrid":
        """Return the same grid with another box of places."""
        return ShownGrid(self.matrix, top, left, rows, cols)

    def before(self, motion: Motion) -> "ShownGrid":
        """Return the grid of an assembly that the motion brings onto this one's; the box stays."""
        turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])  # of (col, row), clockwise
        turned = np.linalg.matrix_power(turn, motion.quarters)
        # The motion takes the middle of the first place to the middle of some place.
        middle = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        shift = np.array([[1, 0, motion.right], [0, 1, motion.down], [0, 0, 1.0]])
        matrix = self.matrix @ shift @ middle @ turned @ np.linalg.inv(middle)
        return ShownGrid(matrix, self.top, self.left, self.rows, self.cols)

    def corners(self) -> NDArray[np.float64]:
        """Return where the picture shows the corners of the box, clockwise from the top left."""
        bottom, right = self.top + self.rows, self.left + self.cols
        across, down = (self.left, right, right, self.left), (self.top, self.top, bottom, bottom)
        return move(np.stack([across, down], axis=1), self.matrix)

    def flatten(self, grey: Floats) -> tuple[CellMap, NDArray[np.bool_]]:
        """Return the picture with square places and a margin, and which places it shows."""
        margin = MARGIN * CELL
        flat = self.straighten(grey, margin, cv2.BORDER_REPLICATE)
        seen = self.straighten(np.ones_like(grey), margin)
        inner = seen[margin:-margin, margin:-margin]
        shown = inner.reshape(self.rows, PITCH, self.cols, PITCH).mean(axis=(1, 3)) > SHOWN
        return CellMap.of(flat), shown

    def straighten(
        self, picture: NDArray, margin: int = 0, border: int = cv2.BORDER_CONSTANT
    ) -> NDArray:
        """Return the picture with places of ``PITCH`` px, and so many pixels more around."""
        size = (self.cols * PITCH + 2 * margin, self.rows * PITCH + 2 * margin)
        place = np.array([
            [1 / PITCH, 0, self.left - margin / PITCH],
            [0, 1 / PITCH, self.top - margin / PITCH],
            [0, 0, 1],
        ])  # fmt: skip
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpPerspective(
            picture, self.matrix @ place, size, flags=flags, borderMode=border
        )

    def bent(
        self,
        places: NDArray[np.floating],
        found: NDArray[np.floating],
        weight: NDArray[np.floating],
        shape: tuple[int, ...],
    ) -> "ShownGrid":
        """Return the grid on which ``places`` [m, 2] (col, row) lie where they were ``found``.

        ``found`` is in places of this grid as well. Few or badly spread tiles only scale and shift
        the grid.
        """
        spread = float(np.ptp(places, axis=0).min())
        count = len(places) if spread >= 1 else 0
        matrix = fit_matrix(places, move(found, self.matrix), weight, count)
        if matrix is None:
            return self
        return ShownGrid.over(matrix, shape)


def move(points: NDArray[np.floating], matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return points [m, 2] moved by a projective matrix."""
    return cv2.perspectiveTransform(points[None].astype(np.float64), matrix)[0]


def fit_matrix(
    points: NDArray[np.floating],
    aims: NDArray[np.floating],
    weight: NDArray[np.floating],
    count: int,
) -> NDArray[np.float64] | None:
    """Return the matrix that takes points to aims, by robust least squares; None if there is none.

    ``count`` says how many of the points are good for telling an affine or projective matrix.
    """
    rest = weight
    matrix = None
    for _ in range(PASSES):
        matrix = _fit(points, aims, rest, count)
        if matrix is None:
            return None
        off = np.linalg.norm(move(points, matrix) - aims, axis=1)
        scale = 1.48 * float(np.median(off)) + 1e-6
        rest = weight / (1 + (off / (2 * scale)) ** 2)
    return matrix


def _fit(
    points: NDArray[np.floating],
    aims: NDArray[np.floating],
    weight: NDArray[np.floating],
    count: int,
) -> NDArray[np.float64] | None:
    before, after = _to_unit(points), _to_unit(aims)
    (x, y), (u, v) = move(points, before).T, move(aims, after).T
    none, one = np.zeros_like(x), np.ones_like(x)
    if count >= AFFINE:
        across = np.stack([x, y, one, none, none, none, -u * x, -u * y], 1)
        down = np.stack([none, none, none, x, y, one, -v * x, -v * y], 1)
    else:
        across, down = np.stack([x, one, none], 1), np.stack([y, none, one], 1)
    sides = np.concatenate([across, down])
    wish = np.full(sides.shape[1], 1e-9)
    if count >= AFFINE:
        wish[6:] = PARALLEL if count >= PROJECTIVE else 1e6
    share = np.tile(weight / weight.sum(), 2)
    normal = (sides * share[:, None]).T @ sides + np.diag(wish)
    h = np.linalg.lstsq(normal, sides.T @ (share * np.concatenate([u, v])))[0]
    if count < AFFINE:
        h = np.array([h[0], 0, h[1], 0, h[0], h[2], 0, 0])
    matrix = np.linalg.inv(after) @ np.append(h, 1).reshape(3, 3) @ before
    if not np.isfinite(matrix).all() or matrix[2, 2] < 1e-9:
        return None
    matrix /= matrix[2, 2]
    return matrix if np.linalg.det(matrix) > 1e-6 else None


def _to_unit(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the matrix that centres points and brings them to a spread of 1."""
    scale = 1 / max(float(points.std(axis=0).mean()), 1e-6)
    x, y = -scale * points.mean(axis=0)
    return np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]])
