"""The list of joins in a folder of imported tiles, and what people say of each.

``fragments/joins.csv`` lists every join, and ``fragments/joined`` has its picture. A join is made
if it is sure, or if a person has said yes: its tile then lies beside the others, named after its
fragments. Those of a join with no are never joined to each other.
"""

import csv
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.import_log import (
    ImportedPhoto,
    ImportedTile,
    ImportLog,
    write_record,
)
from azulejar.imaging.photographs.importing import FRAGMENTS
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.system.atomic import replacing
from azulejar.system.natural_order import natural_order
from azulejar.system.reading import read_table

LIST, PICTURES = "joins.csv", "joined"
COLUMNS = ("tile", "fragments", "probability", "verdict")
SURE = 0.9  # probability from which a join is made without being confirmed
ENOUGH = 0.6  # of a tile, that must be there for it
LONGEST_NAME = 100
YES, NO = ("yes", "y", "sim", "s"), ("no", "n", "não", "nao")


@dataclass(frozen=True)
class ListedJoin:
    """A join as the list has it.

    Attributes:
        files: Its fragments, in natural order.
        probability: That it is right; None where a person has written it into the list.
        verdict: What a person says of it: True, False, or None for nothing.
        area: The share of a tile that its fragments are.
    """

    files: tuple[str, ...]
    probability: float | None = None
    verdict: bool | None = None
    area: float = 1.0

    @property
    def is_made(self) -> bool:
        """Whether its tile is laid beside the others."""
        sure = (self.probability or 0.0) >= SURE and self.area >= ENOUGH
        return sure if self.verdict is None else self.verdict

    @property
    def name(self) -> str:
        """Its name, which no join of other fragments has, such as ``table_f01+f04``."""
        stems = [Path(file).stem for file in self.files]
        photo = stems[0].rpartition("_")[0]
        rest = [stem.removeprefix(f"{photo}_") for stem in stems[1:]]
        name = "+".join([stems[0], *rest])
        checksum = hashlib.sha256(name.encode()).hexdigest()[:8]
        return name if len(name) <= LONGEST_NAME else f"{stems[0]}+{checksum}"

    @property
    def tile(self) -> str:
        """The file of its tile beside the others, once it is made."""
        return f"{self.name}.png"

    @property
    def picture(self) -> str:
        """The path of its picture in the folder of the tiles."""
        return f"{FRAGMENTS}/{PICTURES}/{self.tile}"


def read_joins(folder: Path) -> list[ListedJoin]:
    """Return the joins in a folder of imported tiles, as they were listed last.

    Raises:
        AzulejarError: If a verdict is unclear.
    """
    path = folder / FRAGMENTS / LIST
    if not path.exists():
        return []
    reader = read_table(path, strict=False)
    header = [cell.strip().lower() for cell in next(reader, [])]
    joins = []
    for cells in reader:
        line = dict(zip(header, cells, strict=False))
        verdict = line.get("verdict", "").strip().lower()
        files = tuple(sorted(set(line.get("fragments", "").split()), key=natural_order))
        if (verdict and verdict not in YES + NO) or (len(files) < 2 and (verdict or files)):
            raise AzulejarError(
                "join-verdict-unclear",
                "{path} has the verdict {verdict!r} for {files}.",
                "Write yes or no beside two fragments or more.",
                path=str(path),
                verdict=line.get("verdict", ""),
                files=" ".join(files) or "no fragments",
            )
        if files:
            said = verdict in YES if verdict else None
            join = ListedJoin(files, _number(line.get("probability", "")), said)
            joins.append(replace(join, area=_area(folder / join.picture)))
    return joins


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _area(picture: Path) -> float:
    return (
        float((read_picture(picture, alpha=True)[..., 3] > 0).mean()) if picture.exists() else 0.0
    )


def decide_join(folder: Path, name: str, verdict: bool | None) -> ListedJoin:
    """Say whether a listed join is right, or take back what was said; make or unmake its tile.

    Args:
        folder: Folder of imported tiles.
        name: The name of the join.
        verdict: True, False, or None to take back what was said.

    Returns:
        The join as it is now.

    Raises:
        AzulejarError: If there is no such join, or one of its fragments is part of another tile.
    """
    joins = read_joins(folder)
    found = next((join for join in joins if join.name == name), None)
    if found is None or not (folder / found.picture).exists():
        raise AzulejarError(
            "join-unknown", "There is no such join any more.", "Load the page again."
        )
    decided = replace(found, verdict=verdict)
    others = [join for join in joins if join.name != name]
    if decided.is_made:
        for other in others:
            shared = sorted(set(other.files) & set(decided.files))
            if other.is_made and shared:
                raise AzulejarError(
                    "fragment-joined-already",
                    "{fragment} is part of another tile already.",
                    "Refuse that join first.",
                    fragment=Path(shared[0]).stem,
                )
    write_joins(ImportLog(folder), [decided if join.name == name else join for join in joins])
    return decided


def write_joins(log: ImportLog, joins: Sequence[ListedJoin]) -> None:
    """Write the tiles of all joins that are made, with tiles.csv, and then the list of joins.

    Their pictures lie in ``fragments/joined`` already; those of others are removed.
    """
    made = [join for join in joins if join.is_made]
    with log.writing(FRAGMENTS) as folder:
        tiles = []
        for join in made:
            picture = read_picture(log.folder / join.picture, alpha=True)
            write_picture(folder / join.tile, picture)
            tiles.append(_describe(join, float((picture[..., 3] == 0).mean())))
        checksum = hashlib.sha256(" ".join(join.name for join in made).encode()).hexdigest()
        where = str((log.folder / FRAGMENTS).resolve())
        write_record(folder, ImportedPhoto(where, checksum, {"colour": "off"}, tuple(tiles)))
    log.write_list({FRAGMENTS})
    with (
        replacing(log.folder / FRAGMENTS / LIST) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for join in joins:
            name = join.tile if join.is_made else ""
            sure = "" if join.probability is None else f"{join.probability:.2f}"
            said = "" if join.verdict is None else "yes" if join.verdict else "no"
            writer.writerow([name, " ".join(join.files), sure, said])
    _remove_others(log.folder, {Path(join.picture).name for join in joins})


def _remove_others(folder: Path, names: Collection[str]) -> None:
    for path in (folder / FRAGMENTS / PICTURES).glob("*.png"):
        if path.name not in names:
            path.unlink()


def _describe(join: ListedJoin, missing: float) -> ImportedTile:
    members = ", ".join(Path(file).stem for file in join.files)
    sure = 1.0 if join.verdict else join.probability or 0.0
    return ImportedTile(
        file=join.tile,
        note=f"joined from {members}",
        blur=0.0,
        glare=0.0,
        missing=round(missing, 4),
        confidence=round(sure, 3),
        corners=[],
        doubtful=False,
    )
