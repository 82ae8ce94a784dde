"""Things that lie about on tables and are no tiles: rulers, slips of paper, coins, cords."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.practice.scenes.layouts import Lying


@dataclass(frozen=True)
class Thing:
    """A flat outline [n, 2] on the table of one colour."""

    outline: NDArray[np.float64]
    colour: NDArray[np.float32]


def put_things(lying: list[Lying], random: np.random.Generator) -> list[Thing]:
    """A few things near tiles, partly below them, as if the tiles had been laid on them."""
    middles = np.array([each.middle for each in lying])
    low, high = middles.min(axis=0) - 0.6, middles.max(axis=0) + 0.6
    makers = (_ruler, _slip, _coin, _cord)
    things = []
    for _ in range(int(random.integers(2, 6))):
        outline, colour = makers[random.integers(len(makers))](random)
        angle = random.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        things.append(
            Thing(outline @ turn + random.uniform(low, high), np.array(colour, np.float32))
        )
    return things


def _box(width: float, height: float) -> NDArray[np.float64]:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * [width, height]


def _ruler(random: np.random.Generator) -> tuple[NDArray, tuple]:
    return _box(2.2, 0.22), (214, 196, 120)


def _slip(random: np.random.Generator) -> tuple[NDArray, tuple]:
    return _box(0.75, 0.32), (240, 238, 230)


def _coin(random: np.random.Generator) -> tuple[NDArray, tuple]:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return 0.1 * np.column_stack([np.cos(angle), np.sin(angle)]), (176, 148, 92)


def _cord(random: np.random.Generator) -> tuple[NDArray, tuple]:
    x = np.linspace(-1.2, 1.2, 60)
    y = 0.25 * np.sin(x * random.uniform(1, 3))
    line = np.column_stack([x, y])
    return np.concatenate([line, line[::-1] + np.array([0, 0.025])]), (40, 36, 34)
