"""The gentle bend, a polynomial of second degree, that brings a lattice nearest to its joints.

A lattice may be a sixth of a tile off at its corners. Each joint alone could then be taken for a
painted line beside it; all joints together can not.
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from azulejar.imaging.walls.evidence import Tone
from azulejar.imaging.walls.photo import SIDE, Photo
from azulejar.imaging.walls.pieces import OUTSIDE, Pieces, pieces_of
from azulejar.imaging.walls.warp import Warp

REACH = 0.25  # tiles that a joint may be off
LENGTH = 0.5  # of a piece of joint, in tiles
BLURS = (0.05, 0.03, 0.015)  # tiles; each time the search is finer
LEAST, MOST = -1.0, 3.0  # what a piece may say, in deviations: none says more than a clear joint
USUAL = 0.12  # tiles of each term that cost as much as a piece in SAY
SAY = 0.1


def bent(photo: Photo, warp: Warp, tones: tuple[Tone, Tone]) -> Warp:
    """The warp with the bend on which the joints agree most."""
    for blur in BLURS:
        view = photo.view(warp, (-1, -1, warp.cols + 1, warp.rows + 1))
        turned = np.ascontiguousarray(view.T)
        before = warp.shifts[1:-1, 1:-1]
        shift_x = _bend(pieces_of(view, tones[0], LENGTH, REACH), blur)
        shift_y = _bend(pieces_of(turned, tones[1], LENGTH, REACH), blur).T
        warp = warp.shifted(before + np.stack([shift_x, shift_y], axis=-1)).flattest()
    return warp


def _bend(pieces: Pieces, blur: float) -> NDArray[np.float64]:
    """Shifts in tiles [crossings down, crossings across]."""
    said = np.clip(pieces.strength, LEAST, MOST)
    said = gaussian_filter1d(said, blur * SIDE, axis=-1)
    said[:, [0, -1]] *= OUTSIDE
    down, across, _ = said.shape
    u, v = np.meshgrid(np.linspace(-1, 1, across), np.linspace(-1, 1, down + 1))
    terms = np.stack([np.ones_like(u), u, v, u * v, 1.5 * u**2 - 0.5, 1.5 * v**2 - 0.5])
    seen = np.einsum("pc,tca->tpa", pieces.between, terms)
    amounts = np.zeros(len(terms))
    for step in (blur, blur / 2, blur / 4):
        for _ in range(2):
            for pair in combinations_with_replacement(range(len(terms)), 2):
                amounts = _better(said, seen, amounts, pair, step)
    return np.tensordot(amounts, terms, axes=1)


def _better(
    said: NDArray[np.float64],
    seen: NDArray[np.float64],
    amounts: NDArray[np.float64],
    pair: tuple[int, int],
    step: float,
) -> NDArray[np.float64]:
    """The amounts of the terms after two of them were changed for the best."""
    change = np.stack(np.meshgrid(np.arange(-4, 5), np.arange(-4, 5)), axis=-1).reshape(-1, 2)
    tried = np.repeat(amounts[None], len(change), axis=0)
    tried[:, pair[0]] += step * change[:, 0]
    tried[:, pair[1]] += step * change[:, 1]
    middle = said.shape[-1] // 2
    places = np.tensordot(tried, seen, axes=1) * SIDE + middle
    places = np.clip(np.rint(places).astype(np.intp), 0, said.shape[-1] - 1)
    row, joint = np.indices(said.shape[:2])
    total = said[row, joint, places].mean(axis=(1, 2)) - SAY * ((tried / USUAL) ** 2).sum(axis=1)
    return tried[int(total.argmax())]
