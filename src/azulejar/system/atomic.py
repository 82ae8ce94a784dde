"""Atomic writes: a file or folder is written whole or not at all."""

import ctypes
import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from azulejar.errors import AzulejarError

try:
    import fcntl
except ImportError:  # Windows, where leftovers of a killed program stay
    fcntl = None  # type: ignore[assignment]

TEMPORARY = ".azulejar-tmp"  # suffix of what is not finished yet
UNFINISHED = ".unfinished"  # suffix of a mark while the entries of its folder are replaced

_swept: set[Path] = set()  # folders without leftovers of earlier runs


def flush_file(path: Path) -> None:
    """Flush a finished file to the disk, before anything refers to it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def reason_of(error: OSError) -> str:
    """Return why a file could not be written, in the system's words.

    Of a full disk, numpy only says how much it could not write.
    """
    if error.errno is None and " requested and " in str(error):
        return os.strerror(errno.ENOSPC)
    return error.strerror or str(error)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, which takes its name if the block ends well."""
    path = Path(path)
    with _explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path.parent)
        temporary, handle = _make_temporary(path.name, path.parent, tempfile.mkstemp)
    try:
        with _explained(path):
            yield temporary
            temporary.chmod(0o644)
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
        _close(handle)


@contextmanager
def new_folder(path: str | os.PathLike[str], mark: str, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder that becomes ``path``, in one step, if the block ends well.

    ``mark`` is the file by which a folder of our own is recognized: with ``overwrite``, such a
    folder is exchanged for the new one, into which entries are taken over that only the old one
    has. Where folders cannot be exchanged, entries are replaced one by one, and the mark comes
    last: a folder that was left half replaced is not taken for a whole one.
    """
    path = Path(path)
    refuse_existing(path, mark, overwrite)
    target = Path(os.path.realpath(path))
    stays = target.is_dir() and _cannot_be_exchanged(target)
    home = target if stays else target.parent
    with _explained(path):
        home.mkdir(parents=True, exist_ok=True)
        _swept.discard(home)
        _sweep(home)
        temporary, handle = _make_temporary(target.name, home, tempfile.mkdtemp)
    try:
        with _explained(path):
            yield temporary
            temporary.chmod(target.stat().st_mode if target.is_dir() else 0o755)
            if stays:
                _replace_entries(temporary, target, mark)
            else:
                _put_in_place(temporary, target, mark)
    except AzulejarError as error:
        # Users know nothing of the temporary name.
        raise error.replacing(str(temporary), str(path)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        _close(handle)


def _cannot_be_exchanged(folder: Path) -> bool:
    """Return whether a folder is in use or a mount point, or its parent cannot be written to."""
    here = os.path.realpath(os.curdir)
    used = Path(here).is_relative_to(folder)
    return used or folder.is_mount() or not os.access(folder.parent, os.W_OK | os.X_OK)


def _put_in_place(temporary: Path, target: Path, mark: str) -> None:
    if not target.exists():
        temporary.replace(target)
        return
    own = os.listdir(temporary)  # noqa: PTH208 (names are all that is needed)
    _take_over(target, temporary)
    try:
        _exchange(temporary, target)
    except OSError:
        _replace_entries(temporary, target, mark, own)


def _take_over(old: Path, new: Path) -> None:
    """Link the entries that only ``old`` has into ``new``, or copy them where links fail."""
    for entry in old.iterdir():
        copy = new / entry.name
        if os.path.lexists(copy) or entry.name.endswith((TEMPORARY, UNFINISHED)):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.copytree(entry, copy, symlinks=True, copy_function=_link)
        else:
            _link(entry, copy)


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # the file system knows no links
        shutil.copy2(source, target, follow_symlinks=False)


def _exchange(one: Path, other: Path) -> None:
    """Exchange the names of two folders in one step; raise OSError where that is impossible."""
    names = os.fsencode(one), os.fsencode(other)
    libc: Any = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None
    if hasattr(libc, "renameat2"):  # Linux; AT_FDCWD and RENAME_EXCHANGE
        failed = libc.renameat2(-100, names[0], -100, names[1], 2)
    elif sys.platform == "darwin" and hasattr(libc, "renamex_np"):  # RENAME_SWAP
        failed = libc.renamex_np(names[0], names[1], 2)
    else:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
    if failed:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _replace_entries(
    source: Path, target: Path, mark: str, names: Collection[str] | None = None
) -> None:
    """Move entries into ``target`` one by one, those of ``source`` by default, the mark last."""
    unfinished = target / f"{mark}{UNFINISHED}"
    if (target / mark).exists():
        (target / mark).replace(unfinished)
    every = {entry.name for entry in source.iterdir()} if names is None else set(names)
    for name in sorted(every, key=lambda name: name == mark):
        old = target / name
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        (source / name).replace(old)
    unfinished.unlink(missing_ok=True)


def _make_temporary(
    name: str, home: Path, make: Callable[[str, str, Path], Any]
) -> tuple[Path, int | None]:
    """Make a file or folder in ``home``, locked until its handle is closed or the program ends.

    Other programs know by the lock that it is no leftover.
    """
    while True:
        made = make(TEMPORARY, f".{name}.", home)
        handle, path = made if isinstance(made, tuple) else (None, made)
        if fcntl is None:
            return Path(path), handle
        with suppress(OSError):  # another program swept it away, or nothing can be locked here
            handle = os.open(path, os.O_RDONLY) if handle is None else handle
            fcntl.flock(handle, fcntl.LOCK_EX)
        if Path(path).exists():
            return Path(path), handle
        _close(handle)


def _close(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)


def _sweep(folder: Path) -> None:
    """Remove what killed programs have left unfinished in a folder, once for each folder."""
    if folder in _swept or fcntl is None:
        return
    _swept.add(folder)
    for entry in folder.iterdir():
        if not (entry.name.startswith(".") and entry.name.endswith(TEMPORARY)):
            continue
        with suppress(OSError):  # in use, gone already, or somebody else's
            handle = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink()
            finally:
                os.close(handle)


def refuse_existing(path: str | os.PathLike[str], mark: str, overwrite: bool) -> None:
    """Raise if ``path`` cannot be written, or holds something that may not be replaced."""
    path = Path(path)
    with _explained(path):
        _check_name(path)
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
    if not any((path / name).is_file() for name in (mark, f"{mark}{UNFINISHED}")):
        raise AzulejarError(
            "output-not-ours",
            "{path} exists and is no folder that azulejar wrote (it has no {mark}), so it will not "
            "be overwritten.",
            "Choose another place.",
            path=str(path),
            mark=mark,
        )


def _check_name(path: Path) -> None:
    """Raise OSError for an impossible path: circular links, a NUL, or too long a name."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # told by others
    except ValueError as error:
        raise OSError(errno.EINVAL, "a name cannot have a NUL in it") from error


def refuse_existing_file(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Raise if ``path`` is a folder, or a file that may not be replaced."""
    path = Path(path)
    with _explained(path):
        _check_name(path)
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
            reason=reason_of(error),
        ) from error
