"""One project: its tiles, board with unlimited undo, versions, settings and jobs.

Each method is one transaction and may be called from any thread. ``who`` is the name of the person
who does it, empty for the only one.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter

from azulejar.app import history
from azulejar.app import project_database as database
from azulejar.app.board import add_to_tray, apply_edit, merge_boards
from azulejar.app.http_errors import Conflict, NotFound
from azulejar.app.job_schemas import Job, JobRequest, SolveSettings
from azulejar.app.links import Links
from azulejar.app.notes import Notes
from azulejar.app.project_database import ProjectDatabase
from azulejar.app.schemas import (
    Board,
    BoardState,
    Edit,
    HistoryEntry,
    NewProjectTile,
    ProjectSummary,
    ProjectTile,
    Version,
    VersionBoard,
)
from azulejar.imaging.picture import is_picture
from azulejar.system.natural_order import natural_order

_TILES = TypeAdapter(list[ProjectTile])
_Latest = tuple[int, Board]  # with its revision
_Change = Callable[[sqlite3.Connection, Board], Board]

FOLDERS = ("tiles", "photographs", "panel", "scores", "atlas", "exports", "work")
FILLED = FOLDERS[:3]  # by uploads
JOBS_SHOWN = 50


class ProjectStore:
    """The project in ``folder``."""

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
        self.links = Links(self._database)
        self.notes = Notes(self._database)
        self._latest: _Latest | None = None
        self.files_lock = threading.RLock()  # held while files are moved into the project
        self._sizes: dict[str, dict[str, int]] = {}  # bytes of files by folder and name

    @classmethod
    def create(cls, folder: Path, name: str, source: str | None = None) -> "ProjectStore":
        """Create an empty project; ``source`` is the path that its tiles come from."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        new = ProjectDatabase.create(folder / database.NAME)
        with new.changing() as db:
            values = (
                name,
                database.now(),
                database.now(),
                SolveSettings().model_dump_json(),
                source,
            )
            db.execute("INSERT INTO project VALUES (?, ?, ?, ?, ?, NULL, NULL)", values)
            db.execute("INSERT INTO board VALUES (0, ?)", (Board(placed=[]).model_dump_json(),))
        new.close()
        return cls(folder)

    def close(self) -> None:
        self._database.close()

    @property
    def connected(self) -> bool:
        """Whether the database is open; it is reopened on demand."""
        return self._database.connected

    # Name and settings

    @property
    def name(self) -> str:
        return str(self._project()["name"])

    @property
    def source(self) -> tuple[str | None, str | None]:
        """Path that the tiles come from, and the checksum of the solution read there."""
        row = self._project()
        return row["source"], row["stamp"]

    def rename(self, name: str, who: str = "") -> None:
        self._set("name", name, who)

    def archive(self, archived: bool, who: str = "") -> None:
        """Put the project among those that nobody works on at present, or take it back."""
        self._set("archived", database.now() if archived else None, who)

    def put_stamp(self, stamp: str) -> None:
        """Remember the checksum of the solution that was read from the source."""
        self._set("stamp", stamp)

    def settings(self) -> SolveSettings:
        return SolveSettings.model_validate_json(self._project()["settings"])

    def put_settings(self, settings: SolveSettings) -> SolveSettings:
        self._set("settings", settings.model_dump_json())
        return settings

    def summary(self, project: str) -> ProjectSummary:
        """Return the entry for the list of projects."""
        row, board = self._project(), self.state().board
        return ProjectSummary(
            project=project,
            name=row["name"],
            created=row["created"],
            changed=row["changed"],
            tiles=len(board.placed),
            panels=database.count_panels(board),
            archived=row["archived"] is not None,
        )

    def is_untouched(self) -> bool:
        """Whether nothing has come into the project since it was created."""
        row = self._project()
        if row["created"] != row["changed"] or self.state().revision:
            return False
        if self.versions() or self.jobs():
            return False
        return not any(any((self.folder / name).iterdir()) for name in FILLED)

    # Tiles

    def photographs(self) -> list[str]:
        """Return the names of the uploaded photographs of several tiles."""
        names = [path.name for path in (self.folder / "photographs").iterdir() if is_picture(path)]
        return sorted(names, key=natural_order)

    def names_by_size(self, folder: str, names: Iterable[str]) -> dict[int, list[str]]:
        """Return files of a folder by their bytes; each is looked at once, as they never change."""
        known = self._sizes.setdefault(folder, {})
        by_size: dict[int, list[str]] = {}
        for name in names:
            if name not in known:
                path = self.folder / folder / name
                known[name] = path.stat().st_size if path.is_file() else -1
            by_size.setdefault(known[name], []).append(name)
        return by_size

    def tiles(self) -> list[ProjectTile]:
        """Return all tiles in the order of their arrival, without those that were removed."""
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM tiles ORDER BY tile").fetchall()
            here = {each.tile for each in self._read(db)[1].placed}
        return _TILES.validate_python([dict(row) for row in found if row["tile"] in here])

    def tile_files(self) -> list[str]:
        """Return the file names of all tiles, which is faster than ``tiles``."""
        with self._database.reading() as db:
            found = db.execute("SELECT tile, file FROM tiles ORDER BY tile").fetchall()
            here = {each.tile for each in self._read(db)[1].placed}
        return [row["file"] for row in found if row["tile"] in here]

    def removed_files(self) -> set[str]:
        """Return the file names of tiles that were removed."""
        with self._database.reading() as db:
            found = {row["file"] for row in db.execute("SELECT file FROM tiles")}
        return found - set(self.tile_files())

    def taken_files(self) -> set[str]:
        """Return the names that no new file may have: undo may need the old ones."""
        with self._database.reading() as db:
            found = db.execute("SELECT file FROM tiles UNION SELECT file FROM former_files")
            return {row["file"] for row in found}

    def add_tiles(self, tiles: Iterable[NewProjectTile], who: str = "") -> list[ProjectTile]:
        """Put tiles into the tray; the record of a file that is known already is updated."""
        with self._changing_board() as db:
            ids = [database.insert_tile(db, tile) for tile in tiles]
            self._changed(db, lambda _, board: add_to_tray(board, ids))
            history.log(db, who, "upload", str(len(ids)))
            return [ProjectTile(**database.find_row(db, "tiles", "tile", tile)) for tile in ids]

    # The board

    def state(self, who: str = "") -> BoardState:
        """Return the present board, and what undo and redo of a person would do."""
        with self._database.reading() as db:
            return self._state(db, self._read(db), who)

    def edit(self, edit: Edit, who: str = "") -> BoardState:
        """Apply a change by hand."""
        act = _action(who, edit.label, lambda now: apply_edit(now, edit))
        return self._change(act, edit.revision, who)

    def undo(self, revision: int, who: str = "") -> BoardState:
        """Undo the latest action of a person."""
        return self._change(lambda db, now: history.undo_action(db, who, now), revision, who)

    def redo(self, revision: int, who: str = "") -> BoardState:
        """Redo the action that a person has undone last."""
        return self._change(lambda db, now: history.redo_action(db, who, now), revision, who)

    def history(self, before: int | None = None) -> list[HistoryEntry]:
        """Return the latest entries of the history, or those before one, the newest first."""
        with self._database.reading() as db:
            return history.read_history(db, before)

    def log(self, who: str, what: str, about: str = "") -> None:
        """Add an entry to the history."""
        with self._database.changing() as db:
            history.log(db, who, what, about)

    def put_board(
        self,
        board: Board,
        label: str,
        source: str,
        confidence: float | None = None,
        keep: bool = True,
        who: str = "",
    ) -> tuple[BoardState, Version | None]:
        """Apply the board that a job has made as one action; save it as a version if ``keep``.

        Tiles that ``board`` does not hold stay where they are, unless one of its own lies there.
        """
        act = _action(who, label, lambda now: merge_boards(now, board))
        with self._changing_board() as db:
            latest = self._changed(db, act)
            version = (
                database.insert_version(db, latest[1], label, source, confidence) if keep else None
            )
            return self._state(db, latest, who), version

    # Versions

    def versions(self) -> list[Version]:
        """Return all versions, the oldest first."""
        with self._database.reading() as db:
            found = db.execute(f"SELECT {database.VERSION_COLUMNS} FROM versions ORDER BY version")
            return [Version(**row) for row in found]

    def version(self, version: int) -> VersionBoard:
        with self._database.reading() as db:
            row = dict(database.find_row(db, "versions", "version", version))
        board = Board.model_validate_json(row.pop("board"))
        return VersionBoard(version=Version(**row), board=board)

    def keep_version(
        self, name: str, source: str = "hand", confidence: float | None = None, who: str = ""
    ) -> Version:
        """Save the present board as a version."""
        with self._database.changing() as db:
            history.log(db, who, "version", name)
            return database.insert_version(db, self._read(db)[1], name, source, confidence)

    def file_version(
        self, board: Board, name: str, source: str, confidence: float | None = None
    ) -> Version:
        """Save a board as a version, and leave the present one as it is."""
        with self._database.changing() as db:
            return database.insert_version(db, board, name, source, confidence)

    def name_version(self, version: int, name: str, who: str = "") -> Version:
        with self._database.changing() as db:
            history.log(db, who, "version-named", name)
            db.execute("UPDATE versions SET name = ? WHERE version = ?", (name, version))
            return Version(
                **database.find_row(db, "versions", "version", version, database.VERSION_COLUMNS)
            )

    def restore(self, version: int, revision: int, who: str = "") -> BoardState:
        """Return to a version, as an action that can be undone; newer tiles stay."""
        kept = self.version(version)
        act = _action(who, kept.version.name, lambda now: merge_boards(now, kept.board))
        return self._change(act, revision, who)

    # Jobs

    def new_job(self, request: JobRequest, who: str = "") -> Job:
        """Add a job in the state queued."""
        with self._database.changing() as db:
            number = db.execute("INSERT INTO jobs (data) VALUES ('')").lastrowid
            job = Job(job=number, request=request, state="queued", who=who)  # type: ignore[arg-type]
            history.log(db, who, "job", request.kind)
            db.execute("UPDATE jobs SET data = ? WHERE job = ?", (job.model_dump_json(), number))
        return job

    def job(self, job: int) -> Job:
        with self._database.reading() as db:
            return Job.model_validate_json(database.find_row(db, "jobs", "job", job)["data"])

    def jobs(self) -> list[Job]:
        """Return the latest 50 jobs, the oldest first."""
        with self._database.reading() as db:
            found = db.execute("SELECT data FROM jobs ORDER BY job DESC LIMIT ?", (JOBS_SHOWN,))
            return [Job.model_validate_json(row["data"]) for row in found][::-1]

    def put_job(self, job: Job) -> None:
        """Save the state of a job."""
        with self._database.changing() as db:
            db.execute("UPDATE jobs SET data = ? WHERE job = ?", (job.model_dump_json(), job.job))

    # Reading and writing the board

    def _project(self) -> sqlite3.Row:
        with self._database.reading() as db:
            return db.execute("SELECT * FROM project").fetchone()

    def _set(self, column: str, value: str | None, who: str | None = None) -> None:
        """Write a column; changes by people are logged."""
        with self._database.changing() as db:
            db.execute(f"UPDATE project SET {column} = ?, changed = ?", (value, database.now()))
            if who is not None:
                history.log(db, who, f"project-{column}", value or "")

    @contextmanager
    def _changing_board(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction; the cached board is dropped if it fails."""
        try:
            with self._database.changing() as db:
                yield db
        except BaseException:
            self._latest = None
            raise

    def _read(self, db: sqlite3.Connection, expected: int | None = None) -> _Latest:
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
        self, db: sqlite3.Connection, change: _Change, expected: int | None = None
    ) -> _Latest:
        revision, before = self._read(db, expected)
        after = change(db, before)
        if after != before:
            revision = database.write_board(db, after)
            db.execute("UPDATE project SET changed = ?", (database.now(),))
        self._latest = revision, after
        return self._latest

    def _change(self, change: _Change, expected: int, who: str) -> BoardState:
        with self._changing_board() as db:
            return self._state(db, self._changed(db, change, expected), who)

    def _state(self, db: sqlite3.Connection, latest: _Latest, who: str) -> BoardState:
        undo, redo = history.history_labels(db, who)
        return BoardState(revision=latest[0], board=latest[1], undo=undo, redo=redo, who=who)


def _action(who: str, label: str, change: Callable[[Board], Board]) -> _Change:
    """Return a change that is recorded in the history."""

    def act(db: sqlite3.Connection, before: Board) -> Board:
        after = change(before)
        if after != before:
            history.record_action(db, who, label, before, after)
        return after

    return act
