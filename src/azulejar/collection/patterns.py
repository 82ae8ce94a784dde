"""The patterns of a collection: found, named, and kept as patterns.json in its folder."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from azulejar.collection.sort import name_groups
from azulejar.collection.sort_results import NUMBER
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.patterns.designs import Designs, draw_design
from azulejar.patterns.finding import Pattern, Patterns, find_patterns
from azulejar.patterns.repeats import Module, draw_module
from azulejar.system.json_text import json_text
from azulejar.system.transactions import now
from azulejar.version import __version__

FOLDER = "patterns"
MARK = "patterns.json"
FORMAT = "azulejar-collection-patterns/1"
SOUGHT = "patterns_sought"  # key in the database
# Least likeness of a tile and its design, by which its condition is told.
CONDITIONS = {"good": 0.95, "worn": 0.9, "poor": 0.0}


@dataclass(frozen=True)
class CollectionPatterns:
    """The patterns of a collection, each with its name; tiles count as in the catalogue."""

    names: tuple[str, ...]
    found: Patterns

    def __len__(self) -> int:
        return len(self.names)

    def by_tile(self) -> dict[int, str]:
        """Return the name of the pattern of each tile."""
        pairs = zip(self.names, self.found, strict=True)
        return {int(tile): name for name, pattern in pairs for tile in pattern.tiles}

    def stored(self) -> list["StoredPattern"]:
        """Return the patterns as they are stored."""
        return [StoredPattern.of(*each) for each in zip(self.names, self.found, strict=True)]

    @classmethod
    def restored(cls, stored: Iterable["StoredPattern"], designs: Designs) -> Self:
        """Return stored patterns of known designs, those of most tiles first."""
        pairs = []
        for each in stored:
            grid = np.array(each.module)
            module = Module(grid[..., 0], grid[..., 1], each.drop, each.misfit)
            tiles = np.flatnonzero(np.isin(designs.design, each.designs))
            picture = draw_module(module, designs.pictures)
            pattern = Pattern(tuple(each.designs), tiles, module, each.symmetry, picture)
            pairs.append((each.name, pattern))
        pairs.sort(key=lambda pair: (-len(pair[1]), pair[1].designs))
        found = Patterns(tuple(pattern for _, pattern in pairs), designs)
        return cls(tuple(name for name, _ in pairs), found)

    def conditions(self, tiles: NDArray[np.int64]) -> dict[str, int]:
        """Count the given tiles by condition."""
        counted = Counter(map(condition_of, self.found.designs.likeness[tiles].tolist()))
        return {name: counted[name] for name in CONDITIONS}


def condition_of(likeness: float) -> str:
    """Return the condition of a tile: how much of the design's painting it still shows."""
    return next(name for name, least in CONDITIONS.items() if likeness >= least)


def find_collection_patterns(
    collection: Collection, on_progress: Callable[[float], None] = lambda fraction: None
) -> CollectionPatterns:
    """Find the patterns of a collection.

    A pattern is called as ``tiles.csv`` calls it, keeps the name that most of its tiles had
    before, or gets the next number. Designs that people call the same are one pattern.
    """
    before = load_patterns(collection, ignore_damage=True, drawn=False)
    known = {} if before is None else before.by_tile()
    given = {tile: name for tile, name in known.items() if not NUMBER.fullmatch(name)}
    stated = [
        entry.record.pattern or given.get(tile) for tile, entry in enumerate(collection.entries())
    ]
    found = find_patterns(collection.pixels, names=stated, on_progress=on_progress)
    removed = removed_tiles(collection)
    gone = [tile for tile, name in enumerate(collection.inventories()) if name in removed]
    found = _without(found, gone)
    groups = [pattern.tiles.tolist() for pattern in found]
    names = name_groups(groups, [Record(panel=name) for name in stated], known)
    return CollectionPatterns(tuple(names), found)


def _without(found: Patterns, removed: Sequence[int]) -> Patterns:
    """Return the same patterns without the stock of tiles that people removed."""
    patterns = (replace(each, tiles=np.setdiff1d(each.tiles, removed)) for each in found)
    design = found.designs.design.copy()
    design[list(removed)] = -1
    return Patterns(
        tuple(each for each in patterns if len(each)), replace(found.designs, design=design)
    )


