"""Draw the picture of an assembly, whole or from top to bottom in bands."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.edges import turn_picture
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.layout import Box, Layout, boxes_of, fitting_size
from azulejar.imaging.picture import MAX_PIXELS, picture_size, read_tile, resize, resize_square
from azulejar.imaging.tile_shapes import whole_sizes

LONGEST_SIDE = 8000
HATCHING = (236, 216)  # grey levels of places without a tile
MORTAR = 128  # grey level of the joints
BAND_BYTES = 2**29
_THREADS = 4  # each holds a full picture or two

# A tile's picture as uint8 [size, size, 3], by the tile's number and the size.
TilePictures = Callable[[int, int], NDArray[np.uint8]]


def render(tiles: TileSet, assembly: Assembly, tile_size: int | None = None) -> NDArray[np.uint8]:
    """Draw an assembly, its panels side by side, half a tile apart.

    Places without a tile are hatched; tiles that are not placed are left out.

    Args:
        tiles: The tiles; where they have a folder, their full pictures are read again.
        assembly: Where they lie.
        tile_size: Side of a tile in pixels. By default the median side of the full pictures, less
            where the picture would be longer than 8,000 px.

    Returns:
        The picture, sRGB: uint8 [H, W, 3].

    Raises:
        AzulejarError: If the picture would be too large to be drawn in one piece.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> azulejar.render(tiles, truth, tile_size=48).shape
        (192, 192, 3)
    """
    boxes = boxes_of(assembly, tiles.halved)
    if tile_size is None:
        tile_size = fitting_size(boxes, _full_side(tiles), LONGEST_SIDE)

    def picture(tile: int, size: int) -> NDArray[np.uint8]:
        if tiles.folder is not None:
            return read_tile(tiles.folder / tiles.files[tile], size)
        return resize_square(tiles.pixels[tile], size)

    return render_whole(picture, assembly, Layout.of(boxes, tile_size))


def render_whole(
    pictures: TilePictures,
    assembly: Assembly,
    layout: Layout,
    on_progress: Callable[[float], None] | None = None,
) -> NDArray[np.uint8]:
    """Draw the picture as one array [H, W, 3]."""
    if layout.height * layout.width > MAX_PIXELS:
        raise AzulejarError(
            "picture-too-large",
            "A picture of {width:,} × {height:,} px with tiles of {size} px cannot be drawn in one "
            "piece.",
            "Give a tile size that keeps it below {limit} million pixels.",
            width=layout.width,
            height=layout.height,
            size=layout.size,
            limit=MAX_PIXELS // 10**6,
        )
    canvas = np.empty((layout.height, layout.width, 3), np.uint8)
    top = 0
    for band in render_bands(pictures, assembly, layout, on_progress):
        canvas[top : top + len(band)] = band
        top += len(band)
    return canvas


def render_bands(
    pictures: TilePictures,
    assembly: Assembly,
    layout: Layout,
    on_progress: Callable[[float], None] | None = None,
) -> Iterator[NDArray[np.uint8]]:
    """Draw the picture from top to bottom: uint8 [h, W, 3], at most a row of tiles at a time.

    Panels that ``layout`` does not hold are left out. A row of tiles that needs more than half a
    gigabyte comes in several bands, and its tiles are read again for each. ``on_progress`` is
    called with the fraction that is done.
    """
    highest = max(1, BAND_BYTES // (3 * layout.width))
    drawn = np.isin(assembly.panel, [box.panel for box in layout.boxes])
    with ThreadPoolExecutor(_THREADS) as pool:
        for row, (top, height) in enumerate(layout.down):
            end = height + (layout.joint if row < layout.rows - 1 else 0)
            for start in range(0, end, highest):
                stop = min(end, start + highest)
                band = _empty_band(layout, row, start, stop)
                draw = _tile_drawer(band, pictures, assembly, layout, row, start)
                for _ in pool.map(draw, np.flatnonzero(drawn & (assembly.row == row)).tolist()):
                    pass
                yield band
                if on_progress:
                    on_progress((top + stop) / layout.height)


def _tile_drawer(
    band: NDArray[np.uint8],
    pictures: TilePictures,
    assembly: Assembly,
    layout: Layout,
    row: int,
    start: int,
) -> Callable[[int], None]:
    """Return a function that draws one tile into ``band``, which begins ``start`` px down its row
    of tiles.
    """
    height = layout.down[row][1]
    cols_of = {
        box.panel: [(first + left, width) for first, width in layout.across(box)]
        for box, left in zip(layout.boxes, layout.lefts, strict=True)
    }

    def draw(tile: int) -> None:
        left, width = cols_of[int(assembly.panel[tile])][int(assembly.col[tile])]
        part = band[: max(0, height - start), left : left + width]
        if len(part):
            turned = turn_picture(pictures(tile, layout.size), int(assembly.turn[tile]))
            if turned.shape[:2] != (height, width):
                turned = resize(turned, height, width)
            part[:] = turned[start : start + len(part)]

    return draw


def _empty_band(layout: Layout, row: int, start: int, stop: int) -> NDArray[np.uint8]:
    """Draw a row of places without tiles, from ``start`` to ``stop`` px below its top."""
    band = np.full((stop - start, layout.width, 3), 255, np.uint8)
    for box, left in zip(layout.boxes, layout.lefts, strict=True):
        if row < box.rows and not box.pile:
            _draw_places(band[:, left:], layout, box, row, start)
    return band


def _draw_places(band: NDArray[np.uint8], layout: Layout, box: Box, row: int, start: int) -> None:
    """Hatch the places of a panel's row in a band that begins ``start`` px down that row."""
    height, cols = layout.down[row][1], layout.across(box)
    down, across = np.arange(start, start + len(band)), np.arange(layout.size)
    stripe = np.add.outer(down[down < height], across) * 8 // layout.size % 2
    place = np.array(HATCHING, np.uint8)[stripe][..., None]
    mortar = height + (layout.joint if row < box.rows - 1 else 0)
    band[: max(0, mortar - start), : sum(cols[-1])] = MORTAR
    for left, width in cols:
        band[: len(place), left : left + width] = place[:, :width]


def _full_side(tiles: TileSet) -> float:
    """Return the median side of the full pictures in pixels."""
    if tiles.folder is None:
        return tiles.size
    sizes = [picture_size(tiles.folder / file) for file in tiles.files]
    return median(map(tile_side, whole_sizes(sizes, tiles.halved)))
