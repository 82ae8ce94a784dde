"""Grids twice too fine: between joints, painted lines may pass for joints, but not as clearly."""

import numpy as np

from azulejar.imaging.walls.refine import Clear

CONTRAST = 0.14  # by which every second joint is seen better; up to 0.07 on real walls
FEWEST = 6  # rows and cols: in fewer, chance could tell the joints apart


def every_second(clear: Clear) -> tuple[int, int] | None:
    """The first col and the first row whose joints, with every second from there, are seen better
    than those between; none if that is not so both ways.
    """
    down, across = clear
    if min(len(down), across.shape[1]) < FEWEST:
        return None
    left, top = _better(down.mean(axis=0)), _better(across.mean(axis=1))
    return None if left is None or top is None else (left, top)


def _better(seen: np.ndarray) -> int | None:
    """0 or 1; the outermost, which may be those of a frame, are not asked."""
    odd, even = seen[1:-1:2].mean(), seen[2:-1:2].mean()
    return int(odd > even) if abs(odd - even) > CONTRAST else None
