"""Find tiles that were cut parallel to a side: as long as the others, but not as wide.

Their size does not tell which of two opposite sides was cut.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from azulejar.imaging.photographs.background import Background
from azulejar.imaging.photographs.geometry import ClaySides, Plane
from azulejar.imaging.photographs.half_tiles import lone_oblongs
from azulejar.imaging.photographs.outline import Outline
from azulejar.imaging.photographs.quads import Quad, side_of
from azulejar.imaging.photographs.strips import TablePhoto

NARROWEST, WIDEST = 0.58, 0.95  # of a side; narrower ones may be half tiles
LENGTH, SKEW = 0.03, 0.02  # by which the long measure may be off; opposite sides may differ
SUPPORT = 0.95  # share of the outline along which an edge is seen
SURE = 0.9  # support from which a tile is surely a whole one
BEYOND = 0.03, 0.05  # of a side: how far outside table has to be seen
PLACES = 40  # along a side
SHADOW = 9.0  # standard deviations from the table's colour that are hardly its shadow


class Narrow(NamedTuple):
    """How narrow a tile is: ``high`` or ``wide``, and by which share of a side."""

    word: str
    share: float

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides of which one was cut."""
        return ("left", "right") if self.word == "wide" else ("top", "bottom")


def measure_narrow(plane: Plane, quad: Quad, off: float = LENGTH) -> Narrow | None:
    """Return how narrow an outline is, its first side on top; None if it is not.

    ``off`` is the fraction by which its long measure may differ from a side.
    """
    flat = plane.to_table(quad)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=0), axis=1)
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    across = np.linalg.norm([flat[0] - flat[2], flat[1] - flat[3]], axis=1)
    skew = max(abs(np.log(one / other)) for one, other in (sides[::2], sides[1::2], across))
    short, long = sorted((float(wide), float(high)))
    if not NARROWEST < short < WIDEST or abs(np.log(long)) > off or skew > off * SKEW / LENGTH:
        return None
    return Narrow("wide" if wide < high else "high", short)


def find_narrow(
    view: TablePhoto,
    quads: Sequence[Quad],
    plane: Plane,
    clay_sides: ClaySides,
    tiles: Sequence[Outline],
) -> list[Outline]:
    """Return the outlines of narrow tiles, of ``quads`` that overlap none that is surely a whole
    tile, and of ``tiles`` that were taken for whole ones.
    """
    sure = [each for each in tiles if each.support > SURE]
    lone = lone_oblongs(
        view, quads, clay_sides, sure, lambda quad, off: measure_narrow(plane, quad, off)
    )
    return [
        each
        for each in [*(outline for outline, _ in lone), *sure]
        if each.support > SUPPORT
        and measure_narrow(plane, each.quad)
        and _table_around(view.background, each.quad)
    ]


def _table_around(background: Background, quad: Quad) -> bool:
    """Tell whether table lies along all sides, and not more of a tile beyond a painted line."""
    along = np.linspace(0.1, 0.9, PLACES)[:, None]
    start, end = quad[:, None], np.roll(quad, -1, axis=0)[:, None]
    outward = (start + end) / 2 - quad.mean(axis=0)
    outward *= side_of(quad) / np.linalg.norm(outward, axis=-1, keepdims=True)
    height, width = background.difference.shape
    nearest = np.full((len(quad), PLACES), np.inf)
    for far in BEYOND:
        places = (start + along * (end - start) + far * outward + 0.5) * background.scale - 0.5
        col, row = np.rint(places).astype(int).transpose(2, 0, 1)
        seen = background.difference[row.clip(0, height - 1), col.clip(0, width - 1)]
        nearest = np.minimum(nearest, seen)
    return bool((np.median(nearest, axis=1) < SHADOW).all())
