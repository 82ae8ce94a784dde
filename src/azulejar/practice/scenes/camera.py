"""Project places on the table to pixels, and apply a lens and light to a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.scenes.textures import smooth_noise

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera above the table.

    ``turn`` [3, 3] and ``shift`` [3] map the table's coordinates, in tiles with z upwards, to the
    camera's; ``focal`` is in pixels, ``shape`` is (height, width).
    """

    turn: Points
    shift: Points
    focal: float
    shape: tuple[int, int]

    def project(self, points: Points) -> Points:
        """Return the pixels [n, 2] of points [n, 3]; pixel centres have whole numbers."""
        seen = points @ self.turn.T + self.shift
        middle = (np.array(self.shape[::-1]) - 1) / 2
        return self.focal * seen[:, :2] / seen[:, 2:] + middle

    def plane(self, height: float) -> Points:
        """Return the homography [3, 3] from (x, y) on the plane at that height to pixels."""
        middle = (np.array(self.shape[::-1]) - 1) / 2
        lens = np.array([[self.focal, 0, middle[0]], [0, self.focal, middle[1]], [0, 0, 1]])
        columns = [self.turn[:, 0], self.turn[:, 1], self.turn[:, 2] * height + self.shift]
        return lens @ np.column_stack(columns)


def aim(shape: tuple[int, int], corners: Points, tilt: float, spin: float, focal: float) -> Camera:
    """Return a camera at the distance at which points [n, 3] fill about 0.9 of the picture.

    ``tilt`` is its angle in radians from straight down, ``spin`` the angle of the table; ``focal``
    is in units of the picture's longer side.
    """
    middle = np.append((corners[:, :2].min(axis=0) + corners[:, :2].max(axis=0)) / 2, 0.0)
    around = np.array(
        [[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]]
    )
    down = np.diag([1.0, -1.0, -1.0]) @ np.diag([1.0, -1.0, 1.0])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = lean @ down @ around
    camera = Camera(turn, np.zeros(3), focal * max(shape), shape)
    near, far = 1.0, 1e5
    for _ in range(60):
        distance = np.sqrt(near * far)
        camera = replace(camera, shift=np.array([0, 0, distance]) - turn @ middle)
        depth = corners @ turn.T[:, 2] + camera.shift[2]
        pixels = camera.project(corners)
        room = 0.045 * min(shape)
        inside = (pixels > room).all() and (pixels < np.array(shape[::-1]) - room).all()
        near, far = (near, distance) if inside and (depth > 0.1).all() else (distance, far)
    return camera


def distort(points: Points, shape: tuple[int, int], strength: float) -> Points:
    """Return where a lens puts pixels [n, 2]: p such that p (1 + strength · r²) is undistorted,
    where r is the distance from the middle in half diagonals.
    """
    middle = (np.array(shape[::-1]) - 1) / 2
    straight = (points - middle) / np.hypot(*middle)
    bent = straight.copy()
    for _ in range(30):
        bent = straight / (1 + strength * (bent**2).sum(axis=1, keepdims=True))
    return bent * np.hypot(*middle) + middle


def distort_picture(
    picture: NDArray[np.float32], shape: tuple[int, int], strength: float
) -> NDArray[np.float32]:
    """Return the middle ``shape`` of a larger picture as the lens shows it."""
    middle = (np.array(shape[::-1], np.float32) - 1) / 2
    margin = (np.array(picture.shape[1::-1]) - np.array(shape[::-1])) / 2
    x, y = np.meshgrid(*(np.arange(n, dtype=np.float32) for n in shape[::-1]))
    x, y = x - middle[0], y - middle[1]
    gain = 1 + strength * (x**2 + y**2) / np.float32(middle @ middle)
    x, y = (
        x * gain + np.float32(middle[0] + margin[0]),
        y * gain + np.float32(middle[1] + margin[1]),
    )
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def expose(
    picture: NDArray[np.float32],
    random: np.random.Generator,
    blur: float,
    light: float,
    lamp: Sequence[float] = (1.0, 1.0, 1.0),
) -> NDArray[np.uint8]:
    """Add uneven ``light``, a ``blur`` in pixels, the colour of a ``lamp``, and noise."""
    shape = picture.shape[:2]
    height, width = np.meshgrid(
        *(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij"
    )
    angle = random.uniform(0, 2 * np.pi)
    ramp = np.float32(np.cos(angle)) * width + np.float32(np.sin(angle)) * height
    gain = 1 + np.float32(light) * (0.7 * ramp + 0.3 * smooth_noise(random, shape, 3))
    tint = np.float32((1 + light * random.normal(0, 0.15, 3)) * np.array(lamp))
    lit = cv2.GaussianBlur(picture * gain[..., None], (0, 0), blur) * tint
    grain = random.standard_normal(lit.shape, dtype=np.float32)
    lit += (1.2 + 0.012 * lit) * grain
    return np.clip(np.round(lit), 0, 255).astype(np.uint8)
