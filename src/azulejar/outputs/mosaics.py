"""Pictures of some tiles side by side, and pictures embedded in a page."""

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.edges import turn_picture
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import resize_square

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

    A tile keeps its size unless the longer side would pass ``longest`` pixels.
    """
    rows, cols = places.shape
    size = max(1, min(tiles.size, longest // max(rows, cols)))
    picture = np.full((rows * size, cols * size, 3), EMPTY, np.uint8)
    for row, col in np.argwhere(places >= 0):
        tile = places[row, col]
        small = resize_square(tiles.pixels[tile], size)
        picture[row * size :, col * size :][:size, :size] = turn_picture(small, turn[tile])
    return picture
