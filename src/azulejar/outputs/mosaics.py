"""Pictures of some tiles side by side, and pictures embedded in a page."""

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.edges import turn_picture
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import resize, resize_square

EMPTY = 165  # grey level of places without a tile


def data_uri(picture: NDArray[np.uint8], longest: int) -> str:
    """Return a picture [h, w, 3] as a JPEG data URI, at most ``longest`` pixels wide and high."""
    image = Image.fromarray(picture)
    image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=82, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def tile_uri(tile: NDArray[np.uint8], turn: int, longest: int) -> str:
    """Return a tile [S, S, 3], turned by clockwise quarters, as a data URI."""
    return data_uri(np.ascontiguousarray(turn_picture(tile, turn)), longest)


def tile_grid(assembly: Assembly, panel: int) -> NDArray[np.int64]:
    """Return the tile at each place of a panel's box [rows, cols]; -1 for a hole."""
    tiles = np.flatnonzero(assembly.panel == panel)
    places = np.full(assembly.box(panel), -1)
    places[assembly.row[tiles], assembly.col[tiles]] = tiles
    return places


def draw_mosaic(
    tiles: TileSet, turn: NDArray[np.int32], places: NDArray[np.int64], longest: int
) -> NDArray[np.uint8]:
    """Draw the tiles of ``places`` [rows, cols], each turned by its ``turn`` [n]; holes are grey.

    A tile keeps its size unless the longer side would pass ``longest`` pixels. All places are
    square; half tiles lie in the middle of theirs.
    """
    rows, cols = places.shape
    size = max(1, min(tiles.size, longest // max(rows, cols)))
    picture = np.full((rows * size, cols * size, 3), EMPTY, np.uint8)
    for row, col in np.argwhere(places >= 0):
        tile = places[row, col]
        small = resize_square(tiles.pixels[tile], size)
        if tiles.halved is not None:
            small = _amid_place(small, *tiles.halved[tile])
        picture[row * size :, col * size :][:size, :size] = turn_picture(small, turn[tile])
    return picture


def _amid_place(square: NDArray[np.uint8], high: bool, wide: bool) -> NDArray[np.uint8]:
    """Draw a half or quarter tile, which was stretched to a square, in the middle of its place."""
    if not high and not wide:
        return square
    size = len(square)
    height, width = max(1, size // (1 + high)), max(1, size // (1 + wide))
    place = np.full_like(square, EMPTY)
    top, left = (size - height) // 2, (size - width) // 2
    place[top : top + height, left : left + width] = resize(square, height, width)
    return place
