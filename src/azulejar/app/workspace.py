"""The folder of projects and museums: list, create, open and delete them.

A museum is a collection. In its folder ``tables`` lies a project for each panel that was opened on
the table, and one for the museum itself, which has jobs but no tiles.
"""

import re
import shutil
import tempfile
import threading
import unicodedata
from collections.abc import Container, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import platformdirs

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.museum.museum import (
    DESK,
    TABLES,
    Museum,
    is_museum,
    museum_name,
    museum_size,
    table_name,
)
from azulejar.app.people.accounts import Accounts
from azulejar.app.projects import database
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.projects import DeletedProject, ProjectSummary
from azulejar.app.uploads.incoming import adopt_tiles
from azulejar.collection.search.index import import_faiss
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.errors import AzulejarError
from azulejar.system.file_lock import try_lock

BIN = ".bin"
NEW = ".new-"
LOCK = ".lock"
_LONGEST = 48  # letters of an id, before a number that makes it unique
_ID_LETTERS = 60
_WHEN = "%Y%m%d-%H%M%S-%f"
_DELETED = re.compile(r"([a-z0-9][a-z0-9-]{0,63})-(\d{8}-\d{6}-\d{6})")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def default_folder() -> Path:
    """Return the folder of projects that is used unless another is given."""
    documents = platformdirs.user_documents_path()
    return (documents if documents.is_dir() else Path.home()) / "azulejar"


