"""Tiles that people move stay where they were put, whatever sort comes after."""

import numpy as np
import pytest

from azulejar.collection.reassigning import Reassignment, move_tiles, redo_move, undo_move
from azulejar.collection.sort import group_collection
from azulejar.collection.sort_results import FOLDER, MARK, Group, SortResult, load_sort, save_sort
from azulejar.collection.storage.overrides import (
    add_statements,
    remove_tiles,
    removed_tiles,
    restore_tiles,
)
from azulejar.core.joints import Joints
from azulejar.knowledge.knowns_file import KnownsFile


@pytest.fixture
def museum(add, crate, collection):
    """Six tiles: two panels of two, and two strays, one of them of a pattern."""
    add(collection, crate("1", *"abcdef"))
    panels = [Group("1", (0, 1)), Group("2", (2, 3))]
    found = SortResult(panels, (4, 5), np.full(6, 0.8), pattern_tiles=(5,))
    (collection.folder / FOLDER).mkdir()
    save_sort(collection.folder / FOLDER / MARK, found, collection.inventories())
    return collection


def groups(found):
    return {group.name: group.tiles for group in found.groups}, found.strays


def no_joints(n):
    return Joints(np.zeros(4 * n + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32))


@pytest.mark.parametrize(
    ("tiles", "to", "panels", "strays"),
    [
        ([4], "2", {"1": (0, 1), "2": (2, 3, 4)}, (5,)),  # a stray is given to a panel
        ([1], "2", {"1": (0,), "2": (1, 2, 3)}, (4, 5)),  # a tile changes its panel
        ([2, 3], "1", {"1": (0, 1, 2, 3)}, (4, 5)),  # two panels become one
        ([3], "Stairs", {"1": (0, 1), "2": (2,), "Stairs": (3,)}, (4, 5)),  # one becomes two
    ],
)
def test_moved_tiles_are_in_their_panel_at_once_and_after_a_sort(museum, tiles, to, panels, strays):
    before = load_sort(museum)
    move = move_tiles(museum, tiles, to)
    assert groups(load_sort(museum)) == (panels, strays)
    again = group_collection(museum, no_joints(6))  # nothing else links any tile
    changed = {k: v for k, v in panels.items() if groups(before)[0].get(k) != v}
    large = max(map(len, changed.values())) > 1  # then a tile that is left alone is a stray
    assert groups(again)[0] == {k: v for k, v in changed.items() if len(v) > large}
    assert undo_move(museum, Reassignment.model_validate_json(move.model_dump_json())) == move
    undone = load_sort(museum)
    assert sorted(undone.groups, key=str) == sorted(before.groups, key=str)
    assert (undone.strays, *undone.probability) == (before.strays, *before.probability)
    assert undone.pattern_tiles == (5,)
    assert groups(group_collection(museum, no_joints(6)))[0] == {}
    assert redo_move(museum, move) == move
    assert groups(load_sort(museum)) == (panels, strays)


def test_joints_do_not_draw_what_is_left_behind_after_the_tiles_that_moved(museum):
    start = np.zeros(25, np.int64)
    start[2:] = 1  # the right of tile 0 and the left of tile 1
    start[8:] = 2
    sure = Joints(start, np.array([7, 1], np.int32), np.full(2, 0.99, np.float32))
    assert groups(group_collection(museum, sure))[0] == {"1": (0, 1)}
    first = move_tiles(museum, [1], "2")
    assert groups(group_collection(museum, sure)) == ({"2": (1, 2, 3)}, (0, 4, 5))
    second = move_tiles(museum, [0], "2")
    assert groups(group_collection(museum, sure))[0] == {"2": (0, 1, 2, 3)}
    assert undo_move(museum, second) and undo_move(museum, first)
    assert groups(group_collection(museum, sure))[0] == {"1": (0, 1)}
    before = first.model_copy(update={"held": {}})  # as versions stored it that held the panel only
    assert undo_move(museum, redo_move(museum, first) and before)


def test_removed_tiles_leave_their_groups_until_they_are_restored(museum):
    assert remove_tiles(museum, {"b": None, "f": "a"})
    assert not remove_tiles(museum, {"a": None, "b": None})  # of which one is removed already
    assert removed_tiles(museum) == {"b": None, "f": "a"}
    assert groups(load_sort(museum)) == ({"1": (0,), "2": (2, 3)}, (4,))
    assert load_sort(museum).pattern_tiles == ()
    move_tiles(museum, [0], "2")
    assert groups(load_sort(museum)) == ({"2": (0, 2, 3)}, (4,))
    assert restore_tiles(museum, ["b"])
    assert not restore_tiles(museum, ["b", "f"])
    assert groups(load_sort(museum)) == ({"1": (1,), "2": (0, 2, 3)}, (4,))
    add_statements(museum, KnownsFile(together=[["a", "c", "f"]]))
    found = group_collection(museum, no_joints(6))
    assert groups(found) == ({"2": (0, 2, 3)}, (1, 4))
    assert found.left_out == {5}
    save_sort(museum.folder / FOLDER / MARK, found, museum.inventories())
    assert restore_tiles(museum, ["f"])
    assert groups(load_sort(museum)) == groups(found)  # it is as new until the next sort
    assert read_moved(museum, [5], "2") == (0, 2, 3, 5)


def read_moved(museum, tiles, to):
    move_tiles(museum, tiles, to)
    return groups(load_sort(museum))[0][to]


def test_a_move_is_not_undone_once_its_tiles_were_moved_on(museum):
    move = move_tiles(museum, [1], "2")
    onwards = move_tiles(museum, [1], "Stairs")
    assert undo_move(museum, move) is None
    assert undo_move(museum, onwards) is not None
    assert undo_move(museum, move) is not None
    move_tiles(museum, [1], "Stairs")
    assert redo_move(museum, move) is None
    assert groups(load_sort(museum))[0]["Stairs"] == (1,)
