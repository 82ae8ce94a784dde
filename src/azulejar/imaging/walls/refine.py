"""The smooth warp that lays a lattice on the joints of a wall that is not quite flat.

Each joint is looked for beside its place, piece by piece. Through what is found goes first a
polynomial, then a thin plate about it that gives way where joints are clear.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, diags_array, eye_array, kron
from scipy.sparse.linalg import spsolve

from azulejar.imaging.walls.bend import OUTERMOST
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.pieces import HALF, SIDE, Values, chances, looks_of, own_look
from azulejar.imaging.walls.polynomial import terms
from azulejar.imaging.walls.warp import Warp

ROUNDS = 6
# How far off a joint may well be, in tiles, and the degree of the polynomial.
POLYNOMIALS = ((0.05, 3), (0.03, 4))
USUAL = np.array([0.3, 0.3, 0.1, 0.03, 0.02])  # tiles of the terms of each degree
ROUGH = 0.05  # tiles by which joints differ from a polynomial
# How far off a joint may well be, in tiles, and the plate's stiffness.
PLATES = ((0.04, 1e4), (0.03, 3e3))
EXACT = 0.015  # tiles by which joints differ from a plate
LOOSE = 0.05  # tiles by which a plate differs from the polynomial
NEAR = 0.05  # tiles within which a joint is seen or not

Clear = tuple[Values, Values]


def refined(photo: Photo, warp: Warp) -> tuple[Warp, Clear]:
    """The warp laid on the joints, and how clearly these were seen, 0 to 1: those that run down as
    [rows, cols + 1], those that run across as [rows + 1, cols].
    """
    for spread, degree in POLYNOMIALS:
        warp = followed(photo, warp, spread, degree)
    flat = warp.shifts
    crossings = (warp.rows + 1, warp.cols + 1)
    free = eye_array(crossings[0] * crossings[1])
    for spread, stiffness in PLATES:
        parts = [
            (free, stiffness * _plate(*shape) + free / LOOSE**2)
            for shape in (crossings, crossings[::-1])
        ]
        warp = _settled(photo, warp, parts, flat, spread, EXACT)
    return warp, seen(photo, warp)


def followed(photo: Photo, warp: Warp, spread: float = 0.05, degree: int = 3) -> Warp:
    """The warp with the polynomial that the joints, off by about ``spread`` tiles, follow."""
    basis, degrees = terms(warp.rows, warp.cols, degree)
    stiff = np.diag(1 / USUAL[degrees] ** 2)
    parts = [(part.reshape(len(part), -1).T, stiff) for part in (basis, np.swapaxes(basis, 1, 2))]
    return _settled(photo, warp, parts, np.zeros_like(warp.shifts), spread, ROUGH)


def seen(photo: Photo, warp: Warp) -> Clear:
    """How likely there is a joint at each place, 0 to 1; shapes as of ``refined``."""
    looks = looks_of(photo, warp, warp.rows, warp.cols)
    down, across = (
        1 / (1 + np.exp(-chances(look, own_look(look), NEAR).max(axis=-1))) for look in looks
    )
    return down, across.T


def _settled(
    photo: Photo,
    warp: Warp,
    parts: list[tuple[Any, Any]],
    about: Points,
    spread: float,
    exact: float,
) -> Warp:
    """The warp with shifts ``about`` and what of the ``parts``, one for each direction, brings it
    to the joints.
    """
    looks = looks_of(photo, warp, warp.rows, warp.cols)
    shifts = []
    for axis, (part, stiff) in enumerate(parts):
        before, base = warp.shifts[1:-1, 1:-1, axis], about[1:-1, 1:-1, axis]
        if axis == 1:
            before, base = before.T, base.T
        chance = HALF * chances(looks[axis], own_look(looks[axis]), 2.5 * spread)
        found = _settle(chance, before, base, part, stiff, spread, exact)
        shifts.append(found.T if axis == 1 else found)
    return warp.shifted(np.stack(shifts, axis=-1))


def _settle(
    chance: Values,
    before: Values,
    base: Values,
    part: Any,
    stiff: Any,
    spread: float,
    exact: float,
) -> Values:
    """Shifts in tiles [crossings down, crossings across] = base + part · amounts.

    Each round the pieces say where they may lie, given where the others have them; a piece that
    looks like no joint anywhere near says little.
    """
    pieces, joints, width = chance.shape
    aside = (np.arange(width) - width // 2) / SIDE
    halves = diags_array([0.5, 0.5], offsets=[0, 1], shape=(pieces, pieces + 1))
    middles = csc_array(kron(halves, eye_array(joints))) @ part
    was, shifts, likely = halves @ before, before, np.exp(chance)
    for _ in range(ROUNDS):
        expected = halves @ shifts - was
        near = np.exp(-0.5 * ((aside - expected[..., None]) / spread) ** 2)
        weight = likely * near / near.sum(axis=-1, keepdims=True)
        mass = weight.sum(axis=-1)
        trust = mass / (mass + 1)
        trust[:, [0, -1]] *= OUTERMOST
        found = weight @ aside / mass + was - halves @ base
        weighed = middles.T @ diags_array((trust / exact**2).ravel())
        amounts = _solve(weighed @ middles + stiff, weighed @ found.ravel())
        shifts = base + (part @ amounts).reshape(base.shape)
    return shifts


def _solve(matrix: Any, right: NDArray[np.float64]) -> NDArray[np.float64]:
    if isinstance(matrix, np.ndarray):
        return np.asarray(np.linalg.solve(matrix, right), np.float64)
    return np.asarray(spsolve(csc_array(matrix), right), np.float64)


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
