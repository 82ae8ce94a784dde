"""Find half and quarter tiles beside whole ones, once these have told how large a tile is."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from azulejar.core.halves import NAMES
from azulejar.imaging.photographs.geometry import ClaySides, Plane
from azulejar.imaging.photographs.outline import Outline, fit_outline
from azulejar.imaging.photographs.quads import Quad, corner_distance, is_squarish, side_of
from azulejar.imaging.photographs.selection import (
    BELIEVED,
    FAR,
    NEAR,
    ROUGH,
    collides,
    drop_overlapping,
    fit_supported,
)
from azulejar.imaging.photographs.strips import TablePhoto

ROUGHLY_OFF, OFF = 0.25, 0.08  # fraction by which a side may differ, as proposed and as fitted
LEAST_WHOLE = 0.7  # of the largest side in pixels, from which a square is a whole tile
OBLONG = 2.6  # longest side over the shortest of half tiles, seen at a slant

Measured = TypeVar("Measured")


class PartTile(NamedTuple):
    """A half or quarter tile: its outline, which of its measures is ``half``, and its misfit.

    ``half`` is as in ``core.halves``, with the top of the tile at its outline's first side.
    """

    outline: Outline
    half: str
    misfit: float


def whole_tiles(view: TablePhoto, quads: Sequence[Quad]) -> list[Outline]:
    """Return the largest squares that lie by themselves; quarter tiles are half as large."""
    squares = fit_supported(view, [quad for quad in quads if is_squarish(quad)], FAR)
    alone = drop_overlapping(squares)
    largest = max((side_of(each.quad) for each in alone), default=0.0)
    return [each for each in alone if side_of(each.quad) > LEAST_WHOLE * largest]


def find_part_tiles(
    view: TablePhoto,
    quads: Sequence[Quad],
    plane: Plane,
    clay_sides: ClaySides,
    whole: Sequence[Outline],
) -> list[PartTile]:
    """Return the half and quarter tiles among ``quads`` that overlap no ``whole`` tile.

    Only tiles that lie by themselves are found: their outlines have to stand out.
    """
    found = lone_oblongs(
        view, quads, clay_sides, whole, lambda quad, off: measure_part(plane, quad, off)
    )
    return [PartTile(each, *measured) for each, measured in found]


def lone_oblongs(
    view: TablePhoto,
    quads: Sequence[Quad],
    clay_sides: ClaySides,
    whole: Sequence[Outline],
    measure: Callable[[Quad, float], Measured | None],
) -> list[tuple[Outline, Measured]]:
    """Return the outlines near ``quads`` that overlap no ``whole`` tile, with what they measure.

    ``measure`` returns None for what has not the right size; its second argument is the fraction
    by which a side may be off.
    """
    found: list[Outline] = []
    for quad in quads:
        if measure(quad, ROUGHLY_OFF) is None or _is_known(quad, found) or collides(quad, whole):
            continue
        rough = fit_outline(view, quad, FAR, ROUGH, least=BELIEVED, longest=OBLONG)
        fine = rough and fit_outline(
            view, rough.quad, NEAR, ROUGH, clay_sides=clay_sides, longest=OBLONG
        )
        if fine and measure(fine.quad, OFF) is not None:
            found.append(fine)
    measured = [(each, measure(each.quad, OFF)) for each in drop_overlapping(found)]
    return [(each, size) for each, size in measured if size is not None]


def measure_part(plane: Plane, quad: Quad, most: float = OFF) -> tuple[str, float] | None:
    """Return which measures of an outline are half a tile's side, and the misfit; None if neither
    is, or a side differs by more than ``most`` from a half or whole one, as a fraction.
    """
    flat = plane.to_table(quad)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=0), axis=1)
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    halved = bool(high < 0.75), bool(wide < 0.75)
    expected = np.where(halved, 0.5, 1.0)
    lengths = np.array([expected[1], expected[0]] * 2)
    across = np.linalg.norm([flat[0] - flat[2], flat[1] - flat[3]], axis=1)
    off = np.log(np.append(sides / lengths, across / np.hypot(*expected)))
    half = NAMES[halved]
    if half is None or np.abs(off).max() > most:
        return None
    return half, float(np.sqrt((off**2).mean()))


def shape_of(tile: NDArray[np.uint8], half: str | None) -> tuple[int, int]:
    """Return height and width of the picture of a tile that was straightened to a square."""
    size = len(tile)
    short = round(size / 2) if half != "both" else size
    return (short if half == "height" else size), (short if half == "width" else size)


def _is_known(quad: Quad, found: Sequence[Outline]) -> bool:
    return any(corner_distance(quad, each.quad) < 0.1 * side_of(quad) for each in found)
