"""How the panels of a solution are cut into sheets of paper at a scale."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Box, boxes_of
from azulejar.outputs.language import ENGLISH, Words
from azulejar.outputs.placement import loose_tiles, placed_tiles

MM = 72 / 25.4  # points
PAPERS = {"A4": (210 * MM, 297 * MM), "A3": (297 * MM, 420 * MM)}
MARGIN = 12 * MM
HEAD = 13 * MM
FOOT = 13 * MM
RULER = 6 * MM
LINE = 5 * MM  # of the list of tiles
SMALLEST_TILE = 10 * MM  # below, no label can be read


@dataclass(frozen=True)
class PlanScale:
    """Size of the tiles on the paper of a plan.

    Args:
        tile_cm: Side of a tile on the wall, in centimetres.
        ratio: Tiles are drawn 1 : ``ratio``.
        paper: A4 or A3.

    Examples:
        >>> from azulejar import PlanScale
        >>> round(PlanScale(tile_cm=14, ratio=5).side)  # in points of 1/72 inch
        79
    """

    tile_cm: float = 14.0
    ratio: float = 5.0
    paper: str = "A4"

    @property
    def side(self) -> float:
        """A tile's side on the paper, in points."""
        return self._full / self.ratio

    @property
    def _full(self) -> float:
        return self.tile_cm * 10 * MM

    def _suggest(self, ratio: int) -> dict[str, str | int]:
        return {
            "tile_cm": f"{self.tile_cm:g}",
            "ratio": f"{self.ratio:g}",
            "paper": self.paper,
            "better": max(1, ratio),
        }

    def page(self, boxes: tuple[Box, ...]) -> tuple[float, float]:
        """Return width and height of the paper in points, upright or lying.

        The one that needs fewer sheets wins, else the one shaped as the panels are.
        """
        short, long = PAPERS[self.paper]
        sizes = [size for size in ((short, long), (long, short)) if min(self.places(size)) > 0]
        if not sizes:
            raise AzulejarError(
                "plan-tile-too-large",
                "A tile of {tile_cm} cm at 1:{ratio} does not fit on {paper}.",
                "Give another scale, such as 1:{better}.",
                **self._suggest(math.ceil(self._full / (short - 2 * MARGIN - RULER))),
            )
        if self.side < SMALLEST_TILE:
            raise AzulejarError(
                "plan-tile-too-small",
                "A tile of {tile_cm} cm at 1:{ratio} cannot be read on {paper}.",
                "Give another scale, such as 1:{better}.",
                **self._suggest(math.floor(self._full / SMALLEST_TILE)),
            )
        wide = sum(box.cols for box in boxes) > sum(box.rows for box in boxes)
        return min(
            sizes,
            key=lambda size: (
                sum(self._count(box, size) for box in boxes),
                (size[0] > size[1]) != wide,
            ),
        )

    def places(self, page: tuple[float, float]) -> tuple[int, int]:
        """Return the rows and cols of tiles that a page has room for."""
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


def cut_sheets(box: Box, tiles: list[PlacedTile], rows: int, cols: int) -> list[Sheet]:
    """Cut a panel into even sheets of at most ``rows`` × ``cols`` places, in reading order.

    Sheets on which none of its ``tiles`` lies are left out.
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


@dataclass(frozen=True)
class Plan:
    """A solution at a scale: first an overview of each panel, then its sheets, then the list."""

    title: str
    solution: Solution
    scale: PlanScale
    say: Words = ENGLISH
    rows_from: Literal["top", "bottom"] = "top"

    def row_number(self, panel: int, row: int) -> int:
        """Return the number of a row, from 1, for a ``row`` from 0 at the top of its panel."""
        if self.rows_from == "top":
            return row + 1
        return next(box.rows for box in self.boxes if box.panel == panel) - row

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        return boxes_of(self.solution.assembly(), self.solution.halved())

    @cached_property
    def page(self) -> tuple[float, float]:
        """Width and height of all pages in points."""
        return self.scale.page(self.boxes)

    @cached_property
    def tiles(self) -> list[PlacedTile]:
        """The tiles that have a place, in reading order; rows and cols count within the boxes."""
        return placed_tiles(self.solution)

    @cached_property
    def loose(self) -> list[PlacedTile]:
        """Tiles without a place."""
        return loose_tiles(self.solution)

    @cached_property
    def sheets(self) -> list[Sheet]:
        rows, cols = self.scale.places(self.page)
        return [
            sheet
            for box in self.boxes
            for sheet in cut_sheets(
                box, [tile for tile in self.tiles if tile.panel == box.panel], rows, cols
            )
        ]

    @cached_property
    def number(self) -> dict[Sheet, int]:
        """The page on which each sheet is printed."""
        return {sheet: len(self.boxes) + i + 1 for i, sheet in enumerate(self.sheets)}

    @cached_property
    def sheet_of(self) -> dict[str, Sheet]:
        """The sheet on which each file's tile lies."""
        places = {
            (sheet.panel, row, col): sheet
            for sheet in self.sheets
            for row in range(sheet.top, sheet.top + sheet.rows)
            for col in range(sheet.left, sheet.left + sheet.cols)
        }
        return {tile.file: places[tile.panel, tile.row, tile.col] for tile in self.tiles}

    @property
    def lines_a_page(self) -> int:
        """Lines of the list that a page has room for, its heading not counted."""
        return int((self.page[1] - 2 * MARGIN - 2 * FOOT - LINE) / LINE)

    @property
    def pages(self) -> int:
        lines = len(self.tiles) + len(self.loose)
        return len(self.boxes) + len(self.sheets) + -(-lines // self.lines_a_page)

    def panel_name(self, panel: int) -> str:
        """Return the name of a panel; empty if there is only one."""
        return self.say("Panel {number}", number=panel + 1) if len(self.boxes) > 1 else ""
