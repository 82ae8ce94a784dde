"""One tile on a sheet: its picture, inventory number, turn, and what else is known of it."""

from reportlab.pdfgen.canvas import Canvas

from azulejar.core.solution import PlacedTile
from azulejar.outputs.plan import pen

DOUBTFUL = 0.5  # confidence below which a tile is marked
LARGEST_LABEL, SMALLEST_LABEL = 24.0, 3.5  # points
FADED = 0.45  # so that what is written on a picture can be read
SMALLEST_WITH_DEGREES = 45.0  # of a tile's side in points; below, the arrow alone must do
LARGEST_ARROW = 55.0
PLATE_SHARE = 0.455  # of the tile's height, the most that labels may take


def draw_picture(canvas: Canvas, jpeg: bytes, x: float, y: float, side: float, turn: int) -> None:
    """The tile's picture as it lies in the panel."""
    canvas.saveState()
    canvas.translate(x + side / 2, y + side / 2)
    canvas.rotate(-turn)
    pen.picture(canvas, jpeg, -side / 2, -side / 2, side, side)
    canvas.restoreState()


def fade(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw white over what is there, so that it shines through."""
    canvas.saveState()
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFillAlpha(FADED)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.restoreState()


def draw_marks(canvas: Canvas, tile: PlacedTile, x: float, y: float, side: float) -> None:
    """Everything but the picture, on a square whose lower left corner is (x, y)."""
    canvas.setStrokeColorRGB(*pen.GREY)
    canvas.setLineWidth(0.4)
    canvas.rect(x, y, side, side)
    if is_doubtful(tile):
        _mark_doubt(canvas, tile, x, y, side)
    _write_plate(canvas, _label_lines(tile, side), x, y + side * 0.03, side)
    middle = y + side * 0.66
    pen.arrow(canvas, x + side / 2, middle, min(side * 0.34, LARGEST_ARROW), tile.turn)
    if side >= SMALLEST_WITH_DEGREES:
        size = _note_size(side)
        _write_on_white(canvas, x + side * 0.95, middle - size / 3, f"{tile.turn}°", size)


def is_doubtful(tile: PlacedTile) -> bool:
    """Whether the solver is unsure of the tile's place."""
    return tile.confidence is not None and tile.confidence < DOUBTFUL


def _mark_doubt(canvas: Canvas, tile: PlacedTile, x: float, y: float, side: float) -> None:
    canvas.saveState()
    inset = side * 0.03
    canvas.setStrokeColorRGB(*pen.ORANGE)
    canvas.setLineWidth(side * 0.025)
    canvas.setDash(side * 0.09, side * 0.05)
    canvas.rect(x + inset, y + inset, side - 2 * inset, side - 2 * inset)
    canvas.restoreState()
    size = _note_size(side)
    text, top = f"? {tile.confidence:.2f}", y + side * 0.95 - size
    _write_on_white(canvas, x + side * 0.95, top, text, size, pen.ORANGE)


def _note_size(side: float) -> float:
    return max(SMALLEST_LABEL, min(16.0, side * 0.09))


def _write_on_white(
    canvas: Canvas,
    right: float,
    y: float,
    text: str,
    size: float,
    colour: tuple[float, float, float] = pen.INK,
) -> None:
    width = pen.width_of(text, size, pen.BOLD)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(right - width - 1.5, y - size * 0.25, width + 2, size * 1.15, stroke=0, fill=1)
    pen.write(canvas, right - 0.5, y, text, size, font=pen.BOLD, colour=colour, align="right")


def _label_lines(tile: PlacedTile, side: float) -> list[tuple[str, float, str]]:
    """Text, size and font of the lines: the number, then crate, code and note if they fit."""
    room = side * 0.86
    wide = pen.width_of(tile.number, 1.0, pen.BOLD)
    size = max(SMALLEST_LABEL, min(LARGEST_LABEL, side * 0.13, room / max(wide, 0.01)))
    number = pen.shortened(tile.number, room, size, pen.BOLD, keep_end=True)
    lines = [(number, size, pen.BOLD)]
    small = max(SMALLEST_LABEL, min(14.0, side * 0.075))
    known = (("crate", tile.crate), ("code", tile.code), ("note:", tile.note))
    for name, value in known:
        if value and _height([*lines, ("", small, pen.REGULAR)]) <= side * PLATE_SHARE:
            lines.append((pen.shortened(f"{name} {value}", room, small), small, pen.REGULAR))
    return lines


def _height(lines: list[tuple[str, float, str]]) -> float:
    """Of a plate with these lines."""
    return sum(size * 1.2 for _, size, _ in lines) + 2


def _write_plate(
    canvas: Canvas, lines: list[tuple[str, float, str]], x: float, y: float, side: float
) -> None:
    """The lines on a white plate at the tile's lower side."""
    width = max(pen.width_of(*line) for line in lines) + 4
    height = _height(lines)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.roundRect(x + (side - width) / 2, y, width, height, 1.5, stroke=0, fill=1)
    base = y + height - 1
    for text, size, font in lines:
        base -= size * 1.2
        pen.write(canvas, x + side / 2, base + size * 0.28, text, size, font=font, align="middle")
