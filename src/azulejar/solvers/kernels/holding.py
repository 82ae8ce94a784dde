"""What is held, kept while a kernel grows: blocks laid as one, refusals, and the last resort.

``holds`` is the tuple of arrays of knowledge/holds.py. Growth alone may leave a block or a refused
tile without a place; then loose tiles give way until all lie, or the kernel is given up.
"""

import numpy as np

from azulejar.core.joints import joint_score
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
BOUNDLESS = 2**30  # rows and cols of a panel whose first row and col alone are known
TRIES = 8  # moves a tile before a kernel is given up
FREE_FRAME, ORIENTED, PLACED = range(3)  # what is known of where row 0, col 0 and the top are


@lean
def member_pose(holds, tile, row, col, turn, member):
    """Row, col and turn of another tile of the block when ``tile`` lies so."""
    down = holds.pose[member, ROW] - holds.pose[tile, ROW]
    right = holds.pose[member, COL] - holds.pose[tile, COL]
    quarters = (turn - holds.pose[tile, TURN]) % 4
    for _ in range(quarters):
        down, right = right, -down
    return row + down, col + right, (holds.pose[member, TURN] + quarters) % 4


@lean
def is_banned(holds, edge, other):
    """Whether the two edges must not meet."""
    for i in range(holds.bans_from[edge], holds.bans_from[edge + 1]):
        if holds.bans[i] == other:
            return True
    return False


@lean
def is_loose(holds, tile):
    """Whether a placed tile may be taken off again."""
    block = holds.block[tile]
    alone = holds.first[block + 1] - holds.first[block] == 1
    return alone and holds.home[block, 0] < 0


@lean
def may_lie(holds, placed, cells, now, tile, row, col, turn):
    """How many loose tiles are in the way of the tile and its block there, or NOWHERE."""
    block = holds.block[tile]
    if holds.turns[block] >> ((turn - holds.pose[tile, TURN]) % 4) & 1 == 0:
        return NOWHERE
    in_way = 0
    low_row = high_row = row
    low_col = high_col = col
    for i in range(holds.first[block], holds.first[block + 1]):
        member = holds.members[i]
        r, c, t = member_pose(holds, tile, row, col, turn, member)
        if holds.bound[member, ROW] not in (NOTHING, r) or (
            holds.bound[member, COL] not in (NOTHING, c)
        ):
            return NOWHERE
        low_row, high_row = min(low_row, r), max(high_row, r)
        low_col, high_col = min(low_col, c), max(high_col, c)
        there = tile_at(cells, r, c)
        if there == KEPT_EMPTY or (there >= 0 and not is_loose(holds, there)):
            return NOWHERE
        in_way += there >= 0
        if _meets_banned(holds, placed, cells, tile, row, col, turn, member, r, c, t):
            return NOWHERE
    return in_way if box_takes(now, low_row, high_row, low_col, high_col) else NOWHERE


@lean
def _meets_banned(holds, placed, cells, tile, row, col, turn, member, r, c, t):
    """Whether a tile of the block would meet a refused edge that is not in the block's way."""
    for direction in range(4):
        own = 4 * member + (direction - t) % 4
        if holds.bans_from[own] == holds.bans_from[own + 1]:
            continue
        met = edge_facing(placed, cells, direction, r, c)
        if met == NOTHING or not is_banned(holds, own, met):
            continue
        other = met // 4
        stays = True
        block = holds.block[tile]
        for i in range(holds.first[block], holds.first[block + 1]):
            at_row, at_col, _ = member_pose(holds, tile, row, col, turn, holds.members[i])
            if placed[other, ROW] == at_row and placed[other, COL] == at_col:
                stays = False
        if stays:
            return True
    return False


@lean
def lay(holds, placed, pool, cells, now, tile, row, col, turn):
    """Place a free tile with its block; loose tiles in the way become free."""
    block = holds.block[tile]
    for i in range(holds.first[block], holds.first[block + 1]):
        r, c, t = member_pose(holds, tile, row, col, turn, holds.members[i])
        there = tile_at(cells, r, c)
        if there >= 0:
            give_back(placed, pool, cells, now, there)
        put(placed, pool, cells, now, holds.members[i], r, c, t)


@lean
def lay_homes(holds, placed, pool, cells, now, by_parent, state):
    """Lay the blocks whose place is known; whether that could be done.

    Where the turn is open, it is that of ``by_parent`` [n, 3] three times out of four.
    """
    for block in range(len(holds.home)):
        tile = holds.home[block, 0]
        if tile == NOTHING:
            continue
        row, col = holds.home[block, 1], holds.home[block, 2]
        turn = by_parent[tile, TURN] if below(state, 4) else below(state, 4)
        for _ in range(4):
            if may_lie(holds, placed, cells, now, tile, row, col, turn) == 0:
                break
            turn = (turn + 1) % 4
        if may_lie(holds, placed, cells, now, tile, row, col, turn) != 0:
            return False
        lay(holds, placed, pool, cells, now, tile, row, col, turn)
    return True


