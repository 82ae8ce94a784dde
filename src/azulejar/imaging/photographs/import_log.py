"""The log of what was imported from which photograph, so that a stopped import can continue.

TILES/.import holds a record of each photograph that is done. A photograph's tiles are first
written to NAME.new, which becomes NAME.ready once complete; from then on they are moved to their
places even after a kill. Whoever writes holds the lock on TILES/.import/lock.
"""

import csv
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

from filelock import FileLock

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.light import PhotoLight
from azulejar.knowledge.headings import columns_of
from azulejar.knowledge.inventory import NAME as LIST
from azulejar.knowledge.inventory_table import COLUMNS
from azulejar.system.atomic import refuse_existing, replacing
from azulejar.system.file_lock import try_lock
from azulejar.system.natural_order import natural_order
from azulejar.system.reading import parse_json, read_table

HOME = ".import"
FORMAT = "azulejar-import/1"
OWN_COLUMNS = ("blur", "glare", "missing", "confidence")
SIZE_COLUMNS = ("width_cm", "height_cm")
FILLED_IN = ("file", "inventory", "photo", "note")  # of every tile, by the import
RECORD = "record.json"
LOCK = "lock"


@dataclass(frozen=True)
class ImportedTile:
    """A tile of a photograph, a line of ``tiles.csv``; ``corners`` [4][2] are in pixels.

    ``width`` and ``height`` are in sides of a whole tile, None if they were not measured.
    """

    file: str
    note: str
    blur: float
    glare: float
    missing: float
    confidence: float
    corners: list[list[float]]
    doubtful: bool
    half: str = ""
    outer: str = ""
    width: float | None = None
    height: float | None = None


@dataclass(frozen=True)
class ImportedFragment:
    """A fragment of a broken tile in a photograph: the side of a whole tile in pixels of its
    picture, and its outline [n][2] in pixels of the photograph.
    """

    file: str
    side: float
    outline: list[list[float]]


@dataclass(frozen=True)
class ImportedPhoto:
    """An imported photograph: path, checksum, settings, tiles, light and fragments.

    Versions before 0.7 did not record the light, nor fragments.
    """

    photo: str
    checksum: str
    settings: dict[str, str]
    tiles: tuple[ImportedTile, ...]
    light: PhotoLight | None = None
    fragments: tuple[ImportedFragment, ...] = ()
    format: str = FORMAT

    @property
    def files(self) -> tuple[str, ...]:
        """The pictures of its tiles and fragments, by their paths in the folder."""
        tiles, fragments = ([each.file for each in part] for part in (self.tiles, self.fragments))
        return (*tiles, *fragments)


class ImportLog:
    """The folder of the tiles and what is recorded there."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Open a folder that is new, empty or of an earlier import, and finish what a kill left."""
        self.folder = folder = Path(folder)
        self.home = folder / HOME
        if not self.home.is_dir():
            _refuse_other_folder(folder)
        self.home.mkdir(parents=True, exist_ok=True)
        if any(self._left_over()):
            self._finish_what_is_left()

    def read(self, name: str) -> ImportedPhoto | None:
        """Return the record of the photograph of that name, None if it is not done."""
        path = self.home / f"{name}.json"
        return read_photo(path) if path.exists() else None

    def all(self) -> list[ImportedPhoto]:
        """Return all records in natural order of the photographs."""
        paths = sorted(self.home.glob("*.json"), key=lambda path: natural_order(path.name))
        return [read_photo(path) for path in paths]

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Open a folder for a photograph's tiles and record; they count once the block ends."""
        new = self.home / f"{name}.new"
        with FileLock(self.home / LOCK, thread_local=False):
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            try:
                yield new
                ready = new.replace(self.home / f"{name}.ready")
            finally:
                shutil.rmtree(new, ignore_errors=True)
            self._put_in_place(ready)

    def _left_over(self) -> Iterator[Path]:
        yield from self.home.glob("*.new")
        yield from self.home.glob("*.ready")

    def _finish_what_is_left(self) -> None:
        """Finish what a kill left, unless somebody is at work on it."""
        lock = try_lock(self.home / LOCK)
        if lock is None:
            return
        try:
            for left in self._left_over():
                if left.suffix == ".ready":
                    self._put_in_place(left)
                else:
                    shutil.rmtree(left)
        finally:
            lock.release()

    def _put_in_place(self, ready: Path) -> None:
        name = ready.name.removesuffix(".ready")
        old = self.read(name)
        record = read_photo(ready / RECORD) if (ready / RECORD).exists() else None
        for picture in ready.rglob("*.png"):
            place = self.folder / picture.relative_to(ready)
            place.parent.mkdir(exist_ok=True)
            picture.replace(place)
        if record:
            for gone in set(old.files) - set(record.files) if old else ():
                (self.folder / gone).unlink(missing_ok=True)
            (ready / RECORD).replace(self.home / f"{name}.json")
        shutil.rmtree(ready)

    def write_list(self, renewed: set[str], side: float | None = None) -> None:
        """Write ``tiles.csv``, keeping what people filled in and the lines of other tiles.

        Only the notes on tiles of photographs imported just now, ``renewed``, are replaced. With
        the ``side`` of a whole tile in cm, the list tells the size of each.
        """
        filled, columns = _filled_in(self.folder / LIST)
        ours = COLUMNS + OWN_COLUMNS + (() if side is None else SIZE_COLUMNS)
        head = [*ours, *(c for c in columns if c not in ours)]
        with (
            replacing(self.folder / LIST) as temporary,
            temporary.open("w", encoding="utf-8-sig", newline="") as file,
        ):
            writer = csv.DictWriter(file, head, restval="", extrasaction="ignore")
            writer.writeheader()
            for record in self.all():
                name = Path(record.photo).name
                for tile in record.tiles:
                    line = _line(tile, name)
                    known = filled.pop(tile.file, {})
                    new = Path(record.photo).stem in renewed
                    merged = known | line if new else line | known
                    writer.writerow(merged | _size(tile, side))
            writer.writerows(line for line in filled.values() if self._is_worth_keeping(line))

    def _is_worth_keeping(self, line: dict[str, str]) -> bool:
        by_hand = any(line.get(name) for name in COLUMNS if name not in FILLED_IN)
        return by_hand or (self.folder / line["file"]).is_file()


