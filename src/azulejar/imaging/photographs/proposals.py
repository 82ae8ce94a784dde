"""Propose outlines of what may be tiles, from several ways to separate them from the table."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.background import Background
from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.quads import Quad, clockwise, divide_quad

DIFFERENCES = (3.0, 4.5, 7.0, 11.0, 20.0)  # from the table, in standard deviations
SLOPES = (1.5, 2.5, 4.0)  # over what is usual on the table
CLOSINGS = (1, 4)  # pixels that a gap in an outline may have
OPENING = 5  # pixels: what is thinner is no tile
MOST_ROWS = 6  # of touching tiles
OFF_ASPECT = 0.12  # fraction by which the cells of a split may differ from squares
CORNER_SLACK = 0.06  # of a tile, by which a contour may deviate from a straight line
GAPS = (0.01, 0.1)  # of a tile, between one and the next in a row
SHORTEST_LEG = 0.3  # of a tile: least straight contour beside a corner
SMALLEST = 0.025  # side of a tile over the picture's longer side


def outlines(background: Background) -> Iterator[NDArray[np.int32]]:
    """Yield the contours [n, 2] of everything that stands out, by each method in turn."""
    for mask in _masks(background):
        yield from outlines_of(mask)


def outlines_of(mask: NDArray[np.uint8], least: float | None = None) -> list[NDArray[np.int32]]:
    """Return the outer contours [n, 2] of the parts of a mask that have an area of ``least``, by
    default large enough for a tile.
    """
    least = (SMALLEST * max(mask.shape)) ** 2 if least is None else least
    opened = cv2.morphologyEx(_fill(mask), cv2.MORPH_OPEN, _disc(OPENING))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # OpenCV traces them anticlockwise.
    large = [contour for contour in contours if cv2.contourArea(contour) > least]
    return [np.asarray(contour[::-1, 0], np.int32) for contour in large]


def quad_around(contour: NDArray[np.int32]) -> Quad | None:
    """Return the convex four-sided outline that encloses a contour closely."""
    hull = cv2.convexHull(contour)
    if len(hull) < 4:
        return None
    quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(float)
    return clockwise(quad) if len(quad) == 4 else None


def possible_splits(quad: Quad) -> list[list[Quad]]:
    """Divide the quad into touching tiles, in every number of rows that its shape allows."""
    lengths = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    aspect = (lengths[0] + lengths[2]) / max(lengths[1] + lengths[3], 1e-9)
    found: list[list[Quad]] = []
    for rows in range(1, MOST_ROWS + 1):
        cols = round(aspect * rows)
        fits = 1 <= cols <= MOST_ROWS and abs(aspect * rows / max(cols, 1) - 1) < OFF_ASPECT
        if fits and rows * cols > 1:
            found.append(divide_quad(quad, rows, cols))
    return found


def standing_out(background: Background) -> NDArray[np.uint8]:
    """Return one mask [H, W] of all that is no table."""
    return _fill(_close((background.difference > 5) | (background.slope > 2), 2))


def corner_squares(contour: NDArray[np.int32], plane: Plane, scale: float) -> list[Quad]:
    """Return tiles that would fit into the right-angled corners of a contour.

    The contour is in pixels of the picture reduced by ``scale``.
    """
    around = cv2.approxPolyDP(contour, CORNER_SLACK * scale / plane.tiles_per_pixel(), True)[:, 0]
    places = plane.to_table((around.astype(float) + 0.5) / scale - 0.5)
    squares: list[Quad] = []
    for before, corner, after in zip(
        np.roll(places, 1, axis=0), places, np.roll(places, -1, axis=0), strict=True
    ):
        one, other = before - corner, after - corner
        lengths = np.linalg.norm(one), np.linalg.norm(other)
        if min(lengths) < SHORTEST_LEG:
            continue
        one, other = one / lengths[0], other / lengths[1]
        if abs(one @ other) < 0.2 and one[0] * other[1] - one[1] * other[0] < 0:
            squares.append(_square(corner, one, other, lengths))
    return [plane.to_pixels(square) for square in squares]


def neighbours(quad: Quad, plane: Plane) -> list[Quad]:
    """Return tiles that would lie beside a tile in its row or col, close by or with a gap."""
    flat = plane.to_table(quad)
    across = flat[1] - flat[0]
    steps = (across, -across, across @ [[0, 1], [-1, 0]], across @ [[0, -1], [1, 0]])
    return [plane.to_pixels(flat + (1 + gap) * step) for step in steps for gap in GAPS]


def _square(corner: NDArray, one: NDArray, other: NDArray, lengths: tuple) -> Quad:
    """Return the unit square in a corner whose legs point to ``one`` and, clockwise, to ``other``.

    The angle is that of the longer leg.
    """
    if lengths[0] >= lengths[1]:
        other = np.array([one[1], -one[0]])
    else:
        one = np.array([-other[1], other[0]])
    return clockwise(np.array([corner, corner + other, corner + one + other, corner + one]))


def _masks(background: Background) -> Iterator[NDArray[np.uint8]]:
    for closing in CLOSINGS:
        for least in DIFFERENCES:
            yield _close(background.difference > least, closing)
        for least in SLOPES:
            yield _close(background.slope > least, closing)
    yield standing_out(background)


def _close(mask: NDArray[np.bool_], radius: int) -> NDArray[np.uint8]:
    return np.asarray(
        cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _disc(radius)), np.uint8
    )


def _fill(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.drawContours(np.zeros_like(mask), contours, -1, 1, cv2.FILLED))


def _disc(radius: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2))
