"""Join the fragments that an import found, and keep what people say of each join.

``fragments/joins.csv`` lists every join. People write yes or no into its column ``verdict``: a join
with yes is made, and the fragments of one with no are never joined to each other. Tiles of sure or
confirmed joins lie beside the other tiles, under the name of their first fragment.
"""

import csv
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.matching import JoinedFragments, Pair, join_fragments
from azulejar.imaging.fragments.poses import Fragment
from azulejar.imaging.photographs.import_log import (
    HOME,
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

LIST = "joins.csv"
COLUMNS = ("tile", "fragments", "probability", "verdict")
SURE = 0.9  # probability from which a join is made without being confirmed
ENOUGH = 0.6  # of a tile, that must be there for it
YES, NO = ("yes", "y", "sim", "s"), ("no", "n", "não", "nao")


@dataclass(frozen=True)
class Join:
    """A likely join: its tile, and a person's verdict on it (True, False, or None for none yet)."""

    tile: JoinedFragments
    verdict: bool | None = None

    @property
    def is_made(self) -> bool:
        """Whether the tile is laid beside the others."""
        sure = self.tile.probability >= SURE and self.tile.area >= ENOUGH
        return sure if self.verdict is None else self.verdict

    @property
    def file(self) -> str:
        """The name of the tile's picture: that of its first fragment."""
        return Path(min(self.tile.files, key=natural_order)).name


def join_imported(
    folder: str | os.PathLike[str], on_progress: Callable[[float], None] | None = None
) -> tuple[list[Join], list[Fragment]]:
    """Join the fragments in a folder of imported tiles; write the tiles, their list and joins.csv.

    Args:
        folder: Folder of imported tiles.
        on_progress: Called with the fraction done, from 0 to 1.

    Returns:
        The joins, the surest first, and the fragments that fit to none.

    Raises:
        AzulejarError: If no photograph of the folder shows fragments, or a verdict is unclear.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> one, two, broken = tiles.pixels[4:7].repeat(4, axis=1).repeat(4, axis=2)  # 96 px
        >>> half = np.tri(96, dtype=bool)[..., None]
        >>> table = np.full((300, 440, 3), (44, 40, 36), np.uint8)
        >>> table[30:126, 30:126], table[170:266, 30:126] = one, two
        >>> table[100:196, 160:256] = np.where(half, broken, table[0, 0])
        >>> table[100:196, 300:396] = np.where(half, table[0, 0], broken)
        >>> with tempfile.TemporaryDirectory() as home:
        ...     azulejar.write_picture(f"{home}/table.png", table)
        ...     whole = azulejar.import_tiles([f"{home}/table.png"], f"{home}/tiles")
        ...     joins, left = azulejar.join_imported(f"{home}/tiles")
        >>> whole, [join.file for join in joins], left
        (2, ['table_f01.png'], [])
    """
    if not (Path(folder) / HOME).is_dir():
        raise _without_fragments(Path(folder))
    log = ImportLog(folder)
    fragments = read_fragments(log)
    said = _read_verdicts(log.folder / FRAGMENTS / LIST, fragments)
    confirmed = [files for files, verdict in said.items() if verdict]
    refused: set[Pair] = set()
    for files, verdict in said.items():
        if not verdict:
            refused |= {frozenset(pair) for pair in combinations(files, 2)}
    joins = []
    for files in confirmed:
        members = [fragment for fragment in fragments if fragment.file in files]
        joins += [Join(tile, True) for tile in join_fragments(members, likely=0.0)]
        fragments = [fragment for fragment in fragments if fragment.file not in files]
    tiles = join_fragments(fragments, refused=refused, on_progress=on_progress)
    joins += [Join(tile) for tile in tiles]
    joins.sort(key=lambda join: -join.tile.probability)
    _write(log, joins, said)
    joined = {file for join in joins for file in join.tile.files}
    return joins, [fragment for fragment in fragments if fragment.file not in joined]


def read_fragments(log: ImportLog) -> list[Fragment]:
    """Read the fragments of all photographs; those whose picture was removed are left out."""
    recorded = [each for record in log.all() for each in record.fragments]
    found = []
    for each in recorded:
        path = log.folder / each.file
        if path.is_file():
            picture = read_picture(path, alpha=True)
            if picture.shape[2] != 4 or not (picture[..., 3] > 127).any():
                raise AzulejarError(
                    "fragment-without-outline",
                    "{path} shows no fragment on transparent ground.",
                    "Remove it, or import its photograph again.",
                    path=str(path),
                )
            found.append(Fragment(Path(each.file).name, picture, each.side))
    if not found:
        raise _without_fragments(log.folder)
    return found


def _without_fragments(folder: Path) -> AzulejarError:
    return AzulejarError(
        "fragments-none",
        "{folder} has no fragments of broken tiles.",
        "Photograph them beside a whole tile on an even table, and import that first.",
        folder=str(folder),
    )


def _write(log: ImportLog, joins: Sequence[Join], said: dict[frozenset[str], bool]) -> None:
    """Write the tiles of all joins that are made, with tiles.csv, and then the list of joins."""
    made = [join for join in joins if join.is_made]
    with log.writing(FRAGMENTS) as folder:
        tiles = []
        for join in made:
            picture = join.tile.picture
            write_picture(folder / join.file, picture)
            tiles.append(_describe(join, float((picture[..., 3] == 0).mean())))
        names = " ".join(file for join in made for file in join.tile.files)
        checksum = hashlib.sha256(names.encode()).hexdigest()
        where = str((log.folder / FRAGMENTS).resolve())
        write_record(folder, ImportedPhoto(where, checksum, {"colour": "off"}, tuple(tiles)))
    log.write_list({FRAGMENTS})
    refused = [files for files, verdict in said.items() if not verdict]
    with (
        replacing(log.folder / FRAGMENTS / LIST) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for join in joins:
            name = join.file if join.is_made else ""
            members = " ".join(sorted(join.tile.files, key=natural_order))
            sure = f"{join.tile.probability:.2f}"
            writer.writerow([name, members, sure, "yes" if join.verdict else ""])
        for files in refused:
            writer.writerow(["", " ".join(sorted(files, key=natural_order)), "", "no"])


def _describe(join: Join, missing: float) -> ImportedTile:
    members = ", ".join(Path(file).stem for file in sorted(join.tile.files, key=natural_order))
    return ImportedTile(
        file=join.file,
        note=f"joined from {members}",
        blur=0.0,
        glare=0.0,
        missing=round(missing, 4),
        confidence=round(1.0 if join.verdict else join.tile.probability, 3),
        corners=[],
        doubtful=False,
    )


def _read_verdicts(path: Path, fragments: Sequence[Fragment]) -> dict[frozenset[str], bool]:
    """Return the verdicts in joins.csv by the fragments they are about."""
    if not path.exists():
        return {}
    known = {fragment.file for fragment in fragments}
    reader = read_table(path, strict=False)
    header = [cell.strip().lower() for cell in next(reader, [])]
    said: dict[frozenset[str], bool] = {}
    for cells in reader:
        line = dict(zip(header, cells, strict=False))
        verdict = line.get("verdict", "").strip().lower()
        files = frozenset(line.get("fragments", "").split())
        if not verdict or not files <= known | {""}:
            continue
        if verdict not in YES + NO or len(files) < 2:
            raise AzulejarError(
                "join-verdict-unclear",
                "{path} has the verdict {verdict!r} for {files}.",
                "Write yes or no beside two fragments or more.",
                path=str(path),
                verdict=line["verdict"],
                files=" ".join(sorted(files)) or "no fragments",
            )
        said[files] = verdict in YES
    return said
