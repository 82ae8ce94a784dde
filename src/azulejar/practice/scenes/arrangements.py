"""Arrange tiles on the table; lengths are in units of a tile's side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.chart import HEIGHT, WIDTH

UNEQUAL = 0.006  # deviation of the tiles' sides
GAP = 0.06  # least room between scattered tiles
CHART_WIDTHS = (1.0, 2.0)  # of colour charts


@dataclass(frozen=True)
class TilePose:
    """A square on the table: its middle (x, y), its angle in radians, and its side."""

    middle: NDArray[np.float64]
    angle: float
    side: float = 1.0

    def corners(self, scale: float = 1.0) -> NDArray[np.float64]:
        """Return the corners [4, 2], clockwise as seen from above, y pointing down."""
        half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.side * scale
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return self.middle + half @ np.array([[cos, sin], [-sin, cos]])


def lay_scattered(count: int, random: np.random.Generator) -> list[TilePose]:
    """Lay tiles at random angles, none on another, about 1.5 wide to 1 high."""
    area = np.sqrt(count * 2.1 / 1.5) * np.array([1.5, 1.0])
    placed: list[TilePose] = []
    tries = 0
    while len(placed) < count:
        tries += 1
        if tries % 400 == 0:
            area, placed = area * 1.05, []
        new = TilePose(random.uniform(0, 1, 2) * area, random.uniform(0, 2 * np.pi), _side(random))
        if not any(_meet(new, other) for other in placed):
            placed.append(new)
    return placed


def lay_grid(count: int, random: np.random.Generator) -> list[TilePose]:
    """Lay tiles in rows and cols with narrow gaps, as if by hand."""
    cols = int(np.ceil(np.sqrt(1.5 * count)))
    pitch = 1 + random.uniform(0.05, 0.2)
    return [
        TilePose(
            np.array([i % cols, i // cols]) * pitch + random.normal(0, 0.008, 2),
            random.integers(4) * np.pi / 2 + random.normal(0, 0.01),
            _side(random),
        )
        for i in range(count)
    ]


def lay_rows(count: int, random: np.random.Generator) -> list[TilePose]:
    """Lay tiles in rows in which each touches the next, or nearly."""
    length = int(random.integers(2, 6))
    height = int(np.ceil(count / length))
    across = max(1, round(np.sqrt(1.5 * height / length * 1.25)))
    placed = []
    for i in range(count):
        row, place = divmod(i, length)
        down, right = divmod(row, across)
        start = np.array([right * (length + 0.6), down * 1.35])
        angle = random.normal(0, 0.004)
        along = place * (1.008 + 0.008 * random.random())
        placed.append(
            TilePose(start + np.array([along, random.normal(0, 0.006)]), angle, _side(random))
        )
    return placed


def lay_single(count: int, random: np.random.Generator) -> list[TilePose]:
    """Lay one tile, with room around it."""
    return [TilePose(np.zeros(2), random.uniform(0, 2 * np.pi), 1.0)]


def lay_chart(poses: list[TilePose], random: np.random.Generator) -> NDArray[np.float64]:
    """Return the corners [4, 2] of a colour chart beside the tiles, turned any way, clockwise from
    its own top left.
    """
    corners = np.concatenate([each.corners() for each in poses])
    low, high = corners.min(axis=0), corners.max(axis=0)
    wide = random.uniform(*CHART_WIDTHS)
    half = np.array([wide, wide * HEIGHT / WIDTH]) / 2
    angle = random.integers(4) * np.pi / 2 + random.normal(0, 0.15)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ [[cos, sin], [-sin, cos]]
    return np.array([(low[0] + high[0]) / 2, high[1] + 0.2 + np.ptp(turned[:, 1]) / 2]) + turned


def _side(random: np.random.Generator) -> float:
    """Return a tile's side; no two tiles made by hand are of quite the same size."""
    return 1 + float(np.clip(random.normal(0, UNEQUAL), -0.015, 0.015))


def _meet(one: TilePose, other: TilePose) -> bool:
    """Tell whether two squares come nearer than the gap (separating axis theorem)."""
    a, b = one.corners(1 + GAP), other.corners(1 + GAP)
    for angle in (one.angle, other.angle):
        for axis in (angle, angle + np.pi / 2):
            direction = np.array([np.cos(axis), np.sin(axis)])
            p, q = a @ direction, b @ direction
            if p.max() < q.min() or q.max() < p.min():
                return False
    return True
