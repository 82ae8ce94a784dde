"""Group the tiles of a whole museum by panel, from a table of likely joints."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from azulejar.core.joints import Joints
from azulejar.core.tiles import Record
from azulejar.imaging.mirroring import Reliefs
from azulejar.knowledge.inventory import panels_of
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.sorting.evidence import weigh_evidence
from azulejar.sorting.groups import Groups, move_to_best_panels, number_panels
from azulejar.sorting.joining import attach_small, join_by_weight
from azulejar.sorting.links import Links, relax_threshold
from azulejar.sorting.mirrors import weigh_mirrored
from azulejar.sorting.paint import PaintEvidence
from azulejar.sorting.partition import Partition
from azulejar.sorting.segments import grow_segments

AGREEING = 0.35  # weight that merges two segments; over √tiles of the smaller one
LOOSE = 0.12  # weight, among few tiles, that unites two groups; over tiles of the smaller one
DILUTION = 0.15  # how fast that falls with the size of the collection
ATTACHED = 0.5  # weight that adds a few tiles to a panel; over √tiles


@dataclass(frozen=True)
class GroupKnowns:
    """What people know: tiles of one panel, pairs of two panels, and edges that do not meet."""

    together: tuple[tuple[int, ...], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    refused: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls, inventories: Sequence[str], records: Sequence[Record], statements: KnownsFile
    ) -> "GroupKnowns":
        """Gather what the records of all tiles and the statements on the collection say."""
        recorded = list(panels_of(records).values())
        knowns = statements.knowns([(number,) for number in inventories])
        joined = [tuple(lock.tile for lock in held) for held in knowns.joined]
        return cls(
            together=(*recorded, *knowns.together, *joined),
            apart=tuple((one[0], other[0]) for one, other in combinations(recorded, 2)),
            refused=knowns.apart,
        )

    def tiles(self, n: int) -> NDArray[np.bool_]:
        """Return which of n tiles something is known about: [n]."""
        known = np.zeros(n, bool)
        for tiles in (*self.together, *self.apart):
            known[list(tiles)] = True
        return known


def group_joints(
    joints: Joints,
    knowns: GroupKnowns | None = None,
    paint: PaintEvidence | None = None,
    reliefs: Reliefs | None = None,
) -> Groups:
    """Group tiles by a table of likely joints with their probabilities.

    Segments grow by joints that agree; groups are joined by all links between them, whatever
    placement these ask for; at last each tile moves to where most of its links lead, or becomes a
    stray. What people know is respected throughout; ``paint`` lowers the weight of links between
    tiles, and between groups, of different pigments; ``reliefs`` that of links between tiles that
    mirror each other.
    """
    knowns = knowns or GroupKnowns()
    if paint is not None:
        joints = paint.weigh(joints)
    all_links = links = Links.among_many(joints, knowns.refused)
    if reliefs is not None:
        links = Links.among_many(weigh_mirrored(joints, reliefs), knowns.refused)
    partition = Partition(links.n, knowns.together, knowns.apart)
    grow_segments(links, AGREEING, partition, paint)
    weakest = relax_threshold(LOOSE, links.n, DILUTION)
    join_by_weight(links.between(np.arange(links.n)), partition, weakest, paint)
    attach_small(links, partition, ATTACHED)
    known = knowns.tiles(links.n)
    panel, _ = move_to_best_panels(links, number_panels(partition.group, known), ~known)
    # Groups that became too small are dissolved; then no tile moves, and probabilities are final.
    panel, probability = move_to_best_panels(
        links, number_panels(panel, known), np.zeros_like(known)
    )
    # Tiles that are together without them are held by joints that mirror each other as well.
    evidence = weigh_evidence(all_links, panel, probability, known, paint)
    return Groups(panel, probability, tuple(evidence))
