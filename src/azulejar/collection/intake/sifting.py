"""Sieve: pictures that are new to a collection are told from those that it has."""

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from sqlite3 import Row

from azulejar.collection.intake.crates import Crate
from azulejar.collection.storage.catalogue import stamp_of
from azulejar.collection.storage.writer import Picture, Writer

LARGEST = 2**30  # bytes of a picture's file


@dataclass
class Added:
    """What came of the pictures: ``new`` tiles, ``known`` ones, and others by their paths.

    Of the known, ``renewed`` have another place, crate or record now. ``twice`` tells where the
    same picture lies too; ``renamed`` the inventory number that a tile got in the place of one
    that was taken; ``broken`` and ``refused`` say why a picture was passed over.
    """

    new: int = 0
    known: int = 0
    renewed: int = 0
    twice: dict[Path, Path] = field(default_factory=dict)
    renamed: dict[Path, str] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    refused: dict[Path, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def pictures(self) -> int:
        """How many are dealt with."""
        others = len(self.twice) + len(self.broken) + len(self.refused)
        return self.new + self.known + others


@dataclass(frozen=True)
class Fresh:
    """A new picture: its file, what it holds, and what is said of it."""

    path: Path
    content: bytes
    sha256: str
    picture: Picture


class Sieve:
    """Lets new pictures through and enters the others in ``added``."""

    def __init__(self, writer: Writer, crate: str | None, added: Added) -> None:
        self._writer = writer
        self._crate = crate
        self._added = added
        self._passed: dict[str, Path] = {}  # by checksum

    def sift(self, crates: Sequence[Crate], stop: threading.Event) -> Iterator[Fresh | None]:
        """Of each picture, in order, what is new, until ``stop`` is set; read when asked for."""
        for crate in crates:
            home = _stored(crate.folder, self._writer.collection.folder)
            for name, record in zip(crate.files, crate.records, strict=True):
                if stop.is_set():
                    return
                path = crate.folder / name
                try:
                    said = self._crate or record.crate or crate.folder.name
                    picture = Picture(f"{home}/{name}", stamp_of(path), said, record)
                    fresh = self._fresh(path, picture)
                except OSError as error:
                    self._added.broken[path] = f"Cannot read {path}: {error.strerror}."
                    fresh = None
                yield fresh

    def _fresh(self, path: Path, picture: Picture) -> Fresh | None:
        there = self._writer.at(picture.path)
        if there is not None and there["stamp"] == picture.stamp:
            self._know(there, picture)
            return None
        if path.stat().st_size > LARGEST:
            self._added.broken[path] = f"{path} is larger than {LARGEST // 2**30} GB."
            return None
        content = path.read_bytes()
        checksum = sha256(content).hexdigest()
        same = self._writer.of_picture(checksum)
        if same is not None:
            self._meet_again(path, same, picture)
        elif there is not None:
            self._added.refused[path] = (
                f"{path} shows something else than when tile {there['inventory']} was added, "
                "which stays as it was; give a new picture a name of its own."
            )
        elif checksum in self._passed:
            self._added.twice[path] = self._passed[checksum]
        else:
            self._passed[checksum] = path
            return Fresh(path, content, checksum, picture)
        return None

    def _meet_again(self, path: Path, tile: Row, picture: Picture) -> None:
        """The picture of a tile that is there: a second copy, or it was moved."""
        before = self._writer.collection.original(tile["path"])
        if tile["path"] != picture.path and _is_unchanged(before, tile["stamp"]):
            self._added.twice[path] = before
        else:
            self._know(tile, picture)

    def _know(self, tile: Row, picture: Picture) -> None:
        """Renew what is said of a tile, where that is something else now."""
        self._added.known += 1
        said = self._crate or picture.record.crate
        if tile["path"] == picture.path and not said:
            # The folder's name may stand for less than what was said when the tile was added.
            picture = replace(picture, crate=tile["crate"])
        old = tuple(tile[column] for column in ("path", "stamp", "crate", "record"))
        if old != picture.columns:
            self._writer.renew(tile["number"], picture)
            self._added.renewed += old != replace(picture, stamp=tile["stamp"]).columns


def _is_unchanged(path: Path, stamp: str) -> bool:
    try:
        return stamp_of(path) == stamp
    except OSError:
        return False


def _stored(folder: Path, home: Path) -> str:
    """A folder as the catalogue of ``home`` stores it: both may be moved together."""
    try:
        return Path(os.path.relpath(folder, home)).as_posix()
    except ValueError:  # on another drive
        return folder.as_posix()
