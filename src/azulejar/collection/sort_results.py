"""The result of a sort: likely panels by name, strays, and duplicates; stored as groups.json."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from azulejar.collection.storage.catalogue import Collection, stamp_of
from azulejar.collection.storage.overrides import removed_numbers
from azulejar.errors import AzulejarError
from azulejar.sorting import STRAY
from azulejar.system.json_text import json_text
from azulejar.version import __version__

FOLDER = "groups"
MARK = "groups.json"
FORMAT = "azulejar-collection-groups/1"
LEAST_TILES = 12  # of a group that is solved by default
SHOWN = 12  # names of panels in a message
NUMBER = re.compile(r"[1-9][0-9]{0,8}")  # names that are given to panels without a name


@dataclass(frozen=True)
class Group:
    """Tiles of the collection that likely make one panel, and what holds them together.

    ``joints`` counts the likely joints among them, of ``mean`` probability; ``loops`` counts the
    rings of four tiles that these close; ``weakest`` says in words where the group would come
    apart first; ``apart`` counts the tiles of a part that may be a panel of its own, and ``part``
    names them, unless an earlier version has sorted them.
    """

    name: str
    tiles: tuple[int, ...]
    probability: float = 0.0
    joints: int = 0
    mean: float = 0.0
    loops: int = 0
    weakest: str = ""
    apart: int = 0
    part: tuple[int, ...] = ()

    @property
    def priority(self) -> float:
        """Which to solve first: likely groups with many joints a tile, then the larger ones."""
        many = self.joints / max(1, len(self.tiles))
        return self.probability * many * float(np.log1p(len(self.tiles)))


@dataclass(frozen=True)
class SortResult:
    """The groups of a collection, its strays, and its duplicates as pairs of tiles.

    ``probability`` [tiles] is how likely each tile is in its group, or a stray in none; it has an
    entry for each tile that the collection had when it was sorted. ``pattern_tiles``,
    among the strays, are alike in great number (see ``collection.patterns``).
    """

    groups: list[Group]
    strays: tuple[int, ...]
    probability: NDArray[np.float64]
    duplicates: list[tuple[int, int]] = field(default_factory=list)
    pattern_tiles: tuple[int, ...] = ()

    @property
    def tiles(self) -> int:
        """The number of tiles that were sorted."""
        return len(self.probability)

    @cached_property
    def left_out(self) -> frozenset[int]:
        """The tiles that were removed before the sort: in no group, and no strays either."""
        return frozenset(range(self.tiles)) - self.names.keys() - set(self.strays)

    def without(self, removed: Iterable[int]) -> "SortResult":
        """Return the same sort without some tiles, and without groups that have no others."""
        gone = set(removed)
        if not gone:
            return self

        def left(tiles: Iterable[int]) -> tuple[int, ...]:
            return tuple(tile for tile in tiles if tile not in gone)

        groups = []
        for each in self.groups:
            tiles, part = left(each.tiles), left(each.part)
            apart = each.apart - (len(each.part) - len(part))
            groups += [replace(each, tiles=tiles, part=part, apart=apart)] if tiles else []
        return replace(
            self,
            groups=groups,
            strays=left(self.strays),
            duplicates=[pair for pair in self.duplicates if not gone & set(pair)],
            pattern_tiles=left(self.pattern_tiles),
        )

    @cached_property
    def names(self) -> dict[int, str]:
        """The panel's name by tile, without strays."""
        return {tile: group.name for group in self.groups for tile in group.tiles}


class _Panel(BaseModel):
    name: str
    probability: float
    joints: int
    mean: float
    loops: int
    weakest: str
    apart: int = 0


class _Tile(BaseModel):
    tile: str
    panel: int
    probability: float
    pattern: bool = False
    apart: bool = False
    removed: bool = False


class _File(BaseModel):
    format: str
    version: str = ""
    panels: list[_Panel]
    duplicates: list[tuple[str, str]]
    tiles: list[_Tile]


def save_sort(path: Path, found: SortResult, inventories: Sequence[str]) -> None:
    """Write ``groups.json``, in which tiles go by their inventory numbers."""
    panel = np.full(found.tiles, STRAY)
    for number, group in enumerate(found.groups):
        panel[list(group.tiles)] = number
    alike = set(found.pattern_tiles)
    apart = {tile for group in found.groups for tile in group.part}
    data = {
        "format": FORMAT,
        "version": __version__,
        "panels": [
            {name: value for name, value in vars(group).items() if name not in ("tiles", "part")}
            for group in found.groups
        ],
        "duplicates": [[inventories[tile] for tile in pair] for pair in found.duplicates],
        "tiles": [
            {"tile": name, "panel": own, "probability": round(likely, 4)}
            | ({"pattern": True} if tile in alike else {})
            | ({"apart": True} if tile in apart else {})
            | ({"removed": True} if tile in found.left_out else {})
            for tile, (name, own, likely) in enumerate(
                zip(inventories, panel.tolist(), found.probability.tolist(), strict=False)
            )
        ],
    }
    path.write_text(json_text(data), encoding="utf-8")


