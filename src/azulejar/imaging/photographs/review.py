"""Draw pictures in which a person checks what was found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from azulejar.imaging.photographs.geometry import Lens
from azulejar.imaging.photographs.quads import Quad, side_of
from azulejar.imaging.picture import read_picture, write_picture

OVERLAY = 1600  # longest side of an overlay in pixels
CELL, CAPTION = 320, 44  # pixels of a picture on a contact sheet, and of the words below it
COLS, MOST = 5, 60  # columns of a contact sheet, and most pictures on it
SURE, DOUBTFUL = (60, 220, 90), (255, 80, 60)
ALONG = 12  # points drawn on a side, which a lens may bend


def draw_outlines(
    picture: NDArray[np.uint8],
    corners: Sequence[Quad],
    names: Sequence[str],
    doubtful: Sequence[bool],
    lens: Lens,
    fragments: Mapping[str, NDArray[np.float64]] = MappingProxyType({}),
) -> NDArray[np.uint8]:
    """Draw the photograph, reduced, with the outline and name of every tile and fragment."""
    scale = min(1.0, OVERLAY / max(picture.shape))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    drawn = np.ascontiguousarray(small, np.uint8)
    for quad, doubt in zip(corners, doubtful, strict=True):
        _draw(drawn, (_outline(quad, lens) + 0.5) * scale - 0.5, DOUBTFUL if doubt else SURE)
    for outline in fragments.values():
        _draw(drawn, (outline + 0.5) * scale - 0.5, SURE)
    words = Image.fromarray(drawn)
    pen = ImageDraw.Draw(words)
    for quad, name in zip(corners, names, strict=True):
        middle = quad.mean(axis=0) * scale
        font = ImageFont.load_default(size=max(10, 0.13 * side_of(quad) * scale))
        pen.text(tuple(middle), name, "white", font, "mm", stroke_width=2, stroke_fill="black")
    for name, outline in fragments.items():
        middle = outline.mean(axis=0) * scale
        pen.text(tuple(middle), name, "white", font, "mm", stroke_width=2, stroke_fill="black")
    return np.array(words)


def close_up(picture: NDArray[np.uint8], corners: Quad, lens: Lens) -> NDArray[np.uint8]:
    """Draw a tile with its surroundings and the outline found: [CELL, CELL, 3]."""
    half = 0.65 * float(np.ptp(corners, axis=0).max())
    middle = corners.mean(axis=0)
    scale = CELL / (2 * half)
    matrix = np.array([[scale, 0, CELL / 2 - scale * middle[0]],
                       [0, scale, CELL / 2 - scale * middle[1]]])  # fmt: skip
    low = np.maximum(np.floor(middle - half).astype(int) - 2, 0)
    part = picture[low[1] : int(middle[1] + half) + 3, low[0] : int(middle[0] + half) + 3]
    matrix[:, 2] += matrix[:, :2] @ low
    drawn = np.asarray(cv2.warpAffine(part, matrix, (CELL, CELL), flags=cv2.INTER_AREA), np.uint8)
    _draw(drawn, (_outline(corners, lens) - low) @ matrix[:, :2].T + matrix[:, 2], DOUBTFUL)
    return drawn


def write_contact_sheets(
    folder: Path, pictures: Sequence[Path], words: Sequence[str]
) -> list[Path]:
    """Put pictures of doubtful tiles on sheets, each with its words; return the sheets' paths."""
    for old in folder.glob("contact_sheet*.jpg"):
        old.unlink()
    written = []
    for start in range(0, len(pictures), MOST):
        number = f"_{start // MOST + 1}" if len(pictures) > MOST else ""
        path = folder / f"contact_sheet{number}.jpg"
        write_picture(path, _sheet(pictures[start : start + MOST], words[start : start + MOST]))
        written.append(path)
    return written


def _sheet(pictures: Sequence[Path], words: Sequence[str]) -> NDArray[np.uint8]:
    rows = -(-len(pictures) // COLS)
    cols = min(COLS, len(pictures))
    sheet = Image.new("RGB", (cols * (CELL + 8), rows * (CELL + CAPTION + 8)), "white")
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=13)
    for i, (path, text) in enumerate(zip(pictures, words, strict=True)):
        row, col = divmod(i, COLS)
        left, top = col * (CELL + 8) + 4, row * (CELL + CAPTION + 8) + 4
        sheet.paste(Image.fromarray(read_picture(path)), (left, top))
        pen.multiline_text((left, top + CELL + 2), _wrap(text, font), "black", font, spacing=1)
    return np.array(sheet)


def _wrap(text: str, font: ImageFont.ImageFont | ImageFont.FreeTypeFont) -> str:
    """Wrap the text into up to three lines of a cell's width."""
    lines = [""]
    for word in text.split():
        if font.getlength(f"{lines[-1]} {word}") > CELL and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines[:3])


def _outline(quad: Quad, lens: Lens) -> NDArray[np.float64]:
    """Return points [n, 2] around a tile, distorted as the lens distorts its sides."""
    straight = lens.undistort(quad)
    share = np.linspace(0, 1, ALONG, endpoint=False)[:, None]
    sides = [straight[k] + share * (straight[k - 3] - straight[k]) for k in range(4)]
    return lens.distort(np.concatenate(sides))


def _draw(picture: NDArray[np.uint8], outline: NDArray[np.float64], colour: tuple) -> None:
    points = np.round(outline * 16).astype(np.int32)
    cv2.polylines(picture, [points], True, colour, 2, cv2.LINE_AA, 4)
