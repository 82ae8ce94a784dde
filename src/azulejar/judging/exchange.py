"""Exchanges that improve an assembly: tiles turned, swapped, or moved into empty places.

A place has the number of the tile that lies there in the given assembly; tiles that are not placed
have places without neighbours. The empty places follow. How well a tile fits a place is the sum
over its joints there: each counts the logarithm of its probability over ``UNFIT``, at which a joint
says nothing, so that an empty place, which has no joints, counts 0.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards, opposite
from azulejar.judging.evidence import UNFIT
from azulejar.measures.probability import Probabilities

LEAST_GAIN = 3.0  # natural logarithm; an exchange makes all joints likelier by a factor of 20
NEVER = -np.inf
RIGHT, BELOW = 1, 2
ENCLOSED = 2  # tiles that must lie beside an empty place for it to be filled


@dataclass(frozen=True)
class Move:
    """Swap the tiles of two places, or turn the tile of one place, for a ``gain``.

    ``turns`` are those of the tiles that lie in the two places afterwards.
    """

    gain: float
    places: tuple[int, int]
    turns: tuple[int, int]


class Exchange:
    """An assembly that is improved by one exchange after the other.

    ``places`` are those of the n tiles, then the empty ones, p in all. ``tile`` and ``turn`` [p]
    say what lies in each, n standing for an empty place; ``beside`` [p, 4] is the place in each
    direction, -1 for none; ``fits`` [p, n + 1, 4] says how well each tile, at each turn, would fit
    each place among its present neighbours. ``upright`` leaves all turns as they are.
    """

    def __init__(self, compatibility: Compatibility, assembly: Assembly, upright: bool) -> None:
        self.probabilities = Probabilities.of(compatibility)
        self.given, self.upright = assembly, upright
        self.n = len(assembly)
        self.places = [*places_of(assembly), *empty_places(assembly)]
        empty = len(self.places) - self.n
        self.tile = np.concatenate([np.arange(self.n), np.full(empty, self.n)])
        self.turn = np.concatenate([assembly.turn.astype(np.int64), np.zeros(empty, np.int64)])
        self.beside = _beside(self.places)
        self.fits = np.empty((len(self.places), self.n + 1, 4), np.float32)
        self._judge(np.arange(len(self.places)))

    def improve(self) -> None:
        """Make the best exchange again and again, until none gains ``LEAST_GAIN``."""
        for _ in range(2 * len(self.places)):
            move = self.best_move()
            if move.gain < LEAST_GAIN:
                return
            self.make(move)

    def lay_again(self, tiles: NDArray[np.int64]) -> None:
        """Lift these tiles and lay them again in their places, always the one that fits best next.

        This mends what no exchange of two does, such as rings of neighbours. If it does not gain
        ``LEAST_GAIN``, they stay.
        """
        before = self.tile.copy(), self.turn.copy()
        places = np.flatnonzero(np.isin(self.tile, tiles))
        worth = self.evidence(self.assembly())
        self.tile[places] = self.n
        self._judge_around(places)
        left, free = before[0][places], places
        while len(left):
            fit = self.fits[np.ix_(free, left)]  # [places, tiles, 4]
            place, tile, turn = np.unravel_index(fit.argmax(), fit.shape)
            at = free[place]
            self.tile[at], self.turn[at] = left[tile], turn
            self._judge_around(np.array([at]))
            free, left = np.delete(free, place), np.delete(left, tile)
        if self.evidence(self.assembly()) < worth + LEAST_GAIN:
            self.tile, self.turn = before
            self._judge_around(places)

    def lay_as(self, other: Assembly) -> None:
        """Lay all tiles as in another assembly, unless it uses places that this one lacks."""
        number = {place: i for i, place in enumerate(self.places)}
        places = [number.get(place, -1) for place in places_of(other)]
        if -1 in places:
            return
        self.tile[:] = self.n
        self.tile[places], self.turn[places] = np.arange(self.n), other.turn
        self._judge(np.arange(len(self.places)))

    def make(self, move: Move) -> None:
        """Swap two tiles, or turn one."""
        p, q = move.places
        self.tile[p], self.tile[q] = self.tile[q], self.tile[p]
        self.turn[p], self.turn[q] = move.turns
        self._judge_around(np.array([p, q]))

    def best_move(self) -> Move:
        """Return the move that gains most."""
        gain = self.gains()
        p, q = (int(place) for place in np.unravel_index(gain.argmax(), gain.shape))
        direction = np.flatnonzero(self.beside[p] == q)
        if len(direction):
            together = self._side_by_side(np.array([p]), int(direction[0]))[0]
            x, y = (int(turn) for turn in np.unravel_index(together.argmax(), together.shape))
        else:
            x = int(self.fits[p, self.tile[q]].argmax())
            y = int(self.fits[q, self.tile[p]].argmax())
        return Move(float(gain[p, q]), (p, q), (x, y))

    def gains(self) -> NDArray[np.float32]:
        """Return what swapping the tiles of two places gains, at their best turns [p, p].

        On the diagonal stands what turning the tile of a place gains. What cannot be swapped has
        minus infinity.
        """
        place = np.arange(len(self.places))
        own = self.fits[place, self.tile, self.turn]
        here = self.fits[:, self.tile].max(axis=2)  # the tile of the second place in the first
        gain = here + here.T - own[:, None] - own
        gain[place, place] = here[place, place] - own
        for direction in (RIGHT, BELOW):
            first = np.flatnonzero(self.beside[:, direction] >= 0)
            second = self.beside[first, direction]
            best = self._side_by_side(first, direction).max(axis=(1, 2))
            gain[first, second] = gain[second, first] = best
        # No tile is taken away from its neighbours for nothing, however badly it fits there.
        deserted = (self.tile == self.n) & ~self._meets_a_tile()
        gain[deserted] = gain[:, deserted] = NEVER
        return gain

    def _meets_a_tile(self) -> NDArray[np.bool_]:
        """Return whether a tile lies beside each place [p]."""
        lies = (self.beside >= 0) & (self.tile[self.beside] < self.n)
        return np.asarray(lies.any(axis=1))

    def assembly(self) -> Assembly:
        """Return the assembly as it is now."""
        lies = np.flatnonzero(self.tile < self.n)
        now = np.empty((4, self.n), np.int32)
        now[:3, self.tile[lies]] = np.array([self.places[place] for place in lies], np.int32).T
        now[3, self.tile[lies]] = self.turn[lies]
        panel, row, col, turn = now
        return replace(self.given, row=row, col=col, turn=turn, panel=panel)

    def joint_logs(self, assembly: Assembly) -> NDArray[np.float64]:
        """Return the log-probabilities of all joints of an assembly of these tiles [m]."""
        joints = assembly.joints()
        return self.probabilities.log(joints[:, 0], joints[:, 1])

    def evidence(self, assembly: Assembly) -> float:
        """Return the sum of what all joints of an assembly of these tiles count."""
        logs = self.joint_logs(assembly)
        return float(logs.sum() - len(logs) * np.log(UNFIT))

    def _judge_around(self, places: NDArray[np.int64]) -> None:
        """Compute ``fits`` anew for the places beside these."""
        changed = np.unique(self.beside[places])
        self._judge(changed[changed >= 0])

    def _judge(self, places: NDArray[np.int64]) -> None:
        """Compute ``fits`` anew for these places."""
        for place in places:
            fit = np.zeros((self.n, 4))
            for direction in range(4):
                beside = self.beside[place, direction]
                if beside < 0 or self.tile[beside] == self.n:
                    continue
                log = self._log_with_all(self._edge(beside, opposite(direction))).reshape(self.n, 4)
                fit += log[:, edge_towards(0, np.arange(4), direction)] - np.log(UNFIT)
            if self.upright:
                fit[np.arange(self.n)[:, None], self._other_turns()] = NEVER
            self.fits[place, : self.n] = fit
            self.fits[place, self.n] = 0

    def _other_turns(self) -> NDArray[np.int64]:
        """Return the turns that each tile does not have in the given assembly [n, 3]."""
        return (self.given.turn[:, None] + np.arange(1, 4)) % 4

    def _edge(self, place: NDArray[np.int64], direction: int) -> NDArray[np.int64]:
        """Return the edge in a place that faces a direction; 4n and above for an empty place."""
        return edge_towards(self.tile[place], self.turn[place], direction)

    def _log_with_all(self, edge: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log-probability of one edge with every edge [4n]."""
        compatibility = self.probabilities.compatibility
        if compatibility.index is None:
            scores = (compatibility.scores[edge] + compatibility.scores[:, edge]) / 2
            return self.probabilities.log_of(scores)
        return self.probabilities.log(np.arange(4 * self.n), edge)

    def _count(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what joints of edges ``a`` and ``b`` count, elementwise; 0 at empty places."""
        a, b = np.broadcast_arrays(a, b)
        there = (a < 4 * self.n) & (b < 4 * self.n)
        log = self.probabilities.log(np.where(there, a, 0), np.where(there, b, 0))
        return np.where(there, log - np.log(UNFIT), 0)

    def _side_by_side(self, first: NDArray[np.int64], direction: int) -> NDArray[np.float64]:
        """Return what swapping neighbours gains, for all their turns [places, 4, 4].

        ``fits`` assumes that the neighbour stays, so the joint between the two is counted anew.
        """
        second = self.beside[first, direction]
        a, b = self.tile[first], self.tile[second]
        turns = np.arange(4)
        facing_a = self._edge(first, direction)
        facing_b = self._edge(second, opposite(direction))
        b_first = edge_towards(b[:, None], turns, direction)  # edge of b that would face a
        a_second = edge_towards(a[:, None], turns, opposite(direction))
        count = self._count
        there = self.fits[first, b] - count(b_first, facing_b[:, None])
        back = self.fits[second, a] - count(a_second, facing_a[:, None])
        now = self.fits[first, a, self.turn[first]] + self.fits[second, b, self.turn[second]]
        now = now - count(facing_a, facing_b)
        joined = count(b_first[:, :, None], a_second[:, None, :])
        return there[:, :, None] + back[:, None, :] + joined - now[:, None, None]


def empty_places(assembly: Assembly) -> list[Place]:
    """Return the holes that tiles enclose on at least two sides, in reading order."""
    taken = set(places_of(assembly))
    beside = Counter(each for place in taken for each in _around(place) if place.panel >= 0)
    return sorted(
        place for place, tiles in beside.items() if tiles >= ENCLOSED and place not in taken
    )


def laid_like(
    onto: Assembly, like: Assembly, tiles: Collection[int] | NDArray[np.int64]
) -> Assembly:
    """Return ``onto`` with ``tiles`` placed as in ``like``."""
    at = list(tiles)
    changed = {}
    for name in ("row", "col", "turn", "panel"):
        changed[name] = getattr(onto, name).copy()
        changed[name][at] = getattr(like, name)[at]
    return replace(onto, **changed)


def places_of(assembly: Assembly) -> list[Place]:
    """Return the place of each tile."""
    columns = (assembly.panel.tolist(), assembly.row.tolist(), assembly.col.tolist())
    return [Place(*at) for at in zip(*columns, strict=True)]


def _beside(places: list[Place]) -> NDArray[np.int64]:
    """Return the number of the place in each direction [p, 4], -1 for none."""
    number = {place: i for i, place in enumerate(places) if place.panel >= 0}
    return np.array([[number.get(at, -1) if place.panel >= 0 else -1 for at in _around(place)]
                     for place in places], np.int64)  # fmt: skip


def _around(place: Place) -> list[Place]:
    """Return the places above, right, below and left."""
    panel, row, col = place
    steps = zip(ROW_STEP.tolist(), COL_STEP.tolist(), strict=True)
    return [Place(panel, row + down, col + right) for down, right in steps]
