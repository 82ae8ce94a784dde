"""Decide how far a grid reaches: which rows and cols are seen, and which belong to other tiles.

Sides of a grid are numbered 0 left, 1 top, 2 right, 3 bottom.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.grid import tiles_off
from azulejar.imaging.walls.lattice import SMALLEST
from azulejar.imaging.walls.photo import WallPhoto
from azulejar.imaging.walls.refine import Clarity, refine
from azulejar.imaging.walls.warp import Warp
from azulejar.system.threads import in_threads

FEWEST_KEPT = 4  # rows and cols that are always kept
SEEN = 0.5  # share of the joints along a rim, and of those between its tiles, that must be seen
GAP = 0.45  # largest share of a row's joints that are seen where a gap divides two panels
PULL = 0.025  # tiles by which a rim of other tiles, such as a frieze, draws the next joint aside

LaidWarp = tuple[Warp, Clarity]
INSIDE = 0.4  # share of a further joint that must lie in the photograph
SHORTEST_SIDE = 0.3  # of the opposite side: a shorter side is too far away to be seen well
PARTS = 3  # into which a grid is divided in each direction
CONTRAST = 0.14  # by which every second joint is seen better; at most 0.07 on real walls
FEWEST_TO_COMPARE = 6  # rows and cols: with fewer, chance may make such a difference


def trim_unseen(warp: Warp, clear: Clarity) -> LaidWarp:
    """Drop the outermost rows and cols whose joints are not seen."""
    while min(warp.rows, warp.cols) > FEWEST_KEPT:
        rims = [min(seen_shares(clear, side, slice(0, 1), slice(None))) for side in range(4)]
        side = int(np.argmin(rims))
        if rims[side] > SEEN:
            break
        warp, clear = _crop(warp, clear, *_only(side))
    return warp, clear


def trim_gaps(warp: Warp, clear: Clarity) -> LaidWarp:
    """Keep the larger part where a row or col shows no joints: beyond it lies another panel."""
    while min(warp.rows, warp.cols) > FEWEST_KEPT:
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
        warp, clear = _crop(warp, clear, *beyond)
    return warp, clear


def trim_other_tiles(photo: WallPhoto, warp: Warp, clear: Clarity) -> LaidWarp:
    """Drop the outermost rows and cols that belong to other tiles.

    Other tiles draw the joint beside them aside: without them it moves. Once at each side, what is
    dropped is first laid again, as its outermost joint may only have been mistaken for the edge of
    a frame.
    """
    anew = set(range(4))
    while min(warp.rows, warp.cols) > FEWEST_KEPT:
        smaller = [warp.cropped(*_only(side)) for side in range(4)]
        laid = list(in_threads(lambda one: refine(photo, one), smaller))
        pulls = [
            _median_shift(before, after, side)
            for side, (before, (after, _)) in enumerate(zip(smaller, laid, strict=True))
        ]
        side = int(np.argmax(pulls))
        if pulls[side] < PULL:
            break
        inner, larger = laid[side], None
        if side in anew:
            anew.remove(side)
            larger = _with_rim(photo, inner[0], side)
        warp, clear = trim_unseen(*(inner if larger is None else larger))
    return warp, clear


def _with_rim(photo: WallPhoto, warp: Warp, side: int) -> LaidWarp | None:
    """Add one tile at a side; return None if that draws the joint there aside."""
    left, top, right, bottom = _only(side)
    larger, clear = refine(photo, warp.cropped(-left, -top, -right, -bottom))
    pull = _median_shift(warp, larger.cropped(left, top, right, bottom), side)
    return (larger, clear) if pull < PULL else None


def _crop(warp: Warp, clear: Clarity, left: int, top: int, right: int, bottom: int) -> LaidWarp:
    warp = warp.cropped(left, top, right, bottom)
    rows, cols = slice(top, top + warp.rows), slice(left, left + warp.cols)
    rows_on, cols_on = slice(top, rows.stop + 1), slice(left, cols.stop + 1)
    return warp, (clear[0][rows, cols_on], clear[1][rows_on, cols])


def _only(side: int) -> tuple[int, int, int, int]:
    """Return the tiles at each side (left, top, right, bottom): one at ``side``, else none."""
    left, top, right, bottom = (int(side == one) for one in range(4))
    return left, top, right, bottom


def _median_shift(before: Warp, after: Warp, side: int) -> float:
    """Return the median distance, in tiles, by which the crossings at a side moved."""
    crossings = before.crossings()
    return float(np.median(_from_side(tiles_off(after.crossings(), crossings), side)[:, 0]))


def supported_sides(
    photo: WallPhoto, warp: Warp, clear: Clarity, step: int, least: float
) -> NDArray[np.bool_]:
    """Tell at which sides [4] the photograph supports the outermost ``step`` tiles.

    More than the share ``least`` of their joints must be seen, they must lie in the photograph,
    and the side must not be too far away.
    """
    points = np.moveaxis(warp.crossings(), -1, 0)
    edges = [_from_side(points, side)[:, step:-step, 0].T for side in range(4)]
    lengths = [np.linalg.norm(np.diff(edge, axis=0), axis=1).mean() for edge in edges]
    support = []
    for side, edge in enumerate(edges):
        inside = ((edge > 0) & (edge < [photo.width, photo.height])).all(axis=1).mean()
        near = lengths[side] > max(SMALLEST, SHORTEST_SIDE * lengths[(side + 2) % 4])
        seen_there = seen_shares(clear, side, slice(0, step), slice(step, -step))
        support.append(sum(seen_there) / 2 > least and inside > INSIDE and near)
    return np.array(support)


def seen_shares(clear: Clarity, side: int, tiles: slice, along: slice) -> tuple[float, float]:
    """Return how much is seen of the joints at the ``tiles`` next to a side: of those that run
    along the side, and of those between the tiles.
    """
    down, across = (_from_side(part, side) for part in clear)
    ends, ribs = (down, across) if side % 2 == 0 else (across, down)
    return float(ends[along, tiles].mean()), float(ribs[along, tiles].mean())


def _from_side(part: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Orient the last two axes so that the last one runs inwards from a side."""
    inwards = np.swapaxes(part, -1, -2) if side % 2 else part
    return inwards[..., ::-1] if side >= 2 else inwards


def grid_confidence(clear: Clarity) -> float:
    """Return how sure a grid is, 0 to 1: the share of joints seen in its worst part, in the worse
    direction. Lines where there are no joints reach about 0.4.
    """
    return min(_worst(seen) for seen in clear)


def _worst(seen: NDArray[np.float64]) -> float:
    parts = [
        part
        for band in np.array_split(seen, min(PARTS, len(seen)))
        for part in np.array_split(band, min(PARTS, band.shape[1]), axis=1)
    ]
    return float(min(part.mean() for part in parts))


def find_coarser(clear: Clarity) -> tuple[int, int] | None:
    """Return the first col and row of the coarser grid, if this one is twice too fine.

    Painted lines may pass for joints, but are not seen as clearly: every second joint is then
    seen better, in both directions. Return None if that is not so.
    """
    down, across = clear
    if min(len(down), across.shape[1]) < FEWEST_TO_COMPARE:
        return None
    left, top = _better(down.mean(axis=0)), _better(across.mean(axis=1))
    return None if left is None or top is None else (left, top)


def _better(seen: np.ndarray) -> int | None:
    """Return 0 or 1, the first of every second joint that are seen better, None if all are alike.

    The outermost joints may be those of a frame and are left out of the comparison.
    """
    odd, even = seen[1:-1:2].mean(), seen[2:-1:2].mean()
    return int(odd > even) if abs(odd - even) > CONTRAST else None
