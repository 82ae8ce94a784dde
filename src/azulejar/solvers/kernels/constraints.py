"""Constraints kept while a kernel grows: blocks laid as one, refused joints, places left empty.

``constraints`` is the tuple of arrays of knowledge/constraints.py. Growth alone may leave a block
or a refused tile without a place; then loose tiles give way until all lie, or the kernel is given
up.
"""

import numpy as np

from azulejar.core.joints import joint_score
from azulejar.core.knowns import BOUNDLESS
from azulejar.solvers.kernels.kernel import (
    COL,
    COLS,
    FREE,
    HIGH_COL,
    HIGH_ROW,
    KEPT_EMPTY,
    LEFT,
    NOTHING,
    ROW,
    ROWS,
    TURN,
    box_takes,
    edge_facing,
    facing,
    give_back,
    is_free,
    put,
    tile_at,
)
from azulejar.solvers.kernels.streams import below
from azulejar.system.compiling import lean

NOWHERE = -1
TRIES = 8  # moves a tile before a kernel is given up
FREE_FRAME, ORIENTED, PLACED = range(3)  # what is known of where row 0, col 0 and the top are


@lean
def member_pose(constraints, tile, row, col, turn, member):
    """Return row, col and turn of a tile of the block when ``tile`` lies so."""
    down = constraints.pose[member, ROW] - constraints.pose[tile, ROW]
    right = constraints.pose[member, COL] - constraints.pose[tile, COL]
    quarters = (turn - constraints.pose[tile, TURN]) % 4
    for _ in range(quarters):
        down, right = right, -down
    return row + down, col + right, (constraints.pose[member, TURN] + quarters) % 4


@lean
def is_banned(constraints, edge, other):
    """Whether the two edges must not meet."""
    for i in range(constraints.bans_from[edge], constraints.bans_from[edge + 1]):
        if constraints.bans[i] == other:
            return True
    return False


@lean
def is_loose(constraints, tile):
    """Whether a placed tile may be taken off again."""
    block = constraints.block[tile]
    alone = constraints.first[block + 1] - constraints.first[block] == 1
    return alone and constraints.home[block, 0] < 0


@lean
def may_lie(constraints, kernel, tile, row, col, turn):
    """Return how many loose tiles a tile and its block would displace there, or NOWHERE."""
    block = constraints.block[tile]
    if constraints.turns[block] >> ((turn - constraints.pose[tile, TURN]) % 4) & 1 == 0:
        return NOWHERE
    in_way = 0
    low_row = high_row = row
    low_col = high_col = col
    for i in range(constraints.first[block], constraints.first[block + 1]):
        member = constraints.members[i]
        r, c, t = member_pose(constraints, tile, row, col, turn, member)
        if constraints.bound[member, ROW] not in (NOTHING, r) or (
            constraints.bound[member, COL] not in (NOTHING, c)
        ):
            return NOWHERE
        low_row, high_row = min(low_row, r), max(high_row, r)
        low_col, high_col = min(low_col, c), max(high_col, c)
        there = tile_at(kernel, r, c)
        if there == KEPT_EMPTY or (there >= 0 and not is_loose(constraints, there)):
            return NOWHERE
        in_way += there >= 0
        if _meets_banned(constraints, kernel, tile, row, col, turn, member, r, c, t):
            return NOWHERE
    return in_way if box_takes(kernel, low_row, high_row, low_col, high_col) else NOWHERE


@lean
def _meets_banned(constraints, kernel, tile, row, col, turn, member, r, c, t):
    """Whether a tile of the block would meet a refused edge that is not in the block's way."""
    for direction in range(4):
        own = 4 * member + (direction - t) % 4
        if constraints.bans_from[own] == constraints.bans_from[own + 1]:
            continue
        met = edge_facing(kernel, direction, r, c)
        if met == NOTHING or not is_banned(constraints, own, met):
            continue
        other = met // 4
        stays = True
        block = constraints.block[tile]
        for i in range(constraints.first[block], constraints.first[block + 1]):
            at_row, at_col, _ = member_pose(
                constraints, tile, row, col, turn, constraints.members[i]
            )
            if kernel.placed[other, ROW] == at_row and kernel.placed[other, COL] == at_col:
                stays = False
        if stays:
            return True
    return False


@lean
def lay(constraints, kernel, tile, row, col, turn):
    """Place a free tile with its block; loose tiles in the way become free."""
    block = constraints.block[tile]
    for i in range(constraints.first[block], constraints.first[block + 1]):
        r, c, t = member_pose(constraints, tile, row, col, turn, constraints.members[i])
        there = tile_at(kernel, r, c)
        if there >= 0:
            give_back(kernel, there)
        put(kernel, constraints.members[i], r, c, t)


@lean
def lay_homes(constraints, kernel, by_parent, state):
    """Lay the blocks whose place is known; return whether that could be done.

    Where the turn is open, it is that of ``by_parent`` [n, 3] three times out of four.
    """
    for block in range(len(constraints.home)):
        tile = constraints.home[block, 0]
        if tile == NOTHING:
            continue
        row, col = constraints.home[block, 1], constraints.home[block, 2]
        turn = by_parent[tile, TURN] if below(state, 4) else below(state, 4)
        for _ in range(4):
            if may_lie(constraints, kernel, tile, row, col, turn) == 0:
                break
            turn = (turn + 1) % 4
        if may_lie(constraints, kernel, tile, row, col, turn) != 0:
            return False
        lay(constraints, kernel, tile, row, col, turn)
    return True


