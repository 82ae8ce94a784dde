"""One project: endless undo, versions, jobs and tiles that outlive the program."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from azulejar.app.http.errors import Conflict, NotFound, Unavailable
from azulejar.app.projects.store import JOBS_SHOWN, ProjectStore
from azulejar.app.schemas.boards import LOOSE, Board, Edit, Placed
from azulejar.app.schemas.jobs import ExportRequest, SolveRequest, SolveSettings
from azulejar.app.schemas.messages import Problem
from azulejar.app.schemas.tiles import NewProjectTile
from azulejar.errors import AzulejarError


@pytest.fixture
def store(tmp_path):
    opened = ProjectStore.create(tmp_path / "p", "Santa Clara")
    opened.add_tiles(NewProjectTile(file=f"{n}.png", number=str(n)) for n in range(1, 5))
    yield opened
    opened.close()


def _edit(store, label="edit", **what):
    return store.edit(Edit(revision=store.state().revision, label=label, **what))


def _move(store, tile, row, label="move"):
    return _edit(store, label, placed=[Placed(tile=tile, panel=0, row=row)])


def _rows(store):
    """The row of each tile, None in the tray."""
    placed = store.state().board.placed
    return [None if each.panel == LOOSE else each.row for each in placed]


def _again(store):
    """The same project after a restart."""
    store.close()
    return ProjectStore(store.folder)


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(1, 4), st.integers(-2, 2), st.integers(-1, 1)),
        st.tuples(st.just("lock"), st.integers(1, 4)),
        st.tuples(st.just("unlock"), st.integers(1, 4)),
        st.tuples(st.just("job"), st.integers(1, 4)),
        st.tuples(st.just("restart")),
        st.tuples(st.just("undo")),
        st.tuples(st.just("redo")),
        st.tuples(st.just("tile")),
    ),
    max_size=20,
)


def _do(store, move):
    kind, *what = move
    if kind == "move":
        tile, row, panel = what
        _edit(store, placed=[Placed(tile=tile, panel=panel, row=row)])
    elif kind in ("lock", "unlock"):
        _edit(store, **{kind: what})
    elif kind == "job":
        wanted = Board(placed=[Placed(tile=n, panel=0, row=n * what[0]) for n in range(1, 5)])
        store.put_board(wanted, "solve", "solve", keep=False)
    elif kind == "tile":
        store.add_tiles([NewProjectTile(file=f"new{len(store.tiles())}.png", number="x")])
    else:
        getattr(store, kind)(store.state().revision)


def _walk(store, step):
    """Undo or redo as far as it goes; the boards on the way."""
    boards = [store.state()]
    while getattr(boards[-1], step) is not None:
        boards.append(getattr(store, step)(boards[-1].revision))
    return [state.board for state in boards]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_undo_goes_back_to_the_first_board_and_redo_to_the_last(tmp_path_factory, moves):
    store = ProjectStore.create(tmp_path_factory.mktemp("p"), "p")
    store.add_tiles(NewProjectTile(file=f"{n}.png", number=str(n)) for n in range(1, 5))
    for move in moves:
        if move[0] == "restart":
            store = _again(store)
            continue
        before = store.state()
        try:
            _do(store, move)
        except Conflict:
            assert store.state() == before
    last = store.state()
    _walk(store, "redo")
    store = _again(store)
    forth = _walk(store, "undo")
    first = store.state().board
    assert all(each.panel == LOOSE for each in first.placed)
    assert (first.locked, first.forbidden, first.missing) == ([], [], [])
    assert len(first.placed) == len(last.board.placed) == len(store.tiles())
    store = _again(store)
    assert _walk(store, "redo") == forth[::-1]
    assert store.state().revision >= last.revision
    store.close()


def test_a_new_edit_after_undo_drops_the_branch_but_not_its_versions(store):
    _move(store, 1, 1, "first")
    kept = store.keep_version("mine")
    state = store.undo(_move(store, 1, 2, "second").revision)
    assert (state.undo, state.redo) == ("first", "second")
    state = _move(store, 1, 3, "third")
    assert (state.undo, state.redo) == ("third", None)
    with pytest.raises(Conflict, match="nothing to redo"):
        store.redo(state.revision)
    assert store.versions() == [kept]
    state = store.undo(store.undo(state.revision).revision)
    assert (state.undo, state.redo) == (None, "first")
    with pytest.raises(Conflict, match="nothing to undo"):
        store.undo(state.revision)


def test_an_edit_of_an_older_board_is_refused(store):
    old = store.state().revision
    _move(store, 1, 1)
    for change in (
        lambda: store.edit(Edit(revision=old, label="late", lock=[1])),
        lambda: store.undo(old),
        lambda: store.redo(old),
        lambda: store.restore(store.keep_version("v").version, old),
    ):
        with pytest.raises(Conflict, match="meanwhile"):
            change()
    assert store.state().board.locked == []


def test_an_edit_that_changes_nothing_is_no_action(store):
    state = _move(store, 1, 1, "first")
    assert _move(store, 1, 1, "second") == state


def test_a_refused_edit_leaves_nothing_behind(store):
    state = _move(store, 1, 1)
    with pytest.raises(Conflict):
        _edit(store, placed=[Placed(tile=2, panel=0, row=1)])
    assert store.state() == state
    assert _again(store).state() == state


def test_a_result_is_one_action_and_a_version(store):
    _move(store, 4, 9)
    store.add_tiles([NewProjectTile(file="late.png", number="late")])
    board = Board(placed=[Placed(tile=n, panel=0, row=n) for n in (1, 2, 3)], panels=["North"])
    state, version = store.put_board(board, "solve", "solve", 0.75)
    assert _rows(store) == [1, 2, 3, 9, None]
    assert (version.name, version.source, version.confidence) == ("solve", "solve", 0.75)
    assert (version.panels, version.placed) == (1, 4)
    assert store.version(version.version).board == state.board
    assert store.undo(state.revision).board.panels == ["1"]
    assert _rows(store) == [None, None, None, 9, None]
    assert store.put_board(board, "solve", "solve", keep=False)[1] is None


def test_a_result_is_kept_even_if_it_changes_nothing(store):
    state = _move(store, 1, 1)
    again, version = store.put_board(state.board, "solve", "solve")
    assert again == state
    assert store.versions() == [version]


def test_going_back_to_a_version_can_be_undone_and_leaves_new_tiles(store):
    _move(store, 1, 1)
    version = store.keep_version("early")
    _move(store, 1, 2)
    store.add_tiles([NewProjectTile(file="late.png", number="late")])
    state = _edit(store, placed=[Placed(tile=5, panel=0, row=1)])
    back = store.restore(version.version, state.revision)
    assert back.undo == "early"
    assert _rows(store) == [1, None, None, None, None]  # the new one lay in the way
    assert store.undo(back.revision).board == state.board
    renamed = store.name_version(version.version, "Com água")
    assert _again(store).versions() == [renamed]


def test_tiles_keep_their_numbers_and_a_known_file_is_renewed(store):
    ids = [tile.tile for tile in store.tiles()]
    (first,) = store.add_tiles(
        [NewProjectTile(file="1.png", number="A1", crate="7", doubt="blurred")]
    )
    assert (first.tile, first.number, first.crate) == (ids[0], "A1", "7")
    (first,) = store.add_tiles([NewProjectTile(file="1.png", number="A2")])
    assert (first.number, first.doubt) == ("A2", "blurred")
    assert [tile.tile for tile in _again(store).tiles()] == ids


def test_jobs_are_written_down(store):
    job = store.new_job(SolveRequest())
    assert (job.state, job.request) == ("queued", SolveRequest())
    failed = job.model_copy(
        update={"state": "failed", "error": Problem(problem="It broke.", remedy="Again.")}
    )
    store.put_job(failed)
    other = store.new_job(ExportRequest(what="plan"))
    store = _again(store)
    assert store.jobs() == [failed, other]
    assert store.job(job.job) == failed
    many = [store.new_job(SolveRequest()) for _ in range(JOBS_SHOWN)]
    assert store.jobs() == many
    store.close()


@pytest.mark.parametrize("what", ["version", "job", "name_version"])
def test_what_is_not_there_is_not_found(store, what):
    arguments = (99, "x") if what == "name_version" else (99,)
    with pytest.raises(NotFound, match="99"):
        getattr(store, what)(*arguments)


def test_name_and_settings_last(store):
    before = store.summary("p").changed
    store.rename("Olá")
    store.put_settings(SolveSettings(rows=3, measure="mgc"))
    store = _again(store)
    assert store.name == "Olá"
    assert store.settings() == SolveSettings(rows=3, measure="mgc")
    summary = store.summary("p")
    assert (summary.name, summary.tiles, summary.panels) == ("Olá", 4, 0)
    assert summary.changed >= before >= summary.created
    store.close()


def test_threads_take_turns(store):
    """Each of 200 moves by 8 threads is made once: none is lost, none in between."""

    def move(number):
        while True:
            try:
                revision = store.state().revision
                placed = [Placed(tile=1, panel=0, row=number)]
                return store.edit(Edit(revision=revision, label=str(number), placed=placed))
            except Conflict:
                continue

    start = store.state().revision
    with ThreadPoolExecutor(8) as pool:
        states = list(pool.map(move, range(1, 201)))
    assert sorted(state.revision for state in states) == list(range(start + 1, start + 201))
    undone = set()
    while (label := store.state().undo) is not None:
        undone.add(int(label))
        store.undo(store.state().revision)
    assert undone == set(range(1, 201))


def test_a_process_that_writes_is_waited_for(store):
    other = sqlite3.connect(store.folder / "project.db", check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, other.rollback)
    timer.start()
    assert _move(store, 1, 1).board.placed[0].row == 1
    timer.join()
    other.close()


def test_a_full_disk_is_told_and_nothing_is_half_saved(store):
    state = _move(store, 1, 1)
    with store._database.changing() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Unavailable, match="full"):
        store.add_tiles(NewProjectTile(file=f"x{n}.png", number="x" * 100) for n in range(500))
    assert store.state() == state
    assert len(store.tiles()) == 4


def test_what_is_no_project_or_a_newer_one_is_refused(tmp_path, store):
    with pytest.raises(NotFound, match="no project"):
        ProjectStore(tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "project.db").write_bytes(b"not a database, but long enough" * 50)
    with pytest.raises(AzulejarError, match="cannot be opened"):
        ProjectStore(tmp_path / "broken")
    with store._database.changing() as db:
        db.execute("PRAGMA user_version = 4")
    with pytest.raises(AzulejarError, match="of format 4"):
        _again(store)


def test_a_closed_project_is_one_file_and_can_be_copied(store, tmp_path):
    state = _move(store, 1, 1)
    store.close()
    assert {path.name for path in store.folder.glob("project.db*")} == {"project.db"}
    store.folder.rename(tmp_path / "elsewhere")
    copied = ProjectStore(tmp_path / "elsewhere")
    assert copied.state() == state
    copied.close()
