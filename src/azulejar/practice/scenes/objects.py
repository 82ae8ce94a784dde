"""Make what lies on the table: worn and chipped tiles of clay, and things that are no tiles."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.chart import FRAME, HEIGHT, PATCH, PATCHES, WIDTH
from azulejar.practice.scenes.arrangements import TilePose
from azulejar.practice.scenes.textures import smooth_noise

CLAYS = ((190, 140, 108), (206, 176, 146), (168, 120, 92))


@dataclass(frozen=True)
class Piece:
    """A tile of clay: its ``face`` float32 [S, S, 3] seen from above, ``solid`` float32 [S, S] that
    is 0 where it broke off, and the colour [3] of the ``clay`` on its sides.
    """

    face: NDArray[np.float32]
    solid: NDArray[np.float32]
    clay: NDArray[np.float32]


def make_piece(tile: NDArray[np.uint8], random: np.random.Generator, size: int) -> Piece:
    """Make a piece from a tile's picture [s, s, 3], as worn as tiles off a wall, or from that of a
    fragment [s, s, 4], which is transparent around it.
    """
    large = cv2.resize(tile[..., :3], (size, size), interpolation=cv2.INTER_CUBIC)
    grain = random.normal(0, 6, (size, size, 3))
    face: NDArray = large.astype(np.float32) + cv2.GaussianBlur(grain, (0, 0), 1.0)
    clay, body = _body(size, random)
    if tile.shape[2] == 4:
        kept = cv2.resize(tile[..., 3], (size, size), interpolation=cv2.INTER_AREA) / 255
        return Piece(np.clip(face, 0, 255), kept.astype(np.float32), clay)
    worn = _rim(size, random) | _corners(size, random, chance=0.2, largest=0.16)
    face = _bare(face, body, worn)
    solid = 1 - _corners(size, random, chance=0.1, largest=0.14).astype(np.float32)
    return Piece(np.clip(face, 0, 255), solid, clay)


def cut_parallel(
    tile: NDArray[np.uint8], kept: float, random: np.random.Generator, chipped: bool
) -> NDArray[np.uint8]:
    """Cut a tile [S, S, 3] with a worn rim parallel to its top: [S, S, 4], transparent there.

    ``kept`` is the share of its height that is left. A cut is clean, or ``chipped`` as deeply as
    rims are worn.
    """
    size = len(tile)
    _, body = _body(size, random)
    worn = _rim(size, random)
    gone = round((1 - kept) * size)
    if chipped:
        along = smooth_noise(random, (1, size), 12)[0]
        depth = 0.012 * size * np.clip(random.uniform(-0.4, 0.8) + 0.6 * along, 0, 1)
        worn |= np.arange(size)[:, None] - gone + 0.5 < depth
    alpha = np.full((size, size), 255, np.uint8)
    alpha[:gone] = 0
    face = np.clip(_bare(tile.astype(np.float32), body, worn), 0, 255)
    return np.dstack([face.astype(np.uint8), alpha])


def _body(size: int, random: np.random.Generator) -> tuple[NDArray[np.float32], NDArray]:
    """Return the colour [3] of a tile's clay, and the clay [S, S, 3] below its glaze."""
    clay = np.array(CLAYS[random.integers(len(CLAYS))], np.float32)
    clay *= np.float32(random.uniform(0.85, 1.1))
    body = clay * (1 + 0.1 * smooth_noise(random, (size, size), 9))[..., None]
    return clay, body + random.normal(0, 4, (size, size, 1))


def _bare(face: NDArray, body: NDArray, worn: NDArray[np.bool_]) -> NDArray:
    """Return a face [S, S, 3] that shows its clay where it is worn."""
    soft = cv2.GaussianBlur(worn.astype(np.float32), (0, 0), 0.8)
    return np.where(soft[..., None] > 0.5, body, face)


def _rim(size: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Return where glaze is worn off along the sides, up to 1.2 % of the side deep."""
    depth = np.minimum(np.arange(size), np.arange(size)[::-1])
    distance = np.minimum(depth, depth[:, None]) + 0.5
    wear = random.uniform(-0.4, 0.8) + 0.6 * smooth_noise(random, (size, size), 12)
    return distance < 0.012 * size * np.clip(wear, 0, 1)


def _corners(
    size: int, random: np.random.Generator, chance: float, largest: float
) -> NDArray[np.bool_]:
    """Return where corners broke off: each with that chance, ragged, up to ``largest``."""
    place = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1) / (size - 1)
    broken = np.zeros((size, size), bool)
    for corner in np.ndindex(2, 2):
        if random.random() < chance:
            legs = random.uniform(0.04, largest, 2)
            away = np.abs(place - corner) / legs
            ragged = 1 + 0.12 * smooth_noise(random, (size, size), 30)
            broken |= away.sum(axis=-1) < ragged
    return broken


def draw_chart(step: int) -> NDArray[np.float32]:
    """Draw a colour chart [h, w, 3] with ``step`` pixels from one patch to the next."""
    chart = np.full((round(HEIGHT * step), round(WIDTH * step), 3), 28, np.float32)
    for row, col in np.ndindex(PATCHES.shape[:2]):
        top, left = (round((FRAME + n) * step) for n in (row, col))
        chart[top : top + round(PATCH * step), left : left + round(PATCH * step)] = PATCHES[
            row, col
        ]
    return chart


@dataclass(frozen=True)
class Thing:
    """A flat thing of one colour: its outline [n, 2] on the table."""

    outline: NDArray[np.float64]
    colour: NDArray[np.float32]


def put_things(poses: list[TilePose], random: np.random.Generator) -> list[Thing]:
    """Put a few things near tiles, partly below them: rulers, slips of paper, coins, cords."""
    middles = np.array([each.middle for each in poses])
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