@lean
def lay_first(constraints, kernel, frame, by_parent, state):
    """Lay a random tile from which the kernel can grow; return whether that could be done."""
    n = len(kernel.placed)
    tile = below(state, n)
    for _ in range(n):  # one that says where the top is, if any does
        known = constraints.turns[constraints.block[tile]] != 0b1111 or (
            constraints.bound[tile, ROW] != NOTHING or constraints.bound[tile, COL] != NOTHING
        )
        if known:
            break
        tile = (tile + 1) % n
    row, col, turn = by_parent[tile, ROW], by_parent[tile, COL], by_parent[tile, TURN]
    if frame != PLACED:
        row = col = np.int32(0)
    height = min(kernel.now[HIGH_ROW] + 1, n)
    width = min(kernel.now[HIGH_COL] + 1, n)
    for _ in range(TRIES * n):
        if may_lie(constraints, kernel, tile, row, col, turn) == 0:
            lay(constraints, kernel, tile, row, col, turn)
            return True
        turn = np.int32(below(state, 4))
        if frame == PLACED:
            row, col = np.int32(below(state, height)), np.int32(below(state, width))
    return False


@lean
def lay_rest(constraints, kernel, state):
    """Find places for all tiles that are left; loose ones give way. Return whether all lie.

    In a boundless panel, a place that touches no tile is taken only if there is no other, or if
    half of the tries have only made tiles give way to each other.
    """
    tries = TRIES * len(kernel.placed)
    for number in range(tries):
        if kernel.now[LEFT] == 0:
            break
        tile = _most_bound(constraints, np.int64(kernel.pool[FREE, below(state, kernel.now[LEFT])]))
        found, row, col, turn = _best_place(constraints, kernel, tile, False, state)
        if (not found or number > tries // 2) and _boundless(kernel):
            found, row, col, turn = _best_place(constraints, kernel, tile, True, state)
        if not found:
            return False
        lay(constraints, kernel, tile, row, col, turn)
    return kernel.now[LEFT] == 0


@lean
def _most_bound(constraints, tile):
    """Return the tile of its block whose place is known best."""
    best = tile
    block = constraints.block[tile]
    for i in range(constraints.first[block], constraints.first[block + 1]):
        bound, known = constraints.bound[constraints.members[i]], constraints.bound[best]
        if (bound[0] >= 0) + (bound[1] >= 0) > (known[0] >= 0) + (known[1] >= 0):
            best = np.int64(constraints.members[i])
    return best


@lean
def _boundless(kernel):
    now = kernel.now
    return now[ROWS] == 0 or now[ROWS] == BOUNDLESS or now[COLS] == BOUNDLESS


@lean
def _best_place(constraints, kernel, tile, apart, state):
    """Return whether a tile has a place, and the row, col and turn where the fewest give way.

    Among equals, chance decides. Places are those of the box, or of a boundless panel those beside
    the tiles that lie; if ``apart``, those of a square that has room enough.
    """
    n = len(kernel.placed)
    side = 2 * n if _boundless(kernel) else 2 * max(kernel.now[ROWS], kernel.now[COLS])
    beside = _boundless(kernel) and not apart
    fewest, equals = n, 0
    row = col = turn = np.int64(0)
    for number in range(4 * n if beside else side * side):
        r, c = np.int64(number // side), np.int64(number % side)
        if beside:
            if is_free(kernel, number // 4):
                continue
            _, r, c = facing(kernel, np.int64(number))
        elif apart:
            r = (
                r
                if constraints.bound[tile, ROW] == NOTHING
                else np.int64(constraints.bound[tile, ROW])
            )
            c = (
                c
                if constraints.bound[tile, COL] == NOTHING
                else np.int64(constraints.bound[tile, COL])
            )
        else:
            r += kernel.now[HIGH_ROW] - side // 2 + 1
            c += kernel.now[HIGH_COL] - side // 2 + 1
        for t in range(4):
            in_way = may_lie(constraints, kernel, tile, r, c, t)
            if in_way == NOWHERE or in_way > fewest:
                continue
            equals = 1 if in_way < fewest else equals + 1
            fewest = in_way
            if below(state, equals) == 0:
                row, col, turn = np.int64(r), np.int64(c), np.int64(t)
    return equals > 0, row, col, turn


@lean
def turn_best(table, constraints, kernel):
    """Turn each tile of which only the place is known so that it fits its neighbours best."""
    for block in range(len(constraints.home)):
        tile = constraints.home[block, 0]
        if tile == NOTHING or constraints.first[block + 1] - constraints.first[block] > 1:
            continue
        best, best_turn = -np.inf, kernel.placed[tile, TURN]
        for turn in range(4):
            if constraints.turns[block] >> turn & 1 == 0:
                continue
            total = 0.0
            for direction in range(4):
                own = 4 * tile + (direction - turn) % 4
                met = edge_facing(
                    kernel, direction, kernel.placed[tile, ROW], kernel.placed[tile, COL]
                )
                if met != NOTHING:
                    banned = is_banned(constraints, own, met)
                    total += -np.inf if banned else joint_score(table, own, met)
            if total > best:
                best, best_turn = total, np.int32(turn)
        kernel.placed[tile, TURN] = best_turn
