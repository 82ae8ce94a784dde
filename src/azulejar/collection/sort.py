"""Sort a collection: group its tiles, name the groups as in the sort before, find duplicates."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.duplicates import find_duplicates
from azulejar.collection.sort_results import NUMBER, Group, SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import (
    all_statements,
    assigned_panels,
    removed_numbers,
    removed_tiles,
    statements_among,
)
from azulejar.core.joints import Joints
from azulejar.core.tiles import Record
from azulejar.imaging.mirroring import Reliefs
from azulejar.patterns.finding import find_pattern_tiles
from azulejar.sorting import STRAY, Groups
from azulejar.sorting.grouping import GroupKnowns, group_joints
from azulejar.sorting.paint import PaintEvidence

_MOST_TAKEN = 0.99  # share of an edge's probability that removed tiles may leave to others


def group_collection(collection: Collection, joints: Joints) -> SortResult:
    """Sort a collection by its likely joints (see ``search.joint_search.find_joints``).

    What people know of the tiles is respected, and tiles that they removed are left out. Panels
    that ``tiles.csv`` names keep their names, and a panel keeps its name from one sort to the next.
    Pattern tiles, which would fit any number of panels, are left out of them unless people put
    them there.
    """
    removed = removed_numbers(collection)
    joints = without_removed(joints, removed)
    alike = np.setdiff1d(find_pattern_tiles(collection.pixels), removed)
    groups = group_tiles(collection, without_tiles(joints, alike))
    before = load_sort(collection, ignore_damage=True)
    tiles = [groups.tiles(panel).tolist() for panel in range(groups.panels)]
    records = known_records(collection)
    names = name_groups(tiles, records, before.names if before else None)
    found = SortResult(
        [
            Group(name, tuple(which), **vars(e))
            for name, which, e in zip(names, tiles, groups.evidence, strict=True)
        ],
        tuple(groups.tiles(STRAY).tolist()),
        groups.probability,
        find_duplicates(collection.pixels),
        tuple(alike[groups.panel[alike] == STRAY].tolist()),
    )
    return found.without(removed)


def without_removed(joints: Joints, removed: Sequence[int]) -> Joints:
    """Return the same table as if it had been made without some tiles.

    What an edge had in common with their edges counts for its other partners: of two photographs
    of one tile, the one that is kept fits its neighbours as well as both did together.
    """
    if not removed:
        return joints
    gone = np.isin(joints.other // 4, removed)
    taken = np.bincount(joints.edge[gone], joints.score[gone], minlength=len(joints.start) - 1)
    factor = 1 / (1 - np.minimum(taken, _MOST_TAKEN))
    score = joints.score * (factor[joints.edge] + factor[joints.other]) / 2
    kept = replace(joints, score=np.minimum(score, 1).astype(np.float32))
    return without_tiles(kept, np.asarray(removed))


def without_tiles(joints: Joints, tiles: NDArray[np.int64]) -> Joints:
    """Return the same table, in which joints of these tiles score 0."""
    struck = np.isin(joints.edge // 4, tiles) | np.isin(joints.other // 4, tiles)
    return replace(joints, score=np.where(struck, np.float32(0), joints.score))


def group_tiles(collection: Collection, joints: Joints) -> Groups:
    """Group the tiles of a collection; what people know of them is respected."""
    inventories, statements = collection.inventories(), all_statements(collection)
    removed = removed_tiles(collection)
    if removed:
        there = set(inventories) - removed.keys()
        together = [[name for name in held if name in there] for held in statements.together]
        statements = statements_among(statements, there).model_copy(update={"together": together})
    knowns = GroupKnowns.of(inventories, known_records(collection), statements)
    paint = PaintEvidence.of(collection.pixels, joints)
    return group_joints(joints, knowns, paint, Reliefs.of(collection.pixels))


def known_records(collection: Collection) -> list[Record]:
    """Return the records of all tiles, with the panels that people have put them into.

    Tiles that they removed are in none.
    """
    assigned = assigned_panels(collection) | dict.fromkeys(removed_tiles(collection))
    return [
        replace(entry.record, panel=assigned.get(entry.inventory, entry.record.panel))
        for entry in collection.entries()
    ]


def name_groups(
    groups: Sequence[Sequence[int]],
    records: Sequence[Record],
    before: Mapping[int, str] | None = None,
) -> list[str]:
    """Give each group of tiles a name of its own.

    A panel is called as ``tiles.csv`` calls it, or else keeps the name that most of its tiles had
    ``before`` (by tile), so that it stays the same panel when others are added; new panels get the
    next number.
    """
    names: list[str | None] = [None] * len(groups)
    taken: set[str] = set()
    for name_of in (lambda tile: records[tile].panel, (before or {}).get):
        votes = [
            (group, Counter(filter(None, map(name_of, tiles))))
            for group, tiles in enumerate(groups)
        ]
        _assign_names(names, taken, votes)
    free = _free_numbers([*taken, *(before or {}).values()])
    return [next(free) if name is None else name for name in names]


def _assign_names(
    names: list[str | None], taken: set[str], votes: Iterable[tuple[int, Counter[str]]]
) -> None:
    """Name groups that have no name: the most votes first, then the lowest number of a group."""
    wishes = [
        (-count, group, name)
        for group, counted in votes
        for name, count in counted.items()
        if names[group] is None
    ]
    for _, group, name in sorted(wishes):
        if names[group] is None and name.casefold() not in taken:
            names[group] = name
            taken.add(name.casefold())


def _free_numbers(taken: Iterable[str]) -> Iterator[str]:
    used = {name for name in taken if NUMBER.fullmatch(name)}
    number = 0
    while True:
        number += 1
        if str(number) not in used:
            yield str(number)
