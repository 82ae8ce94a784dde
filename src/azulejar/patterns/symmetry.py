"""Symmetry: which turns leave a design, and which turns and mirror images a wall, as it is."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.patterns.likeness import FINE, compare_copies, copy_tiles, turn_copies
from azulejar.patterns.repeats import Module

CELLS = 24  # pixels to a tile
SAME = 0.92  # least correlation of a wall and its image
SAME_DESIGN = 0.88  # least likeness of a design and its image
IMAGES: dict[str, Callable[[NDArray], NDArray]] = {
    "quarter turn": lambda wall: np.rot90(wall),
    "half turn": lambda wall: np.rot90(wall, 2),
    "left-right": lambda wall: wall[:, ::-1],
    "up-down": lambda wall: wall[::-1],
    "diagonal": lambda wall: wall.swapaxes(0, 1),
    "other diagonal": lambda wall: np.rot90(wall, 2).swapaxes(0, 1),
}


def count_turns(pictures: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return in how many of the four turns each design [k, S, S, 3] looks the same: [k]."""
    copies = copy_tiles(pictures, FINE)
    quarter, half = (
        compare_copies(copies, turn_copies(copies, turn)) >= SAME_DESIGN for turn in (1, 2)
    )
    return np.where(quarter, 4, np.where(half, 2, 1))


def even_out(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return designs [k, S, S, 3] as the mean of all turns in which they look the same.

    So none of these turns fits better than another, and no larger module for the sake of it.
    """
    turns = count_turns(pictures)
    means = [
        np.mean([np.rot90(picture, 4 // count * i) for i in range(count)], axis=0)
        for picture, count in zip(pictures, turns, strict=True)
    ]
    return np.rint(means).astype(np.uint8).reshape(pictures.shape)


def find_symmetry(picture: NDArray[np.uint8], module: Module) -> set[str]:
    """Return which of ``IMAGES`` leave the wall of a module as it is, wherever its middle lies.

    ``picture`` is the module drawn: uint8 [rows · S, cols · S, 3].
    """
    wall = _square_period(picture, module)
    spectrum = np.fft.fft2(wall, axes=(0, 1))
    power = float((wall**2).sum())
    found = set()
    for name, image in IMAGES.items():
        other = np.fft.fft2(image(wall), axes=(0, 1))
        overlap = np.fft.ifft2(spectrum * other.conj(), axes=(0, 1)).real.sum(axis=2)
        if power > 0 and overlap.max() / power >= SAME:
            found.add(name)
    return found


def describe_symmetry(picture: NDArray[np.uint8], module: Module) -> str:
    """Name the symmetry of a wall in words, with the crystallographers' sign of its kind."""
    found = find_symmetry(picture, module)
    straight = len(found & {"left-right", "up-down"})
    slanting = len(found & {"diagonal", "other diagonal"})
    if "quarter turn" in found:
        return "quarter turns and mirrors (p4m)" if straight or slanting else "quarter turns (p4)"
    if "half turn" in found:
        if straight == 2:
            return "half turns and mirrors (pmm)"
        return "half turns and slanting mirrors (cmm)" if slanting == 2 else "half turns (p2)"
    if straight:
        return "mirrors (pm)"
    return "slanting mirrors (cm)" if slanting else "none (p1)"


def _square_period(picture: NDArray[np.uint8], module: Module) -> NDArray[np.float64]:
    """Return a square piece of the wall, without its mean, that repeats straight both ways."""
    rows, cols = module.rows, module.cols
    small = cv2.resize(picture, (cols * CELLS, rows * CELLS), interpolation=cv2.INTER_AREA)
    across = 1 if not module.drop else rows // np.gcd(rows, module.drop)
    parts = [np.roll(small, i * module.drop * CELLS, axis=0) for i in range(across)]
    period = np.hstack(parts).astype(np.float64)
    side = int(np.lcm(rows, cols * across))
    wall = np.tile(period, (side // rows, side // (cols * across), 1))
    return wall - wall.mean(axis=(0, 1))
