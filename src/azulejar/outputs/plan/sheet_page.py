"""A sheet: a part of the panel at scale, as it is laid."""

from reportlab.pdfgen.canvas import Canvas

from azulejar.outputs.plan import pen
from azulejar.outputs.plan.place import draw_marks, draw_picture, fade
from azulejar.outputs.plan.plan import Plan
from azulejar.outputs.plan.sheets import HEAD, MARGIN, RULER, Sheet


def draw_sheet(canvas: Canvas, plan: Plan, sheet: Sheet, pictures: dict[str, bytes]) -> None:
    """One page; ``pictures`` holds JPEGs by file."""
    side = plan.scale.side
    plan.write_frame(canvas, _heading(plan, sheet), plan.number[sheet])
    left, top = MARGIN + RULER, plan.page[1] - MARGIN - HEAD - RULER
    width, height = sheet.cols * side, sheet.rows * side
    pen.hatch(canvas, left, top - height, width, height)
    here = [tile for tile in plan.tiles if plan.sheet_of[tile.file] == sheet]
    corners = [
        (left + (t.col - sheet.left) * side, top - (t.row - sheet.top + 1) * side) for t in here
    ]
    for tile, (x, y) in zip(here, corners, strict=True):
        draw_picture(canvas, pictures[tile.file], x, y, side, tile.turn)
    fade(canvas, left, top - height, width, height)
    _draw_grid(canvas, sheet, left, top, side)
    for tile, (x, y) in zip(here, corners, strict=True):
        draw_marks(canvas, tile, x, y, side)
    _write_neighbours(canvas, plan, sheet, left, top)


def _heading(plan: Plan, sheet: Sheet) -> str:
    parts = [plan.panel_name(sheet.panel)]
    for name, first, count in (("row", sheet.top, sheet.rows), ("col", sheet.left, sheet.cols)):
        more = f"s {first + 1} to {first + count}" if count > 1 else f" {first + 1}"
        parts.append(name + more)
    text = ", ".join(filter(None, parts))
    return text[0].upper() + text[1:]


def _draw_grid(canvas: Canvas, sheet: Sheet, left: float, top: float, side: float) -> None:
    """Lines between the places, with the numbers of rows and cols beside them."""
    right, bottom = left + sheet.cols * side, top - sheet.rows * side
    canvas.setStrokeColorRGB(*pen.GREY)
    canvas.setLineWidth(0.4)
    across = [(left, top - i * side, right, top - i * side) for i in range(sheet.rows + 1)]
    down = [(left + i * side, top, left + i * side, bottom) for i in range(sheet.cols + 1)]
    canvas.lines(across + down)
    for i in range(sheet.cols):
        x, text = left + (i + 0.5) * side, str(sheet.left + i + 1)
        pen.write(canvas, x, top + 4, text, 9, font=pen.BOLD, align="middle")
    for i in range(sheet.rows):
        y, text = top - (i + 0.5) * side - 3, str(sheet.top + i + 1)
        pen.write(canvas, left - 4, y, text, 9, font=pen.BOLD, align="right")


def _write_neighbours(canvas: Canvas, plan: Plan, sheet: Sheet, left: float, top: float) -> None:
    """Which pages go on where this one ends."""
    right = left + sheet.cols * plan.scale.side
    bottom = top - sheet.rows * plan.scale.side
    for other in plan.sheets:
        if other.panel != sheet.panel:
            continue
        page = f"page {plan.number[other]}"
        beside, above = other.top == sheet.top, other.left == sheet.left
        if above and other.top == sheet.top + sheet.rows:
            pen.write(canvas, (left + right) / 2, bottom - 10, f"↓ {page}", 8, align="middle")
        elif above and sheet.top == other.top + other.rows:
            pen.write(canvas, left, top + RULER - 2, f"↑ {page}", 8)
        elif beside and other.left == sheet.left + sheet.cols:
            pen.write(canvas, right, bottom - 10, f"{page} →", 8, align="right")
        elif beside and sheet.left == other.left + other.cols:
            pen.write(canvas, left, bottom - 10, f"← {page}", 8)
