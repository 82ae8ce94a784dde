"""The picture of an assembly, whole or from top to bottom in bands."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import tile_side
from azulejar.imaging.layout import Box, Layout, boxes_of, fitting_size
from azulejar.imaging.picture import MAX_PIXELS, picture_size, read_tile, resampled

LONGEST_SIDE = 8000
HATCHING = (236, 216)
MORTAR = 128  # grey level of the joints
BAND_BYTES = 2**29
_THREADS = 4  # each holds a full picture or two

# A tile's picture as uint8 [size, size, 3], by the tile's number and the size.
Pictures = Callable[[int, int], NDArray[np.uint8]]


def render(tiles: TileSet, assembly: Assembly, tile_size: int | None = None) -> NDArray[np.uint8]:
    """The assembly as uint8 [H, W, 3], its panels side by side, half a tile apart.

    Places without a tile are hatched, tiles that are not placed left out. ``tile_size`` is in
    pixels; beyond the working size the full pictures are read again. By default it is the median
    side of the full pictures, less where the picture would be longer than 8,000 px.
    """
    boxes = boxes_of(assembly)
    if tile_size is None:
        tile_size = fitting_size(boxes, _side(tiles), LONGEST_SIDE)

    def picture(tile: int, size: int) -> NDArray[np.uint8]:
        if tiles.folder is not None and size > tiles.size:
            return read_tile(tiles.folder / tiles.files[tile], size)
        return resampled(tiles.pixels[tile], size)

    return whole(picture, assembly, Layout.of(boxes, tile_size))


def whole(
    pictures: Pictures,
    assembly: Assembly,
    layout: Layout,
    on_progress: Callable[[float], None] | None = None,
) -> NDArray[np.uint8]:
    """All bands as one array [H, W, 3]."""
    if layout.height * layout.width > MAX_PIXELS:
        raise AzulejarError(
            f"A picture of {layout.width:,} × {layout.height:,} px with tiles of {layout.size} px "
            "cannot be drawn in one piece.",
            f"Give a tile size that keeps it below {MAX_PIXELS // 10**6} million pixels.",
        )
    canvas = np.empty((layout.height, layout.width, 3), np.uint8)
    top = 0
    for band in bands(pictures, assembly, layout, on_progress):
        canvas[top : top + len(band)] = band
        top += len(band)
    return canvas


def bands(
    pictures: Pictures,
    assembly: Assembly,
    layout: Layout,
    on_progress: Callable[[float], None] | None = None,
) -> Iterator[NDArray[np.uint8]]:
    """The picture from top to bottom, as uint8 [h, W, 3], a row of tiles or less at a time.

    Panels that ``layout`` does not have are left out.
    A row of tiles that would need more than half a gigabyte comes in several bands, for each of
    which its tiles are read again. ``on_progress`` is called with the fraction that is done.
    """
    highest = max(1, BAND_BYTES // (3 * layout.width))
    drawn = np.isin(assembly.panel, [box.panel for box in layout.boxes])
    with ThreadPoolExecutor(_THREADS) as pool:
        for row in range(layout.rows):
            end = layout.pitch if row < layout.rows - 1 else layout.size
            for start in range(0, end, highest):
                stop = min(end, start + highest)
                band = _empty_band(layout, row, start, stop)
                draw = _drawer(band, pictures, assembly, layout, start)
                for _ in pool.map(draw, np.flatnonzero(drawn & (assembly.row == row)).tolist()):
                    pass
                yield band
                if on_progress:
                    on_progress((row * layout.pitch + stop) / layout.height)


def _drawer(
    band: NDArray[np.uint8], pictures: Pictures, assembly: Assembly, layout: Layout, start: int
) -> Callable[[int], None]:
    """A function that draws one tile of the row into ``band``, which begins ``start`` px down."""
    left_of = {box.panel: left for box, left in zip(layout.boxes, layout.lefts, strict=True)}

    def draw(tile: int) -> None:
        left = left_of[int(assembly.panel[tile])] + int(assembly.col[tile]) * layout.pitch
        part = band[: max(0, layout.size - start), left : left + layout.size]
        if len(part):
            upright = np.rot90(pictures(tile, layout.size), -assembly.turn[tile])
            part[:] = upright[start : start + len(part)]

    return draw


def _empty_band(layout: Layout, row: int, start: int, stop: int) -> NDArray[np.uint8]:
    """A row of places without tiles, from ``start`` to ``stop`` px below its top."""
    band = np.full((stop - start, layout.width, 3), 255, np.uint8)
    for box, left in zip(layout.boxes, layout.lefts, strict=True):
        if row < box.rows and not box.pile:
            _draw_places(band[:, left:], layout, box, start, below=row < box.rows - 1)
    return band


def _draw_places(
    band: NDArray[np.uint8], layout: Layout, box: Box, start: int, below: bool
) -> None:
    down, across = np.arange(start, start + len(band)), np.arange(layout.size)
    stripe = np.add.outer(down[down < layout.size], across) * 8 // layout.size % 2
    place = np.array(HATCHING, np.uint8)[stripe][..., None]
    mortar = layout.pitch if below else layout.size
    band[: max(0, mortar - start), : layout.length(box.cols)] = MORTAR
    for left in range(0, box.cols * layout.pitch, layout.pitch):
        band[: len(place), left : left + layout.size] = place


def _side(tiles: TileSet) -> float:
    """The median side of the full pictures in pixels."""
    if tiles.folder is None:
        return tiles.size
    return median(tile_side(picture_size(tiles.folder / file)) for file in tiles.files)
