"""Lay the lattice of a wall that is not quite flat on its joints, by a smooth warp.

A lattice may be a third of a tile off at its corners. Each joint alone could then be mistaken for
a painted line beside it, but all joints together cannot: a polynomial of second degree first brings
the lattice near its joints. Then each joint is searched for beside its expected place, piece by
piece, and a polynomial of higher degree is fitted to what is found; last a thin plate about it
that gives way where joints are clear.
"""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.sparse import csc_array, diags_array, eye_array, kron
from scipy.sparse.linalg import spsolve
from scipy.special import expit

from azulejar.imaging.walls.joint_features import (
    FEATURE_SIDE,
    HALF,
    Values,
    fit_weights,
    log_odds,
    read_features,
)
from azulejar.imaging.walls.photo import Points, WallPhoto
from azulejar.imaging.walls.warp import Warp

ROUNDS = 6
# Usual distance of a joint from its expected place, in tiles, and the degree of the polynomial.
POLYNOMIALS = ((0.05, 3), (0.03, 4))
USUAL_TERMS = np.array([0.3, 0.3, 0.1, 0.03, 0.02])  # tiles: usual size of terms by degree
ROUGH = 0.05  # tiles by which joints differ from a polynomial
# Usual distance of a joint from its expected place, in tiles, and the plate's stiffness.
PLATES = ((0.04, 1e4), (0.03, 3e3))
EXACT = 0.015  # tiles by which joints differ from a plate
LOOSE = 0.05  # tiles by which a plate differs from the polynomial
NEAR = 0.05  # tiles around its place within which a joint counts as seen

# Tiles that a joint may be off, and tiles of blur; finer with each pass.
BEND_PASSES = ((0.4, 0.08), (0.3, 0.05), (0.2, 0.03))
CHANGES = np.stack(np.meshgrid(np.arange(-4, 5), np.arange(-4, 5))).reshape(2, -1)  # steps [2, 81]
USUAL_BEND = np.array([0.2, 0.2, 0.05])  # tiles: usual size of terms by degree
OUTERMOST = 0.4  # weight of the outermost joints, for which a frame or the wall's end may pass

# How clearly joints are seen, 0 to 1: those that run down [rows, cols + 1], and across.
Clarity = tuple[Values, Values]


def refine(photo: WallPhoto, warp: Warp) -> tuple[Warp, Clarity]:
    """Lay the warp on the joints; return it, and how clearly the joints were seen, 0 to 1.

    Joints that run down come as [rows, cols + 1], those that run across as [rows + 1, cols].
    """
    for spread, degree in POLYNOMIALS:
        warp = fit_polynomial(photo, warp, spread, degree)
    flat = warp.shifts
    crossings = (warp.rows + 1, warp.cols + 1)
    free = eye_array(crossings[0] * crossings[1])
    for spread, stiffness in PLATES:
        parts = [
            (free, stiffness * _plate(*shape) + free / LOOSE**2)
            for shape in (crossings, crossings[::-1])
        ]
        warp = _fit_parts(photo, warp, parts, flat, spread, EXACT)
    return warp, read_clarity(photo, warp)


def fit_polynomial(photo: WallPhoto, warp: Warp, spread: float = 0.05, degree: int = 3) -> Warp:
    """Lay the warp on the joints by a polynomial; joints are off by about ``spread`` tiles."""
    basis, degrees = polynomial_terms(warp.rows, warp.cols, degree)
    stiff = np.diag(1 / USUAL_TERMS[degrees] ** 2)
    parts = [(part.reshape(len(part), -1).T, stiff) for part in (basis, np.swapaxes(basis, 1, 2))]
    return _fit_parts(photo, warp, parts, np.zeros_like(warp.shifts), spread, ROUGH)


def read_clarity(photo: WallPhoto, warp: Warp) -> Clarity:
    """Return how likely there is a joint at each place, 0 to 1; shapes as from ``refine``."""
    features = read_features(photo, warp, warp.rows, warp.cols)
    down, across = (
        expit(log_odds(each, fit_weights(each), NEAR).max(axis=-1)) for each in features
    )
    return down, across.T


