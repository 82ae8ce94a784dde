"""A photograph of a wall, seen through a map from tiles to pixels, and the thin lines in it."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 40  # side of a tile in a view, in pixels: a joint is then one to three pixels wide
STEP = 8  # pixels of a view between the points at which the map is computed; then interpolated
FARTHEST = 1e9  # pixels: no corner or crossing that is given can lie beyond

Points = NDArray[np.float64]
Values = NDArray[np.float64]
TileMap = Callable[[Points], Points]


class WallPhoto:
    """Pyramid of a picture [H, W, 3] with two channels: how light and how yellow a pixel is.

    Mortar is yellower than blue glaze and not bluer than white. Points count from the top left
    corner; the middle of the first pixel is (0.5, 0.5), so that points scale as the picture does.
    """

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self.height, self.width = picture.shape[:2]
        light = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
        yellow = picture[..., 0].astype(np.float32) - picture[..., 2]
        levels = [np.stack([light, yellow], axis=-1)]
        while min(levels[-1].shape[:2]) > 150:
            small = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
            smaller = cv2.resize(levels[-1], small, interpolation=cv2.INTER_AREA)
            levels.append(np.asarray(smaller, np.float32))
        self._levels = levels

    def view(
        self, place: TileMap, box: tuple[float, float, float, float], side: int = SIDE
    ) -> NDArray[np.float32]:
        """Return the view [H, W, 2], light and yellow, of a ``box`` at ``side`` pixels a tile.

        ``box`` is (left, top, right, bottom) in tiles; ``place`` maps points [..., 2] in tiles to
        points of the photograph.
        """
        left, top, right, bottom = box
        width, height = round((right - left) * side), round((bottom - top) * side)
        x, y = (np.arange(0, length + STEP, STEP) for length in (width, height))
        across, down = np.meshgrid(left + (x + 0.5) / side, top + (y + 0.5) / side)
        points = place(np.stack([across, down], axis=-1)).astype(np.float32)
        level = self._level(points)
        source = self._levels[level]
        stretch = np.array([source.shape[1] / self.width, source.shape[0] / self.height])
        points = (points * stretch - 0.5).astype(np.float32)
        shrink = np.array([[1 / STEP, 0, 0], [0, 1 / STEP, 0]])
        map_x, map_y = (
            cv2.warpAffine(
                np.ascontiguousarray(points[..., axis]),
                shrink,
                (width, height),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for axis in (0, 1)
        )
        seen = cv2.remap(source, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    def lines(self, longest: int, shortest: float) -> Points:
        """Detect straight lines [n, 4] as (x, y, x, y).

        They are searched for in a level of at most ``longest`` pixels a side, where they are at
        least ``shortest`` pixels long.
        """
        level = next((one for one in self._levels if max(one.shape) <= longest), self._levels[-1])
        found = cv2.createLineSegmentDetector().detect(level[..., 0].astype(np.uint8))[0]
        lines = np.zeros((0, 4)) if found is None else found.reshape(-1, 4).astype(np.float64)
        long = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]) >= shortest
        return (lines[long] + 0.5) * (self.width / level.shape[1])

    def _level(self, points: NDArray[np.float32]) -> int:
        """Return the level of the pyramid whose pixels are about as large as those of the view."""
        across, down = np.diff(points, axis=1)[:-1], np.diff(points, axis=0)[:, :-1]
        area = np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0])
        scale = np.sqrt(max(float(np.median(area)), 1e-6)) / STEP
        return int(np.clip(round(np.log2(scale)), 0, len(self._levels) - 1))


def project_points(homography: Points, points: Points) -> Points:
    """Map points [..., 2] through a homography [3, 3]."""
    flat = np.ascontiguousarray(points.reshape(1, -1, 2), np.float64)
    return cv2.perspectiveTransform(flat, homography)[0].reshape(points.shape)


def ridges(view: NDArray[np.float32], smooth: float = 1.0, side: int = SIDE) -> NDArray[np.float32]:
    """Return how far each pixel of [H, W] or [H, W, channels] stands out from those to both sides.

    A pixel is compared with those two to its left and right, and the difference is divided by its
    mean within half a tile of ``side`` pixels. A joint that runs down shows as a line of one sign.
    """
    ridge = cv2.sepFilter2D(view, -1, _ridge_kernel(smooth), np.ones(1))
    usual = cv2.blur(np.abs(ridge), (side + 1, side + 1))
    return np.divide(ridge, usual + 1, out=ridge)


def _ridge_kernel(smooth: float) -> NDArray[np.float64]:
    """Return Gaussian weights less half of the same weights two pixels to either side."""
    reach = round(4 * smooth)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / smooth) ** 2)
    return np.convolve(weights / weights.sum(), [-0.5, 0, 1, 0, -0.5])
