"""Find tiles that were cut to a shape (*recortado*): one side is smooth, but not the square's.

A tile at a shaped top, a niche or a stair was sawn along a line. At least one of its other sides is
a whole side of the square, so that it is known where the square was. The line tells a cut from a
break: a saw leaves a smooth one, a break is ragged; and two pieces that make a whole tile, on which
the paint goes on, were not sawn. For what was cut parallel to a side see ``narrow``.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from azulejar.core.edges import SIDES
from azulejar.imaging.fragments.photographed import cut_piece, pieces_beside
from azulejar.imaging.fragments.poses import STEP, Fragment, Points, straight_sides
from azulejar.imaging.photographs.find import DetectedTile, Detection, in_reading_order
from azulejar.imaging.photographs.quads import UNIT, Quad, area_of, overlap_area

SURE = 0.9  # support from which a tile is surely a whole one
AREA = 0.12, 0.97  # of a tile
SIZE = 0.95, 1.05  # of the sides that are kept
WHOLE = 0.85  # share of a side that is straight where it is whole, with its corners perhaps chipped
NEAR = 0.02  # of a side: what lies as near to a side of the square belongs to it
SHORTEST = 0.35  # of a side: length of a cut
CHIPPED = 0.3  # of a side: outline that may be lost elsewhere
ENDS = 3  # points at both ends of a cut that are left out
DEGREE = 4  # of the polynomial that follows a cut
ROUGH = 0.006  # of a side: how far a cut departs from it, in the mean
LEAN = 0.025  # most by which kept sides depart from a right angle, in radians
LONG = 0.3  # of a side: length of a kept side that tells its angle
SLANT = 0.05  # of a side: least by which a cut departs from a parallel to a side
BROKEN = 0.94  # share of a tile that its two parts cover once
INSET = 2  # pixels of the mask by which paint is looked at beside a seam
PLAIN, PAINT = 4.0, 0.2  # grey levels: deviation of what has no paint; correlation of what goes on
SAME = 0.12  # share of a tile by which no two overlap
GLAZE = 128  # pixels a side of the mask
GONE = 0.15  # share of a side below which nothing of it is left to meet a neighbour


class Cut(NamedTuple):
    """What is seen of a cut along the outline of a piece in its square.

    ``kept`` [4] is the length of the outline along each side, top first; ``length`` that of the
    cut, and ``chipped`` that of other parts within the square; ``rough`` how far the cut departs
    from a smooth line, ``slant`` by how much from parallels to sides; all in sides. ``lean`` is how
    far the sides to the left and right depart from a right angle, in radians.
    """

    kept: NDArray[np.float64]
    length: float
    chipped: float
    rough: float
    slant: float
    lean: float

    @property
    def is_sawn(self) -> bool:
        """Whether this is the cut of a saw, and not a break or a painted line."""
        whole = self.length >= SHORTEST and self.chipped <= CHIPPED
        straight = self.rough <= ROUGH and self.lean <= LEAN
        return whole and straight and self.slant >= SLANT


class _Sawn(NamedTuple):
    """A tile that seems sawn, with its picture uint8 [S, S, 3] and where there is glaze [S, S]."""

    tile: DetectedTile
    face: NDArray[np.uint8]
    glaze: NDArray[np.bool_]


def find_shaped(picture: NDArray[np.uint8], detection: Detection) -> list[DetectedTile]:
    """Return the tiles of a photograph [H, W, 3] that were cut to a shape and lie by themselves.

    Without a whole tile in the photograph there is no scale, so none is found.
    """
    plane = detection.plane
    if plane is None:
        return []
    sure = [tile for tile in detection.tiles if tile.support >= SURE]
    found = []
    for place in pieces_beside(detection, sure, AREA[0]):
        piece = cut_piece(picture, detection, plane, place)
        if AREA[0] < piece.area < AREA[1]:
            squares = ((each, cut_in(_within(each, piece.outline))) for each in _squares(piece))
            sawn = [(each, cut) for each, cut in squares if cut is not None and cut.is_sawn]
            if sawn:
                square, cut = min(sawn, key=lambda pair: pair[1].lean)
                found.append(_describe(piece, square, cut, plane.to_pixels(place.low + square)))
    return [each.tile for each in found if not any(_completes(each, other) for other in found)]


def _completes(one: _Sawn, other: _Sawn) -> bool:
    """Tell whether two make a whole tile, in some turn, whose paint goes on: it broke in two."""
    for quarters in range(4):
        turned = _Sawn(other.tile, np.rot90(other.face, quarters), np.rot90(other.glaze, quarters))
        if (one.glaze ^ turned.glaze).mean() > BROKEN and _goes_on(one, turned):
            return True
    return False


def _goes_on(one: _Sawn, other: _Sawn) -> bool:
    """Tell whether the paint of two parts of a square is alike on both sides of their seam."""
    disc = np.ones((2 * INSET + 1, 2 * INSET + 1), np.uint8)
    mine, others = (cv2.erode(each.glaze.astype(np.uint8), disc) > 0 for each in (one, other))
    away, nearest = distance_transform_edt(~others, return_indices=True)
    rim = mine & (cv2.erode(mine.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    rim &= away < 4 * INSET
    here, there = _soft_grey(one)[rim], _soft_grey(other)[tuple(nearest)][rim]
    if not len(here) or min(here.std(), there.std()) < PLAIN:
        return True  # nothing tells
    return bool(np.corrcoef(here, there)[0, 1] > PAINT)


def _soft_grey(part: _Sawn) -> NDArray[np.float64]:
    """Return the grey levels [S, S] of the paint without fine strokes, and without the table."""
    solid = part.glaze.astype(float)
    grey = cv2.cvtColor(part.face, cv2.COLOR_RGB2GRAY) * solid
    soft, weight = (cv2.GaussianBlur(each, (0, 0), 2 * INSET) for each in (grey, solid))
    return np.asarray(soft / np.maximum(weight, 1e-6))


def with_shaped(
    tiles: Sequence[DetectedTile], shaped: Sequence[DetectedTile]
) -> tuple[DetectedTile, ...]:
    """Return all tiles in reading order, shaped ones in the place of what else was taken for one
    there.
    """
    whole = [
        tile
        for tile in tiles
        if all(overlap_area(tile.corners, each.corners) < SAME * area_of(each.corners)
               for each in shaped)
    ]  # fmt: skip
    return tuple(in_reading_order([*whole, *shaped]))


def cover_table(tile: NDArray[np.uint8], lost: NDArray[np.bool_]) -> None:
    """Paint what is ``lost`` [s, s] of a tile [S, S, 3] in its own colour, so that light and glare
    are not those of the table.
    """
    size = (len(tile), len(tile))
    gone = cv2.resize(lost.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    tile[gone] = np.median(tile[~gone], axis=0)


def _describe(piece: Fragment, square: Quad, cut: Cut, corners: Quad) -> _Sawn:
    """Return a piece as a tile, its corners starting at the top left."""
    first = int(np.argmin(corners.sum(axis=1)))
    square, kept = np.roll(square, -first, axis=0), np.roll(cut.kept, -first)
    own = np.array([[0, 0], [1, 0], [1, 1]]) * GLAZE - 0.5
    matrix = cv2.getAffineTransform(
        (square[:3] * piece.side - 0.5).astype(np.float32), own.astype(np.float32)
    )
    seen = cv2.warpAffine(piece.picture, matrix, (GLAZE, GLAZE), flags=cv2.INTER_AREA)
    glaze = np.asarray(seen[..., 3] > 127)
    tile = DetectedTile(
        corners=np.roll(corners, -first, axis=0),
        support=1.0,
        misfit=0.0,
        outer=tuple(side for side, length in zip(SIDES, kept, strict=True) if length < GONE),
        glaze=glaze,
    )
    return _Sawn(tile, np.ascontiguousarray(seen[..., :3]), glaze)


def cut_in(outline: Points) -> Cut | None:
    """Return the cut along an outline [n, 2] in the unit square, ``STEP`` apart; None without."""
    x, y = outline.T
    depth = np.stack([y, 1 - x, 1 - y, x])
    near = depth < NEAR
    within = ~near.any(axis=0)
    if within.all() or not within.any():
        return None
    start = -int(np.flatnonzero(~within)[0])
    ends = np.flatnonzero(np.diff(np.roll(within, start), prepend=False, append=False))
    runs = ends.reshape(-1, 2)
    lengths = runs[:, 1] - runs[:, 0]
    first, last = runs[lengths.argmax()]
    line = np.roll(outline, start, axis=0)[first + ENDS : last - ENDS]
    if len(line) <= 2 * DEGREE:
        return None
    along = np.linspace(-1, 1, len(line))
    smooth = np.polynomial.polynomial.polyvander(along, DEGREE)
    rest = line - smooth @ np.linalg.lstsq(smooth, line, rcond=None)[0]
    return Cut(
        kept=near.sum(axis=1) * STEP,
        length=float(lengths.max() * STEP),
        chipped=float((lengths.sum() - lengths.max()) * STEP),
        rough=float(np.sqrt((rest**2).sum(axis=1).mean())),
        slant=float(np.ptp(line, axis=0).min()),
        lean=_lean(outline),
    )


def _lean(outline: Points) -> float:
    """Return by how much the sides to the left and right lean on average, in radians."""
    leaning = []
    for end in (0.0, 1.0):
        side = outline[np.abs(outline[:, 0] - end) < 2 * NEAR]
        if len(side) * STEP >= LONG:
            leaning.append(np.polyfit(side[:, 1], side[:, 0], 1)[0])
    return float(abs(np.mean(leaning))) if leaning else 0.0


def _squares(piece: Fragment) -> Iterator[Quad]:
    """Yield squares [4, 2] of which a whole side, the third, lies along the outline of a piece."""
    for normal, length, _ in straight_sides(piece.outline):
        if length < WHOLE:
            return
        down = np.array([np.cos(normal), np.sin(normal)])
        right = np.array([down[1], -down[0]])
        across, along = piece.outline @ right, piece.outline @ down
        if SIZE[0] < np.ptp(across) < SIZE[1] and np.ptp(along) < SIZE[1]:
            foot = np.median(along[along > along.max() - NEAR])
            middle = (across.min() + across.max()) / 2 * right + foot * down
            yield middle + (UNIT - [0.5, 1]) @ np.stack([right, down])


def _within(square: Quad, outline: Points) -> Points:
    """Return an outline [n, 2] as it lies in a square, which becomes the unit square."""
    return (outline - square[0]) @ np.stack([square[1] - square[0], square[3] - square[0]]).T
