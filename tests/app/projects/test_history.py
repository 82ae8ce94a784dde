"""The history: what each of several people can undo, and projects of earlier versions."""

import sqlite3

import pytest

from azulejar.app.http.errors import Conflict
from azulejar.app.projects import database
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import LOOSE, Edit, Placed
from azulejar.app.schemas.tiles import NewProjectTile


@pytest.fixture
def store(tmp_path):
    """A project of four tiles in the tray."""
    opened = ProjectStore.create(tmp_path / "p", "p")
    opened.add_tiles(NewProjectTile(file=f"{n}.png", number=str(n)) for n in range(1, 5))
    yield opened
    opened.close()


def _do(store, who, label, **what):
    return store.edit(Edit(revision=store.state().revision, label=label, **what), who)


def _lay(store, who, tile, col):
    return _do(store, who, f"{tile}", placed=[Placed(tile=tile, panel=0, row=0, col=col)])


def _lies(store):
    return {each.tile: each.col for each in store.state().board.placed if each.panel != LOOSE}


def _undo(store, who):
    return store.undo(store.state().revision, who)


def test_undo_takes_back_ones_own_last_action(store):
    _lay(store, "Ana", 1, 0)
    _lay(store, "Rui", 2, 1)
    _lay(store, "Ana", 3, 2)
    assert (store.state("Ana").undo, store.state("Rui").undo, store.state().undo) == (
        "3",
        "2",
        None,
    )
    state = _undo(store, "Rui")
    assert (state.who, state.undo, state.redo) == ("Rui", None, "2")
    assert _lies(store) == {1: 0, 3: 2}
    _undo(store, "Ana")
    _undo(store, "Ana")
    assert _lies(store) == {}
    for _ in range(2):
        store.redo(store.state().revision, "Ana")
    assert _lies(store) == {1: 0, 3: 2}
    _lay(store, "Ana", 4, 5)  # ends what Ana could redo, but not what Rui could
    assert (store.state("Ana").redo, store.state("Rui").redo) == (None, "2")
    assert [each.what for each in store.history()][:4] == ["edit", "redo", "redo", "undo"]


@pytest.mark.parametrize(
    "theirs",
    [
        lambda store: _lay(store, "Rui", 1, 7),
        lambda store: _do(store, "Rui", "lock", lock=[1]),
        lambda store: _do(store, "Rui", "remove", remove=[1]),
    ],
)
def test_what_somebody_else_has_changed_since_is_not_undone(store, theirs):
    _lay(store, "Ana", 1, 0)
    theirs(store)
    before = store.state()
    with pytest.raises(Conflict, match="Somebody else"):
        _undo(store, "Ana")
    assert store.state() == before
    _undo(store, "Rui")
    _undo(store, "Ana")
    assert _lies(store) == {}


def test_a_place_that_somebody_has_taken_since_is_not_taken_back(store):
    _lay(store, "Ana", 1, 0)
    _lay(store, "Ana", 1, 1)
    _lay(store, "Rui", 2, 0)
    with pytest.raises(Conflict):
        _undo(store, "Ana")
    assert _lies(store) == {1: 1, 2: 0}


def test_a_removed_tile_comes_back_with_its_joints_or_to_the_tray(store):
    pair = {"tile": 1, "side": 1, "other": 2, "other_side": 3}
    _lay(store, "Ana", 1, 0)
    _lay(store, "Ana", 2, 1)
    whole = _do(store, "Ana", "judge", accept=[pair], lock=[1]).board
    with pytest.raises(Conflict, match="locked"):
        _do(store, "Ana", "remove", remove=[1])
    gone = _do(store, "Ana", "remove", remove=[1], unlock=[1]).board
    assert (gone.accepted, gone.locked, [t.tile for t in store.tiles()]) == ([], [], [2, 3, 4])
    assert [tile.file for tile in store.removed_tiles()] == ["1.png"]
    assert _undo(store, "Ana").board == whole
    _do(store, "Ana", "remove", remove=[1], unlock=[1])
    _lay(store, "Rui", 3, 0)
    board = _undo(store, "Ana").board
    assert (board.placed[0].panel, len(store.tiles())) == (LOOSE, 4)


def test_a_judged_joint_is_right_or_wrong_but_not_both(store):
    pair = {"tile": 1, "side": 1, "other": 2, "other_side": 3}
    accepted = _do(store, "", "accept", accept=[pair]).board
    assert (len(accepted.accepted), len(accepted.forbidden)) == (1, 0)
    refused = _do(store, "", "refuse", forbid=[pair]).board
    assert (len(refused.accepted), len(refused.forbidden)) == (0, 1)
    again = _do(store, "", "accept", accept=[pair]).board
    assert (again.accepted, again.forbidden) == (accepted.accepted, [])
    assert _do(store, "", "doubt", doubt=[pair]).board.accepted == []


OLD = """
CREATE TABLE project (
    name TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL,
    settings TEXT NOT NULL, source TEXT, stamp TEXT
);
CREATE TABLE tiles (
    tile INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL UNIQUE, number TEXT NOT NULL,
    crate TEXT, code TEXT, note TEXT, doubt TEXT
);
CREATE TABLE board (revision INTEGER NOT NULL, done INTEGER NOT NULL, board TEXT NOT NULL);
CREATE TABLE actions (
    action INTEGER PRIMARY KEY, label TEXT NOT NULL, forward TEXT NOT NULL, backward TEXT NOT NULL
);
CREATE TABLE versions (
    version INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, source TEXT NOT NULL,
    created TEXT NOT NULL, panels INTEGER NOT NULL, placed INTEGER NOT NULL, confidence REAL,
    board TEXT NOT NULL
);
CREATE TABLE jobs (job INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
INSERT INTO project VALUES ('old', '2026-01-01', '2026-01-01', '{}', NULL, NULL);
INSERT INTO tiles (file, number, crate) VALUES ('1.png', 'A1', '7');
INSERT INTO board VALUES (3, 1,
    '{"placed": [{"tile": 1, "panel": 0, "row": 0, "col": 1}], "panels": ["1"]}');
INSERT INTO actions VALUES
    (1, 'first', '{"placed": [{"tile": 1, "panel": 0, "row": 0, "col": 1}]}',
        '{"placed": [{"tile": 1, "panel": -1}]}'),
    (2, 'second', '{"placed": [{"tile": 1, "panel": 0, "row": 0, "col": 2}]}',
        '{"placed": [{"tile": 1, "panel": 0, "row": 0, "col": 1}]}');
PRAGMA user_version = 1;
"""


def test_a_project_of_the_first_format_keeps_its_tiles_and_its_undo(tmp_path):
    db = sqlite3.connect(tmp_path / database.NAME)
    db.executescript(OLD)
    db.close()
    store = ProjectStore(tmp_path)
    (tile,) = store.tiles()
    assert (tile.number, tile.crate, tile.thickness) == ("A1", "7", None)
    assert (store.state().undo, store.state().redo, store.state().revision) == (
        "first",
        "second",
        3,
    )
    assert store.redo(3).board.placed[0].col == 2
    assert _undo(store, "").board.placed[0].col == 1
    assert _undo(store, "").board.placed[0].panel == LOOSE
    store.close()
    db = sqlite3.connect(tmp_path / database.NAME)
    db.executescript("ALTER TABLE tiles DROP COLUMN outer; PRAGMA user_version = 2;")
    db.close()
    store = ProjectStore(tmp_path)
    assert (store.tiles()[0].number, store.tiles()[0].outer) == ("A1", None)
    store.close()
