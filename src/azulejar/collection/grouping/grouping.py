"""Grouping: which tiles of a whole collection make a panel."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.grouping.evidence import Evidence, weigh_evidence
from azulejar.collection.grouping.joining import Bonds, join_by_weight
from azulejar.collection.grouping.leaning import settle
from azulejar.collection.grouping.weighing import diluted, weighed_links
from azulejar.collection.search.searching import JointTable
from azulejar.collection.storage.catalogue import Collection
from azulejar.core.joints import Joints
from azulejar.core.tiles import Record
from azulejar.knowledge.inventory import panels_of
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.sorting.groups import STRAY
from azulejar.sorting.groups import Groups as Crate
from azulejar.sorting.joining import attach_small
from azulejar.sorting.segments import grow_segments
from azulejar.sorting.ties import LEAST, Ties

AGREEING = 0.35  # weight that lays two segments together; over √tiles of the smaller one
LOOSE = 0.12  # weight, among few tiles, that makes two groups one; over tiles of the smaller one
DILUTION = 0.15  # how fast that falls with the size of the collection
ATTACHED = 0.5  # weight that adds a few tiles to a panel; over √tiles


@dataclass(frozen=True)
class Groups(Crate):
    """Of each tile its ``panel`` [n] and how likely that is; of each panel the ``evidence``."""

    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Stated:
    """What people know: tiles of one panel, pairs of two, and edges that do not meet."""

    together: tuple[tuple[int, ...], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    refused: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls, inventories: Sequence[str], records: Sequence[Record], statements: KnownsFile
    ) -> "Stated":
        """From the records of all tiles and the statements on the collection."""
        known = list(panels_of(records).values())
        knowns = statements.knowns([(number,) for number in inventories])
        joined = [tuple(lock.tile for lock in held) for held in knowns.joined]
        return cls(
            together=(*known, *knowns.together, *joined),
            apart=tuple((one[0], other[0]) for one, other in combinations(known, 2)),
            refused=knowns.apart,
        )

    def free(self, n: int) -> NDArray[np.bool_]:
        """Tiles of which nothing is known: [n]."""
        free = np.ones(n, bool)
        for tiles in (*self.together, *self.apart):
            free[list(tiles)] = False
        return free


def group_tiles(table: JointTable, collection: Collection, statements: KnownsFile) -> Groups:
    """Group the tiles of a collection by what a search found; what people know is kept."""
    entries = collection.entries()
    numbers, records = [one.inventory for one in entries], [one.record for one in entries]
    return group_joints(table.joints, Stated.of(numbers, records, statements))


def group_joints(joints: Joints, stated: Stated | None = None) -> Groups:
    """Group tiles by a table of likely joints with their probabilities.

    Segments are laid by joints that agree, groups joined by all links between them, whatever place
    these ask for; at last each tile goes where its links lead, or among the strays.
    """
    stated = stated or Stated()
    links = weighed_links(joints, stated.refused)
    ties = Ties(links.n, stated.together, stated.apart)
    grow_segments(links, AGREEING, ties)
    join_by_weight(Bonds.of(links), ties, diluted(LOOSE, links.n, DILUTION))
    attach_small(links, ties, ATTACHED)
    free = stated.free(links.n)
    panel, _ = settle(links, _numbered(ties.group, free), free)
    panel, probability = settle(links, _numbered(panel, free), np.zeros_like(free))
    return Groups(panel, probability, tuple(weigh_evidence(links, panel, probability)))


def _numbered(group: NDArray[np.int64], free: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Panels from 0, the largest first; groups too small for one are strays, unless tiles of them
    are known to belong together, or none is larger.
    """
    inside = group != STRAY
    size = np.bincount(group[inside], minlength=1)
    known = np.bincount(group[inside & ~free], minlength=len(size)) > 1
    chosen = (size >= LEAST) | known
    if not chosen.any():
        chosen = (size == size.max()) & (size > 0)
    order = np.argsort(-size, kind="stable")
    number = np.full(len(size), STRAY)
    number[order[chosen[order]]] = np.arange(chosen.sum())
    return np.where(inside, number[group], STRAY)
