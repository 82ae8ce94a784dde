"""The folder of projects: list, create, open, bin."""

import re
import shutil
import tempfile
import threading
import unicodedata
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import platformdirs

from azulejar.app import database
from azulejar.app.refusals import NotFound
from azulejar.app.schemas import ProjectSummary
from azulejar.app.store import Store
from azulejar.app.uploads import adopt
from azulejar.errors import AzulejarError
from azulejar.system.file_lock import try_lock

BIN = ".bin"
NEW = ".new-"
LOCK = ".lock"
_LONGEST = 48  # letters of an id, before a number that tells it from others
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def default_folder() -> Path:
    """Where projects lie unless told otherwise."""
    documents = platformdirs.user_documents_path()
    return (documents if documents.is_dir() else Path.home()) / "azulejar"


class Workspace:
    """One server at a time works in ``folder``; each project in it is a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = try_lock(self.folder / LOCK)
        except OSError as error:
            raise AzulejarError(
                f"{self.folder} cannot be used for projects: {error.strerror or error}.",
                "Give another folder: azulejar serve FOLDER.",
            ) from error
        if lock is None:
            raise AzulejarError(
                f"{self.folder} is in use by another azulejar serve.",
                "Use its page, stop it with Ctrl-C, or give another folder.",
            )
        self._lock = lock
        for left in self.folder.glob(f"{NEW}*"):  # a killed server was making it
            shutil.rmtree(left, ignore_errors=True)
        self._open: dict[str, Store] = {}
        self._seen: dict[str, tuple[int, ProjectSummary]] = {}
        self._turn = threading.RLock()

    def close(self) -> None:
        """Close all projects and let others work here."""
        with self._turn:
            for store in self._open.values():
                store.close()
            self._open.clear()
            self._lock.release()

    def ids(self) -> list[str]:
        """Of all projects."""
        return list(self._folders())

    def id_of(self, folder: Path) -> str:
        """Of the project in a folder of this workspace."""
        return next(each for each, there in self._folders().items() if there.name == folder.name)

    def projects(self) -> list[ProjectSummary]:
        """All projects that can be opened, what was changed last first."""
        found = []
        for project, folder in self._folders().items():
            with suppress(AzulejarError, OSError):  # a damaged one must not hide the others
                found.append(self._summary(project, folder))
        return sorted(found, key=lambda each: each.changed, reverse=True)

    def opened(self, project: str) -> Store | None:
        """The store, if it is open; never waits."""
        return self._open.get(project)

    def open(self, project: str) -> Store:
        """The project of that id: the same store each time."""
        with self._turn:
            if project not in self._open:
                folder = self._folders().get(project)
                if folder is None:
                    raise NotFound("There is no such project.", "Choose one from the list.")
                store = Store(folder)
                adopt(store)
                self._open[project] = store
            return self._open[project]

    def create(self, name: str) -> tuple[str, Store]:
        """A new, empty project."""
        with self.making() as folder:
            Store.create(folder, name).close()
        return self.settle(folder, name)

    @contextmanager
    def making(self) -> Iterator[Path]:
        """A hidden folder in which to make a project, cleared if that fails."""
        folder = Path(tempfile.mkdtemp(prefix=NEW, dir=self.folder))
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def settle(self, folder: Path, name: str) -> tuple[str, Store]:
        """Let a project that was made in a hidden folder appear in the list."""
        with self._turn:
            taken = {entry.name for entry in self.folder.iterdir()} | set(self._folders())
            project = _free(_slug(name), taken)
            folder.chmod(0o755)
            folder.rename(self.folder / project)
            return project, self.open(project)

    def throw_away(self, project: str) -> None:
        """Move a project to the bin, from where it can be taken back by hand."""
        with self._turn:
            store = self.open(project)
            self._open.pop(project).close()
            when = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            (self.folder / BIN).mkdir(exist_ok=True)
            store.folder.rename(self.folder / BIN / f"{project}-{when}")

    def made_from(self, source: Path) -> list[str]:
        """Ids of projects whose tiles came from there, the newest first."""
        wanted = str(source.resolve())
        found = []
        for each in self.projects():
            with suppress(AzulejarError), self.glance(each.project) as store:
                if store.source[0] == wanted:
                    found.append(each.project)
        return found

    @contextmanager
    def glance(self, project: str) -> Iterator[Store]:
        """A project for a look; it is closed again if it was not open.

        There may be more projects than files that a program may hold open.
        """
        store = self.opened(project)
        if store is not None:
            yield store
            return
        store = Store(self._folders()[project])
        try:
            yield store
        finally:
            store.close()

    def _summary(self, project: str, folder: Path) -> ProjectSummary:
        """Remembered of a project that is not open: nobody changes it meanwhile."""
        with self._turn:
            stamp = (folder / database.NAME).stat().st_mtime_ns
            seen = self._seen.get(project)
            if project not in self._open and seen is not None and seen[0] == stamp:
                return seen[1]
            with self.glance(project) as store:
                summary = store.summary(project)
            if project not in self._open:
                stamp = (folder / database.NAME).stat().st_mtime_ns
                self._seen[project] = stamp, summary
            return summary

    def _folders(self) -> dict[str, Path]:
        """Folder of each project; one that was copied here may have any name."""
        found: dict[str, Path] = {}
        folders = [
            entry
            for entry in sorted(self.folder.iterdir())
            if not entry.name.startswith(".") and (entry / database.NAME).is_file()
        ]
        for folder in sorted(folders, key=lambda each: not _ID.fullmatch(each.name)):
            stem = folder.name if _ID.fullmatch(folder.name) else _slug(folder.name)
            found[_free(stem, found)] = folder
        return found


def _free(stem: str, taken: Container[str]) -> str:
    """The id itself, or the first with a number that is not taken."""
    numbered = (f"{stem}-{n}" for n in count(2))
    return next(each for each in chain([stem], numbered) if each not in taken)


def _slug(name: str) -> str:
    """Lower-case letters, digits and hyphens of a name, without accents."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST].strip("-") or "project"
