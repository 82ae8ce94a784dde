"""Accuracy against slow, obvious counts."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.evaluation.metrics import Accuracy, evaluate

ALL_RIGHT = Accuracy(neighbour=1.0, direct=1.0, perfect=True, largest=1.0)
DIRECTIONS = {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}
shifts = st.integers(-5, 5)
quarters = st.integers(0, 3)


@st.composite
def assemblies(draw, n):
    """Tiles strewn over two panels of up to 3 × 3 places; some are not placed."""
    places = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 2))
    chosen = draw(st.lists(places, min_size=n, max_size=n, unique=True))
    placed = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    turn = draw(st.lists(quarters, min_size=n, max_size=n))
    panel, row, col = zip(*chosen, strict=True)
    panel = [p if here else -1 for p, here in zip(panel, placed, strict=True)]
    return Assembly.of(row, col, turn, panel)


def two_assemblies():
    return st.integers(1, 8).flatmap(lambda n: st.tuples(assemblies(n), assemblies(n)))


@st.composite
def grids(draw, rows, cols, turned=True):
    """A full panel with its tiles in any order."""
    order = np.array(draw(st.permutations(range(rows * cols))))
    turn = [draw(quarters) if turned else 0 for _ in order]
    return Assembly.of(order // cols, order % cols, turn)


@st.composite
def near_truth(draw):
    """A full panel with a few tiles exchanged and one turned, and its truth."""
    truth = draw(grids(draw(st.integers(1, 4)), draw(st.integers(1, 4))))
    order, turn = np.arange(len(truth)), truth.turn.copy()
    tile = st.integers(0, len(truth) - 1)
    for a, b in draw(st.lists(st.tuples(tile, tile), max_size=2)):
        order[[a, b]] = order[[b, a]]
    turn[draw(tile)] += draw(quarters)
    return Assembly.of(truth.row[order], truth.col[order], turn), truth


def places(assembly):
    """(panel, row, col, turn) of each tile, None where it is not placed."""
    columns = (assembly.panel, assembly.row, assembly.col, assembly.turn)
    rows = [tuple(int(value) for value in tile) for tile in zip(*columns, strict=True)]
    return [tile if tile[0] >= 0 else None for tile in rows]


def joints(assembly):
    """The joints as sets of two (tile, side)."""
    found = set()
    for a, first in enumerate(places(assembly)):
        for b, second in enumerate(places(assembly)):
            if first is None or second is None or first[0] != second[0]:
                continue
            step = (second[1] - first[1], second[2] - first[2])
            if step in DIRECTIONS:
                side = (DIRECTIONS[step] - first[3]) % 4
                other = (DIRECTIONS[step] + 2 - second[3]) % 4
                found.add(frozenset([(a, side), (b, other)]))
    return found


def turned_clockwise(tiles):
    """Places after a quarter turn of a single panel."""
    last = max(row for _, row, _, _ in tiles)
    return [(panel, col, last - row, (turn + 1) % 4) for panel, row, col, turn in tiles]


def largest_part(right, n):
    """Tiles in the largest part that the joints ``right`` hold together."""
    parts = [{tile} for tile in range(n)]
    for joint in right:
        touched = [part for part in parts if part & {tile for tile, _ in joint}]
        parts = [part for part in parts if part not in touched] + [set().union(*touched)]
    return max(map(len, parts))


@given(truth=st.integers(1, 8).flatmap(assemblies), upright=st.booleans())
def test_the_truth_is_all_right(truth, upright):
    accuracy = evaluate(truth, truth, upright=upright)
    whole = largest_part(joints(truth), len(truth)) / len(truth)
    assert accuracy == dataclasses.replace(ALL_RIGHT, largest=whole)


@given(grids(3, 4), shifts, shifts, quarters)
def test_shift_and_turn_of_the_whole_do_not_matter_for_turned_tiles(truth, down, right, q):
    moved = truth.turned(q)
    moved = Assembly.of(moved.row + down, moved.col + right, moved.turn)
    assert evaluate(moved, truth, upright=False) == ALL_RIGHT


@given(st.integers(1, 8).flatmap(assemblies), quarters)
def test_panels_and_loose_tiles_may_be_turned_as_a_whole(truth, q):
    assert evaluate(truth.turned(q), truth, upright=False).perfect


@given(st.integers(1, 8).flatmap(assemblies), shifts, shifts)
def test_each_panel_may_be_shifted(truth, down, right):
    moved = truth.panel == 1
    shifted = Assembly.of(
        truth.row + down * moved, truth.col + right * moved, truth.turn, truth.panel
    )
    assert evaluate(shifted, truth, upright=True).perfect


@given(grids(3, 3, turned=False), shifts, shifts, st.integers(1, 3))
def test_upright_tiles_may_be_shifted_but_not_turned(truth, down, right, q):
    shifted = Assembly.of(truth.row + down, truth.col + right, truth.turn)
    assert evaluate(shifted, truth, upright=True) == ALL_RIGHT
    on_its_side = evaluate(truth.turned(q), truth, upright=True)
    assert on_its_side == Accuracy(neighbour=1.0, direct=0.0, perfect=False, largest=1.0)


@given(grids(4, 5, turned=False), st.data())
def test_a_swapped_pair_costs_the_joints_of_its_two_tiles(truth, data):
    a, b = data.draw(st.lists(st.integers(0, 19), min_size=2, max_size=2, unique=True))
    order = np.arange(20)
    order[[a, b]] = b, a
    swapped = Assembly.of(truth.row[order], truth.col[order], truth.turn)
    true = joints(truth)
    lost = [joint for joint in true if {tile for tile, _ in joint} & {a, b}]
    accuracy = evaluate(swapped, truth, upright=True)
    assert accuracy.neighbour == pytest.approx(1 - len(lost) / len(true))
    assert accuracy.direct == pytest.approx(18 / 20)
    assert not accuracy.perfect


def test_two_corners_swapped():
    """Of the 12 joints of 3 × 3 tiles, two opposite corners hold four."""
    truth = Assembly.of(np.arange(9) // 3, np.arange(9) % 3, np.zeros(9))
    swapped = Assembly.of(truth.row[[8, *range(1, 8), 0]], truth.col[[8, *range(1, 8), 0]], [0] * 9)
    assert evaluate(swapped, truth, upright=True) == Accuracy(8 / 12, 7 / 9, False, 7 / 9)


def test_half_of_the_panel_on_the_wrong_side():
    """Columns a b | c d laid as c d | a b: only the joint in the middle is wrong."""
    truth = Assembly.of([0, 0, 0, 0], [0, 1, 2, 3], [0] * 4)
    found = Assembly.of([0, 0, 0, 0], [2, 3, 0, 1], [0] * 4)
    assert evaluate(found, truth, upright=True) == Accuracy(2 / 3, 0.0, False, 0.5)


@given(st.one_of(two_assemblies(), near_truth()))
def test_neighbour_and_largest_against_slow_counts(pair):
    found, truth = pair
    right = joints(found) & joints(truth)
    accuracy = evaluate(found, truth, upright=False)
    total = len(joints(truth))
    assert accuracy.neighbour == pytest.approx(len(right) / total if total else 1.0)
    assert accuracy.largest == pytest.approx(largest_part(right, len(truth)) / len(truth))


@given(near_truth(), st.booleans(), quarters)
def test_direct_and_perfect_against_slow_counts(pair, upright, q):
    found, truth = pair
    found = found.turned(q)
    tiles, in_place = places(found), []
    for _ in range(1 if upright else 4):
        in_place.append(sum(a == b for a, b in zip(tiles, places(truth), strict=True)))
        tiles = turned_clockwise(tiles)
    accuracy = evaluate(found, truth, upright=upright)
    assert accuracy.direct == pytest.approx(max(in_place) / len(truth))
    assert accuracy.perfect == (max(in_place) == len(truth))


def test_a_tile_that_was_not_placed_is_not_in_its_place():
    truth = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0] * 4)
    found = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0] * 4, [0, 0, 0, -1])
    assert evaluate(found, truth, upright=True) == Accuracy(2 / 4, 3 / 4, False, 3 / 4)


def test_joints_across_panels_are_none():
    truth = Assembly.of([0, 0], [0, 1], [0, 0])
    apart = Assembly.of([0, 0], [0, 1], [0, 0], [0, 1])
    assert evaluate(apart, truth, upright=True) == Accuracy(0.0, 0.5, False, 0.5)


@given(quarters, st.booleans())
def test_a_panel_of_one_tile(turn, upright):
    truth = Assembly.of([0], [0], [0])
    accuracy = evaluate(Assembly.of([3], [-2], [turn]), truth, upright=upright)
    right = turn == 0 or not upright
    assert accuracy == Accuracy(1.0, float(right), right, 1.0)


def test_panels_of_one_tile_each():
    truth = Assembly.of([0, 0, 0], [0, 0, 0], [0, 1, 2], [0, 1, 2])
    accuracy = evaluate(truth, truth, upright=True)
    assert accuracy == Accuracy(1.0, 1.0, True, pytest.approx(1 / 3))
