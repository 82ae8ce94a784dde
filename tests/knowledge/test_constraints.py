"""What is known contradicts itself: it is told which tiles are at fault."""

from itertools import pairwise

import numpy as np
import pytest

from azulejar.core.knowns import Knowns, Lock
from azulejar.errors import AzulejarError
from azulejar.knowledge.constraints import Constraints

NAMES = ["A1", "B2", "C3", "D4", "E5", "F6"]


def at(tile, row=0, col=0, turn=0):
    return Lock(tile, row, col, turn)


@pytest.mark.parametrize(
    ("knowns", "message"),
    [
        (Knowns(2, 3, locks=(at(0, 1, 1), at(1, 1, 1))), "A1 and B2 are both locked to row 2"),
        (Knowns(2, 3, locks=(at(2, 2, 0),)), "C3 at row 3, col 1 lies outside 2 rows × 3 cols"),
        (Knowns(2, 3, locks=(at(2, -1, 0),)), "C3 at row 0, col 1 lies outside"),
        (
            Knowns(2, 4, locks=(at(0, 0, 1),), empty=((0, 1),)),
            "row 1, col 2, which is kept",
        ),
        (Knowns(2, 4, empty=((5, 0),)), "empty place at row 6, col 1 lies outside 2 rows"),
        (Knowns(locks=(Lock(0, turn=1), Lock(0, turn=2))), "locks of A1 contradict each other"),
        (Knowns(upright=True, locks=(Lock(3, turn=1),)), "D4 cannot be turned"),
        (
            Knowns(joined=((at(0), at(1, 0, 1)), (at(1), at(0, 0, 1)))),
            "A1 and B2 are joined to each other in two ways",
        ),
        (
            Knowns(joined=((at(0), at(1, 0, 1), at(2, 0, 1)),)),
            "B2 and C3 are .* in one place",
        ),
        (
            Knowns(joined=((at(0), at(1, 0, 1)),), locks=(at(0, 0, 0), at(1, 1, 0))),
            "locks of A1 and B2 contradict",
        ),
        (
            Knowns(joined=((at(0), at(1, 0, 1)),), apart=((1, 7),)),
            "A1 and B2 are to lie side by side",
        ),
        (
            Knowns(locks=(at(0, 0, 0), at(1, 0, 1)), apart=((7, 1),)),
            "A1 and B2 are to lie side by side",
        ),
        (
            Knowns(2, 3, joined=((at(0), at(1, 0, 1)),), locks=(at(0, 0, 2),)),
            "B2 at row 1, col 4 lies outside",
        ),
    ],
)
def test_contradictions_name_the_tiles(knowns, message):
    with pytest.raises(AzulejarError, match=message):
        Constraints.of(knowns, 6, NAMES)


def test_the_source_of_a_lock_is_named():
    locks = (Lock(0, turn=1, source="row 3"), Lock(0, turn=2, source="row 7"))
    with pytest.raises(AzulejarError, match=r"\(row 3, row 7\)"):
        Constraints.of(Knowns(locks=locks), 6, NAMES)


def test_blocks_that_share_a_tile_become_one():
    """B right of A; C below B as B stands there, which is turned by one quarter here."""
    joined = ((at(0), at(1, 0, 1, 3)), (at(1, 0, 0, 0), at(2, 1, 0, 2)))
    constraints = Constraints.of(Knowns(joined=joined), 6)
    assert len({*constraints.block[:3].tolist()}) == 1
    assert constraints.pose[:3].tolist() == [[0, 0, 0], [0, 1, 3], [0, 2, 1]]
    assert np.bincount(constraints.block).tolist() == [3, 1, 1, 1]


def test_one_locked_tile_fixes_its_block():
    constraints = Constraints.of(
        Knowns(3, 3, joined=((at(0), at(1, 0, 1)),), locks=(at(1, 2, 2, 1),)), 6
    )
    block = constraints.block[0]
    assert constraints.turns[block] == 0b0010
    assert constraints.home[block].tolist() == [1, 2, 2]


def test_upright_tiles_have_one_turn():
    assert Constraints.of(Knowns(upright=True), 3).turns.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("knowns", "placed", "oriented"),
    [
        (Knowns(), False, False),
        (Knowns(apart=((0, 5),)), False, False),
        (Knowns(locks=(Lock(0, turn=0),)), False, True),
        (Knowns(locks=(Lock(0, row=1),)), True, True),
        (Knowns(3, 3, empty=((1, 1),)), True, True),
    ],
)
def test_what_binds_the_frame(knowns, placed, oriented):
    constraints = Constraints.of(knowns, 6)
    assert (constraints.placed, constraints.oriented) == (placed, oriented)


def test_refusals_count_both_ways():
    constraints = Constraints.of(Knowns(apart=((0, 5), (0, 9))), 3)
    edges = [constraints.bans[a:b].tolist() for a, b in pairwise(constraints.bans_from)]
    assert edges[0] == [5, 9]
    assert edges[5] == [0]
    assert edges[9] == [0]
    assert sum(map(len, edges)) == 4
