"""Constraints: locks, joined tiles and refusals, in the form that a solver keeps.

Tiles that are joined make a block, which moves and turns as one; every other tile is a block of
its own. What is known of one tile's place or turn is then known of its whole block.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards, opposite
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.knowledge.blocks import ANY_TURN, Block, blocks_of

LEEWAY = 100  # rows or cols that tiles may be joined apart, however few they are


class Constraints(NamedTuple):
    """Arrays of n tiles in b blocks, for compiled code.

    ``block`` [n]: each tile's block; ``first`` [b + 1] and ``members`` [n]: the tiles of block i
    are ``members[first[i]:first[i + 1]]``; ``pose`` [n, 3]: row, col and turn of each tile in its
    block; ``turns`` [b]: bit q is set where the block may be turned by q quarters; ``home`` [b, 3]:
    a tile of the block and the row and col where it has to lie, or -1; ``bound`` [n, 2]: the row
    and the col where a tile has to lie, or -1; ``bans_from`` [4n + 1] and ``bans``: the edges that
    edge e must not meet are ``bans[bans_from[e]:bans_from[e + 1]]``; ``empty`` [m, 2]: places that
    stay empty.
    """

    block: NDArray[np.int32]
    first: NDArray[np.int32]
    members: NDArray[np.int32]
    pose: NDArray[np.int32]
    turns: NDArray[np.int32]
    home: NDArray[np.int32]
    bound: NDArray[np.int32]
    bans_from: NDArray[np.int32]
    bans: NDArray[np.int32]
    empty: NDArray[np.int32]

    @classmethod
    def of(cls, knowns: Knowns, n: int, names: Sequence[str] | None = None) -> "Constraints":
        """Make the constraints of n tiles.

        Raises:
            AzulejarError: If the knowns contradict themselves; it calls the tiles by ``names``.
        """
        names = [f"tile {i}" for i in range(n)] if names is None else names
        blocks = blocks_of(knowns, n, names)
        _check_places(knowns, blocks, names)
        _check_bans(knowns, blocks, names)
        block = np.empty(n, np.int32)
        pose = np.empty((n, 3), np.int32)
        for number, one in enumerate(blocks):
            for tile, there in one.poses.items():
                block[tile] = number
                pose[tile] = there
        return cls(
            block,
            np.cumsum([0, *(len(one.poses) for one in blocks)]).astype(np.int32),
            np.array([tile for one in blocks for tile in one.poses], np.int32),
            pose,
            np.array([one.turns for one in blocks], np.int32),
            np.array([one.home for one in blocks], np.int32),
            _bound(knowns, n),
            *_bans(knowns.apart, n),
            np.array(sorted(set(knowns.empty)), np.int32).reshape(-1, 2),
        )

    @property
    def placed(self) -> bool:
        """Whether rows and cols are bound to places of the panel."""
        return bool((self.bound >= 0).any() or len(self.empty))

    @property
    def oriented(self) -> bool:
        """Whether it is known which way the panel stands."""
        return self.placed or bool((self.turns != ANY_TURN).any())


def _bound(knowns: Knowns, n: int) -> NDArray[np.int32]:
    bound = np.full((n, 2), -1, np.int32)
    for lock in knowns.locks:
        for axis, count in enumerate((lock.row, lock.col)):
            if count is not None:
                bound[lock.tile, axis] = count
    return bound


def _check_places(knowns: Knowns, blocks: list[Block], names: Sequence[str]) -> None:
    """Raise where a tile is sure to lie outside, in an empty place, or on another tile."""
    taken: dict[tuple[int, int], int] = {}
    empty = set(knowns.empty)
    for row, col in empty:
        _check_inside(knowns, row, col, "The empty place")
    for block in blocks:
        for tile, row, col in block.sure_places():
            _check_inside(knowns, row, col, names[tile])
            if (row, col) in empty:
                raise AzulejarError(
                    "lock-on-empty-place",
                    "{tile} is locked to row {row}, col {col}, which is kept empty.",
                    "Correct or remove one of them.",
                    tile=names[tile],
                    row=row + 1,
                    col=col + 1,
                )
            other = taken.setdefault((row, col), tile)
            if other != tile:
                raise AzulejarError(
                    "locks-on-one-place",
                    "{other} and {tile} are both locked to row {row}, col {col}.",
                    "Correct or remove one of them.",
                    other=names[other],
                    tile=names[tile],
                    row=row + 1,
                    col=col + 1,
                )


def check_reach(knowns: Knowns, n: int, names: Sequence[str]) -> None:
    """Raise where a row or col lies beyond what n tiles can fill, if the size is not known."""
    reach = n + len(set(knowns.empty))
    stated = [(lock.source or names[lock.tile], lock.row, lock.col) for lock in knowns.locks]
    stated += [("The empty place", row, col) for row, col in knowns.empty]
    for block in knowns.joined:
        # People lay tiles apart whose neighbours are missing; an extent has more leeway.
        for one in block:
            down = abs((one.row or 0) - (block[0].row or 0))
            right = abs((one.col or 0) - (block[0].col or 0))
            if max(down, right) >= max(reach, LEEWAY):
                stated.append((one.source, down, right))
    for source, row, col in stated:
        for what, count, known in (("row", row, knowns.rows), ("col", col, knowns.cols)):
            if known is None and count is not None and count >= reach:
                raise AzulejarError(
                    "lock-beyond-tiles",
                    "{source}: {what} {count} lies beyond what {tiles} tiles can fill.",
                    "Correct it there, or state the rows and cols of the panel if tiles are "
                    "missing.",
                    source=source,
                    what=what,
                    count=count + 1,
                    tiles=n,
                )


def _check_inside(knowns: Knowns, row: int, col: int, what: str) -> None:
    rows, cols = knowns.rows, knowns.cols
    if row < 0 or col < 0:
        raise AzulejarError(
            "lock-outside-any-panel",
            "{what} at row {row}, col {col} lies outside any panel: rows and cols count from 1.",
            "Correct the lock or the size.",
            what=what,
            row=row + 1,
            col=col + 1,
        )
    if (rows and row >= rows) or (cols and col >= cols):
        raise AzulejarError(
            "lock-outside-panel",
            "{what} at row {row}, col {col} lies outside {rows} rows × {cols} cols.",
            "Correct the lock or the size.",
            what=what,
            row=row + 1,
            col=col + 1,
            rows=rows,
            cols=cols,
        )


def _check_bans(knowns: Knowns, blocks: list[Block], names: Sequence[str]) -> None:
    """Raise where tiles that are known to lie side by side must not meet."""
    banned = {frozenset(pair) for pair in knowns.apart}
    sure: dict[tuple[int, int, int], tuple[int, int]] = {}
    for number, block in enumerate(blocks):
        fixed = block.fixed_poses()
        for tile, (row, col, turn) in (fixed or block.poses).items():
            sure[-1 if fixed else number, row, col] = (tile, turn)
    for (where, row, col), (tile, turn) in sure.items():
        for direction in (1, 2):
            beside = (where, row + int(ROW_STEP[direction]), col + int(COL_STEP[direction]))
            if beside in sure:
                other, other_turn = sure[beside]
                own = edge_towards(tile, turn, direction)
                met = edge_towards(other, other_turn, opposite(direction))
                if frozenset((own, met)) in banned:
                    raise AzulejarError(
                        "locks-refused",
                        "{tile} and {other} are to lie side by side, but must not meet so.",
                        "Correct or remove one of them.",
                        tile=names[tile],
                        other=names[other],
                    )


def _bans(
    apart: tuple[tuple[int, int], ...], n: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    pairs = sorted({(a, b) for pair in apart for a, b in (pair, pair[::-1])})
    edges = np.array(pairs, np.int32).reshape(-1, 2)
    count = np.bincount(edges[:, 0], minlength=4 * n)
    return np.concatenate([[0], np.cumsum(count)]).astype(np.int32), edges[:, 1].copy()
