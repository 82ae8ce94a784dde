"""Atomic writes: a file or folder is written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.errors import AzulejarError


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, which takes its name if the block ends well."""
    path = Path(path)
    with _explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
    temporary = Path(name)
    try:
        with _explained(path):
            yield temporary
            temporary.chmod(0o644)
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(path: str | os.PathLike[str], mark: str, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder whose contents become those of ``path`` if the block ends well.

    ``mark`` is the file by which a folder of our own is recognized: with ``overwrite``, the entries
    of such a folder are replaced one by one and whatever else lies there stays.
    """
    path = Path(path)
    refuse_existing(path, mark, overwrite)
    # An existing folder may be a link or a mount point, which cannot be replaced.
    inside = path.is_dir()
    with _explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        home = path if inside else path.parent
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=home))
    try:
        with _explained(path):
            yield temporary
            temporary.chmod(0o755)
            if inside:
                _move_entries(temporary, path)
            else:
                temporary.replace(path)
    except AzulejarError as error:
        # Users know nothing of the temporary name.
        raise error.replacing(str(temporary), str(path)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _move_entries(source: Path, target: Path) -> None:
    for entry in source.iterdir():
        old = target / entry.name
        if old.is_dir():
            shutil.rmtree(old)
        entry.replace(old)


def refuse_existing(path: str | os.PathLike[str], mark: str, overwrite: bool) -> None:
    """Raise if ``path`` cannot be written, or holds something that may not be replaced."""
    path = Path(path)
    home = next(parent for parent in (path, *path.absolute().parents) if parent.exists())
    if home != path and not (home.is_dir() and os.access(home, os.W_OK | os.X_OK)):
        raise AzulejarError(
            "output-place-unwritable",
            "Could not write {path}: {home} is no folder that can be written to.",
            "Choose another place.",
            path=str(path),
            home=str(home),
        )
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not overwrite:
        raise AzulejarError(
            "output-exists",
            "{path} exists already and was left as it is.",
            "Choose another place, or allow overwriting to replace it.",
            path=str(path),
        )
    if not (path / mark).is_file():
        raise AzulejarError(
            "output-not-ours",
            "{path} exists and is no folder that azulejar wrote (it has no {mark}), so it will not "
            "be overwritten.",
            "Choose another place.",
            path=str(path),
            mark=mark,
        )


def refuse_existing_file(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Raise if ``path`` is a folder, or a file that may not be replaced."""
    path = Path(path)
    if path.is_dir():
        raise AzulejarError(
            "output-is-folder",
            "{path} is a folder.",
            "Give the name of a file to write.",
            path=str(path),
        )
    if path.exists() and not overwrite:
        raise AzulejarError(
            "output-file-exists",
            "{path} exists already.",
            "Choose another name, or allow overwriting.",
            path=str(path),
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AzulejarError(
            "output-write-failed",
            "Could not write {path}: {reason}.",
            "Nothing was changed there; free some space or choose another place.",
            path=str(path),
            reason=str(error.strerror or error),
        ) from error
