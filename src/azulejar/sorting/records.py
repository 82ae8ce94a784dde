"""What records tell about tiles sharing a panel: marks on the backs, and thickness.

Two groups whose tiles mostly have different marks, or another thickness, are less likely one panel.
How much that tells is learned from the crate itself, by how much more the tiles of sure joints
agree than any two tiles do: marks that follow no panel count for nothing. Records only tip the
balance between large groups: one panel may have tiles of two workshops, and a single tile may be
recorded wrongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from azulejar.core.tiles import Record
from azulejar.sorting.links import Links
from azulejar.sorting.partition import LEAST

SURE = 0.8  # weight of links that teach how far records agree within a panel
LOWEST = 0.65  # share of the weight of links that records leave in any case
ERRORS = 2.0  # standard errors by which tiles of a panel must agree more than any two
PAIRS = 20_000  # of tiles that stand for all
MEDIAN = 0.6745  # of the absolute value of a standard normal variable…
MEDIAN_ERROR = 1.17  # …and its relative standard error, over the root of their number


@dataclass(frozen=True)
class RecordEvidence:
    """What is on record of n tiles, and how far it can be trusted.

    ``mark`` [n] numbers the marks from 0, -1 for none; tiles have their panel's mark with
    probability ``trust``, else any of the crate. ``thickness`` [n] is NaN where it is unknown;
    ``within`` is its deviation within a panel, ``between`` that of the panels' means, in
    millimetres.
    """

    mark: NDArray[np.int64]
    trust: float
    thickness: NDArray[np.float64]
    within: float
    between: float

    @classmethod
    def of(cls, links: Links, records: Sequence[Record]) -> "RecordEvidence | None":
        """Learn what the records of n tiles tell; None if they tell nothing."""
        names = dict.fromkeys(known.mark.casefold() for known in records if known.mark)
        number = {name: i for i, name in enumerate(names)}
        mark = np.array([number[r.mark.casefold()] if r.mark else -1 for r in records], np.int64)
        size = np.array([np.nan if r.thickness is None else r.thickness for r in records])
        sure = links.weight >= SURE
        joined = links.a[sure] // 4, links.b[sure] // 4
        evidence = cls(mark, _trust(mark, *joined), size, *_spread(size, *joined))
        return evidence if evidence.trust > 0 or evidence.between > 0 else None

    def factors(
        self, group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return what share to leave of the links between the groups ``one`` and ``other`` [k].

        Groups that agree keep theirs: panels of one workshop agree too.
        ``group`` [n] gives the number of each tile's group.
        """
        odds = self._by_marks(group, one, other) + self._by_thickness(group, one, other)
        size = np.bincount(group)
        large = np.minimum(size[one], size[other]) >= LEAST
        return np.where(large, np.exp(np.clip(odds, np.log(LOWEST), 0)), 1.0)

    def _by_marks(
        self, group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the logarithm of the Bayes factor that two groups have one mark, not two."""
        if self.trust <= 0:
            return np.zeros(len(one))
        known = self.mark >= 0
        share = np.bincount(self.mark[known]) / known.sum()
        likely = np.log(self.trust * np.eye(len(share)) + (1 - self.trust) * share)
        total = np.zeros((int(group.max()) + 1, len(share)))  # of each group under each mark
        np.add.at(total, group[known], likely[:, self.mark[known]].T)
        total += np.log(share)
        alone = logsumexp(total, axis=1)
        together = logsumexp(total[one] + total[other] - np.log(share), axis=1)
        return together - alone[one] - alone[other]

    def _by_thickness(
        self, group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the logarithm of the Bayes factor that two groups have one mean, not two."""
        if self.between <= 0:
            return np.zeros(len(one))
        middle, count = _medians(self.thickness, group)
        error = self.within**2 * np.pi / 2 / np.maximum(count, 1)  # of a median
        apart = middle[one] - middle[other]
        same = error[one] + error[other]
        other_means = same + 2 * self.between**2
        odds = (np.log(other_means / same) - apart**2 * (1 / same - 1 / other_means)) / 2
        return np.where((count[one] > 0) & (count[other] > 0), odds, 0.0)


def _trust(mark: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return how often a tile carries its panel's mark rather than a random one.

    Two tiles of a panel agree if both have its mark, or else by chance.
    """
    known = np.bincount(mark[mark >= 0])
    total = known.sum()
    chance = (known * (known - 1)).sum() / max(1, total * (total - 1))
    both = (mark[one] >= 0) & (mark[other] >= 0)
    if chance >= 1 or total < 2:
        return 0.0
    share = ((mark[one] == mark[other])[both].sum() + 1) / (both.sum() + 2)
    share -= ERRORS * np.sqrt(share * (1 - share) / (both.sum() + 2))
    return float(np.sqrt(np.clip((share - chance) / (1 - chance), 0, 0.98)))


def _spread(
    size: NDArray[np.float64], one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the deviations of thickness within panels, and between their means."""
    known = size[np.isfinite(size)]
    met = np.abs(size[one] - size[other])
    met = met[np.isfinite(met)]
    if len(known) < 2 or not len(met):
        return 1.0, 0.0
    random = np.random.default_rng(0)
    first = random.integers(0, len(known), PAIRS)
    second = (first + random.integers(1, len(known), PAIRS)) % len(known)
    whole = np.median(np.abs(known[first] - known[second])) / MEDIAN / np.sqrt(2)
    within = max(float(np.median(met) / MEDIAN / np.sqrt(2)), 1e-3)
    highest = within * (1 + ERRORS * MEDIAN_ERROR / np.sqrt(len(met)))
    return within, float(np.sqrt(max(0.0, whole**2 - highest**2)))


def _medians(
    values: NDArray[np.float64], group: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the median of each group's known values, 0 for none, and how many there are."""
    known = np.isfinite(values)
    groups = int(group.max()) + 1
    order = np.lexsort((values[known], group[known]))
    ordered = values[known][order]
    count = np.bincount(group[known], minlength=groups)
    start = np.cumsum(count) - count
    if not len(ordered):
        return np.zeros(groups), count
    low, high = (start + (count - 1) // 2, start + count // 2)
    middle = (ordered[low.clip(0, len(ordered) - 1)] + ordered[high.clip(0, len(ordered) - 1)]) / 2
    return np.where(count > 0, middle, 0.0), count
