"""Lay out the director's report as PDF."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image as Picture
from reportlab.graphics.shapes import Drawing, PolyLine, Rect
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    ListFlowable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from azulejar.outputs.plan.drawing import BOLD, REGULAR, printable, register_fonts

INK, SOFT, LINE = HexColor(0x1B2A41), HexColor(0x5B6880), HexColor(0xD9D6CA)
BLUE = HexColor(0x1F4A94)
COLOURS = {
    "sure": BLUE,
    "fair": HexColor(0x8BA3CA),
    "check": HexColor(0xA64A12),
    "waiting": HexColor(0x9AA3B2),
    "new": HexColor(0xC3C8D1),
    "rest": LINE,
}
MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN - 12  # points; a frame of reportlab has a padding of 6
ACROSS = 3  # pictures in a row
TALL = 46 * mm
CHART = 36 * mm

Points = Sequence[tuple[float, float]]
"""A line of a chart: time and height, both from 0 to 1; it stays level between two points."""


@dataclass(frozen=True)
class ReportTexts:
    """The texts and figures of the report, in its language.

    ``shares`` have a text, a number and a key of ``COLOURS``; ``pictures`` a file and a caption.
    Of the ``chart``, each line has a text and its points; the last is the thickest.
    """

    title: str
    lead: str
    figures: list[tuple[str, str]]
    shares_title: str
    shares: list[tuple[str, int, str]]
    pictures_title: str
    pictures: list[tuple[Path, str]]
    lists: list[tuple[str, list[str]]]
    chart_title: str
    chart: Sequence[tuple[str, Points]]
    foot: str = ""
    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


def make_report_pdf(texts: ReportTexts) -> bytes:
    """Return the report as PDF on A4."""
    register_fonts()
    stream = BytesIO()
    paper = SimpleDocTemplate(
        stream,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=texts.title,
        creator="azulejar",
        invariant=1,
    )
    parts: list[Flowable] = [
        _words(texts.title, 20, font=BOLD, after=6),
        _words(texts.lead, 11, colour=SOFT, after=10),
        _figures(texts.figures),
        Spacer(1, 10),
    ]
    if texts.shares:
        parts.append(KeepTogether([*_heading(texts.shares_title), *_shares(texts.shares)]))
    if texts.pictures:
        parts += [*_heading(texts.pictures_title), _pictures(texts.pictures)]
    for title, lines in texts.lists:
        if lines:
            parts.append(KeepTogether([*_heading(title), _list(lines)]))
    if texts.chart:
        parts.append(KeepTogether([*_heading(texts.chart_title), *_chart(texts.chart)]))
    if texts.rows:
        parts.append(_table(texts.columns, texts.rows))
    parts += [Spacer(1, 12), _words(texts.foot, 8, colour=SOFT)]
    paper.build(parts)
    return stream.getvalue()


def _words(
    text: str, size: float, *, font: str = REGULAR, colour: Color = INK, after: float = 0
) -> Paragraph:
    style = ParagraphStyle(
        font, fontName=font, fontSize=size, leading=1.35 * size, textColor=colour, spaceAfter=after
    )
    return Paragraph(escape(printable(text)), style)


def _heading(text: str) -> list[Flowable]:
    return [Spacer(1, 8), _words(text, 13, font=BOLD, after=6)]


def _figures(figures: Sequence[tuple[str, str]]) -> Table:
    row = [
        [_words(value, 15, font=BOLD), _words(label, 8, colour=SOFT)] for label, value in figures
    ]
    table = Table([row], colWidths=[WIDTH / len(row)] * len(row))
    table.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])
    return table


def _shares(shares: Sequence[tuple[str, int, str]]) -> list[Flowable]:
    total, left = sum(count for _, count, _ in shares), 0.0
    bar = Drawing(WIDTH, 14)
    for _, count, key in shares:
        wide = WIDTH * count / total
        bar.add(Rect(left, 0, wide, 14, fillColor=COLOURS[key], strokeColor=None))
        left += wide
    lines: list[Flowable] = [bar, Spacer(1, 6)]
    for text, _, key in shares:
        mark = Drawing(9, 9)
        mark.add(Rect(0, 0, 8, 8, fillColor=COLOURS[key], strokeColor=None))
        line = Table([[mark, _words(text, 9.5)]], colWidths=[14, WIDTH - 14])
        line.setStyle(_TIGHT)
        lines.append(line)
    return lines


def _pictures(pictures: Sequence[tuple[Path, str]]) -> Table:
    wide = WIDTH / ACROSS
    cells = [[_fitted(path, wide - 8), _words(caption, 8)] for path, caption in pictures]
    cells += [[]] * (-len(cells) % ACROSS)
    rows = [cells[at : at + ACROSS] for at in range(0, len(cells), ACROSS)]
    table = Table(rows, colWidths=[wide] * ACROSS)
    table.setStyle([("VALIGN", (0, 0), (-1, -1), "BOTTOM"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])
    return table


def _fitted(path: Path, width: float) -> Image:
    """Flatten a picture onto white."""
    with Picture.open(path) as file:
        picture = file.convert("RGBA")
    white = Picture.new("RGBA", picture.size, "white")
    white.alpha_composite(picture)
    stream = BytesIO()
    white.convert("RGB").save(stream, "JPEG", quality=85)
    stream.seek(0)
    scale = min(width / picture.width, TALL / picture.height)
    return Image(stream, picture.width * scale, picture.height * scale, hAlign="LEFT")


def _list(lines: Sequence[str]) -> ListFlowable:
    items = [_words(line, 9.5, after=2) for line in lines]
    return ListFlowable(items, bulletType="bullet", start="•", bulletFontSize=8, leftIndent=12)


def _chart(lines: Sequence[tuple[str, Points]]) -> list[Flowable]:
    chart = Drawing(WIDTH, CHART)
    colours = [SOFT, BLUE]
    keys: list[Flowable] = []
    for number, (text, points) in enumerate(lines):
        colour = colours[number % len(colours)]
        steps: list[float] = []
        for at, (time, height) in enumerate(points):
            steps += [WIDTH * time, steps[-1] if at else 0.0, WIDTH * time, CHART * 0.95 * height]
        chart.add(PolyLine(steps, strokeColor=colour, strokeWidth=1 + number))
        mark = Drawing(12, 8)
        mark.add(PolyLine([0, 4, 10, 4], strokeColor=colour, strokeWidth=1 + number))
        key = Table([[mark, _words(text, 9)]], colWidths=[16, WIDTH - 16])
        key.setStyle(_TIGHT)
        keys.append(key)
    chart.add(PolyLine([0, 0, WIDTH, 0], strokeColor=LINE, strokeWidth=1))
    return [chart, Spacer(1, 4), *keys]


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    head = [_words(cell, 8, colour=SOFT) for cell in columns]
    body = [[_words(cell, 8.5) for cell in row] for row in rows]
    first = 32 * mm  # day and time on one line
    others = (WIDTH - first) / (len(columns) - 1)
    table = Table([head, *body], colWidths=[first, *[others] * (len(columns) - 1)], repeatRows=1)
    table.setStyle([("LINEBELOW", (0, 0), (-1, -1), 0.5, LINE), *_TIGHT])
    return table


_TIGHT = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
]
