"""The contact sheet of a find: each candidate laid beside what it may fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.edges import turn_picture
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.outputs.collection.originals import Pictures, vanished_note
from azulejar.outputs.collection.page import closed_page
from azulejar.outputs.collection.words import sureness
from azulejar.outputs.pictures import data_uri
from azulejar.system.atomic import replacing

TILE = 128  # pixels
COLUMNS = 4
MARGIN, LABEL = 24, 76
INK, SOFT, PAPER, FRAME = (28, 36, 48), (93, 104, 120), (251, 250, 247), (224, 106, 16)
EMPTY = (236, 234, 228)
SUFFIXES = (".html", ".png", ".jpg")


@dataclass(frozen=True)
class Lying:
    """A tile at a place, with its turn in clockwise quarters."""

    entry: Entry
    row: int
    col: int
    turn: int


@dataclass(frozen=True)
class Fit:
    """A candidate as it would lie, how likely that is, and where the tile is thought to belong."""

    lying: Lying
    probability: float
    now: str = ""


def check_suffix(path: Path) -> None:
    """Raise if no sheet can be written under that name."""
    if path.suffix.lower() not in SUFFIXES:
        raise AzulejarError(
            f"A sheet cannot be written as {path.name}.",
            f"Give a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.",
        )


def write_sheet(
    path: Path, collection: Collection, title: str, around: Sequence[Lying], fits: Sequence[Fit]
) -> list[str]:
    """Write a page or a picture, as the suffix says; ``around`` are the tiles that lie there.

    Returns the inventory numbers of tiles whose pictures have vanished.
    """
    entries = [lying.entry for lying in around] + [fit.lying.entry for fit in fits]
    pictures = Pictures(entries, collection.pixels)
    scenes = [
        _scene(pictures, [*around, fit.lying], [*range(len(around)), len(around) + i])
        for i, fit in enumerate(fits)
    ]
    if path.suffix.lower() == ".html":
        vanished = pictures.vanished
        note = vanished_note(vanished, len(entries)) if vanished else ""
        with replacing(path) as temporary:
            temporary.write_text(_page(title, fits, scenes, note), encoding="utf-8")
    else:
        write_picture(path, _picture(title, fits, scenes))
    return pictures.vanished


def _scene(pictures: Pictures, lying: Sequence[Lying], which: Sequence[int]) -> NDArray[np.uint8]:
    """Tiles where they lie, the last of them pointed at: uint8 [h, w, 3]."""
    rows, cols = [tile.row for tile in lying], [tile.col for tile in lying]
    high, wide = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    scene = np.empty((high * TILE, wide * TILE, 3), np.uint8)
    scene[:] = EMPTY
    for tile, number in zip(lying, which, strict=True):
        top, left = (tile.row - min(rows)) * TILE, (tile.col - min(cols)) * TILE
        upright = turn_picture(pictures(number, TILE), tile.turn)
        scene[top : top + TILE, left : left + TILE] = upright
    image = Image.fromarray(scene)
    _mark_corners(ImageDraw.Draw(image), left, top)
    return np.asarray(image)


def _mark_corners(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """Point at a tile by its corners, so that the joints themselves stay in sight."""
    reach, end = TILE // 8, TILE - 1
    for x, inwards in ((left, reach), (left + end, -reach)):
        for y, down in ((top, reach), (top + end, -reach)):
            draw.line([(x + inwards, y), (x, y), (x, y + down)], FRAME, width=3)


def _picture(
    title: str, fits: Sequence[Fit], scenes: Sequence[NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """All on one sheet: uint8 [H, W, 3]."""
    wide = max((scene.shape[1] for scene in scenes), default=TILE) + MARGIN
    wide = max(wide, 2 * TILE + MARGIN)
    tall = max((scene.shape[0] for scene in scenes), default=0) + LABEL
    cols = min(COLUMNS, max(1, len(fits)))
    rows = -(-len(fits) // cols)
    head = 56
    sheet = Image.new("RGB", (cols * wide + MARGIN, rows * tall + head + MARGIN), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN, 18), title, INK, ImageFont.load_default(24))
    large, small = ImageFont.load_default(17), ImageFont.load_default(14)
    for i, (fit, scene) in enumerate(zip(fits, scenes, strict=True)):
        left, top = MARGIN + i % cols * wide, head + i // cols * tall
        sheet.paste(Image.fromarray(scene), (left, top))
        below = top + scene.shape[0] + 6
        entry = fit.lying.entry
        draw.text((left, below), f"{i + 1}.  {entry.inventory}", INK, large)
        draw.text((left, below + 24), _details(fit), SOFT, small)
    return np.asarray(sheet)


def _details(fit: Fit) -> str:
    now = f", {fit.now}" if fit.now else ""
    turn = f", turned {90 * fit.lying.turn}°" if fit.lying.turn else ""
    return f"{sureness(fit.probability)}{turn}\ncrate {fit.lying.entry.crate}{now}"


def _page(title: str, fits: Sequence[Fit], scenes: Sequence[NDArray[np.uint8]], note: str) -> str:
    cards = "".join(
        f'<article class="card find"><div class="mat"><img src="{data_uri(scene, 3 * TILE)}" '
        f'alt="{escape(fit.lying.entry.inventory)} as it would lie"></div>'
        f"<h3>{i}. {escape(fit.lying.entry.inventory)}</h3>"
        f'<p class="trust"><span>crate <b>{escape(fit.lying.entry.crate)}</b></span>'
        f"<span>{escape(sureness(fit.probability))}</span></p>"
        f'<div class="bar"><i class="sure" style="width:{100 * fit.probability:.0f}%"></i></div>'
        f'<p class="from">{_turned(fit)}</p></article>'
        for i, (fit, scene) in enumerate(zip(fits, scenes, strict=True), 1)
    )
    lead = (
        "The likeliest first, each turned as it would lie; orange corners mark it. The figure is "
        "how likely the tile belongs there, among all tiles of the collection."
    )
    note = f'<p class="note">{escape(note)}</p>' if note else ""
    return closed_page(
        escape(title),
        f'<header class="opening"><h1>{escape(title)}</h1><p class="lead">{lead}</p>{note}'
        f'</header><div class="wall">{cards}</div>',
    )


def _turned(fit: Fit) -> str:
    turned = f"turned {90 * fit.lying.turn}°" if fit.lying.turn else "as photographed"
    return escape(f"{turned}{f'; {fit.now}' if fit.now else ''}")
