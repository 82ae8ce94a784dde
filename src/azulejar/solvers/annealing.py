"""Simulated annealing of an assembly, which rearranges the tiles that growth left unsettled.

Growth lays the sure parts of a panel first and fills the rest with what is left. Annealing leaves
the sure parts alone, since moving them never pays, and finds better places for the other tiles
(kernels/annealing.py). Where the size is unknown, one chain moves tiles freely, and others work
inside the whole rectangles near the assembly, as most panels are rectangles.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.alignment import ANY_TURN
from azulejar.core.assembly import Assembly
from azulejar.core.joints import NOTHING, Joints
from azulejar.core.knowns import BOUNDLESS, Knowns
from azulejar.knowledge.blocks import ANY_TURN as ANY_QUARTER
from azulejar.knowledge.constraints import Constraints
from azulejar.solvers.budget import Clock
from azulejar.solvers.kernels.annealing import Board, Rules, anneal, new_board
from azulejar.solvers.kernels.kernel import KEPT_EMPTY
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.outline import lay_on_outline
from azulejar.solvers.rectangles import likely_frames
from azulejar.system.threads import in_threads

SETTLED = 0.5  # joints of this score or more settle a tile
MOST_TOGETHER = 12  # tiles that move together
MARGIN = 2  # rows and cols around an assembly of unknown size
FRAMES = 2  # rectangles that are tried
SLICE = 1 << 20  # moves between two looks at the budget
LARGEST = 1500  # tiles that are annealed: a table of all scores takes 64 bytes a pair
ROUND = 1 << 20  # by which the streams of chains differ from those of children

Worth = Callable[[Assembly], float]


@dataclass(frozen=True)
class Annealing:
    """Settings of the annealing, which runs in rounds until one brings no gain.

    In each round, several ``chains`` start from the best assembly so far. The number of moves in a
    chain is ``moves`` times the number of tiles times that of unsettled tiles, at most ``most``.
    Temperatures fall from ``hot`` to ``cold``, on a scale where a joint that fits well scores 1.
    """

    moves: int = 800
    most: int = 40_000_000
    chains: int = 2
    rounds: int = 3
    hot: float = 0.4
    cold: float = 0.1

    def improve(
        self,
        assembly: Assembly,
        plain: Joints,
        best: NDArray[np.int32],
        worth: Worth,
        knowns: Knowns,
        seed: int,
        clock: Clock,
        on_progress: Callable[[float, float, Assembly], None],
    ) -> Assembly:
        """Return the best assembly found, or the given one if none is better.

        Args:
            assembly: One that agrees with the knowns.
            plain: Likely joints and their scores.
            best: The partners [4n, k] to try at each edge.
            worth: What to maximise.
            knowns: What is known beforehand.
            seed: The only source of randomness.
            clock: Ends the search early.
            on_progress: Called with the fraction done, and worth and assembly of the best so far.
        """
        constraints = Constraints.of(knowns, len(assembly))
        still = tiles_to_leave(constraints, knowns)
        unsettled = int((~settled(assembly, plain) & ~still).sum())
        moves = min(self.moves * len(assembly) * unsettled, self.most)
        if moves == 0 or len(assembly) > LARGEST:
            return assembly
        rules = Rules(plain.matrix().toarray(), best, still, knowns.upright, MOST_TOGETHER)
        best_worth = worth(assembly)
        for number in range(self.rounds):
            boards = self._boards(assembly, knowns, constraints, number)
            states = [stream(seed, ROUND + number, chain) for chain in range(len(boards))]
            for begin in range(0, moves, SLICE):
                if begin:
                    on_progress((number + begin / moves) / self.rounds, best_worth, assembly)
                if clock.over:
                    break
                self._advance(rules, boards, states, moves, begin)
            found = [assembly_on(board, constraints.placed) for board in boards]
            worths = [worth(each) for each in found]
            fittest = int(np.argmax(worths))
            gained = worths[fittest] > best_worth + 1e-6
            if gained:
                assembly, best_worth = found[fittest], worths[fittest]
            on_progress((number + 1) / self.rounds, best_worth, assembly)
            if not gained or clock.over:
                break
        return assembly

    def _advance(
        self,
        rules: Rules,
        boards: list[Board],
        states: list[NDArray[np.uint64]],
        moves: int,
        begin: int,
    ) -> None:
        """Try the next slice of moves in all chains, in parallel."""
        temperatures = (float(self.hot), float(self.cold))
        stop = min(begin + SLICE, moves)

        def advance(chain: int) -> None:
            anneal(rules, boards[chain], temperatures, moves, begin, stop, states[chain])

        for _ in in_threads(advance, range(len(boards))):
            pass

    def _boards(
        self, assembly: Assembly, knowns: Knowns, constraints: Constraints, number: int
    ) -> list[Board]:
        """Return the starting board of each chain in a round."""
        laid = [assembly]
        if number == 0 and not any(knowns.frame) and not knowns.constrained:
            laid += in_rectangles(assembly, knowns.upright)
        laid += [assembly] * (self.chains - len(laid))
        return [board_of(each, knowns, constraints) for each in laid]


def tiles_to_leave(constraints: Constraints, knowns: Knowns) -> NDArray[np.bool_]:
    """Return which tiles [n] must stay in place, because a lock, joint or refusal concerns them."""
    block = constraints.block
    alone = np.diff(constraints.first)[block] == 1
    turns = (constraints.turns[block] == ANY_QUARTER) | knowns.upright
    anywhere = (constraints.home[block, 0] < 0) & (constraints.bound < 0).all(axis=1)
    refused = (np.diff(constraints.bans_from).reshape(-1, 4) > 0).any(axis=1)
    return ~(alone & turns & anywhere & ~refused)


def settled(assembly: Assembly, plain: Joints) -> NDArray[np.bool_]:
    """Return which tiles [n] have at least two neighbours and fit all of them."""
    a, b = assembly.joints().T
    if len(a) == 0:
        return np.zeros(len(assembly), np.bool_)
    fits = np.asarray(plain.matrix()[a, b]).ravel() >= SETTLED
    tile = np.concatenate([a, b]) // 4
    joints = np.bincount(tile, minlength=len(assembly))
    good = np.bincount(tile, np.concatenate([fits, fits]), minlength=len(assembly))
    return (joints >= 2) & (good == joints)


def board_of(assembly: Assembly, knowns: Knowns, constraints: Constraints) -> Board:
    """Return a board with the assembly on it.

    It has the known size, or that of the assembly; otherwise it leaves a margin on all sides.
    """
    rows, cols = knowns.frame if any(knowns.frame) else assembly.size or (0, 0)
    margin = 0
    if constraints.placed or rows:
        if not constraints.placed and (assembly.rows > rows or assembly.cols > cols):
            rows, cols = cols, rows
        rows = assembly.rows if rows in (0, BOUNDLESS) else rows
        cols = assembly.cols if cols in (0, BOUNDLESS) else cols
    else:
        margin = MARGIN
        rows, cols = assembly.rows + 2 * margin, assembly.cols + 2 * margin
    tile = np.full((rows, cols), NOTHING, np.int32)
    if constraints.placed:
        inside = (constraints.empty < (rows, cols)).all(axis=1)
        tile[tuple(constraints.empty[inside].T)] = KEPT_EMPTY
    tile[assembly.row + margin, assembly.col + margin] = np.arange(len(assembly))
    return new_board(tile, assembly.turn)


def assembly_on(board: Board, absolute: bool) -> Assembly:
    """Return the best assembly of a board; ``absolute`` keeps rows and cols as they are counted."""
    row, col = np.divmod(board.top_place, board.width)
    if not absolute:
        return Assembly.of(row, col, board.top_turn)
    size = (int(row.max()), int(col.max()))
    return Assembly.of(row - 1, col - 1, board.top_turn, size=size)


def in_rectangles(assembly: Assembly, upright: bool) -> list[Assembly]:
    """Return the assembly fitted into the whole rectangles that it covers best.

    Tiles that lie outside fill the gaps in the order of their numbers.
    """
    frames = likely_frames(np.stack([assembly.row, assembly.col, assembly.turn], axis=1))
    sizes = {(r, c) if upright else (min(r, c), max(r, c)) for r, c in frames.tolist()}
    found = []
    for rows, cols in sorted(sizes):
        mask = np.ones((rows, cols), bool)
        laid = lay_on_outline(assembly, mask, (0,) if upright else ANY_TURN)
        inside = (laid.row >= 0) & (laid.row < rows) & (laid.col >= 0) & (laid.col < cols)
        mask[laid.row[inside], laid.col[inside]] = False
        row, col = laid.row.copy(), laid.col.copy()
        row[~inside], col[~inside] = np.nonzero(mask)
        whole = Assembly.of(row, col, laid.turn, size=(rows, cols))
        found.append((-int(inside.sum()), whole))
    found.sort(key=lambda each: each[0])
    return [whole for _, whole in found[:FRAMES]]
