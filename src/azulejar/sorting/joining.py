"""Join groups by the total weight of the links between them, whatever placement each asks for.

In a large collection hardly any joint is certain, but an edge that is mistaken for another is
mostly one of the same panel: the sum of a tile's links tells its panel long before any of them
tells its place.
"""

import numpy as np

from azulejar.sorting.links import GroupLinks, LinkEvidence, Links
from azulejar.sorting.partition import Partition

LARGE = 36  # tiles; to join a larger group, more weight is needed
SUREST, STEP = 2.0, 0.85  # support that is needed at first, and the factor by which that falls


def join_large(
    links: Links, partition: Partition, weakest: float, evidence: LinkEvidence | None = None
) -> None:
    """Unite large groups of a crate, the most strongly linked first.

    Links must weigh more than ``weakest`` for each tile of the smaller group: panels of one design
    are linked all over, but each tile is linked more to its own. ``evidence`` may lower the weight.
    """
    large = partition.large()[partition.group]
    links = links.take(large[links.a // 4] & large[links.b // 4])
    while True:
        found = links.between(partition.group)
        size = partition.sizes()
        support = found.weight / np.minimum(size[found.one], size[found.other])
        if evidence is not None:
            support = support * evidence.factors(partition.group, found.one, found.other)
        allowed = [
            i
            for i in np.flatnonzero(support > weakest)
            if partition.may_unite(found.one[i], found.other[i])
        ]
        if not allowed:
            return
        best = max(allowed, key=lambda i: support[i])
        partition.unite(found.one[best], found.other[best])


def attach_small(links: Links, partition: Partition, weakest: float) -> bool:
    """Let each small group join the large one to which it is linked most.

    Links must weigh more than ``weakest`` times the square root of its tiles, which is about the
    number of joints it should have with its surroundings. All join at once: otherwise strays that
    are linked to each other would draw one another in.

    Returns:
        Whether any group joined.
    """
    large, size = partition.large(), partition.sizes()
    found = links.between(partition.group)
    support = found.weight / np.sqrt(np.minimum(size[found.one], size[found.other]))
    mixed = np.flatnonzero((support > weakest) & (large[found.one] != large[found.other]))
    attached: set[int] = set()
    for i in mixed[np.argsort(-support[mixed], kind="stable")]:
        one, other = int(found.one[i]), int(found.other[i])
        small = other if large[one] else one
        if small not in attached and partition.may_unite(one, other):
            partition.unite(one, other)
            attached.add(small)
    return bool(attached)


def join_by_weight(
    links: GroupLinks, partition: Partition, weakest: float, evidence: LinkEvidence | None = None
) -> None:
    """Unite groups of a museum, the most strongly linked first, down to a support of ``weakest``.

    The support is the weight for each tile of the smaller group: every part of a panel is linked
    to the rest of it, while two panels that look alike are linked only here and there. A large
    group has more such places, so more is needed to join it. ``evidence`` may lower the weight.
    """
    links = links.between(partition.group)
    needed = SUREST
    while True:
        while _join_round(links, partition, needed, evidence):
            links = links.between(partition.group)
        if needed == weakest:
            return
        needed = max(needed * STEP, weakest)


def _join_round(
    links: GroupLinks, partition: Partition, needed: float, evidence: LinkEvidence | None
) -> bool:
    """Unite all groups with the ``needed`` support; return whether there were any.

    In one round a group either takes in smaller ones, as many as ask for it, or joins a larger
    one: how it is linked afterwards is not known before the next round.
    """
    size = partition.sizes()
    swapped = size[links.one] > size[links.other]
    small = np.where(swapped, links.other, links.one)
    large = np.where(swapped, links.one, links.other)
    support = links.weight / (size[small] * np.sqrt(np.maximum(1, size[large] / LARGE)))
    if evidence is not None:
        likely = np.flatnonzero(support >= needed)
        support[likely] *= evidence.factors(partition.group, small[likely], large[likely])
    enough = np.flatnonzero(support >= needed)
    enough = enough[np.argsort(-support[enough], kind="stable")]
    hosts: set[int] = set()
    joined: set[int] = set()
    for guest, host in zip(small[enough].tolist(), large[enough].tolist(), strict=True):
        if guest in hosts or guest in joined or host in joined:
            continue
        if partition.may_unite(guest, host):
            partition.unite(host, guest)
            hosts.add(host)
            joined.add(guest)
    return bool(joined)
