"""Join the fragments that an import found; ``join_list`` keeps the joins."""

import os
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.join_list import (
    FRAGMENTS,
    LIST,
    ListedJoin,
    read_joins,
    write_joins,
)
from azulejar.imaging.fragments.matching import JoinedFragments, Pair, join_fragments
from azulejar.imaging.fragments.poses import Fragment
from azulejar.imaging.photographs.import_log import HOME, ImportLog
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.system.natural_order import natural_order


def join_imported(
    folder: str | os.PathLike[str], on_progress: Callable[[float], None] | None = None
) -> tuple[list[ListedJoin], list[Fragment]]:
    """Join the fragments in a folder of imported tiles; write the tiles and the list of joins.

    Args:
        folder: Folder of imported tiles.
        on_progress: Called with the fraction done, from 0 to 1.

    Returns:
        The joins, the surest first, and the fragments that fit to none.

    Raises:
        AzulejarError: If no photograph of the folder shows fragments, or a verdict is unclear or
            names a fragment that is not there.

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
        >>> whole, [join.tile for join in joins], left
        (2, ['table_f01+f02.png'], [])
    """
    if not (Path(folder) / HOME).is_dir():
        raise _without_fragments(Path(folder))
    log = ImportLog(folder)
    fragments = read_fragments(log)
    known = {fragment.file: fragment for fragment in fragments}
    listed = read_joins(log.folder)
    _check_named(listed, known, log.folder / FRAGMENTS / LIST)
    said = [join for join in listed if known.keys() >= set(join.files)]
    confirmed = [join for join in said if join.verdict]
    denied = [join for join in said if join.verdict is False]
    refused: set[Pair] = {
        frozenset(pair) for join in denied for pair in combinations(join.files, 2)
    }
    joins: list[ListedJoin] = []
    for join in confirmed:
        members = [known.pop(file) for file in join.files if file in known]
        if (log.folder / join.picture).exists():
            joins.append(join)
        elif len(members) == len(join.files):
            joins.append(_keep(log, _lay(members), True))
    tiles = join_fragments(list(known.values()), refused=refused, on_progress=on_progress)
    joins += [_keep(log, tile) for tile in tiles]
    joins.sort(key=lambda join: -(join.probability or 0.0))
    joined = {file for join in joins for file in join.files}
    new = {join.files for join in joins}
    write_joins(log, [*joins, *(join for join in denied if join.files not in new)])
    return joins, [fragment for fragment in fragments if fragment.file not in joined]


def _check_named(joins: Sequence[ListedJoin], known: Collection[str], path: Path) -> None:
    """Raise if a line that a person added, which has no probability, names no fragment."""
    for join in joins:
        missing = [file for file in join.files if file not in known]
        if missing and join.probability is None and join.verdict is not None:
            raise AzulejarError(
                "join-fragment-missing",
                "{path} has a verdict on {files}, but there is no fragment {missing}.",
                "Write the names of the pictures beside that list.",
                path=str(path),
                files=" ".join(join.files),
                missing=missing[0],
            )


def _lay(fragments: list[Fragment]) -> JoinedFragments:
    """Join fragments that a person knows to be of one tile."""
    tiles = join_fragments(fragments, likely=0.0)
    if not tiles or len(tiles[0].files) < len(fragments):
        raise AzulejarError(
            "fragments-do-not-fit",
            "{files} cannot be laid beside each other.",
            "Take the yes beside them out of the list of joins.",
            files=" ".join(fragment.file for fragment in fragments),
        )
    return tiles[0]


def _keep(log: ImportLog, tile: JoinedFragments, verdict: bool | None = None) -> ListedJoin:
    """Write the picture of a join, and return what is listed of it."""
    files = tuple(sorted(tile.files, key=natural_order))
    join = ListedJoin(files, round(tile.probability, 2), verdict, tile.area)
    write_picture(log.folder / join.picture, tile.picture)
    return join


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