def _refuse_other_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(
            "import-folder-foreign",
            "{folder} exists and is no folder of imported tiles (it has no {home}).",
            "Give another folder, new or from an earlier import.",
            folder=str(folder),
            home=HOME,
        )
    refuse_existing(folder, HOME, overwrite=False)


def write_record(folder: Path, record: ImportedPhoto) -> None:
    """Write the record of a photograph into the folder of its tiles."""
    (folder / RECORD).write_text(json.dumps(asdict(record), ensure_ascii=False), encoding="utf-8")


def read_photo(path: Path) -> ImportedPhoto:
    """Read the record of a photograph; raise if it is damaged."""
    try:
        data = parse_json(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError
        tiles = tuple(ImportedTile(**tile) for tile in data["tiles"])
        light = PhotoLight.of(data["light"]) if data.get("light") else None
        fragments = tuple(ImportedFragment(**each) for each in data.get("fragments", ()))
        if not all(each.side > 0 for each in fragments):
            raise ValueError
        return ImportedPhoto(**data | {"tiles": tiles, "light": light, "fragments": fragments})
    except (OSError, ValueError, TypeError, KeyError):
        raise AzulejarError(
            "import-record-damaged",
            "{path} is damaged, or of another version.",
            "Remove that file; its photograph will be imported again.",
            path=str(path),
        ) from None


def _line(tile: ImportedTile, photo: str) -> dict[str, str]:
    return {
        "file": tile.file,
        "inventory": Path(tile.file).stem,
        "note": tile.note,
        "half": tile.half,
        "photo": photo,
        "blur": f"{tile.blur:.4f}",
        "glare": f"{tile.glare:.3f}",
        "missing": f"{tile.missing:.3f}",
        "confidence": f"{tile.confidence:.2f}",
    } | ({"outer": tile.outer} if tile.outer else {})  # what people entered stays


def _size(tile: ImportedTile, side: float | None) -> dict[str, str]:
    """Return width and height in cm, if the ``side`` of a whole tile is known."""
    if side is None:
        return {}
    sizes = (tile.width, tile.height)
    cells = ("" if size is None else f"{side * size:.1f}" for size in sizes)
    return dict(zip(SIZE_COLUMNS, cells, strict=True))


def _filled_in(path: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the lines of an existing ``tiles.csv`` by file, and its columns by our names."""
    if not path.exists():
        return {}, []
    reader = read_table(path, strict=False)
    header = [cell.strip() for cell in next(reader, [])]
    columns = [column or cell for column, cell in zip(columns_of(header)[0], header, strict=True)]
    if "file" not in columns:
        raise AzulejarError(
            "inventory-without-file",
            "{path} has no column named file, so what it says cannot be kept.",
            "Name its first column file, or move it elsewhere.",
            path=str(path),
        )
    filled = {}
    for cells in reader:
        line = dict(zip_longest(columns, cells[: len(columns)], fillvalue=""))
        line.pop("", None)
        if any(line.values()):
            filled[line["file"]] = line
    return filled, [name for name in columns if name]
