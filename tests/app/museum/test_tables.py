"""Panels of a museum on tables: what people did there survives every sort and solve."""

import pytest

from azulejar.app.judging import board_confidence, find_candidates
from azulejar.app.museum.moves import make_move
from azulejar.app.museum.replaying import replay_move
from azulejar.app.museum.table_statements import state_tables
from azulejar.app.museum.tables import is_touched, open_panel, without_touching
from azulejar.app.schemas.boards import (
    LOOSE,
    Edit,
    Pair,
    PanelOutline,
    PanelPlace,
    PanelReference,
    Placed,
)
from azulejar.app.schemas.museums import Gift
from azulejar.collection.storage.overrides import all_statements, assigned_panels
from azulejar.outputs.collection.panels import load_panel_solution
from azulejar.outputs.collection.stages import solve_collection


def lying(store):
    return {each.tile: each for each in store.state().board.placed if each.panel != LOOSE}


def test_a_panel_is_opened_as_it_was_put_together(workspace, museum):
    project = open_panel(workspace, museum, "1")
    store = workspace.open(project)
    assert (project, workspace.museum_of(project)) == ("museu-panel-0001", "museu")
    assert len(lying(store)) == 12
    assert {tile.crate for tile in store.tiles()} == {"K 0", "K 1"}
    assert not is_touched(store)
    assert store.settings().one_size  # crates are asked about sizes when they come in
    assert workspace.projects() == []  # it is listed in the museum
    assert open_panel(workspace, museum, "1") == project
    assert len(store.versions()) == 1
    assert store.state().undo is None  # what the museum laid is nobody's action
    assert [entry.about for entry in store.history()] == ["open", "12"]


def test_a_table_shows_the_confidence_that_the_museum_has_computed(workspace, museum):
    store_id = open_panel(workspace, museum, "1")
    store = workspace.open(store_id)
    shown = board_confidence(store)
    number = {tile.tile: tile.number for tile in store.tiles()}
    solution = load_panel_solution(museum.collection, "1")
    assert {number[each.tile]: each.confidence for each in shown.tiles} == pytest.approx(
        {each.number: each.confidence for each in solution.tiles}, abs=1e-3
    )
    (panel,) = museum.panels("", None, "merit")
    assert shown.mean == pytest.approx(panel.confidence, abs=1e-3)
    place = PanelPlace(panel=0, row=0, col=0)
    assert find_candidates(store, place, everything=True, top=3).fits
    # A stray that is laid there is judged too.
    end = max(lying(store).values(), key=lambda each: each.col)
    at = {"panel": 0, "row": end.row, "col": end.col + 1}
    make_move(workspace, museum, [12], "1", "gift", gift=Gift(project=store_id, tile=12, **at))
    assert len(board_confidence(store).tiles) == 13


def test_a_touched_table_is_not_changed_by_a_newer_solution(workspace, museum, in_turn):
    store = workspace.open(open_panel(workspace, museum, "1"))
    tile = next(iter(lying(store)))
    state = store.edit(Edit(revision=store.state().revision, label="lock", lock=[tile]))
    assert is_touched(store)
    solve_collection(museum.collection, in_turn, preset="fast", seed=5)
    open_panel(workspace, museum, "1")
    assert store.state().board == state.board
    assert [version.source for version in store.versions()] == ["open", "solve"]


def test_an_edit_that_was_undone_does_not_touch_a_table(workspace, museum, in_turn):
    store = workspace.open(open_panel(workspace, museum, "1"))
    one, *_ = lying(store).values()
    for change in (
        {"placed": [one.model_copy(update={"panel": LOOSE})]},
        {"lock": [one.tile]},
        {"missing": [PanelPlace(panel=0, row=9, col=9)]},
        {"outlines": [PanelOutline(panel=0, row=0, col=0, mask=["####"] * 3)]},
    ):
        store.edit(Edit(revision=store.state().revision, label="by hand", **change))
        assert is_touched(store)
        store.undo(store.state().revision)
        assert not is_touched(store)
        store.redo(store.state().revision)
        assert is_touched(store)
        store.undo(store.state().revision)
    open_panel(workspace, museum, "1")
    assert not is_touched(store)
    before = store.state().board
    solve_collection(museum.collection, in_turn, preset="fast", seed=5)
    open_panel(workspace, museum, "1")
    assert store.state().board != before  # it follows the museum again
    assert not is_touched(store)


def test_a_tile_given_to_a_table_touches_it_until_that_is_undone(workspace, museum):
    project = open_panel(workspace, museum, "1")
    store = workspace.open(project)
    end = max(lying(store).values(), key=lambda each: each.col)
    gift = Gift(project=project, tile=12, panel=0, row=end.row, col=end.col + 1)
    make_move(workspace, museum, [12], "1", "gift", gift=gift)
    assert is_touched(store)
    move = store.move_of("", undone=False)
    replay_move(workspace, museum, move, undone=True)
    assert not is_touched(store)


