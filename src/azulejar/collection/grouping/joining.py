"""Groups joined by all that links them, and tiles moved to where most of their links lead.

In a large collection hardly a joint is certain, but an edge that is taken for another's is mostly
one of the same panel: what a tile's links add up to tells its panel long before it tells its place.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.sorting.links import Links
from azulejar.sorting.ties import Ties

LARGE = 36  # tiles; groups are asked for more beyond
SUREST, STEP = 2.0, 0.85  # support that is asked for at first, and how fast that falls


class Bonds(NamedTuple):
    """Pairs of tiles or groups, each once, lower number first, and what their links weigh: [k]."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, links: Links) -> "Bonds":
        """Of the tiles."""
        pairs, weight = links.between(np.arange(links.n))
        return cls(pairs[:, 0], pairs[:, 1], weight)

    def between(self, group: NDArray[np.int64]) -> "Bonds":
        """Of groups; ``group`` [n] numbers that of what was a tile or a group before."""
        one, other = group[self.one], group[self.other]
        crossing = one != other
        one, other = one[crossing], other[crossing]
        pairs, which = np.unique(
            np.minimum(one, other) * len(group) + np.maximum(one, other), return_inverse=True
        )
        weight = np.bincount(which, self.weight[crossing], len(pairs)).astype(np.float64)
        return Bonds(pairs // len(group), pairs % len(group), weight)


def join_by_weight(bonds: Bonds, ties: Ties, weakest: float) -> None:
    """Unite groups, the strongest bonds first, as long as their support is ``weakest``.

    That is the weight for each tile of the smaller group: all of a panel's parts hold to the rest
    of it, while two panels that look alike are linked here and there. Where the other is large,
    there are more such places, and more is asked for.
    """
    bonds = bonds.between(ties.group)
    asked = SUREST
    while True:
        while _join_round(bonds, ties, asked):
            bonds = bonds.between(ties.group)
        if asked == weakest:
            return
        asked = max(asked * STEP, weakest)


def _join_round(bonds: Bonds, ties: Ties, asked: float) -> bool:
    """Unite what is bound so strongly; whether there was any.

    A group takes in as many smaller ones as ask for it, or joins one, but not both: what it is
    bound to then is not known before the next round.
    """
    size = ties.sizes()
    swapped = size[bonds.one] > size[bonds.other]
    small = np.where(swapped, bonds.other, bonds.one)
    large = np.where(swapped, bonds.one, bonds.other)
    support = bonds.weight / (size[small] * np.sqrt(np.maximum(1, size[large] / LARGE)))
    enough = np.flatnonzero(support >= asked)
    enough = enough[np.argsort(-support[enough], kind="stable")]
    hosts: set[int] = set()
    joined: set[int] = set()
    for guest, host in zip(small[enough].tolist(), large[enough].tolist(), strict=True):
        if guest in hosts or guest in joined or host in joined or not ties.may_unite(guest, host):
            continue
        ties.unite(host, guest)
        hosts.add(host)
        joined.add(guest)
    return bool(joined)
