"""Records: what was imported from which photograph, so that a stopped import goes on.

TILES/.import holds a record for each photograph that is done. A photograph's tiles are first
written to NAME.new, which becomes NAME.ready once complete; from then on they are moved to their
places even after a kill.
"""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import natural_order
from azulejar.knowledge.inventory import COLUMNS
from azulejar.knowledge.inventory import NAME as LIST
from azulejar.system.atomic import refuse_existing, replacing

HOME = ".import"
FORMAT = "azulejar-import/1"
OWN_COLUMNS = ("photo", "blur", "glare", "missing", "confidence")
RECORD = "record.json"


@dataclass(frozen=True)
class Tile:
    """A line of ``tiles.csv``; ``corners`` [4][2] in pixels of the photograph."""

    file: str
    note: str
    blur: float
    glare: float
    missing: float
    confidence: float
    corners: list[list[float]]
    doubtful: bool


@dataclass(frozen=True)
class Record:
    """One photograph that is done: where it lay, its checksum, the settings, and its tiles."""

    photo: str
    checksum: str
    settings: dict[str, str]
    tiles: tuple[Tile, ...]
    format: str = FORMAT


class Records:
    """The folder TILES and what is recorded there."""

    def __init__(self, folder: Path) -> None:
        """Open a folder that is new, empty or of an earlier import, and finish what a kill left."""
        self.folder = folder
        self.home = folder / HOME
        if not self.home.is_dir():
            _refuse_other_folder(folder)
        self.home.mkdir(parents=True, exist_ok=True)
        for unfinished in self.home.glob("*.new"):
            shutil.rmtree(unfinished)
        for ready in self.home.glob("*.ready"):
            self._put_in_place(ready)

    def read(self, name: str) -> Record | None:
        """The record of the photograph of that name, if it is done."""
        path = self.home / f"{name}.json"
        return _read(path) if path.exists() else None

    def all(self) -> list[Record]:
        """All records in natural order of the photographs."""
        paths = sorted(self.home.glob("*.json"), key=lambda path: natural_order(path.name))
        return [_read(path) for path in paths]

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """A folder for the tiles and the record of a photograph; they count once it is left."""
        new = self.home / f"{name}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            yield new
            ready = new.replace(self.home / f"{name}.ready")
        finally:
            shutil.rmtree(new, ignore_errors=True)
        self._put_in_place(ready)

    def _put_in_place(self, ready: Path) -> None:
        name = ready.name.removesuffix(".ready")
        old = self.read(name)
        record = _read(ready / RECORD) if (ready / RECORD).exists() else None
        for tile in ready.glob("*.png"):
            tile.replace(self.folder / tile.name)
        if record:
            kept = {tile.file for tile in record.tiles}
            for gone in {tile.file for tile in old.tiles} - kept if old else ():
                (self.folder / gone).unlink(missing_ok=True)
            (ready / RECORD).replace(self.home / f"{name}.json")
        shutil.rmtree(ready)

    def write_list(self, renewed: set[str]) -> None:
        """Write ``tiles.csv``: what people filled in stays, but for notes on tiles of photographs
        that were imported just now, ``renewed``. Lines on tiles from elsewhere stay too.
        """
        filled, columns = _filled_in(self.folder / LIST)
        head = [*COLUMNS, *OWN_COLUMNS, *(c for c in columns if c not in COLUMNS + OWN_COLUMNS)]
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
                    writer.writerow(known | line if new else line | known)
            writer.writerows(line for line in filled.values() if self._is_worth_keeping(line))

    def _is_worth_keeping(self, line: dict[str, str]) -> bool:
        by_hand = any(line.get(name) for name in COLUMNS[2:-1])
        return by_hand or (self.folder / line["file"]).is_file()


def _refuse_other_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(
            f"{folder} exists and is no folder of azulejar import (it has no {HOME}).",
            "Give another -o, new or from an earlier import.",
        )
    refuse_existing(folder, HOME, overwrite=False)


def write_record(folder: Path, record: Record) -> None:
    """Write the record of a photograph into the folder of its tiles."""
    (folder / RECORD).write_text(json.dumps(asdict(record), ensure_ascii=False), encoding="utf-8")


def _read(path: Path) -> Record:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError
        return Record(**data | {"tiles": tuple(Tile(**tile) for tile in data["tiles"])})
    except (OSError, ValueError, TypeError, KeyError):
        raise AzulejarError(
            f"{path} is damaged, or of another version.",
            "Remove that file; its photograph will be imported again.",
        ) from None


def _line(tile: Tile, photo: str) -> dict[str, str]:
    return {
        "file": tile.file,
        "inventory": Path(tile.file).stem,
        "note": tile.note,
        "photo": photo,
        "blur": f"{tile.blur:.4f}",
        "glare": f"{tile.glare:.3f}",
        "missing": f"{tile.missing:.3f}",
        "confidence": f"{tile.confidence:.2f}",
    }


def _filled_in(path: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    """What ``tiles.csv`` says by file already, and its columns."""
    if not path.exists():
        return {}, []
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # what older spreadsheets write
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    reader = csv.DictReader(io.StringIO(text), delimiter=separator)
    columns = [name for name in reader.fieldnames or [] if name]
    if "file" not in columns:
        raise AzulejarError(
            f"{path} has no column named file, so what it says cannot be kept.",
            "Name its first column file, or move it elsewhere.",
        )
    return {line["file"]: {name: line[name] or "" for name in columns} for line in reader}, columns