class StoredPattern(BaseModel):
    """A pattern as ``patterns.json`` has it: its module as rows of designs and turns."""

    name: str
    designs: list[int]
    module: list[list[tuple[int, int]]]
    drop: int
    misfit: float
    symmetry: str

    @classmethod
    def of(cls, name: str, pattern: Pattern) -> Self:
        """Return a pattern under a name."""
        module = pattern.module
        return cls(
            name=name,
            designs=list(pattern.designs),
            module=np.stack([module.design, module.turn], axis=2).tolist(),
            drop=module.drop,
            misfit=round(module.misfit, 2),
            symmetry=pattern.symmetry,
        )


class _PatternTile(BaseModel):
    tile: str
    design: int
    turn: int
    likeness: float


class _File(BaseModel):
    format: str
    version: str = ""
    patterns: list[StoredPattern]
    tiles: list[_PatternTile]


def save_patterns(path: Path, collection: Collection, kept: CollectionPatterns) -> None:
    """Write ``patterns.json``: each repeat as rows of designs and turns, each tile's design."""
    designs = kept.found.designs
    inventories = collection.inventories()
    chosen = np.flatnonzero(kept.found.of_tiles() >= 0)
    data = {
        "format": FORMAT,
        "version": __version__,
        "patterns": [each.model_dump() for each in kept.stored()],
        "tiles": [
            {
                "tile": inventories[tile],
                "design": int(designs.design[tile]),
                "turn": int(designs.turn[tile]),
                "likeness": round(float(designs.likeness[tile]), 4),
            }
            for tile in chosen.tolist()
        ],
    }
    path.write_text(json_text(data), encoding="utf-8")


def load_patterns(
    collection: Collection, *, ignore_damage: bool = False, drawn: bool = True
) -> CollectionPatterns | None:
    """Return the patterns that were found last, or None if nobody looked for them yet.

    Unless they are to be ``drawn``, which takes most of the time, their pictures stay black.

    Raises:
        AzulejarError: ``patterns.json`` cannot be read; with ``ignore_damage``, None is returned.
    """
    path = collection.folder / FOLDER / MARK
    try:
        file = _File.model_validate_json(path.read_text(encoding="utf-8"))
        return _restore(collection, file, drawn)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, IndexError) as error:
        if ignore_damage:
            return None
        raise AzulejarError(
            "patterns-unreadable",
            "{path} cannot be read, or belongs to another collection.",
            "Look for patterns again.",
            path=str(path),
        ) from error


def note_search(collection: Collection) -> None:
    """Record the time of this search for patterns."""
    collection.database.put_meta(SOUGHT, now())


def last_search(collection: Collection) -> str | None:
    """Return the time of the last search for patterns (ISO 8601, UTC), or None."""
    path = collection.folder / FOLDER / MARK
    if not path.exists():
        return None
    known = collection.database.meta(SOUGHT)  # which earlier versions did not store
    return known or datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def require_patterns(collection: Collection) -> CollectionPatterns:
    """Return the patterns that were found last; raise if nobody looked for them yet."""
    kept = load_patterns(collection)
    if kept is None:
        raise AzulejarError(
            "patterns-not-found-yet",
            "Nobody has looked for patterns in {folder} yet.",
            "Look for patterns in {folder}.",
            folder=collection.given,
        )
    return kept


def _restore(collection: Collection, file: _File, drawn: bool) -> CollectionPatterns:
    if file.format != FORMAT:
        raise KeyError("format")
    n = len(collection)
    number = {name: i for i, name in enumerate(collection.inventories())}
    design, turn = np.full(n, -1), np.zeros(n, np.int64)
    likeness = np.zeros(n, np.float32)
    removed = removed_tiles(collection)
    for line in file.tiles:
        tile = number[line.tile]
        if line.tile in removed:
            continue
        design[tile], turn[tile], likeness[tile] = line.design, line.turn, line.likeness
    count = 1 + max((each for pattern in file.patterns for each in pattern.designs), default=-1)
    pixels = collection.pixels
    pictures = np.zeros((count, *pixels.shape[1:]), np.uint8)
    for each in np.unique(design[design >= 0]) if drawn else ():
        pictures[each] = draw_design(pixels, np.flatnonzero(design == each), turn, likeness)
    return CollectionPatterns.restored(file.patterns, Designs(design, turn, likeness, pictures))
