"""The overview: the whole panel small, and which page shows which part of it."""

from io import BytesIO

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from azulejar.imaging.layout import Box, Layout, fitting_size
from azulejar.imaging.render import TilePictures, render_whole
from azulejar.outputs.plan import pen
from azulejar.outputs.plan.place import DOUBTFUL, is_doubtful
from azulejar.outputs.plan.plan import Plan
from azulejar.outputs.plan.sheets import FOOT, HEAD, MARGIN, MM, RULER

LONGEST_PICTURE = 2400
SMALLEST_LABEL = 7.0  # points
KEY = 30 * MM  # height of the key to the signs


def draw_overview(
    canvas: Canvas, plan: Plan, box: Box, number: int, pictures: TilePictures, side: int
) -> None:
    """One page; ``pictures`` are the plan's tiles by their order, at ``side`` px or less."""
    plan.write_frame(canvas, plan.panel_name(box.panel) or "Plan of the panel", number)
    top = plan.page[1] - MARGIN - HEAD
    for line in _facts(plan, box):
        pen.write(canvas, MARGIN, top, line, 9)
        top -= 13
    top -= RULER
    room = plan.page[0] - 2 * MARGIN - RULER, top - MARGIN - FOOT - KEY
    unit = min(room[0] / box.cols, room[1] / box.rows)
    left = MARGIN + RULER + (room[0] - unit * box.cols) / 2
    layout = Layout.of((box,), fitting_size((box,), side, LONGEST_PICTURE))
    file = BytesIO()
    assembly = plan.solution.assembly(tuple(tile.file for tile in plan.tiles))
    Image.fromarray(render_whole(pictures, assembly, layout)).save(file, "JPEG", quality=85)
    pen.picture(
        canvas, file.getvalue(), left, top - unit * box.rows, unit * box.cols, unit * box.rows
    )
    _draw_sheets(canvas, plan, box, left, top, unit)
    _write_numbers(canvas, box, left, top, unit)
    _draw_key(canvas)


def _facts(plan: Plan, box: Box) -> list[str]:
    """Two lines: size, and what is in it."""
    tiles = [tile for tile in plan.tiles if tile.panel == box.panel]
    width, height = (n * plan.scale.tile_cm / 100 for n in (box.cols, box.rows))
    empty = box.rows * box.cols - len(tiles)
    inside = [
        f"tiles: {len(tiles)}",
        f"empty places: {empty}",
        f"doubtful tiles: {sum(map(is_doubtful, tiles))}",
    ]
    if plan.loose:
        inside.append(f"tiles without a place: {len(plan.loose)} (end of the list)")
    return [
        f"{box.rows} rows × {box.cols} cols, {width:.2f} m wide and {height:.2f} m high",
        " · ".join(inside),
    ]


def _draw_sheets(
    canvas: Canvas, plan: Plan, box: Box, left: float, top: float, unit: float
) -> None:
    """A frame and a page number for each sheet; a click leads there."""
    for sheet in plan.sheets:
        if sheet.panel != box.panel:
            continue
        x, y = left + sheet.left * unit, top - (sheet.top + sheet.rows) * unit
        width, height = sheet.cols * unit, sheet.rows * unit
        canvas.setStrokeColorRGB(*pen.ORANGE)
        canvas.setLineWidth(1.2)
        canvas.rect(x, y, width, height)
        page = f"page {plan.number[sheet]}"
        if pen.width_of(page, SMALLEST_LABEL, pen.BOLD) > width * 0.8:
            page = str(plan.number[sheet])
        size = min(11.0, width / pen.width_of(page, 1.0, pen.BOLD) * 0.8, height * 0.5)
        plate = pen.width_of(page, size, pen.BOLD) + 6
        middle = y + height / 2
        canvas.setFillColorRGB(1, 1, 1)
        canvas.roundRect(
            x + (width - plate) / 2, middle - size * 0.75, plate, size * 1.5, 2, stroke=0, fill=1
        )
        pen.write(
            canvas, x + width / 2, middle - size * 0.36, page, size, font=pen.BOLD, align="middle"
        )
        canvas.linkRect("", f"page {plan.number[sheet]}", (x, y, x + width, y + height))


def _write_numbers(canvas: Canvas, box: Box, left: float, top: float, unit: float) -> None:
    """Rows and cols from 1, as many as there is room for."""
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if n * unit >= 14 or n == 10**9)
    for i in (i for i in range(box.cols) if i == 0 or (i + 1) % step == 0):
        pen.write(canvas, left + (i + 0.5) * unit, top + 4, str(i + 1), 7, align="middle")
    for i in (i for i in range(box.rows) if i == 0 or (i + 1) % step == 0):
        pen.write(canvas, left - 4, top - (i + 0.5) * unit - 2.5, str(i + 1), 7, align="right")


def _draw_key(canvas: Canvas) -> None:
    """What the signs on the sheets mean."""
    left, y, line = MARGIN + 24, MARGIN + FOOT + KEY - 22, 17
    pen.arrow(canvas, MARGIN + 9, y + 3, 15, 90)
    text = "points to where the top of the tile's photograph lies; here it is turned 90° clockwise"
    pen.write(canvas, left, y, text, 8)
    y -= line
    pen.hatch(canvas, MARGIN + 2, y - 4, 14, 14)
    pen.write(canvas, left, y, "an empty place: no tile was found for it", 8)
    y -= line
    canvas.saveState()
    canvas.setStrokeColorRGB(*pen.ORANGE)
    canvas.setLineWidth(1.2)
    canvas.setDash(3, 2)
    canvas.rect(MARGIN + 2, y - 4, 14, 14)
    canvas.restoreState()
    text = f"doubtful: the tile's confidence, the number beside ?, is below {DOUBTFUL:g}"
    pen.write(canvas, left, y, text, 8)
