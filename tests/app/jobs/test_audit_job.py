"""Auditing a panel of the board."""

import pytest

from azulejar.app.schemas.boards import LOOSE, Edit, PanelOutline, Placed
from azulejar.app.schemas.jobs import AuditRequest
from azulejar.errors import AzulejarError


def swap(store, *places):
    """Exchange the tiles of two places; gives their numbers."""
    lies = {(each.row, each.col): each for each in store.state().board.placed}
    a, b = (lies[place] for place in places)
    moved = [
        Placed(tile=a.tile, panel=0, row=b.row, col=b.col, turn=a.turn),
        Placed(tile=b.tile, panel=0, row=a.row, col=a.col, turn=b.turn),
    ]
    store.edit(Edit(revision=store.state().revision, label="swap", placed=moved))
    return {a.tile: a, b.tile: b}


def test_a_swap_is_found_and_the_proposal_puts_it_right(make_store, work, quick, lay):
    store = make_store()
    lay(store, down=-2, right=5)
    right = swap(store, (-1, 6), (0, 8))
    revision = store.state().revision
    job = work(store, AuditRequest(settings=quick())).job
    assert job.revision == revision
    findings = job.findings
    found = next(each for each in findings if set(each.tiles) == right.keys())
    assert found.kind == "swapped"
    assert found.probability > 0.5
    store.edit(Edit(revision=revision, label="apply", placed=found.proposed))
    lies = {each.tile: each for each in store.state().board.placed}
    assert {tile: lies[tile] for tile in right} == right


def test_two_halves_that_were_exchanged_are_noted(make_store, work, quick, lay):
    def codes():
        return {note.code for note in work(store, AuditRequest(settings=quick())).job.notes}

    store = make_store()
    state = lay(store)
    assert "loose-part" not in codes()
    cols = 1 + max(each.col for each in state.board.placed)
    moved = [
        each.model_copy(update={"col": (each.col + 2) % cols})
        for each in state.board.placed
        if each.panel == 0
    ]
    store.edit(Edit(revision=store.state().revision, label="exchange", placed=moved))
    assert "loose-part" in codes()


def test_another_size_is_noted_unless_the_outline_was_drawn(make_store, work, quick, lay):
    def noted():
        return [note.code for note in work(store, AuditRequest(settings=quick())).job.notes]

    store = make_store()
    state = lay(store)
    cols = 1 + max(each.col for each in state.board.placed)
    halves = [divmod(each.row, 2) for each in state.board.placed]
    wide = [
        each.model_copy(update={"row": row, "col": each.col + cols * half})
        for each, (half, row) in zip(state.board.placed, halves, strict=True)
    ]
    store.edit(Edit(revision=store.state().revision, label="wide", placed=wide))
    assert "better-size" in noted()
    outline = PanelOutline(panel=0, row=0, col=0, mask=["#" * 2 * cols] * 2)
    store.edit(Edit(revision=store.state().revision, label="draw", outlines=[outline]))
    assert "better-size" not in noted()


def test_locked_tiles_are_beyond_doubt(make_store, work, quick, lay):
    store = make_store()
    lay(store)
    wrong = swap(store, (1, 1), (2, 3))
    store.edit(Edit(revision=store.state().revision, label="lock", lock=list(wrong)))
    findings = work(store, AuditRequest(settings=quick())).job.findings
    assert not any(wrong.keys() & set(each.tiles) for each in findings)


def test_tiles_of_other_panels_are_not_proposed(make_store, work, quick, lay):
    store = make_store()
    lay(store)
    one = next(each for each in store.state().board.placed if (each.row, each.col) == (1, 1))
    away = Placed(tile=one.tile, panel=1, row=0, col=0)
    store.edit(Edit(revision=store.state().revision, label="away", placed=[away]))
    findings = work(store, AuditRequest(settings=quick())).job.findings
    assert not any(one.tile in each.tiles for each in findings)


def test_the_board_is_left_as_it_is(make_store, work, quick, lay):
    store = make_store()
    before = lay(store)
    work(store, AuditRequest(settings=quick()))
    assert store.state() == before


def test_a_panel_without_joints_cannot_be_audited(make_store, work, quick):
    store = make_store()
    assert all(each.panel == LOOSE for each in store.state().board.placed)
    with pytest.raises(AzulejarError, match="No two tiles"):
        work(store, AuditRequest(settings=quick()))
