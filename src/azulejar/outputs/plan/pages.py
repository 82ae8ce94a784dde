"""The pages of a plan: an overview of each panel, its sheets, and the list of all tiles."""

from collections.abc import Callable
from io import BytesIO

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from azulejar.core.solution import PlacedTile
from azulejar.imaging.layout import Box, Layout, fitting_size
from azulejar.imaging.render import TilePictures, render_whole
from azulejar.outputs.language import Words
from azulejar.outputs.plan import drawing
from azulejar.outputs.plan.drawing import DOUBTFUL, is_doubtful
from azulejar.outputs.plan.sheets import FOOT, HEAD, LINE, MARGIN, MM, RULER, Plan, PlanScale, Sheet

LONGEST_PICTURE = 2400
SMALLEST_LABEL = 7.0  # points
KEY = 30 * MM  # height of the key to the signs
LIST_SIZE = 8.0  # points
Span = tuple[float, float]  # where a row or col begins, and how large it is, in points
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


def draw_overview(
    canvas: Canvas, plan: Plan, box: Box, number: int, pictures: TilePictures, side: int
) -> None:
    """Draw a whole panel, small, and which page shows which part of it.

    ``pictures`` are the plan's tiles by their order, at ``side`` px or less.
    """
    _draw_frame(canvas, plan, plan.panel_name(box.panel) or plan.say("Plan of the panel"), number)
    top = plan.page[1] - MARGIN - HEAD
    for line in _facts(plan, box):
        drawing.draw_text(canvas, MARGIN, top, line, 9)
        top -= 13
    top -= RULER
    room = plan.page[0] - 2 * MARGIN - RULER, top - MARGIN - FOOT - KEY
    layout = Layout.of((box,), fitting_size((box,), side, LONGEST_PICTURE))
    scale = min(room[0] / layout.width, room[1] / layout.height)
    width, height = layout.width * scale, layout.height * scale
    left = MARGIN + RULER + (room[0] - width) / 2
    file = BytesIO()
    assembly = plan.solution.assembly(tuple(tile.file for tile in plan.tiles))
    Image.fromarray(render_whole(pictures, assembly, layout)).save(file, "JPEG", quality=85)
    drawing.draw_jpeg(canvas, file.getvalue(), left, top - height, width, height)
    across = [(left + first * scale, size * scale) for first, size in layout.across(box)]
    down = [(top - first * scale, size * scale) for first, size in layout.down]
    _draw_sheets(canvas, plan, box.panel, across, down)
    _write_numbers(canvas, plan, box.panel, across, down)
    _draw_key(canvas, plan.say)


def draw_sheet(canvas: Canvas, plan: Plan, sheet: Sheet, pictures: dict[str, bytes]) -> None:
    """Draw a part of a panel at scale, as it is laid; ``pictures`` holds JPEGs by file."""
    side = plan.scale.side
    _draw_frame(canvas, plan, _heading(plan, sheet), plan.number[sheet])
    left, top = MARGIN + RULER, plan.page[1] - MARGIN - HEAD - RULER
    width, height = sheet.cols * side, sheet.rows * side
    drawing.draw_hatching(canvas, left, top - height, width, height)
    here = [tile for tile in plan.tiles if plan.sheet_of[tile.file] == sheet]
    corners = [
        (left + (t.col - sheet.left) * side, top - (t.row - sheet.top + 1) * side) for t in here
    ]
    for tile, (x, y) in zip(here, corners, strict=True):
        drawing.draw_tile(canvas, pictures[tile.file], x, y, side, tile)
    drawing.draw_fading(canvas, left, top - height, width, height)
    _draw_grid(canvas, plan, sheet, left, top, side)
    for tile, (x, y) in zip(here, corners, strict=True):
        drawing.draw_marks(canvas, tile, x, y, side, plan.say)
    _write_neighbours(canvas, plan, sheet, left, top)


def draw_list(canvas: Canvas, plan: Plan, end_page: Callable[[], None]) -> None:
    """Draw all tiles in reading order, those without a place last; ``end_page`` ends each page."""
    lines = [*plan.tiles, *plan.loose]
    first_page = len(plan.boxes) + len(plan.sheets) + 1
    for page, start in enumerate(range(0, len(lines), plan.lines_a_page)):
        _draw_frame(canvas, plan, plan.say("List of tiles"), first_page + page)
        y = plan.page[1] - MARGIN - HEAD - LINE
        _write_line(canvas, plan, y, [plan.say(name) for name, _ in COLUMNS], drawing.BOLD)
        for i, tile in enumerate(lines[start : start + plan.lines_a_page]):
            y -= LINE
            if i % 2 == 0:
                canvas.setFillColorRGB(0.94, 0.95, 0.97)
                width = plan.page[0] - 2 * MARGIN
                canvas.rect(MARGIN, y - 4, width, LINE, stroke=0, fill=1)
            _write_line(canvas, plan, y, _cells(plan, tile))
        end_page()