class Workspace:
    """A folder of projects, each a folder of its own; one server at a time may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = try_lock(self.folder / LOCK)
        except OSError as error:
            raise AzulejarError(
                "workspace-unusable",
                "{folder} cannot be used for projects: {reason}.",
                "Give another folder.",
                folder=str(self.folder),
                reason=error.strerror or str(error),
            ) from error
        if lock is None:
            raise AzulejarError(
                "workspace-in-use",
                "{folder} is in use by another server.",
                "Use its page, stop it with Ctrl-C, or give another folder.",
                folder=str(self.folder),
            )
        self._lock = lock
        for left in self.folder.glob(f"{NEW}*"):  # a killed server was making it
            shutil.rmtree(left, ignore_errors=True)
        self.accounts = Accounts(self.folder)
        self._open: dict[str, ProjectStore] = {}
        self._seen: dict[str, tuple[int, ProjectSummary]] = {}
        self._turn = threading.RLock()
        self._museums: dict[str, Museum] = {}

    def close(self) -> None:
        """Close all projects and release the folder."""
        with self._turn:
            for store in self._open.values():
                store.close()
            self._open.clear()
            for museum in self._museums.values():
                museum.close()
            self._museums.clear()
            self.accounts.close()
            self._lock.release()

    def ids(self) -> list[str]:
        """Return the IDs of all projects, those in museums included."""
        return list(self._folders())

    def id_of(self, folder: Path) -> str:
        """Return the id of the project in a folder of this workspace."""
        folder = folder.resolve()
        return next(each for each, at in self._folders().items() if at.resolve() == folder)

    def projects(self) -> list[ProjectSummary]:
        """List the projects that can be opened, last changed first, without those of museums."""
        found = []
        for project, folder in self._own_folders().items():
            with suppress(AzulejarError, OSError):  # a damaged one must not hide the others
                found.append(self._summary(project, folder))
        return sorted(found, key=lambda each: each.changed, reverse=True)

    def opened(self, project: str) -> ProjectStore | None:
        """Return a project if it is open already; never waits."""
        return self._open.get(project)

    def open(self, project: str) -> ProjectStore:
        """Return the project of that id, the same store each time."""
        with self._turn:
            if project not in self._open:
                folder = self._folders().get(project)
                if folder is None:
                    raise NotFound(
                        "project-unknown",
                        "There is no such project.",
                        "Choose one from the list.",
                    )
                store = ProjectStore(folder)
                adopt_tiles(store)
                self._open[project] = store
            return self._open[project]

    def create(self, name: str) -> tuple[str, ProjectStore]:
        """Create an empty project; return its id and store."""
        with self.making() as folder:
            ProjectStore.create(folder, name).close()
        return self.adopt_folder(folder, name)

    @contextmanager
    def making(self, home: Path | None = None) -> Iterator[Path]:
        """Yield a hidden folder in which to make a project; it is removed if that fails."""
        folder = Path(tempfile.mkdtemp(prefix=NEW, dir=home or self.folder))
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def adopt_table(self, folder: Path, table: Path) -> str:
        """Move a project made in a hidden folder to the tables of its museum."""
        with self._turn:
            folder.chmod(0o755)
            folder.rename(table)
            return self.id_of(table)

    def adopt_folder(self, folder: Path, name: str) -> tuple[str, ProjectStore]:
        """Give a project made in a hidden folder its id and its place in the list."""
        with self._turn:
            taken = {entry.name for entry in self.folder.iterdir()} | set(self._folders())
            project = _free(_slug(name), taken)
            folder.chmod(0o755)
            folder.rename(self.folder / project)
            return project, self.open(project)

    def rename(self, project: str, name: str, who: str = "") -> None:
        """Rename a project, or a museum whose own project it is, with its tables."""
        with self._turn:
            store = self.open(project)
            if _is_desk(store.folder):
                museum = self.museum(project)
                before = museum.name
                museum.rename(name)
                for each in set(self.tables(project).values()) - {project}:
                    with self.glance(each) as table:
                        panel = str(table.source[0])
                        if table.name == table_name(before, panel):  # nobody gave it another
                            table.rename(table_name(name, panel), who)
            store.rename(name, who)

    def deleted(self) -> list[DeletedProject]:
        """List the projects and museums in the bin, last deleted first."""
        found = []
        for folder in (self.folder / BIN).glob("*"):
            named = _DELETED.fullmatch(folder.name)
            if named is None or not _can_be_restored(folder):
                continue
            with suppress(AzulejarError, OSError):
                when = datetime.strptime(named[2], _WHEN).replace(tzinfo=UTC)
                name, tiles = _name_and_tiles(folder, named[1])
                found.append(
                    DeletedProject(
                        entry=folder.name,
                        name=name,
                        deleted=when.isoformat(timespec="seconds"),
                        tiles=tiles,
                        museum=is_museum(folder),
                    )
                )
        return sorted(found, key=lambda each: each.deleted, reverse=True)

    def restore(self, entry: str) -> str:
        """Restore a project or a museum from the bin and return its ID."""
        with self._turn:
            named = _DELETED.fullmatch(entry)
            folder = self.folder / BIN / entry
            if named is None or not _can_be_restored(folder):
                raise NotFound(
                    "bin-entry-unknown",
                    "This project is not in the bin.",
                    "Load the list again.",
                )
            taken = {each.name for each in self.folder.iterdir()} | set(self._folders())
            project = _free(named[1], taken)
            folder.rename(self.folder / project)
            if is_museum(self.folder / project):
                self.museum(project)
            return project

    def check_deletable(self, project: str) -> None:
        """Refuse to delete the museum that this server serves alone."""
        if is_museum(self.folder) and _is_desk(self.open(project).folder):
            raise Conflict(
                "museum-not-deleted",
                "The museum that the server was started with is not deleted in the page.",
                "Move its folder away once the server is stopped.",
            )

    def deleted_with(self, project: str) -> list[str]:
        """Return the ids of all projects that go when a project is deleted, itself among them."""
        own = _is_desk(self.open(project).folder)
        return list(self.tables(project).values()) if own else [project]

    def move_to_bin(self, project: str, who: str = "") -> str:
        """Move a project, or a museum with its tables, to the bin; return the name of its entry."""
        self.check_deletable(project)
        with self._turn:
            store = self.open(project)
            folder, gone = store.folder, self.deleted_with(project)
            if _is_desk(folder):
                folder = self._close_museum(project)
            store.log(who, "project-deleted", store.name)
            for each in gone:
                if (store := self._open.pop(each, None)) is not None:
                    store.close()
            entry = f"{project}-{datetime.now(UTC).strftime(_WHEN)}"
            (self.folder / BIN).mkdir(exist_ok=True)
            folder.rename(self.folder / BIN / entry)
            return entry

    def _close_museum(self, museum: str) -> Path:
        """Close a museum that nobody is changing; return its folder."""
        found = self.museum(museum)
        with locked(found.folder, "moves it to the bin"):
            self._museums.pop(museum).close()
        return found.folder

    def remove_untouched(self, project: str) -> bool:
        """Remove a project if nothing was ever added to it; return whether it was removed."""
        with self._turn:
            if project not in self._own_folders():
                return False
            with self.glance(project) as store:
                # What lies in the folder work of a closed project, a killed server has left.
                coming = project in self._open and any((store.folder / "work").iterdir())
                if coming or not store.is_untouched():
                    return False
            self._open.pop(project, store).close()
            shutil.rmtree(store.folder, ignore_errors=True)
            return True

    def made_from(self, source: Path) -> list[str]:
        """Return the ids of projects whose tiles came from ``source``, the newest first."""
        wanted = str(source.resolve())
        found = []
        for each in self.projects():
            with suppress(AzulejarError), self.glance(each.project) as store:
                if store.source[0] == wanted:
                    found.append(each.project)
        return found

    @contextmanager
    def glance(self, project: str) -> Iterator[ProjectStore]:
        """Yield a project for reading; close it again if it was not open.

        There may be more projects than files that a process may hold open.
        """
        store = self.opened(project)
        if store is not None:
            yield store
            return
        store = ProjectStore(self._folders()[project])
        try:
            yield store
        finally:
            store.close()

    def _summary(self, project: str, folder: Path) -> ProjectSummary:
        """Return a summary; that of a project that is not open is cached until its file changes."""
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

    # Museums

    def museums(self) -> dict[str, Path]:
        """Return the folders of the museums by ID; the workspace itself may be one."""
        if is_museum(self.folder):
            return {_slug(self.folder.name): self.folder}
        return _by_id(entry for entry in self.folder.iterdir() if is_museum(entry))

    def museum(self, museum: str) -> Museum:
        """Return the museum with this ID, opened once and then shared."""
        with self._turn:
            if museum not in self._museums:
                folder = self.museums().get(museum)
                if folder is None:
                    raise NotFound(
                        "museum-unknown", "There is no such museum.", "Choose one from the list."
                    )
                self._museums[museum] = Museum(museum, folder, lock=folder != self.folder)
            return self._museums[museum]

    def create_museum(self, name: str) -> str:
        """Create an empty museum and return its ID.

        Raises:
            AzulejarError: Its tiles could not be searched, as faiss is not installed.
        """
        import_faiss()
        with self._turn:
            if is_museum(self.folder):
                raise Conflict(
                    "museum-within-museum",
                    "This server serves one museum.",
                    "Serve a folder of projects to make another.",
                )
            taken = {entry.name for entry in self.folder.iterdir()} | set(self._folders())
            museum = _free(_slug(name), taken)
            Museum.create(self.folder / museum, name)
            return museum

    def museum_of(self, project: str) -> str | None:
        """Return the museum to which a project belongs, if any."""
        for museum, folder in self.museums().items():
            if project in self._table_folders(museum, folder):
                return museum
        return None

    def tables(self, museum: str) -> dict[str, str]:
        """Return the projects of a museum's tables, keyed by folder name."""
        found = self._table_folders(museum, self.museums()[museum])
        return {folder.name: project for project, folder in found.items()}

    def _folders(self) -> dict[str, Path]:
        """Return the folder of each project by id; one copied here by hand may have any name."""
        found = self._own_folders()
        for museum, folder in self.museums().items():
            for project, table in self._table_folders(museum, folder).items():
                found.setdefault(project, table)
        return found

    def _own_folders(self) -> dict[str, Path]:
        return _by_id(entry for entry in self.folder.iterdir() if (entry / database.NAME).is_file())

    def _table_folders(self, museum: str, folder: Path) -> dict[str, Path]:
        """Return the project folders of a museum: its own and those of its panels."""
        found: dict[str, Path] = {}
        for entry in sorted((folder / TABLES).glob("*")):
            if not entry.name.startswith(".") and (entry / database.NAME).is_file():
                project = museum if entry.name == DESK else f"{museum}-{_slug(entry.name)}"
                found[_free(project[:_ID_LETTERS], found)] = entry
        return found