def load_sort(
    collection: Collection, *, ignore_damage: bool = False, removed: bool = False
) -> SortResult | None:
    """Return the result of the last sort, or None if there was none.

    Tiles that people removed since are left out, unless ``removed`` asks for them.

    Raises:
        AzulejarError: ``groups.json`` cannot be read; with ``ignore_damage``, None is returned.
    """
    path = collection.folder / FOLDER / MARK
    stamp = stamp_of(path) if path.is_file() else None
    known = _loaded.get(collection)
    if known is None or known[0] != stamp:
        found = _read_sort(collection, path, ignore_damage)
        if found is None:
            return None
        known = stamp, found
        _loaded[collection] = known
    return known[1] if removed else known[1].without(removed_numbers(collection))


# A large museum asks for it after every change, however small.
_loaded: WeakKeyDictionary[Collection, tuple[str | None, SortResult]] = WeakKeyDictionary()


def _read_sort(collection: Collection, path: Path, ignore_damage: bool) -> SortResult | None:
    try:
        file = _File.model_validate_json(path.read_text(encoding="utf-8"))
        number = {name: i for i, name in enumerate(collection.inventories())}
        own = [number[tile.tile] for tile in file.tiles]
        duplicates = [(number[one], number[other]) for one, other in file.duplicates]
        if not all(STRAY <= tile.panel < len(file.panels) for tile in file.tiles):
            raise KeyError("panel")
        if file.format != FORMAT or len(set(own)) != len(own) or max(own, default=-1) >= len(own):
            raise KeyError("tiles")
    except FileNotFoundError:
        return None
    except (OSError, ValidationError, UnicodeDecodeError, KeyError) as error:
        if ignore_damage:
            return None
        raise AzulejarError(
            "groups-unreadable",
            "{path} cannot be read, or belongs to another collection.",
            "Sort {folder} again.",
            path=str(path),
            folder=str(collection.folder),
        ) from error
    tiles: list[list[int]] = [[] for _ in file.panels]
    strays: list[int] = []
    alike: list[int] = []
    parts: list[list[int]] = [[] for _ in file.panels]
    probability = np.zeros(len(own))
    for tile, line in zip(own, file.tiles, strict=True):
        if not line.removed:
            (strays if line.panel == STRAY else tiles[line.panel]).append(tile)
        if line.pattern:
            alike.append(tile)
        if line.apart and line.panel != STRAY:
            parts[line.panel].append(tile)
        probability[tile] = line.probability
    groups = [
        Group(panel.name, tuple(which), panel.probability, panel.joints, panel.mean, panel.loops,
              panel.weakest, panel.apart, tuple(part))
        for panel, which, part in zip(file.panels, tiles, parts, strict=True)
    ]  # fmt: skip
    return SortResult(groups, tuple(strays), probability, duplicates, tuple(alike))


def require_sort(collection: Collection, *, removed: bool = False) -> SortResult:
    """Return the result of the last sort (see ``load_sort``); raise if there is none."""
    found = load_sort(collection, removed=removed)
    if found is None:
        raise AzulejarError(
            "collection-not-sorted",
            "{folder} has not been sorted yet.",
            "Sort {folder}.",
            folder=collection.given,
        )
    return found


def select_groups(
    found: SortResult, names: Sequence[str] = (), least: int = LEAST_TILES
) -> list[Group]:
    """Return the groups of these names, or, without names, all of ``least`` tiles or more."""
    by_name = {group.name.casefold(): group for group in found.groups}
    for name in names:
        if name.casefold() not in by_name and not found.groups:
            raise AzulejarError(
                "sort-found-no-panels",
                "The last sort found no panel {name}.",
                "Sort again.",
                name=name,
            )
        if name.casefold() not in by_name:
            shown = ", ".join(group.name for group in found.groups[:SHOWN])
            raise AzulejarError(
                "sort-found-other-panels",
                "The last sort found no panel {name}.",
                "It found {found}.",
                name=name,
                found=f"{shown}{' …' * (len(found.groups) > SHOWN)}",
            )
    if names:
        return [by_name[name.casefold()] for name in dict.fromkeys(names)]
    return [group for group in found.groups if len(group.tiles) >= least]


def folder_name(name: str) -> str:
    """Return a folder name for a panel that is valid on any system; numbers sort in order."""
    if NUMBER.fullmatch(name):
        return f"panel_{int(name):04d}"
    plain = re.sub(r"[^\w-]+", "_", name).strip("_")[:60]
    if plain == name and not plain.isdigit():
        return f"panel_{plain}"
    # Two names may become the same plain one.
    return f"panel_{plain}_{sha256(name.encode()).hexdigest()[:6]}"
