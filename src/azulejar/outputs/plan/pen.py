"""Text and signs on the plan's paper."""

from functools import cache
from io import BytesIO
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"
INK = (0.1, 0.13, 0.2)
BLUE = (0.1, 0.25, 0.6)
ORANGE = (0.85, 0.35, 0.0)
GREY = (0.55, 0.57, 0.6)
HATCHED = (0.75, 0.76, 0.78)


def new_canvas(path: Path, page: tuple[float, float], title: str) -> Canvas:
    """An empty PDF whose bytes depend on what is drawn alone."""
    _register_fonts()
    canvas = Canvas(str(path), pagesize=page, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("azulejar")
    return canvas


@cache
def _register_fonts() -> None:
    """Fonts with the letters of most languages, which matplotlib brings along."""
    from matplotlib import get_data_path

    rl_config.useA85 = 0  # text encoding of pictures makes files a quarter larger
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, Path(get_data_path(), "fonts", "ttf", f"{name}.ttf")))


def write(
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
    """One line of text, its base line at ``y``; ``align`` says what ``x`` is."""
    canvas.setFont(font, size)
    canvas.setFillColorRGB(*colour)
    draw = {"left": canvas.drawString, "middle": canvas.drawCentredString}
    draw.get(align, canvas.drawRightString)(x, y, printable(text))


def printable(text: str) -> str:
    """On one line, without what no printer can show."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def width_of(text: str, size: float, font: str = REGULAR) -> float:
    """Of a line of text, in points."""
    return float(pdfmetrics.stringWidth(printable(text), font, size))


def shortened(
    text: str, width: float, size: float, font: str = REGULAR, *, keep_end: bool = False
) -> str:
    """The text, or its beginning and … (… and its end) if it is wider than ``width`` points."""
    text = printable(text)
    if width_of(text, size, font) <= width:
        return text
    while text and width_of(text + "…", size, font) > width:
        text = text[1:] if keep_end else text[:-1]
    return "…" + text.lstrip() if keep_end else text.rstrip() + "…"


def hatch(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """A place, or several, without a tile: slanting lines."""
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


def arrow(canvas: Canvas, x: float, y: float, length: float, turn: int) -> None:
    """An arrow around (x, y) that points up, then turned clockwise by ``turn`` degrees."""
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


def picture(canvas: Canvas, jpeg: bytes, x: float, y: float, width: float, height: float) -> None:
    """A JPEG with its lower left corner at (x, y)."""
    canvas.drawImage(ImageReader(BytesIO(jpeg)), x, y, width, height)
