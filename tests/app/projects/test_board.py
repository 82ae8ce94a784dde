"""Edits of the board: whole or not at all."""

import pytest
from board_fakes import BOARDS, EDITS, TILES, boards_after, edit_of, in_tray, laid, place_of
from hypothesis import given
from hypothesis import strategies as st

from azulejar.app.http.errors import Conflict
from azulejar.app.projects import board as module
from azulejar.app.projects.board import add_to_tray, apply_edit, merge_boards
from azulejar.app.schemas.boards import (
    LOOSE,
    Pair,
    PanelOutline,
    PanelPlace,
    Placed,
)
from azulejar.errors import AzulejarError


def _check(board):
    """What every board keeps."""
    taken = [place_of(each) for each in board.placed if each.panel != LOOSE]
    assert len(taken) == len(set(taken))
    tiles = [each.tile for each in board.placed]
    assert tiles == sorted(set(tiles))
    assert not {place_of(gap) for gap in board.missing} & set(taken)
    loose = {each.tile for each in board.placed if each.panel == LOOSE}
    assert set(board.locked) <= set(tiles) - loose
    marks = [*board.missing, *board.outlines, *board.references]
    assert all(each.file for each in board.references)
    assert all(each.panel < len(board.panels) for each in [*board.placed, *marks])
    assert all(each.mask in (["##", "##"], ["#.", ".#"]) for each in board.outlines)
    assert all(place_of(each) == (LOOSE, 0, 0) for each in board.placed if each.tile in loose)


@given(st.lists(EDITS, max_size=12))
def test_a_board_stays_sound_whatever_is_done(edits):
    for board in boards_after(in_tray(), edits):
        _check(board)
        assert [each.tile for each in board.placed] == list(TILES)


@given(BOARDS, EDITS)
def test_an_edit_is_made_whole_and_touches_nothing_else(board, edit):
    before = board.model_copy(deep=True)
    try:
        after = apply_edit(board, edit)
    except Conflict:
        assert board == before
        return
    assert board == before
    lies = {each.tile: each for each in after.placed}
    for request in edit.placed:
        assert lies[request.tile].turn == request.turn
        assert lies[request.tile].panel == request.panel
        assert request.panel == LOOSE or place_of(lies[request.tile]) == place_of(request)
    moved = {each.tile for each in edit.placed}
    assert all(lies[each.tile] == each for each in board.placed if each.tile not in moved)
    held = set(board.locked) - set(edit.unlock)
    assert all(lies[each.tile] == each for each in board.placed if each.tile in held)
    assert set(edit.lock) <= set(after.locked) <= set(edit.lock) | held
    assert {place_of(gap) for gap in edit.missing} <= {place_of(gap) for gap in after.missing}


@given(BOARDS, BOARDS, st.sets(st.sampled_from(TILES)))
def test_a_result_is_merged_around_the_tiles_it_does_not_know(now, result, unknown):
    known = result.model_copy(
        update={
            "placed": [each for each in result.placed if each.tile not in unknown],
            "locked": [tile for tile in result.locked if tile not in unknown],
        }
    )
    after = merge_boards(now, known)
    _check(after)
    lies = {each.tile: each for each in after.placed}
    assert all(lies[each.tile] == each for each in known.placed)
    taken = {place_of(each) for each in known.placed}
    for each in now.placed:
        if each.tile in unknown:
            free = each.panel < len(after.panels) and place_of(each) not in taken
            assert lies[each.tile].turn == each.turn
            assert place_of(lies[each.tile]) == (place_of(each) if free else (LOOSE, 0, 0))
            assert (each.tile in after.locked) == (free and each.tile in now.locked)


def test_two_tiles_change_places():
    board = laid((0, 0, 0), (0, 0, 1))
    swapped = apply_edit(
        board,
        edit_of(placed=[Placed(tile=1, panel=0, row=0, col=1), Placed(tile=2, panel=0)]),
    )
    assert [place_of(each) for each in swapped.placed[:2]] == [(0, 0, 1), (0, 0, 0)]


