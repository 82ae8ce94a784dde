"""How a panel is cut into sheets of paper at a scale."""

import math
from dataclasses import dataclass
from typing import NoReturn

from azulejar.core.solution import PlacedTile
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Box

MM = 72 / 25.4  # points
PAPERS = {"A4": (210 * MM, 297 * MM), "A3": (297 * MM, 420 * MM)}
MARGIN = 12 * MM
HEAD = 13 * MM
FOOT = 13 * MM
RULER = 6 * MM
SMALLEST_TILE = 10 * MM  # below, no label can be read


@dataclass(frozen=True)
class Scale:
    """Tiles of ``tile_cm`` centimetres drawn 1 : ``ratio`` on paper of a name in ``PAPERS``."""

    tile_cm: float
    ratio: float
    paper: str

    @property
    def side(self) -> float:
        """A tile's side on the paper, in points."""
        return self._full / self.ratio

    @property
    def _full(self) -> float:
        return self.tile_cm * 10 * MM

    def _refuse(self, problem: str, ratio: int) -> NoReturn:
        raise AzulejarError(
            f"A tile of {self.tile_cm:g} cm at 1:{self.ratio:g} {problem} {self.paper}.",
            f"Give another scale, such as --scale 1:{max(1, ratio)}.",
        )

    def page(self, boxes: tuple[Box, ...]) -> tuple[float, float]:
        """Width and height of the paper in points: fewer sheets win, else what the panels are."""
        short, long = PAPERS[self.paper]
        sizes = [size for size in ((short, long), (long, short)) if min(self.places(size)) > 0]
        if not sizes:
            self._refuse("does not fit on", math.ceil(self._full / (short - 2 * MARGIN - RULER)))
        if self.side < SMALLEST_TILE:
            self._refuse("cannot be read on", math.floor(self._full / SMALLEST_TILE))
        wide = sum(box.cols for box in boxes) > sum(box.rows for box in boxes)
        return min(
            sizes,
            key=lambda size: (
                sum(self._count(box, size) for box in boxes),
                (size[0] > size[1]) != wide,
            ),
        )

    def places(self, page: tuple[float, float]) -> tuple[int, int]:
        """Rows and cols of tiles that a page has room for."""
        width, height = page[0] - 2 * MARGIN - RULER, page[1] - 2 * MARGIN - HEAD - FOOT - RULER
        return int(height / self.side), int(width / self.side)

    def _count(self, box: Box, page: tuple[float, float]) -> int:
        rows, cols = self.places(page)
        return math.ceil(box.rows / rows) * math.ceil(box.cols / cols)


@dataclass(frozen=True)
class Sheet:
    """One page of a panel: places from row ``top`` and col ``left`` on, ``rows`` × ``cols``."""

    panel: int
    top: int
    left: int
    rows: int
    cols: int


def sheets_of(box: Box, tiles: list[PlacedTile], rows: int, cols: int) -> list[Sheet]:
    """A panel in even parts of at most ``rows`` × ``cols`` places, in reading order.

    Parts in which none of its ``tiles`` lies are left out.
    """
    rows = math.ceil(box.rows / math.ceil(box.rows / rows))
    cols = math.ceil(box.cols / math.ceil(box.cols / cols))
    parts = sorted({(tile.row // rows, tile.col // cols) for tile in tiles})
    return [
        Sheet(
            box.panel,
            down * rows,
            across * cols,
            min(rows, box.rows - down * rows),
            min(cols, box.cols - across * cols),
        )
        for down, across in parts
    ]