def _draw_frame(canvas: Canvas, plan: Plan, heading: str, number: int) -> None:
    """Draw the heading above, and scale and page number below."""
    width, height = plan.page
    top = height - MARGIN - 10
    drawing.draw_text(canvas, MARGIN, top, heading, 12, font=drawing.BOLD)
    room = width - 2 * MARGIN - drawing.text_width(heading, 12, drawing.BOLD) - 12
    title = drawing.shorten(plan.title, room, 9)
    drawing.draw_text(canvas, width - MARGIN, top, title, 9, colour=drawing.GREY, align="right")
    page = plan.say("page {number} of {count}", number=number, count=plan.pages)
    drawing.draw_text(canvas, width - MARGIN, MARGIN, page, 8, align="right")
    _draw_ruler(canvas, plan.scale, plan.say)


def _draw_ruler(canvas: Canvas, scale: PlanScale, say: Words) -> None:
    """Draw a bar that shows whether the printer shrank the page."""
    end, y = MARGIN + 50 * MM, MARGIN + 5
    canvas.setStrokeColorRGB(*drawing.INK)
    canvas.setLineWidth(0.8)
    canvas.lines([(MARGIN, y, end, y), (MARGIN, y - 3, MARGIN, y + 3), (end, y - 3, end, y + 3)])
    text = say(
        "5 cm on this paper if printed at 100 %, {wall:g} cm on the wall · 1:{ratio:g} · "
        "tiles of {side:g} cm",
        wall=5 * scale.ratio,
        ratio=scale.ratio,
        side=scale.tile_cm,
    )
    drawing.draw_text(canvas, end + 6, MARGIN + 2.5, text, 7)


def _facts(plan: Plan, box: Box) -> list[str]:
    """Return two lines: the size of a panel, and what it holds."""
    tiles = [tile for tile in plan.tiles if tile.panel == box.panel]
    lines = (box.cols, box.half_cols), (box.rows, box.half_rows)
    width, height = (plan.scale.tile_cm / 100 * (n - len(half) / 2) for n, half in lines)
    empty = box.rows * box.cols - len(tiles)
    say = plan.say
    inside = [
        say("tiles: {count}", count=len(tiles)),
        say("empty places: {count}", count=empty),
        say("doubtful tiles: {count}", count=sum(map(is_doubtful, tiles))),
    ]
    if plan.loose:
        count = len(plan.loose)
        inside.append(say("tiles without a place: {count} (end of the list)", count=count))
    size = say(
        "{rows} rows × {cols} cols, {width} m wide and {height} m high",
        rows=box.rows,
        cols=box.cols,
        width=say.decimal(width),
        height=say.decimal(height),
    )
    return [size, " · ".join(inside)]


def _draw_sheets(
    canvas: Canvas, plan: Plan, panel: int, across: list[Span], down: list[Span]
) -> None:
    """Draw a frame and a page number for each sheet; a click leads there."""
    for sheet in plan.sheets:
        if sheet.panel != panel:
            continue
        cols = across[sheet.left : sheet.left + sheet.cols]
        rows = down[sheet.top : sheet.top + sheet.rows]
        width, height = (sum(size for _, size in spans) for spans in (cols, rows))
        x, y = cols[0][0], rows[0][0] - height
        canvas.setStrokeColorRGB(*drawing.ORANGE)
        canvas.setLineWidth(1.2)
        canvas.rect(x, y, width, height)
        page = plan.say("page {number}", number=plan.number[sheet])
        if drawing.text_width(page, SMALLEST_LABEL, drawing.BOLD) > width * 0.8:
            page = str(plan.number[sheet])
        size = min(11.0, width / drawing.text_width(page, 1.0, drawing.BOLD) * 0.8, height * 0.5)
        plate = drawing.text_width(page, size, drawing.BOLD) + 6
        middle = y + height / 2
        canvas.setFillColorRGB(1, 1, 1)
        canvas.roundRect(
            x + (width - plate) / 2, middle - size * 0.75, plate, size * 1.5, 2, stroke=0, fill=1
        )
        drawing.draw_text(
            canvas,
            x + width / 2,
            middle - size * 0.36,
            page,
            size,
            font=drawing.BOLD,
            align="middle",
        )
        canvas.linkRect("", f"page {plan.number[sheet]}", (x, y, x + width, y + height))


def _write_numbers(
    canvas: Canvas, plan: Plan, panel: int, across: list[Span], down: list[Span]
) -> None:
    """Number rows and cols from 1, as many as there is room for."""
    left, top = across[0][0], down[0][0]
    unit = max(size for _, size in across)
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if n * unit >= 14 or n == 10**9)
    for i, (x, size) in enumerate(across):
        if i == 0 or (i + 1) % step == 0:
            drawing.draw_text(canvas, x + size / 2, top + 4, str(i + 1), 7, align="middle")
    for i, (y, size) in enumerate(down):
        number = plan.row_number(panel, i)
        if number == 1 or number % step == 0:
            drawing.draw_text(canvas, left - 4, y - size / 2 - 2.5, str(number), 7, align="right")


