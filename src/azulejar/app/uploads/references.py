"""Old pictures of panels and photographs of walls: taken into a project, and shown."""

import filecmp
from itertools import chain, count
from pathlib import Path

from azulejar.app.http.errors import NotFound, UnsupportedFile
from azulejar.app.projects.board_file import REFERENCES
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import BoardState, PanelReference
from azulejar.app.schemas.projects import Uploaded
from azulejar.app.uploads.checks import (
    FileNames,
    check_name,
    check_picture,
    decoding,
    is_accepted,
    name_in_errors,
)
from azulejar.app.uploads.incoming import IncomingFile
from azulejar.app.uploads.showing import decode, to_jpeg
from azulejar.imaging.picture import is_picture
from azulejar.reference.following import read_reference
from azulejar.system.atomic import flush_file


def check_reference_name(name: str) -> None:
    """Raise unless a file of that name can be an old picture."""
    plain = check_name(name)
    if not is_accepted(plain, "panel"):
        raise UnsupportedFile(
            "reference-not-a-picture",
            "{name} is no picture.",
            "Give a JPEG, PNG, WebP or TIFF file.",
            name=plain,
        )


def take_reference(
    store: ProjectStore, panel: int, file: IncomingFile, label: str, who: str = ""
) -> BoardState:
    """Make an uploaded file the old picture of a panel; undoable."""
    with name_in_errors(file.path, file.name), decoding:
        read_reference(file.path)
    with store.files_lock:
        name = _keep_once(store.folder / REFERENCES, file)
        return store.put_reference(PanelReference(panel=panel, file=name), label, who)


def take_wall(store: ProjectStore, file: IncomingFile) -> Uploaded:
    """Keep an uploaded photograph of a wall, to be matched with the patterns of a museum."""
    check_picture(file.path, file.name, "panel")
    with store.files_lock:
        return Uploaded(taken=[_keep_once(store.folder / "panel", file)], passed_over=[])


def reference_picture(store: ProjectStore, name: str, size: int) -> bytes:
    """Return an old picture as JPEG of that size at most."""
    for path in (store.folder / REFERENCES).iterdir():
        if path.name == name and is_picture(path):
            return to_jpeg(decode(path), size)
    raise NotFound("reference-unknown", "There is no such old picture.", "Load the project again.")


def _keep_once(folder: Path, file: IncomingFile) -> str:
    """Move a file into a folder unless it is there; return its name, which nothing else had."""
    there = [path for path in folder.iterdir() if not path.name.startswith(".")]
    for path in there:
        if filecmp.cmp(path, file.path, shallow=False):
            return path.name
    names = FileNames(path.name for path in there)
    stem, suffix = Path(file.name).stem, Path(file.name).suffix.lower()
    wanted = chain([file.name], (f"{stem}-{number}{suffix}" for number in count(2)))
    name = next(name for name in wanted if names.like(name) is None)
    flush_file(file.path)
    file.path.replace(folder / name)
    return name
