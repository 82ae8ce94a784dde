"""One project: its tiles, board with unlimited undo, versions, settings and jobs.

Each method is one transaction and may be called from any thread. ``who`` is the name of the person
who does it, empty for the only one.
"""

import sqlite3
from pathlib import Path

from azulejar.app.projects import database, history
from azulejar.app.projects.board import merge_boards
from azulejar.app.projects.board_file import FOLDERS, action_of
from azulejar.app.projects.board_store import ProjectBoard
from azulejar.app.projects.database import ProjectDatabase
from azulejar.app.projects.links import Links
from azulejar.app.projects.notes import Notes
from azulejar.app.schemas.boards import Board, BoardState, Version, VersionBoard
from azulejar.app.schemas.jobs import Job, JobRequest, SolveSettings
from azulejar.app.schemas.projects import ProjectSummary

FILLED = FOLDERS[:4]  # by uploads
JOBS_SHOWN = 50


class ProjectStore(ProjectBoard):
    """The project in ``folder``."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.links = Links(self._database)
        self.notes = Notes(self._database)

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
        """Archive the project, or bring it back."""
        self._set("archived", database.now() if archived else None, who)

    @property
    def archived(self) -> bool:
        return self._project()["archived"] is not None

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
            archived=self.archived,
        )

    def is_untouched(self) -> bool:
        """Whether nothing has come into the project since it was created."""
        row = self._project()
        if row["created"] != row["changed"] or self.state().revision:
            return False
        if self.versions() or self.jobs():
            return False
        return not any(any((self.folder / name).iterdir()) for name in FILLED)

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

    def keep_version(self, name: str, who: str = "") -> Version:
        """Save the present board as a version."""
        with self._database.changing() as db:
            history.log(db, who, "version", name)
            return database.insert_version(db, self._read(db)[1], name, "hand", None)

    def file_version(
        self, board: Board, name: str, source: str, confidence: float | None = None
    ) -> Version:
        """Save a board as a version without changing the current one."""
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
        act = action_of(who, kept.version.name, lambda now: merge_boards(now, kept.board))
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

    def _project(self) -> sqlite3.Row:
        with self._database.reading() as db:
            return db.execute("SELECT * FROM project").fetchone()

    def _set(self, column: str, value: str | None, who: str | None = None) -> None:
        """Write a column, and log it if a person made the change."""
        with self._database.changing() as db:
            db.execute(f"UPDATE project SET {column} = ?, changed = ?", (value, database.now()))
            if who is not None:
                history.log(db, who, f"project-{column}", value or "")
