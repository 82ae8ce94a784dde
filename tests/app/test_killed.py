"""kill -9 in the middle of anything loses at most the last action, and the project opens.

The children are forked by a program of its own, which has imported everything once.
"""

import json
import subprocess
import sys

import pytest

KILLS = {"store": 24, "server": 10}

# Each child changes the project as fast as it can and tells each change once it is made; it is
# killed at a moment that nobody has chosen. ``life`` is what a child does, ``told`` what it said.
NURSERY = """
import json, os, random, signal, sqlite3, sys, threading, time
from contextlib import suppress
from pathlib import Path
from azulejar.app.schemas.boards import Board, Edit, Placed
from azulejar.app.schemas.tiles import NewProjectTile
from azulejar.app.schemas.jobs import SolveRequest
from azulejar.app.projects.store import ProjectStore

folder, kills = Path(sys.argv[1]), int(sys.argv[2])
chance = random.Random(int(sys.argv[3]))

def next_row(board):
    first = board.placed[0]
    return first.row + 1 if first.panel == 0 else 0

def checked():
    '''Revision and row of tile 1, of a project that is sound.'''
    db = sqlite3.connect(folder / "project.db")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
    store = ProjectStore(folder)
    state, tiles = store.state(), store.tiles()
    assert [each.tile for each in state.board.placed] == [tile.tile for tile in tiles]
    for version in store.versions():
        assert store.version(version.version).board.placed[0].panel == 0
    if state.undo is not None:
        back = store.undo(state.revision)
        again = store.redo(back.revision)
        assert again.board == state.board
    row = next_row(store.state().board) - 1
    store.close()
    return row

def kill_later(pid):
    time.sleep(chance.choice([0, 0.02, 0.1]) * chance.random())
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
"""

DIRECT = (
    NURSERY
    + """
def live(say):
    store = ProjectStore(folder)
    while True:
        state = store.state()
        row = next_row(state.board)
        placed = [Placed(tile=1, panel=0, row=row)]
        if row % 5 == 4:
            store.put_board(Board(placed=placed), "solve", "solve")
            store.put_job(store.new_job(SolveRequest()).model_copy(update={"state": "done"}))
        else:
            store.edit(Edit(revision=state.revision, label=str(row), placed=placed))
        os.write(say, b"%d\\n" % row)
        if row % 7 == 6:
            store.add_tiles([NewProjectTile(file=f"{row}.png", number=str(row))])

lives = []
for _ in range(kills):
    listen, say = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(listen)
        live(say)
    os.close(say)
    with os.fdopen(listen, "rb") as told:
        first = told.readline() if chance.random() < 0.8 else b""
        kill_later(pid)
        rows = [int(line) for line in (first + told.read()).splitlines() if line]
    lives.append((rows, checked()))
print(json.dumps(lives))
"""
)

SERVED = (
    NURSERY
    + """
import httpx, socket
from azulejar.app.server import create_app, run_server
from azulejar.app.workspace import Workspace

create_app(None).openapi()  # so that routes are prepared here, once for all children
listener = socket.create_server(("127.0.0.1", 0))
api = f"http://127.0.0.1:{listener.getsockname()[1]}/api/projects/{folder.name}"

def post_edits(rows):
    with httpx.Client(timeout=None) as client:
        state = client.get(api).json()["state"]
        while True:
            row = next_row(Board(**state["board"]))
            edit = Edit(revision=state["revision"], label=str(row),
                        placed=[Placed(tile=1, panel=0, row=row)])
            answer = client.post(f"{api}/edits", content=edit.model_dump_json(),
                                 headers={"Content-Type": "application/json"})
            assert answer.status_code == 200, answer.text
            state = answer.json()
            rows.append(row)

lives = []
for _ in range(kills):
    pid = os.fork()
    if not pid:
        run_server(create_app(Workspace(folder.parent)), listener)
        os._exit(1)
    rows = []
    def work():
        with suppress(httpx.TransportError):
            post_edits(rows)
    worker = threading.Thread(target=work)
    worker.start()
    # Decided once: else a slow start would always be killed before its first edit.
    wait = chance.random() < 0.8
    while wait and not rows and worker.is_alive():
        time.sleep(0.005)
    kill_later(pid)
    # What was sent to the dead server waits in the listener; nobody will answer it.
    listener.setblocking(False)
    while worker.is_alive():
        with suppress(BlockingIOError):
            listener.accept()[0].close()
        worker.join(0.01)
    listener.setblocking(True)
    lives.append((rows, checked()))
print(json.dumps(lives))
"""
)


@pytest.mark.parametrize(("what", "program"), [("store", DIRECT), ("server", SERVED)])
def test_whatever_was_told_as_done_is_there_after_a_kill(make_store, what, program):
    store = make_store(0)
    store.close()
    setup = (
        "import sys; from azulejar.app.projects.store import ProjectStore; "
        "from azulejar.app.schemas.tiles import NewProjectTile; "
        "ProjectStore(sys.argv[1]).add_tiles([NewProjectTile(file='1.png', number='1')])"
    )
    subprocess.run([sys.executable, "-c", setup, store.folder], check=True)
    ended = subprocess.run(
        [sys.executable, "-c", program, store.folder, str(KILLS[what]), "0"],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    lives = json.loads(ended.stdout)
    assert len(lives) == KILLS[what]
    last = -1
    for told, found in lives:
        assert told == list(range(last + 1, last + 1 + len(told)))
        assert found - (last + len(told)) in (0, 1)  # done, but killed before it was told
        last = found
    # Most were killed at work, not while they began: otherwise this would say little.
    assert sum(bool(told) for told, _ in lives) > KILLS[what] / 2
