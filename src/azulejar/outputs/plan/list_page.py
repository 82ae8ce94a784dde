"""The list of all tiles in reading order, tiles without a place last."""

from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from azulejar.core.solution import PlacedTile
from azulejar.outputs.plan import pen
from azulejar.outputs.plan.place import is_doubtful
from azulejar.outputs.plan.plan import LINE, Plan
from azulejar.outputs.plan.sheets import HEAD, MARGIN

SIZE = 8.0
SIDE_UP = {0: "top", 90: "left", 180: "bottom", 270: "right"}
# Heading, and share of the page's width.
COLUMNS = (
    ("row", 0.06),
    ("col", 0.05),
    ("inventory", 0.22),
    ("turn", 0.07),
    ("side up", 0.08),
    ("conf.", 0.08),
    ("crate", 0.09),
    ("code", 0.09),
    ("page", 0.06),
    ("note", 0.2),
)


def draw_list(canvas: Canvas, plan: Plan, end_page: Callable[[], None]) -> None:
    """As many pages as the list needs; ``end_page`` is called after each."""
    lines = [*plan.tiles, *plan.loose]
    first_page = len(plan.boxes) + len(plan.sheets) + 1
    for page, start in enumerate(range(0, len(lines), plan.lines_a_page)):
        plan.write_frame(canvas, "List of tiles", first_page + page)
        y = plan.page[1] - MARGIN - HEAD - LINE
        _write_line(canvas, plan, y, [name for name, _ in COLUMNS], pen.BOLD)
        for i, tile in enumerate(lines[start : start + plan.lines_a_page]):
            y -= LINE
            if i % 2 == 0:
                canvas.setFillColorRGB(0.94, 0.95, 0.97)
                width = plan.page[0] - 2 * MARGIN
                canvas.rect(MARGIN, y - 4, width, LINE, stroke=0, fill=1)
            _write_line(canvas, plan, y, _cells(plan, tile))
        end_page()


def _cells(plan: Plan, tile: PlacedTile) -> list[str]:
    about = [tile.crate or "", tile.code or ""]
    if tile.panel < 0:
        return ["–", "–", tile.number, "", "", "", *about, "", tile.note or "no place found"]
    confidence = "" if tile.confidence is None else f"{tile.confidence:.2f}"
    panel = f"{tile.panel + 1}: " if len(plan.boxes) > 1 else ""
    return [
        f"{panel}{tile.row + 1}",
        str(tile.col + 1),
        tile.number,
        f"{tile.turn}°",
        SIDE_UP[tile.turn],
        f"{confidence} ?" if is_doubtful(tile) else confidence,
        *about,
        str(plan.number[plan.sheet_of[tile.file]]),
        tile.note or "",
    ]


def _write_line(
    canvas: Canvas, plan: Plan, y: float, cells: list[str], font: str = pen.REGULAR
) -> None:
    x, whole = MARGIN + 3, plan.page[0] - 2 * MARGIN
    for text, (_, share) in zip(cells, COLUMNS, strict=True):
        room = share * whole - 4
        pen.write(canvas, x, y, pen.shortened(text, room, SIZE, font), SIZE, font=font)
        x += share * whole
