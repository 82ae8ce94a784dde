"""Old pictures of panels: taken into a project, and shown."""

import filecmp
from io import BytesIO
from itertools import chain, count
from pathlib import Path

from PIL import Image

from azulejar.app.http.errors import NotFound, UnsupportedFile
from azulejar.app.projects.board_store import REFERENCES
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import BoardState, PanelReference
from azulejar.app.uploads.checks import (
    FileNames,
    check_name,
    decoding,
    is_accepted,
    name_in_errors,
)
from azulejar.app.uploads.incoming import IncomingFile, flush
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.reference.following import read_reference

QUALITY = 88


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
        path = _place_for(store.folder / REFERENCES, file)
        if not path.exists():
            flush(file.path)
            file.path.replace(path)
        return store.put_reference(PanelReference(panel=panel, file=path.name), label, who)


def reference_picture(store: ProjectStore, name: str, size: int) -> bytes:
    """Return an old picture as JPEG of that size at most."""
    for path in (store.folder / REFERENCES).iterdir():
        if path.name == name and is_picture(path):
            with decoding:
                picture = Image.fromarray(read_picture(path))
            picture.thumbnail((size, size))
            jpeg = BytesIO()
            picture.save(jpeg, "JPEG", quality=QUALITY)
            return jpeg.getvalue()
    raise NotFound("reference-unknown", "There is no such old picture.", "Load the project again.")


def _place_for(folder: Path, file: IncomingFile) -> Path:
    """Return the path of the same file if it is there, else one that was never used."""
    there = [path for path in folder.iterdir() if not path.name.startswith(".")]
    for path in there:
        if filecmp.cmp(path, file.path, shallow=False):
            return path
    names = FileNames(path.name for path in there)
    stem, suffix = Path(file.name).stem, Path(file.name).suffix.lower()
    wanted = chain([file.name], (f"{stem}-{number}{suffix}" for number in count(2)))
    return folder / next(name for name in wanted if names.like(name) is None)
