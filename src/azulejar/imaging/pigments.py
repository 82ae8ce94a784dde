"""Pigments: what tiles are painted with, however they are lit.

Light and the glaze's own tint change all colours of a tile in the same proportion, so each pixel is
compared with the brightest ones of its tile, which are bare glaze. How much darker paint is in red,
green and blue then tells the pigment: a thin wash and a thick stroke differ in depth, but hardly in
the proportion of the three.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.system.threads import share_out

RIM = 1 / 16  # of the side, that is left out: grime, and chips down to the clay
CELLS = 24  # rows and cols of the copy that is looked at
GLAZE = 0.1  # share of a tile that is taken for bare glaze
BLACK = 8.0  # grey levels that are added, since the deepest paint is mostly noise
PAINT, LINE = 0.1, 0.45  # least depth (logarithm of the darkening) of a wash, and of a line
FEWEST = 6  # painted cells; with fewer, a tile says nothing
DEEPEST = 0.5  # depth from which paint counts no more
HUES, WIDEST = 12, 1.5  # steps of the two axes of hue, and how far these reach
BLUR = 1.0  # steps
BLOCK = 256  # tiles that are read at a time
GREY = np.array([0.3, 0.59, 0.11], np.float32)


def read_palettes(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the pigments of tiles [n, S, S, 3]: [n, 288].

    The product of two rows is how far two tiles are painted in the same pigments, from 0 to 1
    (Bhattacharyya's coefficient of the shares of each hue, in washes and in lines). A tile without
    paint has a row of zeros.

    Examples:
        >>> import numpy as np
        >>> from azulejar.imaging.pigments import read_palettes
        >>> tiles = np.full((3, 32, 32, 3), 240, np.uint8)
        >>> tiles[0, 8:20] = 60, 90, 180  # a stroke of blue
        >>> tiles[1, 4:9] = 120, 150, 220  # the same in warm light, thinner
        >>> tiles[2, 8:20] = 170, 90, 160  # of purple
        >>> palettes = read_palettes(tiles)
        >>> bool(palettes[0] @ palettes[1] > palettes[0] @ palettes[2])
        True
    """
    n, size = pixels.shape[:2]
    rim = round(RIM * size)
    inner = pixels[:, rim : size - rim, rim : size - rim]
    palettes = np.empty((n, 2 * HUES * HUES), np.float32)

    def read(first: int, stop: int) -> None:
        cells = np.empty((stop - first, CELLS, CELLS, 3), np.uint8)
        for cell, tile in zip(cells, inner[first:stop], strict=True):
            cv2.resize(
                np.ascontiguousarray(tile), (CELLS, CELLS), cell, interpolation=cv2.INTER_AREA
            )
        hues = _count_hues(cells.reshape(len(cells), -1, 3).astype(np.float32))
        root = np.sqrt(hues.reshape(len(cells), -1))
        palettes[first:stop] = root / np.maximum(np.linalg.norm(root, axis=1), 1e-6)[:, None]

    share_out(read, n, BLOCK)
    return palettes


def _count_hues(cells: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the paint of tiles by depth and hue, blurred: [n, 2, HUES, HUES].

    ``cells`` [n, k, 3] are the colours of each tile.
    """
    n, k = cells.shape[:2]
    brightest = np.argsort(cells @ GREY, axis=1)[:, -int(GLAZE * k) :]
    glaze = np.median(np.take_along_axis(cells, brightest[:, :, None], 1), axis=1, keepdims=True)
    darker = np.log((glaze + BLACK) / (cells + BLACK))
    depth = darker.mean(axis=2)
    painted = depth > PAINT
    painted[painted.sum(axis=1) < FEWEST] = False
    tile = np.nonzero(painted)[0]
    depth = depth[painted]
    share = darker[painted] / depth[:, None]
    hue = np.stack([share[:, 0] - share[:, 2], 2 * (share[:, 1] - 1)])
    step = np.clip((hue + WIDEST) * (HUES / (2 * WIDEST)), 0, HUES - 1).astype(np.int64)
    place = ((2 * tile + (depth > LINE)) * HUES + step[0]) * HUES + step[1]
    hues = np.zeros(n * 2 * HUES * HUES)
    np.add.at(hues, place, np.minimum(depth, DEEPEST))
    apart = np.subtract.outer(np.arange(HUES), np.arange(HUES))
    blur = np.exp(-((apart / BLUR) ** 2) / 2)
    return blur @ hues.reshape(n, 2, HUES, HUES) @ blur
