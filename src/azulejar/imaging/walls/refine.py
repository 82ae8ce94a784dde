"""The smooth warp that lays a lattice on the joints of a wall that is not quite flat.

Each joint is looked for beside its place, piece by piece. What is found is smoothed as a thin
plate would, first stiff, then ever softer; pieces that disagree with the plate lose their say.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.sparse import csc_array, diags_array, eye_array, kron
from scipy.sparse.linalg import spsolve

from azulejar.imaging.walls.evidence import Tone, above_usual, bands, ridges
from azulejar.imaging.walls.photo import SIDE, Photo
from azulejar.imaging.walls.warp import Warp

OTHER = 0.5
CLEAR = 4.0  # a piece this many deviations above the usual is a joint for certain


@dataclass(frozen=True)
class Stage:
    """``length`` of a piece, how far to look (``reach``), how far from the plate a piece may well
    lie (``slack``), all in tiles; ``stiffness`` of the plate, and its ``pull`` towards no shift.
    """

    length: float
    reach: float
    slack: float
    stiffness: float
    pull: float


COARSE = (Stage(2, 0.25, 0.08, 1000, 0.3), Stage(1.5, 0.2, 0.06, 200, 0.2))
FINE = (
    Stage(1, 0.15, 0.06, 30, 0.02),
    Stage(0.5, 0.12, 0.05, 8, 0.01),
    Stage(0.4, 0.1, 0.04, 3, 0.01),
    Stage(0.4, 0.1, 0.04, 2, 0.01),
)


def refined(
    photo: Photo, warp: Warp, tones: tuple[Tone, Tone], stages: tuple[Stage, ...]
) -> tuple[Warp, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The warp after all stages, and how clearly the joints were seen, 0 to 1: those that run
    down as [rows, cols + 1], those that run across as [rows + 1, cols].
    """
    for stage in stages:
        view = photo.view(warp, (-1, -1, warp.cols + 1, warp.rows + 1))
        found = [
            _settle(_pieces(turned, tone, stage), stage)
            for turned, tone in zip((view, np.ascontiguousarray(view.T)), tones, strict=True)
        ]
        warp = warp.shifted(np.stack([found[0][0], found[1][0].T], axis=-1))
    return warp.flattest(), (found[0][1], found[1][1].T)


@dataclass(frozen=True)
class Pieces:
    """``strength`` [pieces down, joints across, 2·reach + 1 pixels]: how much joints that run down
    stand out beside their places, in deviations. ``between`` [pieces down, crossings down]: how
    much of each crossing's shift a piece sees.
    """

    strength: NDArray[np.float64]
    between: NDArray[np.float64]


def _pieces(view: NDArray[np.float32], tone: Tone, stage: Stage) -> Pieces:
    down, across = (length // SIDE - 2 for length in view.shape)
    lines, middles = bands(ridges(view), tone, OTHER)
    rows = middles - 1
    inside = (rows > 0) & (rows < down)
    rows, lines = rows[inside], above_usual(lines)[inside]
    apart = rows - (np.arange(down)[:, None] + 0.5)
    weights = np.exp(-0.5 * (apart / stage.length) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    strength = gaussian_filter1d(weights @ lines, 1.0, axis=1)
    middle = np.median(strength)
    strength = (strength - middle) / (1.48 * np.median(np.abs(strength - middle)) + 1e-6)
    reach = round(stage.reach * SIDE)
    beside = (np.arange(across + 1) + 1)[:, None] * SIDE + np.arange(-reach - 1, reach + 1)
    # A joint's place lies between two pixels.
    near = (strength[:, beside[:, 1:]] + strength[:, beside[:, :-1]]) / 2
    nearness = np.maximum(1 - np.abs(rows[:, None] - np.arange(down + 1)), 0)
    return Pieces(near, weights @ nearness)


def _settle(pieces: Pieces, stage: Stage) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shifts in tiles [crossings down, crossings across]; trust in the pieces, 0 to 1."""
    count, across, width = pieces.strength.shape
    aside = (np.arange(width) - width // 2) / SIDE
    plate = _plate(count + 1, across) * stage.stiffness
    plate = plate + stage.pull * eye_array(plate.shape[0])
    seen = kron(pieces.between, eye_array(across))
    capped = np.minimum(pieces.strength, CLEAR)
    shifts = np.zeros((count + 1, across))
    trust = np.zeros((count, across))
    for turn in range(5):
        expected = pieces.between @ shifts
        likely = capped - ((aside - expected[..., None]) / stage.slack) ** 2
        found, top = _peaks(pieces.strength, likely.argmax(axis=-1))
        trust = np.clip((top - 1) / (CLEAR - 1), 0, 1)
        if turn:
            trust = trust / (1 + ((found - expected) / stage.slack) ** 2) ** 2
        weighed = seen.T @ diags_array(trust.ravel())
        shifts = spsolve(csc_array(weighed @ seen + plate), weighed @ found.ravel())
        shifts = shifts.reshape(count + 1, across)
    return shifts, trust


def _peaks(
    strength: NDArray[np.float64], highest: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the peaks next to ``highest`` lie, in tiles aside, and how high they are."""
    width = strength.shape[-1]
    highest = np.clip(highest, 1, width - 2)
    before, top, after = (
        np.take_along_axis(strength, (highest + step)[..., None], axis=-1)[..., 0]
        for step in (-1, 0, 1)
    )
    bend = np.minimum(before - 2 * top + after, -1e-9)
    part = np.clip((before - after) / (2 * bend), -0.5, 0.5)
    return (highest - width // 2 + part) / SIDE, top


def _plate(down: int, across: int) -> csc_array:
    """Bending energy of a thin plate over [down, across] points."""

    def bend(n: int) -> csc_array:
        return diags_array([1.0, -2.0, 1.0], offsets=[0, 1, 2], shape=(max(n - 2, 0), n))

    def slope(n: int) -> csc_array:
        return diags_array([-1.0, 1.0], offsets=[0, 1], shape=(n - 1, n))

    parts = [
        kron(bend(down), eye_array(across)),
        kron(eye_array(down), bend(across)),
        kron(slope(down), slope(across)) * np.sqrt(2),
    ]
    return csc_array(sum(part.T @ part for part in parts))
