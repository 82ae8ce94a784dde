"""Exchange: which tiles of an assembly would fit better turned, or in each other's places.

Places are numbered like the tiles that lie there in the assembly as it is given; tiles that are
not placed have places without neighbours. What a place holds fits as well as the logarithms of the
probabilities of its joints add up to.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility
from azulejar.probability import Probabilities

LEAST_GAIN = 3.0  # of an exchange, in natural logarithms
NEVER = -np.inf
RIGHT, BELOW = 1, 2


@dataclass(frozen=True)
class Move:
    """Tiles of two places change places (of one place: turns) and get new turns, for a gain."""

    gain: float
    places: tuple[int, int]
    turns: tuple[int, int]


class Exchange:
    """An assembly in the course of being improved, tile by tile.

    ``tile`` and ``turn`` [n] say what lies in each place and how; ``beside`` [n, 4] is the place
    in each direction, -1 for none; ``fits`` [n, n, turns] how well each tile would fit each place
    among what lies there now. ``upright`` leaves all turns as they are.
    """

    def __init__(self, compatibility: Compatibility, assembly: Assembly, upright: bool) -> None:
        self.probabilities = Probabilities.of(compatibility)
        self.given, self.upright = assembly, upright
        self.n = len(assembly)
        self.tile = np.arange(self.n)
        self.turn = assembly.turn.astype(np.int64)
        self.beside = _beside(assembly)
        self.fits = np.empty((self.n, self.n, 4), np.float32)
        self._judge(np.arange(self.n))

    def improve(self) -> None:
        """Make the best exchange until none gains much; each gain makes the next surer."""
        for _ in range(2 * self.n):
            move = self.best_move()
            if move.gain < LEAST_GAIN:
                return
            self.make(move)

    def make(self, move: Move) -> None:
        """Exchange two tiles, or turn one."""
        p, q = move.places
        self.tile[p], self.tile[q] = self.tile[q], self.tile[p]
        self.turn[p], self.turn[q] = move.turns
        changed = np.unique(self.beside[[p, q]])
        self._judge(changed[changed >= 0])

    def best_move(self) -> Move:
        """The one that gains most."""
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
        """What exchanging the tiles of two places gains, at best turns; of one place, turning."""
        place = np.arange(self.n)
        own = self.fits[place, self.tile, self.turn]
        here = self.fits[:, self.tile].max(axis=2)  # the tile of the second place in the first
        gain = here + here.T - own[:, None] - own
        gain[place, place] = here[place, place] - own
        for direction in (RIGHT, BELOW):
            first = np.flatnonzero(self.beside[:, direction] >= 0)
            second = self.beside[first, direction]
            best = self._side_by_side(first, direction).max(axis=(1, 2))
            gain[first, second] = gain[second, first] = best
        return gain

    def assembly(self) -> Assembly:
        """Where each tile lies now."""
        row, col, turn, panel = (np.empty(self.n, np.int32) for _ in range(4))
        row[self.tile], col[self.tile] = self.given.row, self.given.col
        turn[self.tile], panel[self.tile] = self.turn, self.given.panel
        return replace(self.given, row=row, col=col, turn=turn, panel=panel)

    def joint_logs(self, assembly: Assembly) -> NDArray[np.float64]:
        """Log-probabilities of all joints of an assembly of these tiles [m]."""
        joints = assembly.joints()
        return self.probabilities.log(joints[:, 0], joints[:, 1])

    def _judge(self, places: NDArray[np.int64]) -> None:
        """Work out anew how well each tile would fit these places."""
        for place in places:
            fit = np.zeros((self.n, 4))
            for direction in range(4):
                if self.beside[place, direction] < 0:
                    continue
                met = self._edge(self.beside[place, direction], direction + 2)
                log = self._log_with_all(met).reshape(self.n, 4)
                fit += log[:, (direction - np.arange(4)) % 4]
            if self.upright:
                fit[np.arange(self.n)[:, None], self._other_turns()] = NEVER
            self.fits[place] = fit

    def _other_turns(self) -> NDArray[np.int64]:
        """The turns that each tile does not have in the given assembly [n, 3]."""
        return (self.given.turn[:, None] + np.arange(1, 4)) % 4

    def _edge(self, place: NDArray[np.int64], direction: int) -> NDArray[np.int64]:
        """The edge that faces a direction."""
        return 4 * self.tile[place] + (direction - self.turn[place]) % 4

    def _log_with_all(self, edge: NDArray[np.int64]) -> NDArray[np.float64]:
        """Log-probability of one edge with every edge [4n]."""
        compatibility = self.probabilities.compatibility
        if compatibility.index is None:
            scores = (compatibility.scores[edge] + compatibility.scores[:, edge]) / 2
            return self.probabilities.log_of(scores)
        return self.probabilities.log(np.arange(4 * self.n), edge)

    def _side_by_side(self, first: NDArray[np.int64], direction: int) -> NDArray[np.float64]:
        """Gains of exchanging neighbours, for all their turns [places, 4, 4].

        ``fits`` takes the neighbour to stay, so that the joint between the two counts anew.
        """
        second = self.beside[first, direction]
        a, b = self.tile[first], self.tile[second]
        turns = np.arange(4)
        facing_a = self._edge(first, direction)
        facing_b = self._edge(second, direction + 2)
        b_first = 4 * b[:, None] + (direction - turns) % 4  # edge of b that would face a
        a_second = 4 * a[:, None] + (direction + 2 - turns) % 4
        log = self.probabilities.log
        there = self.fits[first, b] - log(b_first, facing_b[:, None])
        back = self.fits[second, a] - log(a_second, facing_a[:, None])
        now = self.fits[first, a, self.turn[first]] + self.fits[second, b, self.turn[second]]
        now = now - log(facing_a, facing_b)
        joined = log(b_first[:, :, None], a_second[:, None, :])
        return there[:, :, None] + back[:, None, :] + joined - now[:, None, None]


def _beside(assembly: Assembly) -> NDArray[np.int64]:
    """The place in each direction [n, 4], -1 for none."""
    edge = 4 * np.arange(len(assembly))[:, None] + (np.arange(4) - assembly.turn[:, None]) % 4
    met = assembly.neighbours()[edge]
    return np.where(met >= 0, met // 4, -1)
