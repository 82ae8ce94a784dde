"""Leaning: to which panel the links of each tile lead."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.grouping.weighing import diluted
from azulejar.sorting.groups import STRAY
from azulejar.sorting.links import Links

LOYAL = 0.2  # of what a tile's links to its panel typically weigh: what makes a tile no stray…
FEWEST = 0.45  # …but at least so much; both among few tiles
DILUTION = 0.075  # how fast both fall with the size of the collection
TRUST = 2.5  # how fast odds grow with the weight of links
SWEEPS = 4


@dataclass(frozen=True)
class Leanings:
    """Of each tile the ``best`` panel [n], STRAY if it leans to none, and how likely it is.

    ``probability`` [n] is that of the best, ``own`` [n] that of the panel the tile is in.
    """

    best: NDArray[np.int64]
    probability: NDArray[np.float64]
    own: NDArray[np.float64]

    @classmethod
    def of(cls, links: Links, panel: NDArray[np.int64], nobody: float) -> "Leanings":
        """By the links to tiles in a ``panel`` [n]; ``nobody`` weighs as much as having none."""
        tile, leads, weight = weights_to_panels(links, panel)
        odds = np.expm1(TRUST * weight)
        alone = np.expm1(TRUST * nobody)
        total = np.bincount(tile, odds, links.n) + alone
        best, highest, own = np.full(links.n, STRAY), np.full(links.n, alone), np.zeros(links.n)
        own[panel == STRAY] = alone
        own[tile[leads == panel[tile]]] = odds[leads == panel[tile]]
        order = np.lexsort((-leads, odds))  # the best is written last, of two alike the first panel
        tile, leads, odds = tile[order], leads[order], odds[order]
        more = odds > alone
        best[tile[more]], highest[tile[more]] = leads[more], odds[more]
        return cls(best, highest / total, own / total)


def weights_to_panels(
    links: Links, panel: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Tiles, panels that their links lead to, and the links' total weight; strays left out."""
    own = np.concatenate([links.a, links.b]) // 4
    leads = panel[np.concatenate([links.b, links.a]) // 4]
    weight = np.concatenate([links.weight, links.weight])
    kept = leads != STRAY
    panels = int(panel.max(initial=0)) + 1
    pairs, which = np.unique(own[kept] * panels + leads[kept], return_inverse=True)
    total = np.bincount(which, weight[kept], len(pairs)).astype(np.float64)
    return pairs // panels, pairs % panels, total


def settle(
    links: Links, panel: NDArray[np.int64], free: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Move tiles that are ``free`` [n] to the panels they lean to; those, and probabilities."""
    tile, leads, weight = weights_to_panels(links, panel)
    inside = weight[leads == panel[tile]]
    asked = max(FEWEST, LOYAL * float(np.median(inside)) if len(inside) else FEWEST)
    nobody = diluted(asked, links.n, DILUTION)
    for _ in range(SWEEPS):
        leanings = Leanings.of(links, panel, nobody)
        moved = np.where(free, leanings.best, panel)
        if (moved == panel).all():
            break
        panel = moved
    return panel, Leanings.of(links, panel, nobody).own
