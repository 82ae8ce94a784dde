"""Groups: which panel each tile belongs to, and how likely that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.sorting.evidence import GroupEvidence
from azulejar.sorting.links import Links, relax_threshold
from azulejar.sorting.partition import LEAST, STRAY, Partition

NO_PANEL = 0.3  # weight of a link to no panel, which every tile of a crate has
# In a museum:
LOYAL = 0.2  # a tile with less than this share of the typical weight to its panel is a stray…
LEAST_WEIGHT = 0.45  # …and so is one with less than this weight; both hold for few tiles
DILUTION = 0.075  # how fast both fall with the size of the collection
TRUST = 2.5  # how fast odds grow with the weight of links
SWEEPS = 4


@dataclass(frozen=True)
class Groups:
    """The ``panel`` of each tile, and how likely that is (``probability``): [n] each.

    Panels are numbered from 0, the largest first; strays have STRAY. ``evidence`` says what holds
    each panel together; only a museum's groups have it.
    """

    panel: NDArray[np.int64]
    probability: NDArray[np.float64]
    evidence: tuple[GroupEvidence, ...] = ()

    @classmethod
    def of(cls, links: Links, partition: Partition) -> "Groups":
        """Make the large groups of a crate panels; all other tiles are strays."""
        panel = number_panels(partition.group)
        return cls(panel, share_of_links(links, panel))

    @property
    def panels(self) -> int:
        """The number of panels."""
        return int(self.panel.max()) + 1

    def tiles(self, panel: int) -> NDArray[np.int64]:
        """Return the tiles of a panel, or the strays, in rising order."""
        return np.flatnonzero(self.panel == panel)


def number_panels(
    group: NDArray[np.int64], known: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Number the panels from 0, the largest first; tiles of too small groups become strays.

    A small group is a panel if people know of two of its tiles, or if no group is large.

    Args:
        group: The group of each tile, or STRAY: [n].
        known: Tiles whose panel people know something about: [n].
    """
    inside = group != STRAY
    size = np.bincount(group[inside], minlength=1)
    chosen = size >= LEAST
    if known is not None:
        chosen |= np.bincount(group[inside & known], minlength=len(size)) > 1
    if not chosen.any():
        chosen = (size == size.max()) & (size > 0)
    order = np.argsort(-size, kind="stable")
    number = np.full(len(size), STRAY)
    number[order[chosen[order]]] = np.arange(chosen.sum())
    return np.where(inside, number[group], STRAY)


def share_of_links(links: Links, panel: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how likely each tile of a crate is in its panel, or a stray in none: [n].

    That is the share of its links that lead there; links to strays do not count.
    """
    here, total = np.zeros((2, links.n))
    for own, other in ((links.a // 4, links.b // 4), (links.b // 4, links.a // 4)):
        leading = np.where(panel[other] == STRAY, 0.0, links.weight)
        total += np.bincount(own, leading, links.n)
        here += np.bincount(own, np.where(panel[own] == panel[other], leading, 0.0), links.n)
    return np.where(panel == STRAY, NO_PANEL, here) / (total + NO_PANEL)


@dataclass(frozen=True)
class PanelChoices:
    """The ``best`` panel of each tile [n], or STRAY, and probabilities.

    ``probability`` [n] is that of the best panel, ``own`` [n] that of the panel the tile is in.
    """

    best: NDArray[np.int64]
    probability: NDArray[np.float64]
    own: NDArray[np.float64]

    @classmethod
    def of(cls, links: Links, panel: NDArray[np.int64], stray_weight: float) -> "PanelChoices":
        """Choose by the links to tiles in a ``panel`` [n]; being a stray has ``stray_weight``."""
        tile, leads, weight = weights_to_panels(links, panel)
        odds = np.expm1(TRUST * weight)
        alone = np.expm1(TRUST * stray_weight)
        total = np.bincount(tile, odds, links.n) + alone
        best, highest, own = np.full(links.n, STRAY), np.full(links.n, alone), np.zeros(links.n)
        own[panel == STRAY] = alone
        own[tile[leads == panel[tile]]] = odds[leads == panel[tile]]
        # The best is written last; of two that are equal, the first panel.
        order = np.lexsort((-leads, odds))
        tile, leads, odds = tile[order], leads[order], odds[order]
        more = odds > alone
        best[tile[more]], highest[tile[more]] = leads[more], odds[more]
        return cls(best, highest / total, own / total)


def weights_to_panels(
    links: Links, panel: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return tiles, panels to which their links lead, and the links' total weight: [k] each.

    Links to strays are left out.
    """
    own = np.concatenate([links.a, links.b]) // 4
    leads = panel[np.concatenate([links.b, links.a]) // 4]
    weight = np.concatenate([links.weight, links.weight])
    kept = leads != STRAY
    panels = int(panel.max(initial=0)) + 1
    pairs, which = np.unique(own[kept] * panels + leads[kept], return_inverse=True)
    total = np.bincount(which, weight[kept], len(pairs)).astype(np.float64)
    return pairs // panels, pairs % panels, total


def move_to_best_panels(
    links: Links, panel: NDArray[np.int64], free: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Move the ``free`` [n] tiles of a museum to the panels to which most of their links lead.

    A tile becomes a stray if its links weigh too little against the median of all tiles in their
    panels; the median, since a few tiles are linked many times as much as the others.

    Returns:
        The panel of each tile, and its probability: [n] each.
    """
    tile, leads, weight = weights_to_panels(links, panel)
    inside = weight[leads == panel[tile]]
    needed = LEAST_WEIGHT
    if len(inside):
        needed = max(LEAST_WEIGHT, LOYAL * float(np.median(inside)))
    stray_weight = relax_threshold(needed, links.n, DILUTION)
    for _ in range(SWEEPS):
        choices = PanelChoices.of(links, panel, stray_weight)
        moved = np.where(free, choices.best, panel)
        if (moved == panel).all():
            break
        panel = moved
    return panel, PanelChoices.of(links, panel, stray_weight).own
