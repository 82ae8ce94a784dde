"""What is drawn on the plan's paper: text, signs, and a tile with all that is known of it."""

from bisect import bisect_right
from functools import cache
from io import BytesIO
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from azulejar.core.solution import PlacedTile
from azulejar.outputs.language import ENGLISH, Words

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"
INK = (0.1, 0.13, 0.2)
BLUE = (0.1, 0.25, 0.6)
ORANGE = (0.85, 0.35, 0.0)
GREY = (0.55, 0.57, 0.6)
HATCHED = (0.75, 0.76, 0.78)
DOUBTFUL = 0.5  # confidence below which a tile is marked
LARGEST_LABEL, SMALLEST_LABEL = 24.0, 3.5  # points
FADED = 0.45  # so that what is written on a picture can be read
SMALLEST_WITH_DEGREES = 45.0  # of a tile's side in points; below, the arrow alone must do
LARGEST_ARROW = 55.0
PLATE_SHARE = 0.455  # of the tile's height, the most that labels may take


def new_canvas(path: Path, page: tuple[float, float], title: str) -> Canvas:
    """Begin a PDF whose bytes depend on nothing but what is drawn."""
    register_fonts()
    canvas = Canvas(str(path), pagesize=page, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("azulejar")
    return canvas


@cache
def register_fonts() -> None:
    """Register fonts with the letters of most languages, which matplotlib brings along."""
    from matplotlib import get_data_path

    rl_config.useA85 = 0  # text encoding of pictures makes files a quarter larger
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, Path(get_data_path(), "fonts", "ttf", f"{name}.ttf")))


def draw_text(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    font: str = REGULAR,
    colour: tuple[float, float, float] = INK,
    align: str = "left",
) -> None:
    """Draw one line of text, its base line at ``y``; ``align`` says what ``x`` is."""
    canvas.setFont(font, size)
    canvas.setFillColorRGB(*colour)
    draw = {"left": canvas.drawString, "middle": canvas.drawCentredString}
    draw.get(align, canvas.drawRightString)(x, y, printable(text))


def printable(text: str) -> str:
    """Return a text on one line, without characters that cannot be printed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def text_width(text: str, size: float, font: str = REGULAR) -> float:
    """Return the width of a line of text in points."""
    return float(pdfmetrics.stringWidth(printable(text), font, size))


def shorten(
    text: str, width: float, size: float, font: str = REGULAR, *, keep_end: bool = False
) -> str:
    """Return the text, cut at its end (or start) and marked by … if wider than ``width`` points."""
    text = printable(text)
    if text_width(text, size, font) <= width:
        return text

    def cut(length: int) -> str:
        return text[len(text) - length :] if keep_end else text[:length]

    # By bisection, as a note may have a million characters.
    longest = bisect_right(
        range(1, len(text) + 1), width, key=lambda length: text_width(cut(length) + "…", size, font)
    )
    return "…" + cut(longest).lstrip() if keep_end else cut(longest).rstrip() + "…"


def draw_hatching(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw slanting lines over places without a tile."""
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(x, y, width, height)
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.setStrokeColorRGB(*HATCHED)
    canvas.setLineWidth(0.6)
    lines = [
        (x + start, y, x + start + height, y + height) for start in _steps(-height, width, 5.0)
    ]
    canvas.lines(lines)
    canvas.restoreState()


def _steps(first: float, last: float, step: float) -> list[float]:
    return [first + step * i for i in range(int((last - first) / step) + 1)]


def draw_arrow(canvas: Canvas, x: float, y: float, length: float, turn: int) -> None:
    """Draw an arrow around (x, y) that points up, turned clockwise by ``turn`` degrees."""
    canvas.saveState()
    canvas.translate(x, y)
    canvas.rotate(-turn)
    half, head = length / 2, length * 0.34
    path = canvas.beginPath()
    path.moveTo(0, half)
    for across, along in ((head, half - head), (head * 0.36, half - head), (head * 0.36, -half)):
        path.lineTo(across, along)
    for across, along in ((-head * 0.36, -half), (-head * 0.36, half - head), (-head, half - head)):
        path.lineTo(across, along)
    path.close()
    canvas.setFillColorRGB(*BLUE)
    canvas.setStrokeColorRGB(1, 1, 1)
    canvas.setLineWidth(max(0.6, length / 18))
    canvas.drawPath(path, stroke=1, fill=1)
    canvas.restoreState()


def draw_jpeg(canvas: Canvas, jpeg: bytes, x: float, y: float, width: float, height: float) -> None:
    """Draw a JPEG with its lower left corner at (x, y)."""
    canvas.drawImage(ImageReader(BytesIO(jpeg)), x, y, width, height)


