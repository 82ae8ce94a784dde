"""The smooth warp that lays a lattice on the joints of a wall that is not quite flat.

Each joint is looked for beside its place, piece by piece. What is found is smoothed as a thin
plate would, first stiff, then ever softer; pieces that disagree with the plate lose their say.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, diags_array, eye_array, kron
from scipy.sparse.linalg import spsolve

from azulejar.imaging.walls.evidence import Tone
from azulejar.imaging.walls.photo import SIDE, Photo
from azulejar.imaging.walls.pieces import OUTSIDE, Pieces, pieces_of
from azulejar.imaging.walls.warp import Warp

ROUNDS = 6
WIDTH = 3.0  # pixels of a view that a clear joint fills
CLEAR = 4.0  # a piece this many deviations above the usual is a joint for certain


@dataclass(frozen=True)
class Stage:
    """``length`` of a piece and ``spread``, how far off its joint may well be, in tiles;
    ``stiffness`` of the plate.
    """

    length: float
    spread: float
    stiffness: float


STAGES = (
    Stage(0.7, 0.06, 20),
    Stage(0.5, 0.05, 4),
    Stage(0.4, 0.04, 1),
    Stage(0.4, 0.03, 0.3),
)


def refined(
    photo: Photo, warp: Warp, tones: tuple[Tone, Tone]
) -> tuple[Warp, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The warp after all stages, and how clearly the joints were seen, 0 to 1: those that run
    down as [rows, cols + 1], those that run across as [rows + 1, cols].
    """
    for stage in STAGES:
        view = photo.view(warp, (-1, -1, warp.cols + 1, warp.rows + 1))
        before = warp.shifts[1:-1, 1:-1]
        turned = np.ascontiguousarray(view.T)
        down, across = (
            pieces_of(seen, tone, stage.length, 2.5 * stage.spread)
            for seen, tone in zip((view, turned), tones, strict=True)
        )
        shift_x, clear_down = _settle(down, before[..., 0], stage)
        shift_y, clear_across = _settle(across, before[..., 1].T, stage)
        warp = warp.shifted(np.stack([shift_x, shift_y.T], axis=-1)).flattest()
    return warp, (clear_down, clear_across.T)


def _settle(
    pieces: Pieces, before: NDArray[np.float64], stage: Stage
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shifts in tiles [crossings down, crossings across]; trust in the pieces, 0 to 1."""
    count, across, width = pieces.strength.shape
    aside = (np.arange(width) - width // 2) / SIDE
    plate = _plate(count + 1, across) * stage.stiffness
    plate = plate + 1e-3 * eye_array(plate.shape[0])
    seen = kron(pieces.between, eye_array(across))
    standing_out = np.clip(pieces.strength - 1, 0, CLEAR - 1) / (CLEAR - 1)
    shifts, was = before, pieces.between @ before
    for _ in range(ROUNDS):
        expected = pieces.between @ shifts - was
        near = np.exp(-0.5 * ((aside - expected[..., None]) / stage.spread) ** 2)
        weight = standing_out * near
        mass = weight.sum(axis=-1)
        found = (weight @ aside) / (mass + 1e-9)
        trust = np.minimum(mass / WIDTH, 1)
        trust[:, [0, -1]] *= OUTSIDE
        weighed = seen.T @ diags_array(trust.ravel())
        shifts = spsolve(csc_array(weighed @ seen + plate), weighed @ (found + was).ravel())
        shifts = shifts.reshape(count + 1, across)
    return shifts, np.minimum(mass / WIDTH, 1)


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