def test_the_outline_drawn_on_a_table_is_filled_by_the_solve_of_the_museum(
    workspace, museum, in_turn
):
    store = workspace.open(open_panel(workspace, museum, "1"))
    mask = ["####", "####", "##..", "##.."]
    outline = PanelOutline(panel=0, row=-1, col=2, mask=mask)
    tile, laid = next(iter(lying(store))), {"panel": 0, "row": 2, "col": 3, "turn": 90}
    there = [each for each in lying(store).values() if (each.row, each.col) == (2, 3)]
    edit = Edit(
        revision=store.state().revision,
        label="draw",
        placed=[Placed(tile=each.tile, panel=LOOSE) for each in there]
        + [Placed(tile=tile, **laid)],
        lock=[tile],
        outlines=[outline],
    )
    store.edit(edit)
    state_tables(museum.collection)
    assert all_statements(museum.collection).locked == []  # it counts from the outline
    solve_collection(museum.collection, in_turn, preset="fast")
    solution = load_panel_solution(museum.collection, "1")
    places = {
        (row, col) for row, line in enumerate(mask) for col, at in enumerate(line) if at == "#"
    }
    assert {(each.row, each.col) for each in solution.tiles} == places
    open_panel(workspace, museum, "1")
    board = store.version(store.versions()[-1].version).board
    assert Placed(tile=tile, **laid) in board.placed
    assert (board.locked, board.outlines) == ([tile], [outline])
    lie = {(each.row, each.col) for each in board.placed if each.panel == 0}
    assert lie == set(outline.places())

    small = outline.model_copy(update={"mask": ["####"] * 2, "row": 1})
    store.edit(Edit(revision=store.state().revision, label="draw", outlines=[small]))
    state_tables(museum.collection)
    told = []
    solve_collection(museum.collection, in_turn, preset="fast", on_panel=told.append)
    assert [str(each.why) for each in told] == [
        "The outline of panel 1 has 8 places, but there are 12 tiles. "
        "Draw more places on its table, or move tiles to another panel."
    ]


def test_an_untouched_table_follows_the_museum(workspace, museum, in_turn):
    store = workspace.open(open_panel(workspace, museum, "1"))
    before = store.state().board
    solve_collection(museum.collection, in_turn, preset="fast", seed=5)
    open_panel(workspace, museum, "1")
    assert store.state().board != before
    assert not is_touched(store)


def test_what_was_laid_locked_and_refused_is_stated_to_the_museum(workspace, museum):
    store = workspace.open(open_panel(workspace, museum, "1"))
    state_tables(museum.collection)
    assert assigned_panels(museum.collection) == {}
    one, other, third, *_ = lying(store).values()
    pair = Pair(tile=one.tile, side=1, other=third.tile, other_side=3)
    away = third.model_copy(update={"panel": LOOSE})
    store.edit(
        Edit(
            revision=store.state().revision,
            label="by hand",
            lock=[one.tile, other.tile],
            forbid=[pair],
            placed=[away],
        )
    )
    state_tables(museum.collection)
    number = {tile.tile: tile.number for tile in store.tiles()}
    laid = assigned_panels(museum.collection)
    assert set(laid.values()) == {"1"}
    assert set(number.values()) - laid.keys() == {number[third.tile]}
    stated = all_statements(museum.collection)
    (block,) = stated.joined
    assert {each.tile for each in block} == {number[one.tile], number[other.tile]}
    (apart,) = stated.apart
    assert (apart.tile, apart.side) == (number[one.tile], "right")
    store.edit(Edit(revision=store.state().revision, label="unlock", unlock=[one.tile, other.tile]))
    store.undo(store.state().revision)
    store.undo(store.state().revision)
    assert number[third.tile] in {number[tile] for tile in lying(store)}
    state_tables(museum.collection)
    assert all_statements(museum.collection).joined == []
    assert assigned_panels(museum.collection) == {}  # as before anybody had laid anything
    again = third.model_copy(update={"panel": LOOSE})
    store.edit(Edit(revision=store.state().revision, label="lift", placed=[again]))
    state_tables(museum.collection)
    assert number[third.tile] not in assigned_panels(museum.collection)  # no longer laid


def test_an_old_picture_does_not_touch_a_table_and_stays_on_it(workspace, museum, in_turn, picture):
    project = open_panel(workspace, museum, "1")
    store = workspace.open(project)
    (store.folder / "references" / "1930.png").write_bytes(picture(1, (90, 70)))
    old = PanelReference(panel=0, file="1930.png")
    with without_touching(workspace, project, store):
        store.put_reference(old, "add")
    assert not is_touched(store)
    solve_collection(museum.collection, in_turn, preset="fast", seed=5)
    open_panel(workspace, museum, "1")
    assert store.state().board.references == [old]
    assert not is_touched(store)
