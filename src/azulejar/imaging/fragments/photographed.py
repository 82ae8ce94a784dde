"""Find the fragments of broken tiles in a photograph, beside whole tiles that tell their size."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.fragments.poses import SHORTEST, Fragment, Points, straight_sides
from azulejar.imaging.photographs.background import LIKE_TABLE, Background, to_lab
from azulejar.imaging.photographs.find import DetectedTile, Detection
from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.proposals import outlines_of, standing_out
from azulejar.imaging.photographs.quads import full_size
from azulejar.imaging.photographs.sides import is_clay

SMALLEST, LARGEST = 0.03, 0.99  # of a tile: areas of fragments
LONGEST = 1.45  # of a side: a little more than the diagonal of a tile
AROUND_TILE = 1.1  # size of what is covered by a tile with its clay sides and shadow
ROOM = 0.06  # of a side, around a fragment
CONTRAST = 10.0  # standard deviations by which glaze differs from the table, in the median
GLAZE = 9.0  # standard deviations from the table that are hardly a shadow or a stain
CORE, BEYOND = 0.025, 0.05  # of a side: from how far within glaze is sure, and beyond, table
WARM, LIGHTEST_CLAY = 4.0, 85  # of Lab: how much yellower clay is than glaze, and its lightness
ROUNDS = 3  # in which the colours of glaze and table are learned
SMOOTH = 0.008  # of a side: what is thinner is no part of the outline
OBLONG = 0.94  # share of its rectangle from which a thing is a slip of paper or a half tile


class FoundFragment(NamedTuple):
    """A fragment as seen from above, and its outline [n, 2] in pixels of the photograph."""

    fragment: Fragment
    outline: Points


class PiecePlace(NamedTuple):
    """Where something lies: from ``low`` to ``high`` [2] on the table, in tiles, with some room.

    ``outline`` [n, 2] is in pixels of the photograph, ``contour`` in those of the reduced one;
    ``side`` is that of a tile in pixels of the photograph.
    """

    low: Points
    high: Points
    side: float
    outline: Points
    contour: NDArray[np.int32]


def find_fragments(picture: NDArray[np.uint8], detection: Detection) -> list[FoundFragment]:
    """Return the fragments in a photograph [H, W, 3] in reading order.

    A fragment is glaze that stands out from the table, is smaller than a tile, and has kept a
    straight side of it. Without a whole tile in the photograph there is no scale, so none is found.
    """
    plane = detection.plane
    if plane is None:
        return []
    found: list[FoundFragment] = []
    side = 1.0
    for place in pieces_beside(detection, detection.tiles, SMALLEST):
        side = place.side
        if _stands_out(detection.view.background, place.contour):
            cut = cut_piece(picture, detection, plane, place)
            if _is_fragment(cut):
                found.append(FoundFragment(cut, place.outline))
    rows = [round(each.outline[:, 1].mean() / side) for each in found]
    across = [each.outline[:, 0].mean() for each in found]
    return [found[k] for k in np.lexsort([across, rows])]


def pieces_beside(
    detection: Detection, tiles: Sequence[DetectedTile], smallest: float
) -> Iterator[PiecePlace]:
    """Yield the places of all that stands out from the table beside ``tiles``, charts and cards,
    is no longer than a tile, and has half the area of the ``smallest`` piece, in tiles, or more.
    """
    background, plane = detection.view.background, detection.plane
    if plane is None:
        return
    rest = standing_out(background)
    for quad in [*(tile.corners for tile in tiles), *_cards(detection)]:
        middle = quad.mean(axis=0)
        around = (middle + AROUND_TILE * (quad - middle) + 0.5) * background.scale - 0.5
        cv2.fillConvexPoly(rest, np.round(around).astype(np.int32), 0)
    side = float(np.median([full_size(tile.corners) for tile in detection.tiles]))
    for contour in outlines_of(rest, smallest / 2 * (side * background.scale) ** 2):
        outline = (contour.astype(float) + 0.5) / background.scale - 0.5
        seen = plane.to_table(outline)
        low, high = seen.min(axis=0) - ROOM, seen.max(axis=0) + ROOM
        if (high - low).max() < LONGEST + 2 * ROOM:
            yield PiecePlace(low, high, side, outline, contour)


def _stands_out(background: Background, contour: NDArray[np.int32]) -> bool:
    """Tell whether what lies within a contour is more than a stain or grain of the table."""
    left, top, width, height = cv2.boundingRect(contour)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [contour - (left, top)], 1)
    seen = background.difference[top : top + height, left : left + width]
    return float(np.median(seen[inside > 0])) > CONTRAST


def _cards(detection: Detection) -> list[NDArray[np.float64]]:
    chart = None if detection.chart is None else detection.chart.corners
    return [quad for quad in (chart, detection.card) if quad is not None]


def cut_piece(
    picture: NDArray[np.uint8], detection: Detection, plane: Plane, place: PiecePlace
) -> Fragment:
    """Cut a place out of the photograph [H, W, 3], all but the glaze there transparent."""
    low, high, side, *_ = place
    width, height = np.ceil((high - low) * side).astype(int)
    across = low[0] + (np.arange(width) + 0.5) / side
    down = low[1] + (np.arange(height) + 0.5) / side
    places = plane.to_pixels(np.stack(np.meshgrid(across, down), axis=-1))
    where = places.astype(np.float32)
    cut = cv2.remap(
        picture, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    lab = to_lab(np.asarray(cut, np.uint8))
    soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.8), np.float32)
    unlike = detection.view.background.unlike_table(soft, places)
    glaze = _solid(
        _glaze(np.asarray(cut, np.uint8), lab, np.where(is_clay(lab), 0, unlike), side), side
    )
    return Fragment("", np.dstack([cut, 255 * glaze]).astype(np.uint8), side)


def _glaze(
    picture: NDArray[np.uint8], lab: NDArray[np.float32], unlike: NDArray[np.float32], side: float
) -> NDArray[np.bool_]:
    """Tell glaze from table, shadow and clay, by the colours of what is surely one or the other.

    (GrabCut: Rother, Kolmogorov and Blake 2004.)
    """
    rough = _solid(unlike > GLAZE, side)
    depth, away = (
        cv2.distanceTransform(np.pad(each, 1, mode="edge"), cv2.DIST_L2, 5)[1:-1, 1:-1] / side
        for each in (rough, 1 - rough)
    )
    label = np.where(rough > 0, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    label[(depth > CORE) & (unlike > GLAZE)] = cv2.GC_FGD
    label[(away > CORE) & (unlike < LIKE_TABLE) | (away > BEYOND)] = cv2.GC_BGD
    within = lab[(depth > BEYOND) & (unlike > GLAZE)]
    if len(within):  # pale clay along the rim is warmer than the glaze, whatever its paint
        warm = max(WARM, float(np.percentile(within[:, 2], 95)) + WARM)
        label[(lab[..., 2] > warm) & (lab[..., 0] < LIGHTEST_CLAY) & (depth < BEYOND)] = cv2.GC_BGD
    if not (label == cv2.GC_FGD).any() or not (label == cv2.GC_BGD).any():
        return rough > 0
    cv2.setRNGSeed(0)
    none = np.zeros((1, 65))
    cv2.grabCut(picture, label, (0, 0, 1, 1), none, none.copy(), ROUNDS, cv2.GC_INIT_WITH_MASK)
    return (label == cv2.GC_FGD) | (label == cv2.GC_PR_FGD)


def _solid(glaze: NDArray[np.bool_], side: float) -> NDArray[np.uint8]:
    """Return the largest part of a mask, without holes, hairs and notches."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * max(1, round(SMOOTH * side)) + 1,) * 2)
    closed: NDArray = cv2.morphologyEx(glaze.astype(np.uint8), cv2.MORPH_CLOSE, disc)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(closed)
    if contours:
        largest = max(contours, key=cv2.contourArea)
        cv2.drawContours(filled, [largest], 0, 1, cv2.FILLED)
    opened = cv2.morphologyEx(filled, cv2.MORPH_OPEN, disc)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    if len(stats) == 1:
        return np.asarray(opened, np.uint8)
    return (labels == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()).astype(np.uint8)


def _is_fragment(cut: Fragment) -> bool:
    """Tell whether this may be part of a tile: of its size, with a straight side, no rectangle."""
    if not SMALLEST < cut.area < LARGEST:
        return False
    outline = cut.outline.astype(np.float32)
    _, (width, height), _ = cv2.minAreaRect(outline)
    if max(width, height) > LONGEST or cut.area > OBLONG * width * height:
        return False
    sides = straight_sides(cut.outline)
    return bool(sides) and sides[0].length >= SHORTEST
