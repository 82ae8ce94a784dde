"""Differences between boards: there and back again."""

from board_fakes import BOARDS, edit_of, laid
from hypothesis import given

from azulejar.app.projects.board import apply_edit
from azulejar.app.projects.board_changes import (
    apply_change,
    find_change,
    is_still,
    make_room,
)
from azulejar.app.schemas.boards import LOOSE, Placed


@given(BOARDS, BOARDS)
def test_the_difference_leads_there_and_back(before, after):
    assert apply_change(before, find_change(before, after)) == after
    assert apply_change(after, find_change(after, before)) == before
    nothing = find_change(before, before)
    assert not any(value for _, value in nothing)


def test_a_panel_that_a_tile_has_opened_goes_again():
    board = laid((0, 0, 0))
    opened = apply_edit(board, edit_of(placed=[Placed(tile=2, panel=1)]))
    assert apply_change(opened, find_change(opened, board)) == board


def test_a_removed_tile_comes_back_to_the_tray_if_its_place_is_taken():
    board = laid((0, 0, 0), (0, 0, 1))
    without = apply_edit(board, edit_of(remove=[1]))
    back = find_change(without, board)
    assert make_room(without, back) == back
    taken = apply_edit(without, edit_of(placed=[Placed(tile=2, panel=0)]))
    (tile,) = make_room(taken, back).placed
    assert (tile.tile, tile.panel) == (1, LOOSE)


def test_a_change_is_taken_back_only_while_its_tiles_lie_as_it_left_them():
    board = laid((0, 0, 0), (0, 0, 1))
    moved = apply_edit(board, edit_of(placed=[Placed(tile=1, panel=0, row=5)]))
    made, back = find_change(board, moved), find_change(moved, board)
    other = apply_edit(moved, edit_of(placed=[Placed(tile=2, panel=0, row=7)]))
    assert is_still(other, made, back)
    for later in (
        edit_of(placed=[Placed(tile=1, panel=0, row=6)]),
        edit_of(placed=[Placed(tile=2, panel=0)]),  # where the first tile was
        edit_of(lock=[1]),
        edit_of(remove=[1]),
    ):
        assert not is_still(apply_edit(moved, later), made, back)
