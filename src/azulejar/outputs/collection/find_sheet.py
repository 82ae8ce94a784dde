"""The contact sheet of a find: each candidate laid beside what it may fit."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.edges import turn_picture
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.outputs.collection.tile_pictures import CollectionPictures, describe_vanished
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri
from azulejar.outputs.wording import format_sureness

TILE = 128  # pixels
COLUMNS = 4
MARGIN, LABEL = 24, 76
INK, SOFT, PAPER, FRAME = (28, 36, 48), (93, 104, 120), (251, 250, 247), (224, 106, 16)
EMPTY = (236, 234, 228)
SUFFIXES = (".html", ".png", ".jpg")


@dataclass(frozen=True)
class LaidTile:
    """A tile at a place, with its turn in clockwise quarters."""

    entry: Entry
    row: int
    col: int
    turn: int


@dataclass(frozen=True)
class FoundTile:
    """A candidate as it would lie, how likely that is, and where it lies ``now``, if anywhere."""

    laid: LaidTile
    probability: float
    now: str = ""


def check_suffix(path: str | os.PathLike[str]) -> None:
    """Raise if no sheet can be written under that name."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise AzulejarError(
            "sheet-unknown-suffix",
            "A sheet cannot be written as {file}.",
            "Give a name that ends in {suffixes} or {last}.",
            file=path.name,
            suffixes=", ".join(SUFFIXES[:-1]),
            last=SUFFIXES[-1],
        )


def write_sheet(
    path: str | os.PathLike[str],
    collection: Collection,
    title: str,
    around: Sequence[LaidTile],
    found: Sequence[FoundTile],
) -> list[str]:
    """Write a page or a picture, as the suffix says; ``around`` are the tiles that lie there.

    Return the inventory numbers of tiles whose pictures have vanished.
    """
    path = Path(path)
    entries = [laid.entry for laid in around] + [each.laid.entry for each in found]
    pictures = CollectionPictures(entries, collection.pixels)
    scenes = [
        _scene(pictures, [*around, each.laid], [*range(len(around)), len(around) + i])
        for i, each in enumerate(found)
    ]
    if path.suffix.lower() == ".html":
        vanished = pictures.vanished
        write_html(
            path,
            "find_sheet.html",
            title=title,
            note=describe_vanished(vanished, len(entries)) if vanished else "",
            cards=[_card(each, scene) for each, scene in zip(found, scenes, strict=True)],
        )
    else:
        write_picture(path, _picture(title, found, scenes))
    return pictures.vanished


def _scene(
    pictures: CollectionPictures, laid: Sequence[LaidTile], which: Sequence[int]
) -> NDArray[np.uint8]:
    """Draw tiles where they lie, with corners around the last of them: uint8 [h, w, 3]."""
    rows, cols = [tile.row for tile in laid], [tile.col for tile in laid]
    high, wide = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    scene = np.empty((high * TILE, wide * TILE, 3), np.uint8)
    scene[:] = EMPTY
    for tile, number in zip(laid, which, strict=True):
        top, left = (tile.row - min(rows)) * TILE, (tile.col - min(cols)) * TILE
        upright = turn_picture(pictures(number, TILE), tile.turn)
        scene[top : top + TILE, left : left + TILE] = upright
    image = Image.fromarray(scene)
    _mark_corners(ImageDraw.Draw(image), left, top)
    return np.asarray(image)


def _mark_corners(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """Mark a tile by its corners alone, so that the joints themselves stay in sight."""
    reach, end = TILE // 8, TILE - 1
    for x, inwards in ((left, reach), (left + end, -reach)):
        for y, down in ((top, reach), (top + end, -reach)):
            draw.line([(x + inwards, y), (x, y), (x, y + down)], FRAME, width=3)


def _picture(
    title: str, found: Sequence[FoundTile], scenes: Sequence[NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """Draw all candidates on one sheet: uint8 [H, W, 3]."""
    wide = max((scene.shape[1] for scene in scenes), default=TILE) + MARGIN
    wide = max(wide, 2 * TILE + MARGIN)
    tall = max((scene.shape[0] for scene in scenes), default=0) + LABEL
    cols = min(COLUMNS, max(1, len(found)))
    rows = -(-len(found) // cols)
    head = 56
    sheet = Image.new("RGB", (cols * wide + MARGIN, rows * tall + head + MARGIN), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN, 18), title, INK, ImageFont.load_default(24))
    large, small = ImageFont.load_default(17), ImageFont.load_default(14)
    for i, (each, scene) in enumerate(zip(found, scenes, strict=True)):
        left, top = MARGIN + i % cols * wide, head + i // cols * tall
        sheet.paste(Image.fromarray(scene), (left, top))
        below = top + scene.shape[0] + 6
        entry = each.laid.entry
        draw.text((left, below), f"{i + 1}.  {entry.inventory}", INK, large)
        draw.text((left, below + 24), _details(each), SOFT, small)
    return np.asarray(sheet)


def _details(found: FoundTile) -> str:
    now = f", {found.now}" if found.now else ""
    turn = f", turned {90 * found.laid.turn}°" if found.laid.turn else ""
    return f"{format_sureness(found.probability)}{turn}\ncrate {found.laid.entry.crate}{now}"


def _card(found: FoundTile, scene: NDArray[np.uint8]) -> dict[str, Any]:
    """Return what the page shows of a candidate."""
    turned = f"turned {90 * found.laid.turn}°" if found.laid.turn else "as photographed"
    return {
        "number": found.laid.entry.inventory,
        "crate": found.laid.entry.crate,
        "probability": found.probability,
        "picture": data_uri(scene, 3 * TILE),
        "details": f"{turned}; {found.now}" if found.now else turned,
    }
