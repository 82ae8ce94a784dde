"""Select the outlines that are tiles, from first proposals to tiles that touch others."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.outline import Outline, fit_outline
from azulejar.imaging.photographs.proposals import (
    SMALLEST,
    corner_squares,
    neighbours,
    outlines,
    outlines_of,
    possible_splits,
    quad_around,
    standing_out,
)
from azulejar.imaging.photographs.quads import (
    Quad,
    area_of,
    corner_distance,
    is_squarish,
    overlap_area,
    side_of,
)
from azulejar.imaging.photographs.strips import TablePhoto

ROUGH = 160.0  # pixels of a side when it is first read
FAR, NEAR = 0.06, 0.03  # of the side: how far it may be moved at first and at last
BELIEVED, SURE = 0.8, 0.93  # support from which an outline is a tile, and is surely one
SAME = 0.04  # of a side: outlines closer to each other than this are the same
OVERLAP = 0.12  # share of the smaller of two tiles that may overlap before one is wrong
ODD_SIZE = 0.12  # misfit from which a square is no tile like the others
STANDS_OUT = 0.6  # share of a tile beside others that must not look like the table
ROUNDS = 8  # of looking for tiles that touch those found already
BLOCK = 0.7  # share of the cells of a block of touching tiles that must be seen


def quads_in(view: TablePhoto) -> list[Quad]:
    """Return four-sided outlines, in the photograph's pixels, of all that stands out."""
    scale = view.background.scale
    found = [quad_around(contour) for contour in outlines(view.background)]
    return _distinct([(quad + 0.5) / scale - 0.5 for quad in found if quad is not None])


def first_tiles(view: TablePhoto, quads: Sequence[Quad]) -> list[Outline]:
    """Return the tiles that lie alone, and those of blocks of touching tiles."""
    squarish = [quad for quad in quads if is_squarish(quad)]
    alone = drop_overlapping(fit_supported(view, squarish, FAR))
    rows = _fit_blocks(view, [quad for quad in quads if not is_squarish(quad)], FAR)
    if len(alone) == 1 and not rows:
        parts = _fit_blocks(view, [alone[0].quad], NEAR)
        # A cross painted on a tile is not as straight as the joints of four.
        return parts if min((each.support for each in parts), default=0) > SURE else alone
    return drop_overlapping(alone + rows)


def more_tiles(view: TablePhoto, plane: Plane, fits: list[Outline]) -> list[Outline]:
    """Add tiles that touch others or things: at corners of what is not explained yet, and beside
    those found.
    """
    scale = view.background.scale
    tried: list[Quad] = []
    for _ in range(ROUNDS):
        rest = standing_out(view.background)
        sure = [each for each in fits if each.support > SURE]
        for each in sure:
            cv2.fillConvexPoly(rest, _reduce(each.quad, scale), 0)
        contours = outlines_of(rest)
        squares = [square for one in contours for square in corner_squares(one, plane, scale)]
        squares += [square for each in fits for square in neighbours(each.quad, plane)]
        free = [
            square
            for square in squares
            if _covered_share(rest, square, scale) > STANDS_OUT and not collides(square, sure)
        ]
        new = _distinct(tried + free)[len(tried) :]
        tried += new
        found = [each for each in fit_supported(view, new, FAR, plane) if is_alike(plane, each)]
        before, fits = len(fits), drop_overlapping(fits + found)
        if len(fits) == before:
            break
    return fits


def is_alike(plane: Plane, each: Outline) -> bool:
    """Tell whether an outline has about the size of the others."""
    return float(plane.misfit(each.quad[None])[0]) < ODD_SIZE


def drop_overlapping(fits: Sequence[Outline]) -> list[Outline]:
    """Keep the best supported outlines, none of which overlap."""
    kept: list[Outline] = []
    for each in sorted(fits, key=lambda each: each.support + 0.3 * each.vote, reverse=True):
        if not collides(each.quad, kept):
            kept.append(each)
    return kept


def fit_supported(
    view: TablePhoto, quads: Sequence[Quad], reach: float, plane: Plane | None = None
) -> list[Outline]:
    """Fit outlines to the quads and return those with enough support."""
    least = SMALLEST * max(view.pyramid.levels[0].shape)
    tried = [
        fit_outline(view, quad, reach, ROUGH, plane, least=BELIEVED)
        for quad in quads
        if side_of(quad) > least
    ]
    return [each for each in tried if each]


def _fit_blocks(view: TablePhoto, quads: Sequence[Quad], reach: float) -> list[Outline]:
    """Return the tiles of quads that are blocks of touching tiles."""
    found: list[Outline] = []
    for quad in quads:
        for pieces in possible_splits(quad):
            seen: list[Outline] = []
            for k, piece in enumerate(pieces):
                seen += fit_supported(view, [piece], reach)
                if k + 1 - len(seen) > (1 - BLOCK) * len(pieces):
                    break
            else:
                found += seen
                break
    return found


def collides(quad: Quad, fits: Sequence[Outline]) -> bool:
    """Tell whether a quad overlaps an outline too much for both to be tiles."""
    return any(
        overlap_area(quad, each.quad) > OVERLAP * min(area_of(quad), area_of(each.quad))
        for each in fits
    )


def _distinct(quads: Sequence[Quad]) -> list[Quad]:
    """Drop quads that are nearly the same as an earlier one."""
    kept: list[Quad] = []
    middles = np.empty((len(quads), 2))
    for quad in quads:
        near = SAME * side_of(quad)
        middle = quad.mean(axis=0)
        close = np.abs(middles[: len(kept)] - middle).max(axis=1) < near
        if not any(corner_distance(quad, kept[k]) < near for k in np.flatnonzero(close)):
            middles[len(kept)] = middle
            kept.append(quad)
    return kept


def _reduce(quad: Quad, scale: float) -> NDArray[np.int32]:
    """Return the quad in whole pixels of the reduced picture."""
    return np.round((quad + 0.5) * scale - 0.5).astype(np.int32)


def _covered_share(mask: NDArray[np.uint8], quad: Quad, scale: float) -> float:
    """Return the share of the quad that is set in a mask of the reduced picture."""
    corners = _reduce(quad, scale)
    low = np.maximum(corners.min(axis=0), 0)
    high = np.minimum(corners.max(axis=0) + 1, mask.shape[::-1])
    if (high <= low).any():
        return 0.0
    inside = np.zeros((high - low)[::-1], np.uint8)
    cv2.fillConvexPoly(inside, corners - low, 1)
    part = mask[low[1] : high[1], low[0] : high[0]]
    return float((part & inside).sum() / max(area_of(quad) * scale**2, 1))