def _fit_parts(
    photo: WallPhoto,
    warp: Warp,
    parts: list[tuple[Any, Any]],
    about: Points,
    spread: float,
    exact: float,
) -> Warp:
    """Return the warp with shifts ``about`` plus the combination of ``parts`` that brings it to its
    joints; there is one part for each direction.
    """
    features = read_features(photo, warp, warp.rows, warp.cols)
    shifts = []
    for axis, (part, stiff) in enumerate(parts):
        before, base = warp.shifts[1:-1, 1:-1, axis], about[1:-1, 1:-1, axis]
        if axis == 1:
            before, base = before.T, base.T
        odds = HALF * log_odds(features[axis], fit_weights(features[axis]), 2.5 * spread)
        found = _fit_shifts(odds, before, base, part, stiff, spread, exact)
        shifts.append(found.T if axis == 1 else found)
    return warp.shifted(np.stack(shifts, axis=-1))


def _fit_shifts(
    odds: Values,
    before: Values,
    base: Values,
    part: Any,
    stiff: Any,
    spread: float,
    exact: float,
) -> Values:
    """Return shifts in tiles [crossings down, crossings across] = base + part · amounts.

    Each round, every piece of a joint votes for where it may lie, given where the other pieces
    lie; a piece that features like no joint anywhere near has little weight.
    """
    pieces, joints, width = odds.shape
    aside = (np.arange(width) - width // 2) / FEATURE_SIDE
    halves = diags_array([0.5, 0.5], offsets=[0, 1], shape=(pieces, pieces + 1))
    middles = csc_array(kron(halves, eye_array(joints))) @ part
    was, shifts, likely = halves @ before, before, np.exp(odds)
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
    """Return the bending energy of a thin plate over [down, across] points, as a matrix."""

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


def fit_bend(photo: WallPhoto, homography: Points, rows: int, cols: int) -> Warp:
    """Bend a lattice by the polynomial of second degree on which the joints agree most."""
    warp = Warp.flat(homography, rows, cols)
    basis, degrees = polynomial_terms(rows, cols, 2)
    turned = np.swapaxes(basis, 1, 2)
    cost = 0.5 / USUAL_BEND[degrees] ** 2
    across, down = np.zeros(len(basis)), np.zeros(len(basis))
    for reach, blur in BEND_PASSES:
        running_down, running_across = read_features(photo, warp, rows, cols)
        across = _bend(log_odds(running_down, None, reach), basis, across, cost, blur)
        down = _bend(log_odds(running_across, None, reach), turned, down, cost, blur)
        shifts = [np.tensordot(amounts, basis, axes=1) for amounts in (across, down)]
        warp = warp.shifted(np.stack(shifts, axis=-1))
    return warp


def _bend(odds: Values, basis: Values, before: Values, cost: Values, blur: float) -> Values:
    """Return the best amounts of the terms, for features read after a bend by ``before``."""
    said = HALF * gaussian_filter1d(odds, blur * FEATURE_SIDE, axis=-1, mode="nearest")
    said[:, [0, -1]] *= OUTERMOST
    places = (basis[:, 1:] + basis[:, :-1]).reshape(len(basis), -1) / 2
    width = said.shape[-1]
    said = said.ravel()
    rows = width * np.arange(places.shape[1]) + width // 2
    amounts = before
    for step in (blur, blur / 2):
        for _ in range(2):
            for pair in combinations_with_replacement(range(len(basis)), 2):
                tried = _vary_two(amounts, pair, step)
                aside = np.rint((tried - before) @ places * FEATURE_SIDE).astype(int)
                at = rows + np.clip(aside, -(width // 2), width - 1 - width // 2)
                total = said[at].sum(axis=1) - tried**2 @ cost
                amounts = tried[int(total.argmax())]
    return amounts


def _vary_two(amounts: Values, pair: tuple[int, int], step: float) -> Values:
    """Return the amounts with two of them changed in all ways, by up to four steps each."""
    tried = np.repeat(amounts[None], CHANGES.shape[1], axis=0)
    for which, steps in zip(pair, CHANGES, strict=True):
        tried[:, which] += step * steps
    return tried


def polynomial_terms(
    rows: int, cols: int, degree: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return products of Legendre polynomials [terms, rows + 1, cols + 1] over the crossings, up
    to a total degree, where the panel's sides are at −1 and 1; and the degree of each.
    """
    across = legvander(np.linspace(-1, 1, cols + 1), degree)
    down = legvander(np.linspace(-1, 1, rows + 1), degree)
    pairs = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    products = [np.outer(down[:, j], across[:, i]) for i, j in pairs]
    return np.stack(products), np.array([i + j for i, j in pairs])
