"""One project: tiles, board with endless history, versions, settings and jobs.

Each method is one transaction and may be called from any thread.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter

from azulejar.app import database, history, rows
from azulejar.app.board import edited, merged, with_tiles
from azulejar.app.database import Database
from azulejar.app.refusals import Clash, NotFound
from azulejar.app.schemas import (
    Board,
    BoardState,
    Edit,
    Job,
    NewTile,
    ProjectSummary,
    Settings,
    Tile,
    Version,
    VersionBoard,
    Wish,
)
from azulejar.imaging.folder import natural_order
from azulejar.imaging.picture import is_picture

_TILES = TypeAdapter(list[Tile])
_Latest = tuple[int, Board]  # with its revision
_Change = Callable[[sqlite3.Connection, Board], Board]

FOLDERS = ("tiles", "photographs", "panel", "scores", "atlas", "exports", "work")
JOBS_SHOWN = 50


class Store:
    """The project in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / database.NAME).is_file():
            raise NotFound(f"There is no project in {folder}.", "Check the path.")
        for name in FOLDERS:
            (self.folder / name).mkdir(exist_ok=True)
        self._database = Database(self.folder / database.NAME)
        self._latest: _Latest | None = None
        self.files = threading.RLock()  # held while files are moved into the project

    @classmethod
    def create(cls, folder: Path, name: str, source: str | None = None) -> "Store":
        """A new, empty project; ``source`` is the path that its tiles come from."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        new = Database.create(folder / database.NAME)
        with new.changing() as db:
            values = (name, rows.now(), rows.now(), Settings().model_dump_json(), source)
            db.execute("INSERT INTO project VALUES (?, ?, ?, ?, ?, NULL)", values)
            db.execute("INSERT INTO board VALUES (0, 0, ?)", (Board(placed=[]).model_dump_json(),))
        new.close()
        return cls(folder)

    def close(self) -> None:
        self._database.close()

    # What the project is called, and how it is solved.

    @property
    def name(self) -> str:
        return str(self._project()["name"])

    @property
    def source(self) -> tuple[str | None, str | None]:
        """Where its tiles come from, and a stamp of what was there."""
        row = self._project()
        return row["source"], row["stamp"]

    def rename(self, name: str) -> None:
        self._set("name", name)

    def put_stamp(self, stamp: str) -> None:
        """Remember what the source held when it was read."""
        self._set("stamp", stamp)

    def settings(self) -> Settings:
        return Settings.model_validate_json(self._project()["settings"])

    def put_settings(self, settings: Settings) -> Settings:
        self._set("settings", settings.model_dump_json())
        return settings

    def summary(self, project: str) -> ProjectSummary:
        """For the list of projects."""
        row, board = self._project(), self.state().board
        return ProjectSummary(
            project=project,
            name=row["name"],
            created=row["created"],
            changed=row["changed"],
            tiles=len(board.placed),
            panels=rows.panels_used(board),
        )

    # Tiles

    def photographs(self) -> list[str]:
        """Names of the photographs of several tiles that were brought."""
        names = [path.name for path in (self.folder / "photographs").iterdir() if is_picture(path)]
        return sorted(names, key=natural_order)

    def tiles(self) -> list[Tile]:
        """All tiles, in the order in which they came."""
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM tiles ORDER BY tile").fetchall()
        return _TILES.validate_python([dict(row) for row in found])

    def tile_files(self) -> list[str]:
        """Their files alone, which is quicker."""
        with self._database.reading() as db:
            return [row["file"] for row in db.execute("SELECT file FROM tiles ORDER BY tile")]

    def add_tiles(self, tiles: Iterable[NewTile]) -> list[Tile]:
        """Put tiles into the tray; of a file that is known already the record is renewed."""
        with self._changing_board() as db:
            ids = [rows.enter(db, tile) for tile in tiles]
            self._changed(db, lambda _, board: with_tiles(board, ids))
            return [Tile(**rows.find(db, "tiles", "tile", tile)) for tile in ids]

    # The board

    def state(self) -> BoardState:
        """The board as it lies, and what undo and redo would do."""
        with self._database.reading() as db:
            return self._state(db, self._read(db))

    def edit(self, edit: Edit) -> BoardState:
        """Make a change by hand."""
        return self._change(_action(edit.label, lambda now: edited(now, edit)), edit.revision)

    def undo(self, revision: int) -> BoardState:
        """Take back the latest action."""
        return self._change(history.undone, revision)

    def redo(self, revision: int) -> BoardState:
        """Make the action again that was taken back last."""
        return self._change(history.redone, revision)

    def put_board(
        self,
        board: Board,
        label: str,
        source: str,
        confidence: float | None = None,
        keep: bool = True,
    ) -> tuple[BoardState, Version | None]:
        """Take over what a job has made as an action, and keep it as a version if ``keep``.

        Tiles that it does not know stay where they are, unless one of its own lies there now.
        """
        act = _action(label, lambda now: merged(now, board))
        with self._changing_board() as db:
            latest = self._changed(db, act)
            version = rows.keep(db, latest[1], label, source, confidence) if keep else None
            return self._state(db, latest), version

    # Versions

    def versions(self) -> list[Version]:
        """All that are kept, the oldest first."""
        with self._database.reading() as db:
            found = db.execute(f"SELECT {rows.VERSION} FROM versions ORDER BY version")
            return [Version(**row) for row in found]

    def version(self, version: int) -> VersionBoard:
        with self._database.reading() as db:
            row = dict(rows.find(db, "versions", "version", version))
        board = Board.model_validate_json(row.pop("board"))
        return VersionBoard(version=Version(**row), board=board)

    def keep_version(
        self, name: str, source: str = "hand", confidence: float | None = None
    ) -> Version:
        """Keep the board as it lies."""
        with self._database.changing() as db:
            return rows.keep(db, self._read(db)[1], name, source, confidence)

    def name_version(self, version: int, name: str) -> Version:
        with self._database.changing() as db:
            db.execute("UPDATE versions SET name = ? WHERE version = ?", (name, version))
            return Version(**rows.find(db, "versions", "version", version, rows.VERSION))

    def restore(self, version: int, revision: int) -> BoardState:
        """Go back to a version, as an action that can be undone; newer tiles stay."""
        kept = self.version(version)
        act = _action(kept.version.name, lambda now: merged(now, kept.board))
        return self._change(act, revision)

    # Jobs

    def new_job(self, wish: Wish) -> Job:
        """Enter a job, queued."""
        with self._database.changing() as db:
            number = db.execute("INSERT INTO jobs (data) VALUES ('')").lastrowid
            job = Job(job=number, wish=wish, state="queued")  # type: ignore[arg-type]
            db.execute("UPDATE jobs SET data = ? WHERE job = ?", (job.model_dump_json(), number))
        return job

    def job(self, job: int) -> Job:
        with self._database.reading() as db:
            return Job.model_validate_json(rows.find(db, "jobs", "job", job)["data"])

    def jobs(self) -> list[Job]:
        """The latest 50, the oldest of them first."""
        with self._database.reading() as db:
            found = db.execute("SELECT data FROM jobs ORDER BY job DESC LIMIT ?", (JOBS_SHOWN,))
            return [Job.model_validate_json(row["data"]) for row in found][::-1]

    def put_job(self, job: Job) -> None:
        """Write down how far it is."""
        with self._database.changing() as db:
            db.execute("UPDATE jobs SET data = ? WHERE job = ?", (job.model_dump_json(), job.job))

    # How the board is read and written.

    def _project(self) -> sqlite3.Row:
        with self._database.reading() as db:
            return db.execute("SELECT * FROM project").fetchone()

    def _set(self, column: str, value: str) -> None:
        with self._database.changing() as db:
            db.execute(f"UPDATE project SET {column} = ?, changed = ?", (value, rows.now()))

    @contextmanager
    def _changing_board(self) -> Iterator[sqlite3.Connection]:
        """A transaction; nothing of it is remembered if it fails."""
        try:
            with self._database.changing() as db:
                yield db
        except BaseException:
            self._latest = None
            raise

    def _read(self, db: sqlite3.Connection, expected: int | None = None) -> _Latest:
        """Raises Clash if it is not the revision that was expected."""
        revision = history.revision(db)
        if expected is not None and expected != revision:
            raise Clash("The board has changed meanwhile.", "Load it again, and do it once more.")
        if self._latest is None or self._latest[0] != revision:
            self._latest = revision, history.read(db)
        return self._latest

    def _changed(
        self, db: sqlite3.Connection, change: _Change, expected: int | None = None
    ) -> _Latest:
        revision, before = self._read(db, expected)
        after = change(db, before)
        if after != before:
            revision = history.write(db, after)
            db.execute("UPDATE project SET changed = ?", (rows.now(),))
        self._latest = revision, after
        return self._latest

    def _change(self, change: _Change, expected: int) -> BoardState:
        with self._changing_board() as db:
            return self._state(db, self._changed(db, change, expected))

    def _state(self, db: sqlite3.Connection, latest: _Latest) -> BoardState:
        undo, redo = history.labels(db)
        return BoardState(revision=latest[0], board=latest[1], undo=undo, redo=redo)


def _action(label: str, change: Callable[[Board], Board]) -> _Change:
    """A change that can be undone."""

    def act(db: sqlite3.Connection, before: Board) -> Board:
        after = change(before)
        if after != before:
            history.record(db, label, before, after)
        return after

    return act
