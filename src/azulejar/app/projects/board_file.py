"""The board in the folder of a project: read once, and written in transactions.

Each method may be called from any thread. ``who`` is the name of the person who does it, empty for
the only one.
"""

import sqlite3
import threading
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects import database, history
from azulejar.app.projects.database import ProjectDatabase
from azulejar.app.schemas.boards import Board, BoardState

Latest = tuple[int, Board]  # with its revision
Change = Callable[[sqlite3.Connection, Board], Board]

REFERENCES = "references"  # folder of old pictures
FOLDERS = ("tiles", "photographs", "panel", REFERENCES, "scores", "atlas", "exports", "work")


class BoardFile:
    """The folder of a project, and the board in its database."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / database.NAME).is_file():
            raise NotFound(
                "project-folder-empty",
                "There is no project in {folder}.",
                "Check the path.",
                folder=str(folder),
            )
        for name in FOLDERS:
            (self.folder / name).mkdir(exist_ok=True)
        self._database = ProjectDatabase(self.folder / database.NAME)
        self._latest: Latest | None = None
        self.files_lock = threading.RLock()  # held while files are moved into the project
        self._sizes: dict[str, dict[str, int]] = {}  # bytes of files by folder and name

    def close(self) -> None:
        self._database.close()

    @property
    def connected(self) -> bool:
        """Whether the database is open; it is reopened on demand."""
        return self._database.connected

    @contextmanager
    def _changing_board(self) -> Iterator[sqlite3.Connection]:
        """Open a write transaction; if it fails, drop the cached board."""
        try:
            with self._database.changing() as db:
                yield db
        except BaseException:
            self._latest = None
            raise

    def check_revision(self, revision: int) -> None:
        """Raise Conflict if the board is not of this revision."""
        with self._database.reading() as db:
            self._read(db, revision)

    def _read(self, db: sqlite3.Connection, expected: int | None = None) -> Latest:
        """Return the board; raise Conflict if it is not of the expected revision."""
        revision = database.board_revision(db)
        if expected is not None and expected != revision:
            raise Conflict(
                "board-changed",
                "The board has changed meanwhile.",
                "Load it again, and do it once more.",
            )
        if self._latest is None or self._latest[0] != revision:
            self._latest = revision, database.read_board(db)
        return self._latest

    def _changed(
        self, db: sqlite3.Connection, change: Change, expected: int | None = None
    ) -> Latest:
        revision, before = self._read(db, expected)
        after = change(db, before)
        if after != before:
            revision = database.write_board(db, after)
            db.execute("UPDATE project SET changed = ?", (database.now(),))
        self._latest = revision, after
        return self._latest

    def _state(self, db: sqlite3.Connection, latest: Latest, who: str) -> BoardState:
        undo, redo = history.history_labels(db, who)
        return BoardState(revision=latest[0], board=latest[1], undo=undo, redo=redo, who=who)


def action_of(
    who: str,
    label: str,
    change: Callable[[Board], Board],
    move: str | None = None,
    new: Container[int] = (),
) -> Change:
    """Return a change that is recorded in the history; tiles that are ``new`` come with it."""

    def act(db: sqlite3.Connection, before: Board) -> Board:
        after = change(before)
        if after != before:
            known = [each for each in before.placed if each.tile not in new]
            without = before.model_copy(update={"placed": known}) if new else before
            history.record_action(db, who, label, without, after, move=move)
        return after

    return act
