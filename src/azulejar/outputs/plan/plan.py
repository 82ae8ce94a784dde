"""Plan: what every page of the document needs to know."""

from dataclasses import dataclass
from functools import cached_property

from reportlab.pdfgen.canvas import Canvas

from azulejar.core.solution import PlacedTile, Solution
from azulejar.imaging.layout import Box, boxes_of
from azulejar.outputs.placement import loose_tiles, placed_tiles
from azulejar.outputs.plan import pen
from azulejar.outputs.plan.sheets import FOOT, MARGIN, MM, Scale, Sheet, sheets_of

LINE = 5 * MM  # of the list of tiles


@dataclass(frozen=True)
class Plan:
    """A solution at a scale: first an overview of each panel, then its sheets, then the list."""

    title: str
    solution: Solution
    scale: Scale

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        return boxes_of(self.solution.assembly())

    @cached_property
    def page(self) -> tuple[float, float]:
        """Width and height of all pages in points."""
        return self.scale.page(self.boxes)

    @cached_property
    def tiles(self) -> list[PlacedTile]:
        """Those that have a place, in reading order; rows and cols count within the boxes."""
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
            for sheet in sheets_of(
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
        """Of the list, its heading not counted."""
        return int((self.page[1] - 2 * MARGIN - 2 * FOOT - LINE) / LINE)

    @property
    def pages(self) -> int:
        lines = len(self.tiles) + len(self.loose)
        return len(self.boxes) + len(self.sheets) + -(-lines // self.lines_a_page)

    def panel_name(self, panel: int) -> str:
        """Empty if there is only one."""
        return f"Panel {panel + 1}" if len(self.boxes) > 1 else ""

    def write_frame(self, canvas: Canvas, heading: str, number: int) -> None:
        """The title above, scale and page number below."""
        width, height = self.page
        top = height - MARGIN - 10
        pen.write(canvas, MARGIN, top, heading, 12, font=pen.BOLD)
        room = width - 2 * MARGIN - pen.width_of(heading, 12, pen.BOLD) - 12
        title = pen.shortened(self.title, room, 9)
        pen.write(canvas, width - MARGIN, top, title, 9, colour=pen.GREY, align="right")
        page = f"page {number} of {self.pages}"
        pen.write(canvas, width - MARGIN, MARGIN, page, 8, align="right")
        self._draw_ruler(canvas)

    def _draw_ruler(self, canvas: Canvas) -> None:
        """A bar by which a printer that shrank the page is found out."""
        end, y = MARGIN + 50 * MM, MARGIN + 5
        canvas.setStrokeColorRGB(*pen.INK)
        canvas.setLineWidth(0.8)
        canvas.lines(
            [(MARGIN, y, end, y), (MARGIN, y - 3, MARGIN, y + 3), (end, y - 3, end, y + 3)]
        )
        text = (
            f"5 cm on this paper if printed at 100 %, {5 * self.scale.ratio:g} cm on the wall · "
            f"1:{self.scale.ratio:g} · tiles of {self.scale.tile_cm:g} cm"
        )
        pen.write(canvas, end + 6, MARGIN + 2.5, text, 7)
