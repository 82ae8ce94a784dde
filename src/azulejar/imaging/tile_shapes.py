"""Which pictures of a folder show whole, half and quarter tiles, by their widths and heights."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.core.halves import Halved, count_kinds

# Worn or trimmed edges make a half tile narrower: of 7 % of a whole side lost at each side, 36 of
# 86 are left. Photographs are 4:3, 3:2 or 16:9.
HALF = (1.8, 2.6)  # the longer side by the shorter one
QUARTER = (0.38, 0.57)  # side by that of a whole tile
# Tiles taken one by one vary in size by 5 to 10 %, but evenly: with a deviation of 10 %, the sorted
# sides of 12 tiles leave such a gap in less than 1 of 1,000 folders.
ALIKE = 1.35
SQUARE = 1.2


def is_half_shape(width: int, height: int) -> bool:
    """Return whether a picture of this size in pixels may show a half tile."""
    return HALF[0] <= max(width, height) / max(1, min(width, height)) <= HALF[1]


def find_halves(sizes: Sequence[tuple[int, int]]) -> Halved | None:
    """Return which tiles are half as high, and half as wide [n, 2]; None if there are no halves.

    A half tile is as long as whole ones, of which there must be some. A small square is a quarter
    only where there are half tiles too: else it may be a tile of another panel.

    Args:
        sizes: Width and height of each picture in pixels.

    Examples:
        >>> find_halves([(60, 60), (60, 29), (30, 30)]).tolist()
        [[False, False], [True, False], [True, True]]
    """
    wide, high = np.array(sizes, float).T
    longer, shorter = np.maximum(wide, high), np.minimum(wide, high)
    aspect = longer / np.maximum(shorter, 1)
    square = aspect <= SQUARE
    if not square.any():
        return None
    side = np.median(longer[square & (longer > 0.6 * longer[square].max())])
    half = (aspect >= HALF[0]) & (aspect <= HALF[1])
    half &= (longer < ALIKE * side) & (longer > side / ALIKE)
    if not half.any():
        return None
    share = longer / side
    quarter = square & (share >= QUARTER[0]) & (share <= QUARTER[1])
    return np.stack([quarter | (half & (high < wide)), quarter | (half & (wide < high))], axis=1)


def half_share(sizes: Sequence[tuple[int, int]], halved: Halved | None) -> float:
    """Return what half a side is of a whole one, by the shapes of the half tiles: 0.5 or less.

    >>> half_share([(90, 90), (90, 40)], np.array([[False, False], [True, False]]))
    0.4444444444444444
    """
    if halved is None:
        return 0.5
    shapes = np.sort(np.array(sizes, float)[halved.sum(axis=1) == 1], axis=1)
    shares = shapes[:, 0] / shapes[:, 1]
    return float(np.clip(np.median(shares), 1 / HALF[1], 0.5)) if len(shares) else 0.5


def whole_sizes(sizes: Sequence[tuple[int, int]], halved: Halved | None) -> list[tuple[int, int]]:
    """Return the widths and heights that whole tiles would have in the place of halves.

    A quarter as large as whole tiles was photographed from nearer: its size tells nothing.

    >>> whole_sizes([(60, 60), (30, 30), (58, 58)], np.array([[0, 0], [1, 1], [1, 1]], bool))
    [(60, 60), (60, 60), (58, 58)]
    """
    if halved is None:
        return list(sizes)
    side = np.array(sizes, float).mean(axis=1)
    whole = side[~halved.any(axis=1)]
    least = np.median(whole) / np.sqrt(2) if len(whole) else np.inf
    near = halved.all(axis=1) & (side > least)
    return [
        (2 * width if half_wide else width, 2 * height if half_high else height)
        for (width, height), (half_high, half_wide) in zip(
            sizes, halved & ~near[:, None], strict=True
        )
    ]


def size_classes(
    sizes: Sequence[tuple[int, int]], photos: Sequence[str | None] = ()
) -> NDArray[np.intp]:
    """Return the class of each tile by its size, from 0 for the smallest [n].

    A class ends where the next tile is larger by the factor ``ALIKE``. Tiles that were cut from
    photographs are compared with those of the same photograph, since others may have been taken
    from nearer: most tiles of each are taken for tiles of one size.

    Args:
        sizes: Width and height of each picture in pixels.
        photos: The photograph of each tile, None where it is not known.

    Examples:
        >>> size_classes([(60, 60), (100, 101), (62, 61)]).tolist()
        [0, 1, 0]
        >>> size_classes([(60, 60), (100, 101), (62, 61)], ["a", "b", "a"]).tolist()
        [0, 0, 0]
    """
    side = np.array(sizes, float).reshape(-1, 2).mean(axis=1)
    _, numbers = np.unique([photo or "" for photo in photos], return_inverse=True)
    for number in range(numbers.max(initial=-1) + 1):
        own = numbers == number
        classes = _classes(side[own])
        side[own] /= np.median(side[own][classes == np.bincount(classes).argmax()])
    return _classes(side)


def _classes(side: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the class of each side, from 0 for the shortest [n]."""
    order = np.argsort(side, kind="stable")
    found = np.zeros(len(side), np.intp)
    found[order[1:]] = np.cumsum(side[order][1:] > ALIKE * side[order][:-1])
    return found


def describe_halves(halved: Halved) -> str:
    """Return a sentence on how many tiles there are of each kind."""
    halves, quarters = count_kinds(halved)
    kinds = {"whole": len(halved) - halves - quarters, "half": halves, "quarter": quarters}
    told = [f"{count} {kind} tile{'s' * (count > 1)}" for kind, count in kinds.items() if count]
    return f"{', '.join(told)}."
