"""Files uploaded for a crate, possibly in several attempts, before they are added.

They lie in the museum's folder: pictures of tiles in ``crates``, photographs of several tiles in
``photographs``, each in a folder of the crate's name. A job adds them to the collection.
"""

import filecmp
import os
from pathlib import Path

from azulejar.app.http.errors import Conflict, InvalidRequest
from azulejar.app.schemas.messages import Problem
from azulejar.app.schemas.museums import KnownFiles
from azulejar.app.schemas.projects import Uploaded
from azulejar.app.uploads.checks import (
    Kind,
    check_name,
    check_picture,
    is_accepted,
    unsupported_file,
)
from azulejar.app.uploads.incoming import MAX_BYTES, MAX_FILES, IncomingFile
from azulejar.app.uploads.zips import extract_zip
from azulejar.errors import AzulejarError
from azulejar.knowledge import inventory
from azulejar.system.atomic import flush_file

CRATES = "crates"
PHOTOGRAPHS = "photographs"


def crate_folder(museum: Path, crate: str, *, photographs: bool = False) -> Path:
    """Return the folder that collects the uploaded files of a crate."""
    return museum / (PHOTOGRAPHS if photographs else CRATES) / check_name(crate)


def missing_files(museum: Path, wanted: KnownFiles) -> list[str]:
    """Return the files that still have to be sent.

    These are the ones that are missing or differ in size, and all zips and records: a corrected
    digit changes no size.
    """
    folder = crate_folder(museum, wanted.crate, photographs=wanted.photographs)
    here = {}
    if folder.is_dir():
        with os.scandir(folder) as entries:
            here = {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
    return [
        each.name
        for each in wanted.files
        if each.name.lower().endswith((".zip", inventory.NAME))
        or here.get(_plain(each.name)) != each.size
    ]


def take_file(museum: Path, crate: str, photographs: bool, file: IncomingFile) -> Uploaded:
    """Check an uploaded file and move it into the folder of its crate.

    The same picture again changes nothing, and newer records replace those that were there; a zip
    is unpacked, and files in it that cannot be used are reported.
    """
    folder = crate_folder(museum, crate, photographs=photographs)
    folder.mkdir(parents=True, exist_ok=True)
    kind: Kind = "photographs" if photographs else "tiles"
    if file.path.suffix != ".zip":
        if not file.written:
            raise InvalidRequest("file-empty", "{name} is empty.", "Copy it again.", name=file.name)
        return Uploaded(taken=[_take(folder, kind, file.name, file.path)], passed_over=[])
    taken: list[str] = []
    with extract_zip(file.path, file.path.with_suffix(""), MAX_FILES, MAX_BYTES) as (found, passed):
        for name, path in found:
            try:
                taken.append(_take(folder, kind, name, path))
            except AzulejarError as error:
                passed.append(Problem.of(error))
    return Uploaded(taken=taken, passed_over=passed)


def _take(folder: Path, kind: Kind, name: str, path: Path) -> str:
    if not is_accepted(name, kind):
        raise unsupported_file(name, kind)
    records = name.casefold() == inventory.NAME
    if records:
        name = inventory.NAME
    else:
        check_picture(path, name, kind)
    there = folder / name
    if not records and there.exists() and not filecmp.cmp(there, path, shallow=False):
        raise Conflict(
            "crate-file-differs",
            "Crate {crate} has another picture called {name} already.",
            "Rename this one; if it shows the same tile, open that tile and choose Other picture.",
            crate=folder.name,
            name=name,
        )
    flush_file(path)
    path.replace(there)
    return name


def _plain(name: str) -> str:
    try:
        return check_name(name)
    except AzulejarError:
        return name
