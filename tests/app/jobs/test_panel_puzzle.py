"""Panels of any board as puzzles: whatever is solved, what has to be kept is kept."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.app.jobs.panel_puzzle import PanelPuzzle
from azulejar.app.projects.convert import assembly_places, panel_frame
from azulejar.app.schemas.boards import LOOSE, Board, Pair, PanelPlace, Placed
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.solvers import GuidedGrowth
from azulejar.solvers.runs import best_of

SOLVER = GuidedGrowth(population=8, generations=3, stagnation=2)


def tiles_of(count):
    return [ProjectTile(tile=i + 1, file=f"{i:02}.png", number=f"{i:02}") for i in range(count)]


def pictures_of(tiles):
    return TileSet(np.zeros((len(tiles), 4, 4, 3), np.uint8), tuple(tile.file for tile in tiles))


@st.composite
def boards(draw):
    """A board of 2 to 10 tiles, some laid, some of these locked, with marks and refusals."""
    n = draw(st.integers(2, 10))
    upright = draw(st.booleans())
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    down, right = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
    cells = draw(st.permutations([(r + down, c + right) for r in range(rows) for c in range(cols)]))
    laid = draw(st.integers(0, min(n, len(cells))))
    turns = [0] if upright else [0, 90, 180, 270]
    placed = [
        Placed(tile=i + 1, panel=0, row=r, col=c, turn=draw(st.sampled_from(turns)))
        for i, (r, c) in enumerate(cells[:laid])
    ]
    placed += [Placed(tile=i + 1, panel=LOOSE) for i in range(laid, n)]
    marks = [place for place in cells[laid:] if draw(st.integers(0, 5)) == 0]
    locked = [i + 1 for i in range(laid) if draw(st.integers(0, 2)) == 0]
    sides = st.tuples(st.integers(1, n), st.integers(0, 3))
    pairs = draw(st.lists(st.tuples(sides, sides), max_size=2))
    board = Board(
        placed=placed,
        locked=locked,
        missing=[PanelPlace(panel=0, row=r, col=c) for r, c in marks],
        forbidden=[
            Pair(tile=a, side=s, other=b, other_side=t) for (a, s), (b, t) in pairs if a != b
        ],
    )
    size = draw(st.sampled_from([{}, {}, {"rows": rows, "cols": cols}, {"rows": 3, "cols": 4}]))
    return board, SolveSettings(upright=upright, **size)


@given(boards(), st.integers(0, 99))
@settings(max_examples=75)
def test_whatever_is_solved_what_has_to_be_kept_is_kept(case, seed):
    board, wanted = case
    tiles = tiles_of(len(board.placed))
    scores = np.random.default_rng(seed).random((4 * len(tiles), 4 * len(tiles)))
    scores = np.maximum(scores, scores.T).astype(np.float32)
    puzzle = PanelPuzzle(board, tiles, range(len(tiles)), 0, wanted)
    try:
        known = puzzle.knowns(pictures_of(tiles))
        compatibility = Compatibility(scores, tuple(tile.file for tile in tiles), "test")
        laid = puzzle.back(best_of(compatibility, known, SOLVER, seed=seed).assembly)
    except AzulejarError:
        return  # such as a size that cannot hold them
    after = {each.tile: each for each in assembly_places(laid, tiles)}
    before = {each.tile: each for each in board.placed}
    assert {tile: after[tile] for tile in board.locked} == {
        tile: before[tile] for tile in board.locked
    }
    places = [(each.row, each.col) for each in after.values()]
    assert len(set(places)) == len(tiles)
    if board.missing and (board.locked or known.rows):
        assert not {(mark.row, mark.col) for mark in board.missing} & set(places)
    if known.rows:
        frame = panel_frame(Board(placed=list(after.values())), 0)
        assert frame.rows <= known.rows
        assert frame.cols <= known.cols
    met = laid.neighbours()
    for pair in board.forbidden:
        first, second = 4 * (pair.tile - 1) + pair.side, 4 * (pair.other - 1) + pair.other_side
        assert met[first] != second


def test_what_the_board_says_goes_before_tiles_csv():
    tiles = tiles_of(3)
    records = (Record(row=0, col=0, turn=2, line=2), Record(row=0, col=1, line=3), Record())
    pictures = replace(pictures_of(tiles), records=records)
    placed = [
        Placed(tile=1, panel=0, row=5, col=5, turn=90),
        Placed(tile=2, panel=LOOSE),
        Placed(tile=3, panel=LOOSE),
    ]
    puzzle = PanelPuzzle(Board(placed=placed, locked=[1]), tiles, range(3), 0, SolveSettings())
    known = puzzle.knowns(pictures)
    assert [(lock.tile, lock.row, lock.col) for lock in known.locks] == [(1, 0, 1)]


def test_only_refusals_among_the_tiles_at_work_are_told():
    tiles = tiles_of(3)
    pairs = [
        Pair(tile=1, side=0, other=3, other_side=2),
        Pair(tile=1, side=1, other=2, other_side=3),
    ]
    board = Board(placed=[Placed(tile=i, panel=LOOSE) for i in (1, 2, 3)], forbidden=pairs)
    known = PanelPuzzle(board, tiles, [0, 2], 0, SolveSettings()).knowns(pictures_of(tiles))
    assert known.apart == ((0, 4 + 2),)


@pytest.mark.parametrize(
    ("size", "absolute"), [({}, False), ({"rows": 1, "cols": 2}, True), ({"rows": 2}, False)]
)
def test_locks_count_from_the_frame_only_where_it_has_the_known_size(size, absolute):
    tiles = tiles_of(2)
    placed = [Placed(tile=1, panel=0, row=4, col=4), Placed(tile=2, panel=0, row=4, col=5)]
    puzzle = PanelPuzzle(Board(placed=placed, locked=[2]), tiles, [0, 1], 0, SolveSettings(**size))
    places = [(one.row, one.col) for one in puzzle.statements.locked]
    assert ((0, 1) in places) == absolute
