"""Notes that people write on a tile, on a joint or on a panel."""

import sqlite3

from azulejar.app.http.errors import Conflict, Forbidden, NotFound
from azulejar.app.people.roles import Person, Role
from azulejar.app.projects.database import ProjectDatabase
from azulejar.app.projects.history import log
from azulejar.app.schemas.boards import Pair
from azulejar.app.schemas.people import NewNote, Note
from azulejar.system.transactions import now

MOST = 10_000  # of a project
_PAIR = ("tile", "side", "other", "other_side")


class Notes:
    """The notes of one project."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def all(self) -> list[Note]:
        """Return all notes that were not removed, oldest first."""
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM notes WHERE removed IS NULL ORDER BY note")
            return [_note(row) for row in found]

    def add(self, new: NewNote, who: str = "") -> Note:
        """Add a note."""
        place = dict.fromkeys((*_PAIR, "panel"))
        if new.joint is not None:
            ends = [(new.joint.tile, new.joint.side), (new.joint.other, new.joint.other_side)]
            place |= dict(zip(_PAIR, sum(sorted(ends), ()), strict=True))
        else:
            place |= {"tile": new.tile, "panel": new.panel}
        values = {"at": now(), "who": who, "text": new.text, **place}
        with self._database.changing() as db:
            if db.execute("SELECT count(*) AS count FROM notes").fetchone()["count"] >= MOST:
                raise Conflict(
                    "too-many-notes",
                    "There are {most:,} notes already.",
                    "Make a second project.",
                    most=MOST,
                )
            number = db.execute(
                f"INSERT INTO notes ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
                list(values.values()),
            ).lastrowid
            log(db, who, "note", new.text)
            return _note(_find(db, number or 0))

    def remove(self, note: int, person: Person, *, back: bool = False) -> Note:
        """Remove or restore a note; only managers may do so with notes of others."""
        with self._database.changing() as db:
            found = _note(_find(db, note))
            if found.who != person.name and person.role < Role.MANAGE:
                raise Forbidden(
                    "note-of-another",
                    "This note is by {who}.",
                    "Write one of your own, or ask a manager.",
                    who=found.who or "?",
                )
            db.execute(
                "UPDATE notes SET removed = ? WHERE note = ?", (None if back else now(), note)
            )
            log(db, person.name, "note" if back else "note-removed", found.text)
            return found


def _find(db: sqlite3.Connection, note: int) -> sqlite3.Row:
    row = db.execute("SELECT * FROM notes WHERE note = ?", (note,)).fetchone()
    if row is None:
        raise NotFound("note-unknown", "There is no such note.", "Load the project again.")
    return row


def _note(row: sqlite3.Row) -> Note:
    joint = row["other"] is not None
    return Note(
        note=row["note"],
        at=row["at"],
        who=row["who"],
        text=row["text"],
        tile=None if joint else row["tile"],
        joint=Pair(**{name: row[name] for name in _PAIR}) if joint else None,
        panel=row["panel"],
    )
