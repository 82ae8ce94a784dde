"""Tiles as if each had been photographed by itself: in its own light, askew and blurred."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import resize_square
from azulejar.practice.puzzles import cut, side_after_cut

SIDE = 64  # pixels of a cell in which blur is given
RIM = 8  # pixels by which a cell is continued, so that a tile askew has no black corners


class Conditions(NamedTuple):
    """How far photographs of tiles differ from one another, at most."""

    gain: float = 0.0  # brightness, as a share
    tint: float = 0.0  # brightness of each channel, as a share
    gradient: float = 0.0  # brightness from the middle to either side, as a share
    blur: float = 0.0  # standard deviation in pixels of a cell of 64
    noise: float = 0.0  # standard deviation, white being 1
    turn: float = 0.0  # degrees
    crop: float = 0.0  # error of the middle and of the size, in sides


LIGHT = {
    "none": Conditions(),
    "mild": Conditions(0.05, 0.02, 0.04, 0.4, 0.010, 0.5, 0.007),
    "medium": Conditions(0.10, 0.04, 0.08, 0.7, 0.015, 1.0, 0.015),
    "strong": Conditions(0.18, 0.08, 0.15, 1.0, 0.025, 1.5, 0.025),
}


def photograph_tile(
    cell: NDArray[np.uint8],
    trim: float,
    conditions: Conditions,
    rng: np.random.Generator | np.random.RandomState,
    size: int | None = None,
) -> NDArray[np.uint8]:
    """Photograph one tile from the pixels of its cell uint8 [S, S, 3] alone.

    ``trim`` is the fraction of the side lost at each side. The photograph [T, T, 3] has the side
    ``size``, by default that of the cell. If nothing differs, the tile is cut and no more.
    """
    side = len(cell)
    if not any(conditions):
        lost = trim * side
        return resize_square(cell, size or side, (lost, lost, side - lost, side - lost))
    gain, tint, gradient, blur, noise, turn, crop = conditions
    x, y = side / 2 + rng.uniform(-crop, crop, 2) * side
    step = (1 - 2 * trim) * (1 + rng.uniform(-crop, crop))
    angle = np.deg2rad(rng.uniform(-turn, turn))
    c, s, half = step * np.cos(angle), step * np.sin(angle), side / 2
    padded = Image.fromarray(np.pad(cell, ((RIM, RIM), (RIM, RIM), (0, 0)), mode="edge"))
    matrix = (c, -s, x - c * half + s * half + RIM, s, c, y - s * half - c * half + RIM)
    tile = padded.transform((side, side), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
    sigma = rng.uniform(0, blur) * side / SIDE
    if sigma > 0.05:
        tile = tile.filter(ImageFilter.GaussianBlur(sigma))
    value = np.asarray(tile).astype(np.float32) / 255
    down, right = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    slope = rng.uniform(-gradient, gradient, 2)
    value = value * (1 + rng.uniform(-gain, gain)) * (1 + rng.uniform(-tint, tint, 3))
    value = value * (1 + slope[0] * right + slope[1] * down)[..., None]
    value = value + rng.standard_normal((side, side, 3)) * noise * rng.uniform(0.3, 1)
    lit = (value.clip(0, 1) * 255 + 0.5).astype(np.uint8)
    return lit if size in (None, side) else resize_square(lit, size)


def cut_one_by_one(
    picture: NDArray[np.uint8],
    rows: int,
    cols: int,
    trim: float,
    tile_size: int | None = None,
    *,
    light: str = "none",
    seed: int = 0,
) -> NDArray[np.uint8]:
    """Cut a picture [H, W, 3] and photograph each tile by itself, in a kind of ``LIGHT``.

    With ``none`` this is ``cut``.

    Raises:
        AzulejarError: If there is no such kind of light, or the picture cannot be cut like that.
    """
    check_light(light)
    if light == "none":
        return cut(picture, rows, cols, trim, tile_size)
    height, width = picture.shape[:2]
    size = side_after_cut(height, width, rows, cols, trim, tile_size)
    cells = cut(picture, rows, cols)
    rng = np.random.default_rng(seed)
    return np.stack([photograph_tile(cell, trim, LIGHT[light], rng, size) for cell in cells])


def check_light(light: str) -> None:
    """Raise unless ``light`` is one of the kinds of ``LIGHT``."""
    if light not in LIGHT:
        raise AzulejarError(
            "light-unknown",
            "There is no kind of light {light!r}.",
            "Choose from {kinds}.",
            light=light,
            kinds=", ".join(LIGHT),
        )
