"""Find all tiles in a photograph, in reading order, and how well the picture supports each."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.adjustment import adjust
from azulejar.imaging.photographs.background import LIKE_TABLE, learn_background, to_lab
from azulejar.imaging.photographs.chart import Chart, find_card, find_chart, is_inside
from azulejar.imaging.photographs.geometry import (
    Lens,
    Plane,
    expected_clay_sides,
    fit_plane,
    no_lens,
)
from azulejar.imaging.photographs.half_tiles import PartTile, find_part_tiles, whole_tiles
from azulejar.imaging.photographs.narrow import Narrow, find_narrow, measure_narrow
from azulejar.imaging.photographs.outline import Outline, fit_outline
from azulejar.imaging.photographs.quads import Quad
from azulejar.imaging.photographs.selection import (
    NEAR,
    collides,
    drop_overlapping,
    first_tiles,
    is_alike,
    more_tiles,
    quads_in,
)
from azulejar.imaging.photographs.strips import Pyramid, TablePhoto

REDUCED = 1600  # longest side in pixels of the copy in which tiles are searched for
USUAL = 2.0  # Lab: contrast of the texture of a table, at most
FINE = 320.0  # pixels per side of a tile at the finest level that is read
SQUARE = 1.15  # largest ratio of the sides of a picture that shows a single tile and no table
BARE = 0.9  # share of a picture that looks like its border from which the table is empty
ROUNDS = 2  # in which sides are fitted and then all tiles adjusted
AROUND_CHART = 1.12  # size of a whole chart, relative to the frame of its patches
ROW = 0.5  # of a side: vertical distance of middles up to which tiles lie in one row


@dataclass(frozen=True)
class DetectedTile:
    """A tile in a photograph.

    - ``corners`` [4, 2]: in pixels, clockwise from the one nearest to the top left; the centres of
      pixels have whole numbers;
    - ``support``: the share of the outline along which an edge is seen;
    - ``misfit``: the fraction by which the outline differs from a square of the common size;
    - ``half``: which measures of a half or quarter tile are half as long (see ``core.halves``);
    - ``narrow``: how narrow a tile is that was cut parallel to a side;
    - ``whole_frame``: whether the tile fills the whole picture;
    - ``outer``: the sides that were cut off, of those between one corner and the next;
    - ``glaze``: where there is glaze, bool [S, S]; None unless the tile was cut to a shape.
    """

    corners: Quad
    support: float
    misfit: float
    whole_frame: bool = False
    half: str | None = None
    narrow: Narrow | None = None
    outer: tuple[str, ...] = ()
    glaze: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Detection:
    """What was found in a photograph: its tiles in reading order, its lens, the prepared view.

    ``chart`` and ``card`` are the colour chart and the grey card beside the tiles, None if there
    are none; ``plane`` is that of the tiles' faces, None if no tile is seen on a table.
    """

    tiles: tuple[DetectedTile, ...]
    lens: Lens
    view: TablePhoto
    chart: Chart | None = None
    card: Quad | None = None
    plane: Plane | None = None


def find_tiles(picture: NDArray[np.uint8], half_tiles: bool = False) -> Detection:
    """Find all tiles in a photograph uint8 [H, W, 3].

    With ``half_tiles``, half and quarter tiles are found too, and all have to lie by themselves:
    two halves side by side look like a whole tile.
    """
    view, chart = _prepare(picture)
    quads = quads_in(view)
    fits = whole_tiles(view, quads) if half_tiles else first_tiles(view, quads)
    if not fits:
        lens = no_lens(picture.shape)
        return Detection(_whole_frame(picture, view), lens, view, chart)
    plane = fit_plane(np.array([each.quad for each in fits]), picture.shape)
    fits = [each for each in fits if is_alike(plane, each)]
    if not half_tiles:
        fits = more_tiles(view, plane, fits)
    plane = fit_plane(np.array([each.quad for each in fits]), picture.shape)
    clay_sides = expected_clay_sides(plane, picture.shape)
    corners = [each.quad for each in fits]
    for _ in range(ROUNDS):  # each round is more exact than the last
        fits = drop_overlapping(
            [
                fit_outline(view, quad, NEAR, FINE, plane, clay_sides) or each
                for quad, each in zip(corners, fits, strict=True)
            ]
        )
        adjusted = adjust(fits, picture.shape)
        plane, clay_sides, corners = adjusted.plane, adjusted.clay_sides, list(adjusted.corners)
    card = find_card(picture, quads, corners)
    narrow = find_narrow(view, quads, plane, clay_sides, fits)
    found = [
        _describe(each, quad, plane)
        for each, quad in zip(fits, corners, strict=True)
        if not collides(quad, narrow)
    ]
    found += [_describe_narrow(each, plane) for each in narrow]
    if card is not None:
        found = [tile for tile in found if not is_inside(tile.corners, card)]
    if half_tiles:
        parts = find_part_tiles(view, quads, plane, clay_sides, fits)
        found += [_describe_part(part) for part in parts]
    return Detection(tuple(in_reading_order(found)), plane.lens, view, chart, card, plane)


def in_reading_order(tiles: list[DetectedTile]) -> list[DetectedTile]:
    """Sort tiles row by row from the top, each row from the left."""
    if not tiles:
        return []
    middles = np.array([each.corners.mean(axis=0) for each in tiles])
    side = np.median([np.ptp(each.corners, axis=0).min() for each in tiles])
    rows: list[list[int]] = []
    for k in np.argsort(middles[:, 1], kind="stable"):
        if rows and middles[k, 1] - np.mean(middles[rows[-1], 1]) < ROW * side:
            rows[-1].append(int(k))
        else:
            rows.append([int(k)])
    return [tiles[k] for row in rows for k in sorted(row, key=lambda k: middles[k, 0])]


def _prepare(picture: NDArray[np.uint8]) -> tuple[TablePhoto, Chart | None]:
    """Estimate the table's colour, build the image pyramid, and look for a chart.

    The patches of a chart are squares of one size, often more of them than there are tiles.
    Therefore the chart's area is treated as bare table.
    """
    scale = min(1.0, REDUCED / max(picture.shape))
    small = np.asarray(
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )
    background = learn_background(to_lab(small), scale)
    chart = find_chart(small)
    if chart is not None:
        middle = chart.corners.mean(axis=0)
        around = np.round(middle + AROUND_CHART * (chart.corners - middle)).astype(np.int32)
        for standing_out in (background.difference, background.slope):
            cv2.fillConvexPoly(standing_out, around, 0.0)
        chart = replace(chart, corners=(chart.corners + 0.5) / scale - 0.5)
    return TablePhoto(Pyramid.of(picture), background, USUAL), chart


def _whole_frame(picture: NDArray[np.uint8], view: TablePhoto) -> tuple[DetectedTile, ...]:
    """Return the whole picture as one tile, if it could be a tile cropped to its glaze."""
    height, width = picture.shape[:2]
    bare = (view.background.difference < LIKE_TABLE).mean()
    if max(height, width) > SQUARE * min(height, width) or bare > BARE:
        return ()
    right, bottom = width - 0.5, height - 0.5
    corners = np.array([[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]])
    return (DetectedTile(corners, 0.0, 0.0, whole_frame=True),)


def _describe(each: Outline, corners: Quad, plane: Plane) -> DetectedTile:
    """Return an outline as a tile, its corners starting at the top left."""
    corners = np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
    return DetectedTile(corners, each.support, float(plane.misfit(each.quad[None])[0]))


def _describe_part(part: PartTile) -> DetectedTile:
    """Return a half or quarter tile, its corners starting at the top left."""
    corners, half = part.outline.quad, part.half
    first = int(np.argmin(corners.sum(axis=1)))
    if first % 2:
        half = {"height": "width", "width": "height"}.get(half, half)
    corners = np.roll(corners, -first, axis=0)
    return DetectedTile(corners, part.outline.support, part.misfit, half=half)


def _describe_narrow(each: Outline, plane: Plane) -> DetectedTile:
    """Return a narrow tile, its corners starting at the top left."""
    corners = np.roll(each.quad, -int(np.argmin(each.quad.sum(axis=1))), axis=0)
    return DetectedTile(corners, each.support, 0.0, narrow=measure_narrow(plane, corners))