def draw_tile(
    canvas: Canvas, jpeg: bytes, x: float, y: float, side: float, tile: PlacedTile
) -> None:
    """Draw the tile's picture as it lies in the panel; a half tile amid its place."""
    width = side / 2 if tile.half in ("width", "both") else side
    height = side / 2 if tile.half in ("height", "both") else side
    canvas.saveState()
    canvas.translate(x + side / 2, y + side / 2)
    canvas.rotate(-tile.turn)
    draw_jpeg(canvas, jpeg, -width / 2, -height / 2, width, height)
    canvas.restoreState()


def draw_fading(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw translucent white over what is there."""
    canvas.saveState()
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFillAlpha(FADED)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.restoreState()


def draw_marks(
    canvas: Canvas, tile: PlacedTile, x: float, y: float, side: float, say: Words = ENGLISH
) -> None:
    """Draw everything but the picture, on a square whose lower left corner is (x, y)."""
    canvas.setStrokeColorRGB(*GREY)
    canvas.setLineWidth(0.4)
    canvas.rect(x, y, side, side)
    if is_doubtful(tile):
        _mark_doubt(canvas, tile, x, y, side, say)
    _write_plate(canvas, _label_lines(tile, side, say), x, y + side * 0.03, side)
    middle = y + side * 0.66
    draw_arrow(canvas, x + side / 2, middle, min(side * 0.34, LARGEST_ARROW), tile.turn)
    if side >= SMALLEST_WITH_DEGREES:
        size = _note_size(side)
        _write_on_white(canvas, x + side * 0.95, middle - size / 3, f"{tile.turn}°", size)


def is_doubtful(tile: PlacedTile) -> bool:
    """Tell whether the confidence in the tile's place is low."""
    return tile.confidence is not None and tile.confidence < DOUBTFUL


def _mark_doubt(
    canvas: Canvas, tile: PlacedTile, x: float, y: float, side: float, say: Words
) -> None:
    canvas.saveState()
    inset = side * 0.03
    canvas.setStrokeColorRGB(*ORANGE)
    canvas.setLineWidth(side * 0.025)
    canvas.setDash(side * 0.09, side * 0.05)
    canvas.rect(x + inset, y + inset, side - 2 * inset, side - 2 * inset)
    canvas.restoreState()
    size = _note_size(side)
    text, top = f"? {say.decimal(tile.confidence or 0.0)}", y + side * 0.95 - size
    _write_on_white(canvas, x + side * 0.95, top, text, size, ORANGE)


def _note_size(side: float) -> float:
    return max(SMALLEST_LABEL, min(16.0, side * 0.09))


def _write_on_white(
    canvas: Canvas,
    right: float,
    y: float,
    text: str,
    size: float,
    colour: tuple[float, float, float] = INK,
) -> None:
    width = text_width(text, size, BOLD)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(right - width - 1.5, y - size * 0.25, width + 2, size * 1.15, stroke=0, fill=1)
    draw_text(canvas, right - 0.5, y, text, size, font=BOLD, colour=colour, align="right")


def _label_lines(tile: PlacedTile, side: float, say: Words) -> list[tuple[str, float, str]]:
    """Return text, size and font of the lines: number, then crate, code and note if they fit."""
    room = side * 0.86
    wide = text_width(tile.number, 1.0, BOLD)
    size = max(SMALLEST_LABEL, min(LARGEST_LABEL, side * 0.13, room / max(wide, 0.01)))
    number = shorten(tile.number, room, size, BOLD, keep_end=True)
    lines = [(number, size, BOLD)]
    small = max(SMALLEST_LABEL, min(14.0, side * 0.075))
    known = (
        (say("crate"), tile.crate),
        (say("code"), tile.code),
        (say("note:"), tile.note),
    )
    for name, value in known:
        if value and _height([*lines, ("", small, REGULAR)]) <= side * PLATE_SHARE:
            lines.append((shorten(f"{name} {value}", room, small), small, REGULAR))
    return lines


def _height(lines: list[tuple[str, float, str]]) -> float:
    """Return the height of a plate with these lines."""
    return sum(size * 1.2 for _, size, _ in lines) + 2


def _write_plate(
    canvas: Canvas, lines: list[tuple[str, float, str]], x: float, y: float, side: float
) -> None:
    """Draw the lines on a white plate at the tile's lower side."""
    width = max(text_width(*line) for line in lines) + 4
    height = _height(lines)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.roundRect(x + (side - width) / 2, y, width, height, 1.5, stroke=0, fill=1)
    base = y + height - 1
    for text, size, font in lines:
        base -= size * 1.2
        draw_text(canvas, x + side / 2, base + size * 0.28, text, size, font=font, align="middle")