def _is_desk(folder: Path) -> bool:
    """Whether a project's folder is that of the museum itself."""
    return folder.name == DESK and folder.parent.name == TABLES


def _can_be_restored(folder: Path) -> bool:
    """Whether a folder of the bin holds a project or a museum."""
    return is_museum(folder) or (folder / database.NAME).is_file()


def _name_and_tiles(folder: Path, project: str) -> tuple[str, int]:
    """Return the name of a project or museum in the bin, and the number of its tiles.

    ``project`` is the ID that it had; a museum without a name of its own is called so.
    """
    if is_museum(folder):
        with Collection.open(folder) as collection:
            return museum_name(collection) or project, museum_size(collection)
    with closing(ProjectStore(folder)) as store:
        return store.name, len(store.tile_files())


def _by_id(folders: Iterable[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    shown = sorted(each for each in folders if not each.name.startswith("."))
    for folder in sorted(shown, key=lambda each: not _ID.fullmatch(each.name)):
        stem = folder.name if _ID.fullmatch(folder.name) else _slug(folder.name)
        found[_free(stem, found)] = folder
    return found


def _free(stem: str, taken: Container[str]) -> str:
    """Return ``stem``, or the first numbered variant that is free."""
    numbered = (f"{stem}-{n}" for n in count(2))
    return next(each for each in chain([stem], numbered) if each not in taken)


def _slug(name: str) -> str:
    """Return a name as lower-case letters, digits and hyphens, without accents."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST].strip("-") or "project"
