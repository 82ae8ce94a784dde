"""Blocks: tiles whose places to each other are known, and where they may lie in the panel."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from azulejar.core.edges import rotate_place
from azulejar.core.knowns import Knowns, Lock
from azulejar.errors import AzulejarError

ANY_TURN = 0b1111
NO_HOME = (-1, -1, -1)

Pose = tuple[int, int, int]
"""Row, col and turn (clockwise quarters)."""


@dataclass(frozen=True)
class Block:
    """Tiles that move and turn as one.

    ``poses`` are those of the tiles within the block; bit q of ``turns`` is set where the block may
    be turned by q quarters; ``home`` is a tile and the row and col where it has to lie, or -1.
    """

    poses: dict[int, Pose]
    turns: int = ANY_TURN
    home: tuple[int, int, int] = NO_HOME

    def laid(self, quarters: int) -> dict[int, Pose]:
        """Return the tiles' poses with the block turned and, if it has a home, moved there."""
        turned = {tile: turned_pose(pose, quarters) for tile, pose in self.poses.items()}
        anchor, row, col = self.home
        if anchor < 0:
            return turned
        down, right = row - turned[anchor][0], col - turned[anchor][1]
        return {tile: (r + down, c + right, t) for tile, (r, c, t) in turned.items()}

    def fixed_poses(self) -> dict[int, Pose] | None:
        """Return the tiles' poses in the panel if they follow from what is known, else None."""
        sure = self.home[0] >= 0 and self.turns.bit_count() == 1
        return self.laid(self.turns.bit_length() - 1) if sure else None

    def sure_places(self) -> Iterator[tuple[int, int, int]]:
        """Yield tile, row and col of those tiles whose place follows from what is known."""
        fixed = self.fixed_poses()
        if fixed is not None:
            yield from ((tile, row, col) for tile, (row, col, _) in fixed.items())
        elif self.home[0] >= 0:
            yield self.home


def turned_pose(pose: Pose, quarters: int) -> Pose:
    """Return a pose after everything is turned clockwise about row 0, col 0."""
    row, col, turn = pose
    return *rotate_place(row, col, quarters), (turn + quarters) % 4


def blocks_of(knowns: Knowns, n: int, names: Sequence[str]) -> list[Block]:
    """Return the blocks of n tiles, each tile in one; raise where locks contradict each other."""
    locks: dict[int, list[Lock]] = defaultdict(list)
    for lock in knowns.locks:
        locks[lock.tile].append(lock)
    return [
        _bound(poses, [lock for tile in poses for lock in locks[tile]], knowns, names)
        for poses in _join(knowns.joined, n, names)
    ]


def _join(
    joined: tuple[tuple[Lock, ...], ...], n: int, names: Sequence[str]
) -> Iterator[dict[int, Pose]]:
    """Yield the tiles of each block with their poses, where the first has pose (0, 0, 0)."""
    seen_with: dict[int, list[tuple[Lock, ...]]] = defaultdict(list)
    for joint in joined:
        for lock in joint:
            seen_with[lock.tile].append(joint)
    done: set[int] = set()
    for first in range(n):
        if first in done:
            continue
        poses: dict[int, Pose] = {first: (0, 0, 0)}
        waiting = [first]
        while waiting:
            tile = waiting.pop()
            for joint in seen_with[tile]:
                for other, pose in _seen_from(tile, poses[tile], joint):
                    if other not in poses:
                        poses[other] = pose
                        waiting.append(other)
                    elif poses[other] != pose:
                        raise AzulejarError(
                            "tiles-joined-in-two-ways",
                            "{tile} and {other} are joined to each other in two ways{sources}.",
                            "Correct or remove one of them.",
                            tile=names[tile],
                            other=names[other],
                            sources=_sources(joint),
                        )
        _check_overlap(poses, names)
        done |= poses.keys()
        yield poses


def _seen_from(tile: int, pose: Pose, joined: tuple[Lock, ...]) -> Iterator[tuple[int, Pose]]:
    """Yield the poses of all tiles that are joined to one, given its own."""
    given = {lock.tile: (lock.row or 0, lock.col or 0, lock.turn or 0) for lock in joined}
    quarters = pose[2] - given[tile][2]
    at = turned_pose(given[tile], quarters)
    for other, there in given.items():
        row, col, turn = turned_pose(there, quarters)
        yield other, (row - at[0] + pose[0], col - at[1] + pose[1], turn)


def _check_overlap(poses: dict[int, Pose], names: Sequence[str]) -> None:
    taken: dict[tuple[int, int], int] = {}
    for tile, (row, col, _) in poses.items():
        other = taken.setdefault((row, col), tile)
        if other != tile:
            raise AzulejarError(
                "tiles-joined-in-one-place",
                "{other} and {tile} are joined so that both lie in one place.",
                "Correct or remove one of them.",
                other=names[other],
                tile=names[tile],
            )


def _bound(
    poses: dict[int, Pose], locks: list[Lock], knowns: Knowns, names: Sequence[str]
) -> Block:
    """Return the block with the turns and the place that its locks leave it."""
    block = Block(poses)
    for lock in locks:
        if lock.row is not None and lock.col is not None:
            block = Block(poses, ANY_TURN, (lock.tile, lock.row, lock.col))
            break
    turns = sum(
        1 << quarters for quarters in range(4) if _keeps(block.laid(quarters), locks, knowns)
    )
    if not turns:
        raise _contradiction(poses, locks, knowns, names)
    return Block(poses, turns, block.home)


def _keeps(laid: dict[int, Pose], locks: list[Lock], knowns: Knowns) -> bool:
    """Return whether poses agree with all locks, up to a shift where no place is known."""
    if knowns.upright and any(turn for _, _, turn in laid.values()):
        return False
    turned = all(lock.turn is None or laid[lock.tile][2] == lock.turn % 4 for lock in locks)
    down = {lock.row - laid[lock.tile][0] for lock in locks if lock.row is not None}
    right = {lock.col - laid[lock.tile][1] for lock in locks if lock.col is not None}
    return turned and len(down) <= 1 and len(right) <= 1


def _contradiction(
    poses: dict[int, Pose], locks: list[Lock], knowns: Knowns, names: Sequence[str]
) -> AzulejarError:
    who = " and ".join(sorted({names[lock.tile] for lock in locks} or {names[t] for t in poses}))
    if knowns.upright and all(lock.row is None or lock.turn for lock in locks):
        return AzulejarError(
            "lock-turned-upright",
            "{tiles} cannot be turned{sources}: the tiles are upright.",
            "Correct or remove one of them.",
            tiles=who,
            sources=_sources(tuple(locks)),
        )
    return AzulejarError(
        "locks-contradict",
        "The locks of {tiles} contradict each other{sources}.",
        "Correct or remove one of them.",
        tiles=who,
        sources=_sources(tuple(locks)),
    )


def _sources(locks: tuple[Lock, ...]) -> str:
    named = list(dict.fromkeys(lock.source for lock in locks if lock.source))
    return f" ({', '.join(named)})" if named else ""
