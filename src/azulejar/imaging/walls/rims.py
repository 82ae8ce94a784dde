"""What does not belong to a grid that has grown too far."""

import numpy as np

from azulejar.imaging.walls.agreement import tiles_off
from azulejar.imaging.walls.beyond import from_side, shares
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import Clear, refined
from azulejar.imaging.walls.warp import Warp
from azulejar.system.threads import in_threads

FEWEST = 4  # rows and cols that are kept
SEEN = 0.5  # of the joints along a rim, and of those between its tiles, that must be seen
GAP = 0.45  # of a row's joints that are seen, at most, where something lies between two panels
PULL = 0.025  # tiles by which a rim of other tiles, such as a frieze, draws the next joint aside

Laid = tuple[Warp, Clear]


def without_unseen(warp: Warp, clear: Clear) -> Laid:
    """Without the outermost rows and cols whose joints are not seen."""
    while min(warp.rows, warp.cols) > FEWEST:
        rims = [min(shares(clear, side, slice(0, 1), slice(None))) for side in range(4)]
        side = int(np.argmin(rims))
        if rims[side] > SEEN:
            break
        warp, clear = _cropped(warp, clear, *_only(side))
    return warp, clear


def without_gaps(warp: Warp, clear: Clear) -> Laid:
    """The larger part where a row or col shows no joints: what lies behind it is another panel."""
    while min(warp.rows, warp.cols) > FEWEST:
        rows, cols = clear[0].mean(axis=1), clear[1].mean(axis=0)
        if min(rows.min(), cols.min()) > GAP:
            break
        shares, one, other = (rows, 1, 3) if rows.min() < cols.min() else (cols, 0, 2)
        gap = int(np.argmin(shares))
        beyond = [0, 0, 0, 0]
        if gap < len(shares) / 2:
            beyond[one] = gap + 1
        else:
            beyond[other] = len(shares) - gap
        warp, clear = _cropped(warp, clear, *beyond)
    return warp, clear


def without_other_tiles(photo: Photo, warp: Warp, clear: Clear) -> Laid:
    """Without the outermost rows and cols that belong to other tiles: left out, they let the joint
    beside them go elsewhere.

    What is left out is first laid anew, once at each side: its outermost joint may only have been
    taken for a frame's edge.
    """
    anew = set(range(4))
    while min(warp.rows, warp.cols) > FEWEST:
        smaller = [warp.cropped(*_only(side)) for side in range(4)]
        laid = list(in_threads(lambda one: refined(photo, one), smaller))
        pulls = [
            _moved(before, after, side)
            for side, (before, (after, _)) in enumerate(zip(smaller, laid, strict=True))
        ]
        side = int(np.argmax(pulls))
        if pulls[side] < PULL:
            break
        inner, larger = laid[side], None
        if side in anew:
            anew.remove(side)
            larger = _with_rim(photo, inner[0], side)
        warp, clear = without_unseen(*(inner if larger is None else larger))
    return warp, clear


def _with_rim(photo: Photo, warp: Warp, side: int) -> Laid | None:
    """One tile more at a side, unless that draws the joint there aside."""
    left, top, right, bottom = _only(side)
    larger, clear = refined(photo, warp.cropped(-left, -top, -right, -bottom))
    pull = _moved(warp, larger.cropped(left, top, right, bottom), side)
    return (larger, clear) if pull < PULL else None


def _cropped(warp: Warp, clear: Clear, left: int, top: int, right: int, bottom: int) -> Laid:
    warp = warp.cropped(left, top, right, bottom)
    rows, cols = slice(top, top + warp.rows), slice(left, left + warp.cols)
    rows_on, cols_on = slice(top, rows.stop + 1), slice(left, cols.stop + 1)
    return warp, (clear[0][rows, cols_on], clear[1][rows_on, cols])


def _only(side: int) -> tuple[int, int, int, int]:
    """One tile at a side: 0 left, 1 top, 2 right, 3 bottom."""
    left, top, right, bottom = (int(side == one) for one in range(4))
    return left, top, right, bottom


def _moved(before: Warp, after: Warp, side: int) -> float:
    """Tiles by which the crossings at a side moved, in their median."""
    crossings = before.crossings()
    return float(np.median(from_side(tiles_off(after.crossings(), crossings), side)[:, 0]))