def _draw_key(canvas: Canvas, say: Words) -> None:
    """Explain the signs on the sheets."""
    left, y, line = MARGIN + 24, MARGIN + FOOT + KEY - 22, 17
    drawing.draw_arrow(canvas, MARGIN + 9, y + 3, 15, 90)
    text = "points to where the top of the tile's photograph lies; here it is turned 90° clockwise"
    drawing.draw_text(canvas, left, y, say(text), 8)
    y -= line
    drawing.draw_hatching(canvas, MARGIN + 2, y - 4, 14, 14)
    drawing.draw_text(canvas, left, y, say("an empty place: no tile was found for it"), 8)
    y -= line
    canvas.saveState()
    canvas.setStrokeColorRGB(*drawing.ORANGE)
    canvas.setLineWidth(1.2)
    canvas.setDash(3, 2)
    canvas.rect(MARGIN + 2, y - 4, 14, 14)
    canvas.restoreState()
    text = say(
        "doubtful: the tile's confidence, the number beside ?, is below {least:g}", least=DOUBTFUL
    )
    drawing.draw_text(canvas, left, y, text, 8)


def _heading(plan: Plan, sheet: Sheet) -> str:
    parts = [plan.panel_name(sheet.panel)]
    one = "row {first}", "col {first}"
    more = "rows {first} to {last}", "cols {first} to {last}"
    rows = sorted(plan.row_number(sheet.panel, sheet.top + i) for i in (0, sheet.rows - 1))
    cols = sheet.left + 1, sheet.left + sheet.cols
    for k, (first, last) in enumerate((rows, cols)):
        text = more[k] if last > first else one[k]
        parts.append(plan.say(text, first=first, last=last))
    text = ", ".join(filter(None, parts))
    return text[0].upper() + text[1:]


def _draw_grid(
    canvas: Canvas, plan: Plan, sheet: Sheet, left: float, top: float, side: float
) -> None:
    """Draw lines between the places, with the numbers of rows and cols beside them."""
    right, bottom = left + sheet.cols * side, top - sheet.rows * side
    canvas.setStrokeColorRGB(*drawing.GREY)
    canvas.setLineWidth(0.4)
    across = [(left, top - i * side, right, top - i * side) for i in range(sheet.rows + 1)]
    down = [(left + i * side, top, left + i * side, bottom) for i in range(sheet.cols + 1)]
    canvas.lines(across + down)
    for i in range(sheet.cols):
        x, text = left + (i + 0.5) * side, str(sheet.left + i + 1)
        drawing.draw_text(canvas, x, top + 4, text, 9, font=drawing.BOLD, align="middle")
    for i in range(sheet.rows):
        y = top - (i + 0.5) * side - 3
        text = str(plan.row_number(sheet.panel, sheet.top + i))
        drawing.draw_text(canvas, left - 4, y, text, 9, font=drawing.BOLD, align="right")


def _write_neighbours(canvas: Canvas, plan: Plan, sheet: Sheet, left: float, top: float) -> None:
    """Name the pages that continue where this one ends."""
    right = left + sheet.cols * plan.scale.side
    bottom = top - sheet.rows * plan.scale.side
    for other in plan.sheets:
        if other.panel != sheet.panel:
            continue
        page = plan.say("page {number}", number=plan.number[other])
        beside, above = other.top == sheet.top, other.left == sheet.left
        if above and other.top == sheet.top + sheet.rows:
            drawing.draw_text(
                canvas, (left + right) / 2, bottom - 10, f"↓ {page}", 8, align="middle"
            )
        elif above and sheet.top == other.top + other.rows:
            drawing.draw_text(canvas, left, top + RULER - 2, f"↑ {page}", 8)
        elif beside and other.left == sheet.left + sheet.cols:
            drawing.draw_text(canvas, right, bottom - 10, f"{page} →", 8, align="right")
        elif beside and sheet.left == other.left + other.cols:
            drawing.draw_text(canvas, left, bottom - 10, f"← {page}", 8)


def _cells(plan: Plan, tile: PlacedTile) -> list[str]:
    about = [tile.crate or "", tile.code or ""]
    if tile.panel < 0:
        note = tile.note or plan.say("no place found")
        return ["–", "–", tile.number, "", "", "", *about, "", note]
    confidence = "" if tile.confidence is None else plan.say.decimal(tile.confidence)
    panel = f"{tile.panel + 1}: " if len(plan.boxes) > 1 else ""
    return [
        f"{panel}{plan.row_number(tile.panel, tile.row)}",
        str(tile.col + 1),
        tile.number,
        f"{tile.turn}°",
        plan.say(SIDE_UP[tile.turn]),
        f"{confidence} ?" if is_doubtful(tile) else confidence,
        *about,
        str(plan.number[plan.sheet_of[tile.file]]),
        tile.note or "",
    ]


def _write_line(
    canvas: Canvas, plan: Plan, y: float, cells: list[str], font: str = drawing.REGULAR
) -> None:
    x, whole = MARGIN + 3, plan.page[0] - 2 * MARGIN
    for text, (_, share) in zip(cells, COLUMNS, strict=True):
        room = share * whole - 4
        drawing.draw_text(
            canvas, x, y, drawing.shorten(text, room, LIST_SIZE, font), LIST_SIZE, font=font
        )
        x += share * whole
