"""The loose tiles as they came, and beside them the panel they became."""

import math

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.imaging.layout import Box, boxes_of


def before_and_after(assembly: Assembly) -> tuple[Assembly, tuple[Box, ...]]:
    """2n tiles and their boxes: first all n in their order and unturned, as one pile.

    The tiles from n on are the same n as ``assembly`` has them, each panel's number one higher.
    """
    count = len(assembly)
    cols = math.ceil(math.sqrt(count))
    row, col = np.divmod(np.arange(count, dtype=np.int32), cols)
    pile = Box(0, math.ceil(count / cols), cols, pile=True)
    panels = (Box(box.panel + 1, box.rows, box.cols) for box in boxes_of(assembly))
    both = Assembly(
        np.concatenate([row, assembly.row]),
        np.concatenate([col, assembly.col]),
        np.concatenate([np.zeros_like(row), assembly.turn]),
        np.concatenate([np.zeros_like(row), np.where(assembly.panel < 0, -1, assembly.panel + 1)]),
    )
    return both, (pile, *panels)
