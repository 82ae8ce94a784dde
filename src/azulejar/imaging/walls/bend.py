"""The gentle bend, a polynomial of second degree, that brings a lattice nearest to its joints.

A lattice may be a third of a tile off at its corners. Each joint alone could then be taken for a
painted line beside it; all joints together can not.
"""

from itertools import combinations_with_replacement

import numpy as np
from scipy.ndimage import gaussian_filter1d

from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.pieces import HALF, SIDE, Values, chances, looks_of
from azulejar.imaging.walls.polynomial import terms
from azulejar.imaging.walls.warp import Warp

# Tiles that a joint may be off, and by how much it is blurred; each time finer.
PASSES = ((0.4, 0.08), (0.3, 0.05), (0.2, 0.03))
USUAL = np.array([0.2, 0.2, 0.05])  # tiles of the terms of each degree
OUTERMOST = 0.4  # weight of the outermost joints: a frame or the wall's end may be taken for them


def bent(photo: Photo, homography: Points, rows: int, cols: int) -> Warp:
    """The lattice with the bend on which the joints agree most."""
    warp = Warp.flat(homography, rows, cols)
    basis, degrees = terms(rows, cols, 2)
    turned = np.swapaxes(basis, 1, 2)
    cost = 0.5 / USUAL[degrees] ** 2
    across, down = np.zeros(len(basis)), np.zeros(len(basis))
    for reach, blur in PASSES:
        running_down, running_across = looks_of(photo, warp, rows, cols)
        across = _bend(chances(running_down, None, reach), basis, across, cost, blur)
        down = _bend(chances(running_across, None, reach), turned, down, cost, blur)
        shifts = [np.tensordot(amounts, basis, axes=1) for amounts in (across, down)]
        warp = warp.shifted(np.stack(shifts, axis=-1))
    return warp


def _bend(chance: Values, basis: Values, before: Values, cost: Values, blur: float) -> Values:
    """The best amounts of the terms, when places are seen after a bend by those ``before``."""
    said = HALF * gaussian_filter1d(chance, blur * SIDE, axis=-1, mode="nearest")
    said[:, [0, -1]] *= OUTERMOST
    places = (basis[:, 1:] + basis[:, :-1]).reshape(len(basis), -1) / 2
    said = said.reshape(-1, said.shape[-1])
    amounts = before
    for step in (blur, blur / 2):
        for _ in range(2):
            for pair in combinations_with_replacement(range(len(basis)), 2):
                tried = _changed(amounts, pair, step)
                aside = np.rint((tried - before) @ places * SIDE).astype(int)
                at = np.clip(aside + said.shape[-1] // 2, 0, said.shape[-1] - 1)
                total = said[np.arange(len(said)), at].sum(axis=1) - tried**2 @ cost
                amounts = tried[int(total.argmax())]
    return amounts


def _changed(amounts: Values, pair: tuple[int, int], step: float) -> Values:
    """The amounts with two of them changed in all ways, up to four steps each."""
    change = np.stack(np.meshgrid(np.arange(-4, 5), np.arange(-4, 5)), axis=-1).reshape(-1, 2)
    tried = np.repeat(amounts[None], len(change), axis=0)
    for which, steps in zip(pair, change.T, strict=True):
        tried[:, which] += step * steps
    return tried
