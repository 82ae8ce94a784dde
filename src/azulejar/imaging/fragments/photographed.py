"""Find the fragments of broken tiles in a photograph, beside whole tiles that tell their size."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from azulejar.imaging.fragments.poses import SHORTEST, Fragment, Points, straight_sides
from azulejar.imaging.photographs.background import LIKE_TABLE, Background, to_lab
from azulejar.imaging.photographs.find import Detection
from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.proposals import outlines_of, standing_out
from azulejar.imaging.photographs.quads import full_size
from azulejar.imaging.photographs.sides import is_clay

SMALLEST, LARGEST = 0.03, 0.99  # of a tile: areas of fragments
LONGEST = 1.45  # of a side: a little more than the diagonal of a tile
AROUND_TILE = 1.1  # size of what is covered by a tile with its clay sides and shadow
ROOM = 0.06  # of a side, around a fragment
CONTRAST = 10.0  # standard deviations by which glaze differs from the table, in the median
CORE = 0.025  # of a side: glaze as far within as this is surely as it is
SMOOTH = 0.008  # of a side: what is thinner is no part of the outline
OBLONG = 0.94  # share of its rectangle from which a thing is a slip of paper or a half tile


class FoundFragment(NamedTuple):
    """A fragment as seen from above, and its outline [n, 2] in pixels of the photograph."""

    fragment: Fragment
    outline: Points


def find_fragments(picture: NDArray[np.uint8], detection: Detection) -> list[FoundFragment]:
    """Return the fragments in a photograph [H, W, 3] in reading order.

    A fragment is glaze that stands out from the table, is smaller than a tile, and has kept a
    straight side of it. Without a whole tile in the photograph there is no scale, so none is found.
    """
    if detection.plane is None:
        return []
    background = detection.view.background
    rest = standing_out(background)
    known = [(tile.corners, AROUND_TILE) for tile in detection.tiles]
    known += [(quad, AROUND_TILE) for quad in _cards(detection)]
    for quad, size in known:
        middle = quad.mean(axis=0)
        around = (middle + size * (quad - middle) + 0.5) * background.scale - 0.5
        cv2.fillConvexPoly(rest, np.round(around).astype(np.int32), 0)
    side = float(np.median([full_size(tile.corners) for tile in detection.tiles]))
    found: list[FoundFragment] = []
    for contour in outlines_of(rest, SMALLEST / 2 * (side * background.scale) ** 2):
        outline = (contour.astype(float) + 0.5) / background.scale - 0.5
        seen = detection.plane.to_table(outline)
        low, high = seen.min(axis=0) - ROOM, seen.max(axis=0) + ROOM
        if (high - low).max() < LONGEST + 2 * ROOM and _stands_out(background, contour):
            cut = _cut(picture, detection, detection.plane, low, high, side)
            if _is_fragment(cut):
                found.append(FoundFragment(cut, outline))
    rows = [round(each.outline[:, 1].mean() / side) for each in found]
    across = [each.outline[:, 0].mean() for each in found]
    return [found[k] for k in np.lexsort([across, rows])]


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


def _cut(
    picture: NDArray[np.uint8],
    detection: Detection,
    plane: Plane,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    side: float,
) -> Fragment:
    """Cut out the table from ``low`` to ``high``, all but the glaze there transparent."""
    width, height = np.ceil((high - low) * side).astype(int)
    across = low[0] + (np.arange(width) + 0.5) / side
    down = low[1] + (np.arange(height) + 0.5) / side
    places = plane.to_pixels(np.stack(np.meshgrid(across, down), axis=-1))
    where = places.astype(np.float32)
    cut = cv2.remap(
        picture, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    lab = to_lab(np.asarray(cut, np.uint8))
    background = detection.view.background
    soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.8), np.float32)
    unlike = background.unlike_table(soft, places)
    rough = _solid((unlike > LIKE_TABLE) & ~is_clay(lab), side)
    glaze = _solid(_beyond_half(lab, background.table_at(places), rough, side), side)
    return Fragment("", np.dstack([cut, 255 * glaze]).astype(np.uint8), side)


def _beyond_half(
    lab: NDArray[np.float32], table: NDArray[np.float32], rough: NDArray[np.uint8], side: float
) -> NDArray[np.bool_]:
    """Tell which pixels are more like the glaze nearby than like the table.

    Lenses blur the edge, so that the first trace of glaze is seen beyond it.
    """
    depth = cv2.distanceTransform(np.pad(rough, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    core = depth > CORE * side
    if not core.any():
        return rough > 0
    nearest = distance_transform_edt(~core, return_distances=False, return_indices=True)
    contrast = cv2.blur(lab, (3, 3))[tuple(nearest)] - table
    share = ((lab - table) * contrast).sum(axis=-1) / np.maximum((contrast**2).sum(axis=-1), 1)
    return (share > 0.5) & (rough > 0)


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
    return bool(sides) and sides[0][1] >= SHORTEST
