"""Alignment: turn and shift an assembly as a whole so that it lies like another one."""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.edges import rotate_place

ANY_TURN = (0, 1, 2, 3)


class Motion(NamedTuple):
    """A turn of clockwise ``quarters`` about row 0, col 0, then a shift by rows and cols."""

    quarters: int = 0
    down: int = 0
    right: int = 0

    def __call__(self, assembly: Assembly) -> Assembly:
        """Return the assembly moved as a whole; rows and cols may become negative."""
        row, col = rotate_place(assembly.row, assembly.col, self.quarters)
        placed = assembly.panel >= 0
        return replace(
            assembly,
            row=np.where(placed, row + self.down, 0).astype(np.int32),
            col=np.where(placed, col + self.right, 0).astype(np.int32),
            turn=np.where(placed, (assembly.turn + self.quarters) % 4, assembly.turn),
            size=None,
        )


def motion_between(
    assembly: Assembly, like: Assembly, quarters: Collection[int] = ANY_TURN
) -> Motion:
    """Return the motion that brings most tiles to the place and turn that they have in ``like``.

    Only tiles that both assemblies place count, and only turns by ``quarters`` are allowed. Where
    several motions bring equally many tiles, the least turn and then the least shift wins; where
    none brings any, nothing moves.
    """
    both = np.flatnonzero((assembly.panel >= 0) & (like.panel >= 0))
    turns = (like.turn[both] - assembly.turn[both]) % 4
    votes: dict[Motion, int] = {}
    for turn in sorted(set(quarters)):
        tiles = both[turns == turn]
        moved = Motion(turn)(assembly)
        down, right = like.row[tiles] - moved.row[tiles], like.col[tiles] - moved.col[tiles]
        shifts, count = np.unique(np.stack([down, right], 1), axis=0, return_counts=True)
        votes |= {
            Motion(turn, *shift): many
            for shift, many in zip(shifts.tolist(), count.tolist(), strict=True)
        }
    return max(votes, key=lambda motion: (votes[motion], *_ease(motion)), default=Motion())


def _ease(motion: Motion) -> tuple[int, ...]:
    """Return a sort key that is larger for smaller motions, and different for each."""
    quarters, down, right = motion
    return -min(quarters, 4 - quarters), -abs(down) - abs(right), -quarters, -down, -right
