import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.judging.audit import audit
from azulejar.judging.exchange import Exchange
from azulejar.judging.reassembly import better_parts

ROWS, COLS = 6, 7
NUMBERS = np.arange(ROWS * COLS).reshape(ROWS, COLS)


def laid_in(grid, turn):
    """Tiles laid as their numbers stand in a grid."""
    row, col = np.empty(grid.size, int), np.empty(grid.size, int)
    for (r, c), tile in np.ndenumerate(grid):
        row[tile], col[tile] = r, c
    return Assembly.of(row, col, turn)


@pytest.fixture(scope="module")
def turn():
    return np.random.default_rng(0).integers(0, 4, ROWS * COLS)


@pytest.fixture(scope="module")
def scores(turn, perfect_scores):
    return perfect_scores(laid_in(NUMBERS, turn), other=0.01)


@pytest.fixture(scope="module")
def shifted_block(turn):
    """A block of 2 × 3 tiles that lies one place further right, and what was there at its left."""
    grid = NUMBERS.copy()
    grid[2:4, 1:5] = np.roll(grid[2:4, 1:5], 1, axis=1)
    return laid_in(grid, turn)


@pytest.fixture(scope="module")
def border_in_the_middle(turn):
    """The first row laid between rows 3 and 4."""
    return laid_in(NUMBERS[[1, 2, 3, 0, 4, 5]], turn)


def doubtful(assembly):
    return np.arange(len(assembly))


def test_a_shifted_block_is_one_part_that_lies_better_where_it_was(scores, shifted_block, turn):
    (part,) = better_parts(Exchange(scores, shifted_block, upright=False), doubtful(shifted_block))
    assert part.tiles.tolist() == NUMBERS[2:4, 1:5].ravel().tolist()
    assert part.share == 1
    truth = laid_in(NUMBERS, turn)
    assert part.better.row.tolist() == truth.row.tolist()
    assert part.better.col.tolist() == truth.col.tolist()


def test_nothing_is_better_than_the_truth_nor_sought_without_a_doubt(scores, shifted_block, turn):
    truth = laid_in(NUMBERS, turn)
    assert better_parts(Exchange(scores, truth, upright=False), doubtful(truth)) == []
    nothing = np.array([], np.int64)
    assert better_parts(Exchange(scores, shifted_block, upright=False), nothing) == []


def test_upright_tiles_stay_upright(perfect_scores):
    upright = np.zeros(ROWS * COLS, int)
    scores = perfect_scores(laid_in(NUMBERS, upright), other=0.01)
    laid = laid_in(NUMBERS[[1, 2, 3, 0, 4, 5]], upright)
    parts = better_parts(Exchange(scores, laid, upright=True), doubtful(laid))
    assert parts
    assert all((part.better.turn == 0).all() for part in parts)


def test_the_tiles_between_two_gaps_of_a_moved_border_are_displaced(scores, border_in_the_middle):
    exchange = Exchange(scores, border_in_the_middle, upright=False)
    parts = better_parts(exchange, doubtful(border_in_the_middle))
    assert np.concatenate([part.displaced for part in parts]).tolist() == NUMBERS[0].tolist()


def test_each_of_several_panels_is_solved_by_itself(turn, perfect_scores, shifted_block):
    two = Assembly.of(
        np.tile(shifted_block.row, 2), np.tile(shifted_block.col, 2), np.tile(turn, 2),
        np.repeat([0, 1], len(turn)),
    )  # fmt: skip
    truth = laid_in(NUMBERS, turn)
    both = Assembly.of(
        np.tile(truth.row, 2), np.tile(truth.col, 2), np.tile(turn, 2), two.panel
    )  # fmt: skip
    exchange = Exchange(perfect_scores(both, other=0.01), two, upright=False)
    parts = better_parts(exchange, np.array([len(turn)]))  # a doubt about the second one
    assert [part.tiles.tolist() for part in parts] == [
        (len(turn) + NUMBERS[2:4, 1:5].ravel()).tolist()
    ]


def test_an_audit_puts_a_shifted_block_back(scores, shifted_block, turn):
    found = audit(scores, shifted_block)
    assert found.marked.tolist() == NUMBERS[2:4, 1:5].ravel().tolist()
    truth = laid_in(NUMBERS, turn)
    assert found.proposed.row.tolist() == truth.row.tolist()
    assert found.proposed.col.tolist() == truth.col.tolist()


def test_an_audit_marks_a_border_in_the_middle_and_not_what_lies_right(
    scores, border_in_the_middle
):
    assert audit(scores, border_in_the_middle).marked.tolist() == NUMBERS[0].tolist()
