"""Tell pictures that are new to a collection from those that it has already."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from sqlite3 import Row

from azulejar.collection.intake.crates import Crate
from azulejar.collection.storage.catalogue import stamp_of, stored_path
from azulejar.collection.storage.writer import Picture, Writer
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import check_shape
from azulejar.imaging.orientation import may_lie_sideways
from azulejar.imaging.picture import picture_size

LARGEST = 2**30  # bytes of a picture's file


@dataclass
class IntakeReport:
    """What became of the pictures: ``new`` tiles, ``known`` ones, and others by their paths.

    Of the known ones, ``updated`` have another place, crate or record now. ``twice`` says where
    the same picture lies too; ``renamed`` gives the inventory number of a tile whose own was taken;
    ``broken`` and ``refused`` say why a picture was skipped; ``halves`` are half and quarter tiles,
    which are skipped too; ``sideways`` are new pictures whose damaged EXIF data hide which way up
    they are.
    """

    new: int = 0
    known: int = 0
    updated: int = 0
    twice: dict[Path, Path] = field(default_factory=dict)
    renamed: dict[Path, str] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    refused: dict[Path, str] = field(default_factory=dict)
    halves: list[Path] = field(default_factory=list)
    sideways: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def pictures(self) -> int:
        """Return the number of pictures processed so far."""
        others = len(self.twice) + len(self.broken) + len(self.refused) + len(self.halves)
        return self.new + self.known + others


@dataclass(frozen=True)
class NewPicture:
    """A picture that the collection does not have: its file, its content, and its record."""

    path: Path
    content: bytes
    sha256: str
    picture: Picture


class Deduplicator:
    """Passes new pictures on, and enters all others in a report."""

    def __init__(
        self, writer: Writer, crate: str | None, report: IntakeReport, any_shape: bool = False
    ) -> None:
        self._writer = writer
        self._crate = crate
        self._report = report
        self._any_shape = any_shape
        self._seen: dict[str, Path] = {}  # by checksum

    def read(self, crates: Sequence[Crate], stop: threading.Event) -> Iterator[NewPicture | None]:
        """Yield each picture in order, or None for one that is not new, until ``stop`` is set.

        A picture is read when it is asked for.
        """
        for crate in crates:
            home = stored_path(crate.folder, self._writer.collection.folder)
            for name, record in zip(crate.files, crate.records, strict=True):
                if stop.is_set():
                    return
                path = crate.folder / name
                try:
                    said = self._crate or record.crate or crate.folder.name
                    picture = Picture(f"{home}/{name}", stamp_of(path), said, record)
                    new = self._check(path, picture)
                except OSError as error:
                    self._report.broken[path] = f"Cannot read {path}: {error.strerror}."
                    new = None
                yield new

    def _check(self, path: Path, picture: Picture) -> NewPicture | None:
        there = self._writer.at(picture.path)
        if there is not None and there["stamp"] == picture.stamp:
            self._enter_known(there, picture)
            return None
        if path.stat().st_size > LARGEST:
            self._report.broken[path] = f"{path} is larger than {LARGEST // 2**30} GB."
            return None
        content = path.read_bytes()
        checksum = sha256(content).hexdigest()
        same = self._writer.of_picture(checksum)
        if same is not None:
            self._enter_copy(path, same, picture)
        elif (tile := self._writer.of_former_picture(checksum)) is not None:
            self._enter_known(tile, replace(picture, path=tile["path"], stamp=tile["stamp"]))
        elif there is not None:
            self._report.refused[path] = (
                f"{path} shows something else than when tile {there['inventory']} was added, "
                "which stays as it was; give a new picture a name of its own."
            )
        elif checksum in self._seen:
            self._report.twice[path] = self._seen[checksum]
        elif problem := _shape_problem(path, content, self._any_shape):
            self._report.refused[path] = problem
        else:
            self._seen[checksum] = path
            if may_lie_sideways(path, content):
                self._report.sideways.append(path)
            return NewPicture(path, content, checksum, picture)
        return None

    def _enter_copy(self, path: Path, tile: Row, picture: Picture) -> None:
        """Enter a picture of a known tile: a second copy, or one that was moved."""
        before = self._writer.collection.original(tile["path"])
        if tile["path"] != picture.path and _is_unchanged(before, tile["stamp"]):
            self._report.twice[path] = before
        else:
            self._enter_known(tile, picture)

    def _enter_known(self, tile: Row, picture: Picture) -> None:
        """Update what is stored of a tile where it has changed."""
        self._report.known += 1
        said = self._crate or picture.record.crate
        if tile["path"] == picture.path and not said:
            # The folder's name must not replace what was said when the tile was added.
            picture = replace(picture, crate=tile["crate"])
        old = tuple(tile[column] for column in ("path", "stamp", "crate", "record"))
        new = self._writer.with_edits(tile, picture)
        if old != new.columns:
            self._writer.update(tile["number"], picture)
            self._report.updated += old != replace(new, stamp=tile["stamp"]).columns


def _shape_problem(path: Path, content: bytes, any_shape: bool) -> str | None:
    """Return why a picture cannot show a tile; that it is broken is told when it is decoded."""
    try:
        size = picture_size(path, content)
    except AzulejarError:
        return None
    try:
        check_shape(path, *size, any_shape)
    except AzulejarError as error:
        return str(error)
    return None


def _is_unchanged(path: Path, stamp: str) -> bool:
    try:
        return stamp_of(path) == stamp
    except OSError:
        return False