@lean
def lay_first(holds, placed, pool, cells, now, frame, by_parent, state):
    """Lay a random tile from which the kernel can grow; whether that could be done."""
    n = len(placed)
    tile = below(state, n)
    for _ in range(n):  # one that says where the top is, if any does
        known = holds.turns[holds.block[tile]] != 0b1111 or (
            holds.bound[tile, ROW] != NOTHING or holds.bound[tile, COL] != NOTHING
        )
        if known:
            break
        tile = (tile + 1) % n
    row, col, turn = by_parent[tile, ROW], by_parent[tile, COL], by_parent[tile, TURN]
    if frame != PLACED:
        row = col = np.int32(0)
    height = min(now[HIGH_ROW] + 1, n)
    width = min(now[HIGH_COL] + 1, n)
    for _ in range(TRIES * n):
        if may_lie(holds, placed, cells, now, tile, row, col, turn) == 0:
            lay(holds, placed, pool, cells, now, tile, row, col, turn)
            return True
        turn = np.int32(below(state, 4))
        if frame == PLACED:
            row, col = np.int32(below(state, height)), np.int32(below(state, width))
    return False


@lean
def settle(holds, placed, pool, cells, now, state):
    """Find places for all tiles that are left, of which loose ones give way; whether all lie.

    In a boundless panel, a place that touches no tile is taken only if there is no other, or if
    half of the tries have only made tiles give way to each other.
    """
    tries = TRIES * len(placed)
    for number in range(tries):
        if now[LEFT] == 0:
            break
        tile = _most_bound(holds, np.int64(pool[FREE, below(state, now[LEFT])]))
        found, row, col, turn = _best_place(holds, placed, pool, cells, now, tile, False, state)
        if (not found or number > tries // 2) and _boundless(now):
            found, row, col, turn = _best_place(holds, placed, pool, cells, now, tile, True, state)
        if not found:
            return False
        lay(holds, placed, pool, cells, now, tile, row, col, turn)
    return now[LEFT] == 0


@lean
def _most_bound(holds, tile):
    """The tile of its block whose place is known best."""
    best = tile
    block = holds.block[tile]
    for i in range(holds.first[block], holds.first[block + 1]):
        bound, known = holds.bound[holds.members[i]], holds.bound[best]
        if (bound[0] >= 0) + (bound[1] >= 0) > (known[0] >= 0) + (known[1] >= 0):
            best = np.int64(holds.members[i])
    return best


@lean
def _boundless(now):
    return now[ROWS] == 0 or now[ROWS] == BOUNDLESS


@lean
def _best_place(holds, placed, pool, cells, now, tile, apart, state):
    """Whether the tile may lie anywhere, and the row, col and turn for which the fewest give way.

    Among equals, chance decides. Places are those of the box, or of a boundless panel those beside
    the tiles that lie; if ``apart``, those of a square that has room enough.
    """
    n = len(placed)
    side = 2 * n if _boundless(now) else 2 * max(now[ROWS], now[COLS])
    beside = _boundless(now) and not apart
    fewest, equals = n, 0
    row = col = turn = np.int64(0)
    for number in range(4 * n if beside else side * side):
        r, c = np.int64(number // side), np.int64(number % side)
        if beside:
            if is_free(pool, number // 4):
                continue
            _, r, c = facing(placed, np.int64(number))
        elif apart:
            r = r if holds.bound[tile, ROW] == NOTHING else np.int64(holds.bound[tile, ROW])
            c = c if holds.bound[tile, COL] == NOTHING else np.int64(holds.bound[tile, COL])
        else:
            r += now[HIGH_ROW] - side // 2 + 1
            c += now[HIGH_COL] - side // 2 + 1
        for t in range(4):
            in_way = may_lie(holds, placed, cells, now, tile, r, c, t)
            if in_way == NOWHERE or in_way > fewest:
                continue
            equals = 1 if in_way < fewest else equals + 1
            fewest = in_way
            if below(state, equals) == 0:
                row, col, turn = np.int64(r), np.int64(c), np.int64(t)
    return equals > 0, row, col, turn


@lean
def turn_best(start, others, score, holds, placed, cells):
    """Turn each tile whose place alone is known to what fits its neighbours best."""
    for block in range(len(holds.home)):
        tile = holds.home[block, 0]
        if tile == NOTHING or holds.first[block + 1] - holds.first[block] > 1:
            continue
        best, best_turn = -np.inf, placed[tile, TURN]
        for turn in range(4):
            if holds.turns[block] >> turn & 1 == 0:
                continue
            total = 0.0
            for direction in range(4):
                own = 4 * tile + (direction - turn) % 4
                met = edge_facing(placed, cells, direction, placed[tile, ROW], placed[tile, COL])
                if met != NOTHING:
                    banned = is_banned(holds, own, met)
                    total += -np.inf if banned else joint_score(start, others, score, own, met)
            if total > best:
                best, best_turn = total, np.int32(turn)
        placed[tile, TURN] = best_turn