def test_a_locked_tile_moves_only_with_the_key():
    board = laid((0, 0, 0), locked=[1])
    move = {"placed": [Placed(tile=1, panel=0, row=5)]}
    with pytest.raises(Conflict, match="locked"):
        apply_edit(board, edit_of(**move))
    with pytest.raises(Conflict, match="locked"):
        apply_edit(board, edit_of(placed=[Placed(tile=1, panel=0, turn=90)]))
    assert apply_edit(board, edit_of(**move, unlock=[1])).locked == []
    assert apply_edit(board, edit_of(**move, unlock=[1], lock=[1])).locked == [1]
    assert apply_edit(board, edit_of(placed=[Placed(tile=1, panel=0)])) == board


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"placed": [Placed(tile=3, panel=0)]}, "one place"),
        ({"placed": [Placed(tile=3, panel=0, row=1), Placed(tile=3, panel=0, row=2)]}, "twice"),
        ({"placed": [Placed(tile=99, panel=0)]}, "not in the project"),
        ({"lock": [99]}, "not in the project"),
        ({"unlock": [0]}, "not in the project"),
        ({"forbid": [Pair(tile=1, side=0, other=99, other_side=0)]}, "not in the project"),
        ({"forbid": [Pair(tile=1, side=0, other=1, other_side=2)]}, "itself"),
        ({"placed": [Placed(tile=3, panel=2)]}, "panel that is not there"),
        ({"missing": [PanelPlace(panel=1, row=0, col=0)]}, "panel that is not there"),
        ({"missing": [PanelPlace(panel=0, row=0, col=0)]}, "marked as missing"),
        ({"lock": [3]}, "tray"),
        ({"outlines": [PanelOutline(panel=1, row=0, col=0, mask=["#"])]}, "no such panel"),
        ({"lock": [2], "outlines": [PanelOutline(panel=0, row=0, col=0, mask=["#"])]}, "outside"),
    ],
)
def test_what_cannot_be_is_refused(what, said):
    with pytest.raises(Conflict, match=said):
        apply_edit(laid((0, 0, 0), (0, 0, 1)), edit_of(**what))


def test_marks_come_and_go():
    board = laid((0, 0, 0))
    gap = PanelPlace(panel=0, row=0, col=1)
    marked = apply_edit(board, edit_of(missing=[gap, gap]))
    assert marked.missing == [gap]
    assert apply_edit(marked, edit_of(present=[gap])) == board
    laid_there = apply_edit(marked, edit_of(placed=[Placed(tile=2, panel=0, col=1)]))
    assert laid_there.missing == []
    many = [PanelPlace(panel=0, row=row, col=col) for row in range(1, 201) for col in range(100)]
    full = apply_edit(board, edit_of(missing=many))
    with pytest.raises(Conflict, match="marks"):
        apply_edit(full, edit_of(missing=[gap]))


def test_an_outline_is_cut_to_fit_and_taken_away(monkeypatch):
    drawn = PanelOutline(panel=0, row=-1, col=4, mask=["....", ".##.", ".#.."])
    board = apply_edit(laid((0, 0, 5)), edit_of(outlines=[drawn], lock=[1]))
    (outline,) = board.outlines
    assert (outline.row, outline.col, outline.mask) == (0, 5, ["##", "#."])
    assert outline.places() == [(0, 5), (0, 6), (1, 5)]
    with pytest.raises(AzulejarError, match="the same length"):
        apply_edit(board, edit_of(outlines=[PanelOutline(panel=0, row=0, col=0, mask=["#", "##"])]))
    monkeypatch.setattr(module, "MOST_PLACES", 8)
    with pytest.raises(Conflict, match="more than 8"):
        apply_edit(board, edit_of(outlines=[PanelOutline(panel=0, row=0, col=4, mask=["###"] * 3)]))
    gone = apply_edit(board, edit_of(outlines=[PanelOutline(panel=0, row=0, col=0, mask=["."])]))
    assert gone.outlines == []


def test_a_refused_pair_is_the_same_both_ways_round():
    board = laid((0, 0, 0), (0, 0, 1))
    pair = Pair(tile=2, side=3, other=1, other_side=1)
    same = Pair(tile=1, side=1, other=2, other_side=3)
    refused = apply_edit(board, edit_of(forbid=[pair, same]))
    assert refused.forbidden == [same]
    assert apply_edit(refused, edit_of(allow=[pair])) == board


def test_laying_a_tile_opens_the_next_panel():
    board = laid((0, 0, 0))
    opened = apply_edit(board, edit_of(placed=[Placed(tile=2, panel=1)]))
    assert opened.panels == ["1", "2"]


def test_a_result_with_two_tiles_in_one_place_lays_one_of_them():
    wanted = laid((0, 0, 0), (0, 0, 0))
    after = merge_boards(in_tray(), wanted)
    _check(after)
    assert after.placed[0].panel == 0


def test_new_tiles_lie_in_the_tray_and_known_ones_stay():
    board = add_to_tray(laid((0, 0, 0)), [9, 1, 9, 7])
    assert [each.tile for each in board.placed] == [*TILES, 7, 9]
    assert [each.panel for each in board.placed if each.tile in (1, 7, 9)] == [0, LOOSE, LOOSE]
    _check(board)
