"""Groups: which panel each tile of a crate belongs to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.sorting.links import Links
from azulejar.sorting.ties import Ties

STRAY = -1
NOBODY = 0.3  # weight of a link that leads nowhere, which every tile has


@dataclass(frozen=True)
class Groups:
    """Of each tile its ``panel`` [n], from 0 for the largest, or STRAY, and how likely that is."""

    panel: NDArray[np.int64]
    probability: NDArray[np.float64]

    @classmethod
    def of(cls, links: Links, ties: Ties) -> "Groups":
        """Large groups are panels, or the largest if none is; the others are strays."""
        size = ties.sizes()
        chosen = np.flatnonzero(ties.large() if ties.large().any() else size == size.max())
        number = np.full(len(size), STRAY)
        number[chosen[np.argsort(-size[chosen], kind="stable")]] = np.arange(len(chosen))
        panel = number[ties.group]
        return cls(panel, membership(links, panel))

    @property
    def panels(self) -> int:
        """How many there are."""
        return int(self.panel.max()) + 1

    def tiles(self, panel: int) -> NDArray[np.int64]:
        """The tiles of a panel, or the strays, in rising order."""
        return np.flatnonzero(self.panel == panel)


def membership(links: Links, panel: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely each tile is in its panel, or, of a stray, that it is in none: [n].

    The share of its links that lead there, links to strays left out.
    """
    here, total = np.zeros((2, links.n))
    for own, other in ((links.a // 4, links.b // 4), (links.b // 4, links.a // 4)):
        leading = np.where(panel[other] == STRAY, 0.0, links.weight)
        total += np.bincount(own, leading, links.n)
        here += np.bincount(own, np.where(panel[own] == panel[other], leading, 0.0), links.n)
    return np.where(panel == STRAY, NOBODY, here) / (total + NOBODY)
