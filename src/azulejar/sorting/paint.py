"""What paint tells about tiles sharing a panel: two panels may show one design in two pigments.

Paint only lowers the weight of links, and never to nothing: a panel may have a figure in many
colours within a blue frame. Groups of many tiles are compared more strictly than two tiles, of
which one may show a face and the other the sky. How far paint can be trusted is read off the sure
joints: where the colours of neighbours often differ, they tell no panels apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.joints import Joints
from azulejar.imaging.pigments import read_palettes
from azulejar.sorting.partition import LEAST

# How alike the pigments of two tiles, or of two groups, are: from the first on, all of a link's
# weight is left; at the second, or below, LOWEST of it.
TILES, GROUPS = (0.9, 0.5), (0.97, 0.85)
LOWEST = 0.3
SURE, ENOUGH = 0.8, 30  # least score of joints that are taken for right, and how many are needed
# How alike nine in ten sure neighbours are at least: where paint says nothing, and where it counts
# in full.
MIXED, PLAIN = 0.75, 0.85
NEGLIGIBLE = 1e-3  # scores below this are not looked at
TINY = 1e-9
BLOCK = 1 << 14  # pairs that are compared at a time


@dataclass(frozen=True)
class PaintEvidence:
    """The ``palettes`` [n, k] of n tiles (see ``imaging.pigments``).

    ``trust``, from 0 to 1, says how far these tell panels apart.
    """

    palettes: NDArray[np.float32]
    trust: float = 1.0

    @classmethod
    def of(cls, pixels: NDArray[np.uint8], joints: Joints) -> "PaintEvidence":
        """Read the paint of tiles [n, S, S, 3], and how far their likely joints bear it out."""
        paint = cls(read_palettes(pixels))
        sure = paint._comparable(joints, SURE)
        if len(sure) < ENOUGH:
            return replace(paint, trust=0.0)
        alike = np.quantile(paint._compare(joints, sure), 0.1)
        return replace(paint, trust=float(np.clip((alike - MIXED) / (PLAIN - MIXED), 0, 1)))

    @cached_property
    def painted(self) -> NDArray[np.bool_]:
        """Which tiles have paint: [n]."""
        return np.asarray(self.palettes.any(axis=1), np.bool_)

    def weigh(self, joints: Joints) -> Joints:
        """Lower the scores of joints between tiles of different pigments."""
        score = joints.score.copy()
        seen = self._comparable(joints, NEGLIGIBLE)
        score[seen] *= self._share_left(self._compare(joints, seen), *TILES)
        return replace(joints, score=score)

    def _comparable(self, joints: Joints, least: float) -> NDArray[np.int64]:
        """Return which joints have that score at least, between tiles that are both painted."""
        one, other = joints.edge // 4, joints.other // 4
        return np.flatnonzero((joints.score >= least) & self.painted[one] & self.painted[other])

    def _compare(self, joints: Joints, which: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return how alike the two tiles of each of these joints are painted."""
        one, other = joints.edge[which] // 4, joints.other[which] // 4
        alike = np.empty(len(which), np.float32)
        for start in range(0, len(which), BLOCK):
            at = slice(start, start + BLOCK)
            np.einsum("ij,ij->i", self.palettes[one[at]], self.palettes[other[at]], out=alike[at])
        return alike

    def factors(
        self, group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return what share to leave of the links between the groups ``one`` and ``other`` [k].

        Groups of few painted tiles keep theirs. ``group`` [n] gives the number of each tile's
        group.
        """
        size = np.bincount(group, self.painted).astype(np.int64)
        left = np.ones(len(one))
        large = np.flatnonzero(np.minimum(size[one], size[other]) >= LEAST)
        compared, pairs = np.unique(np.stack([one[large], other[large]]), return_inverse=True)
        number = np.full(len(size), -1)
        number[compared] = np.arange(len(compared))
        row = number[group]
        inside = np.flatnonzero(row >= 0)
        member = csr_array((np.ones(len(inside), np.float32), (row[inside], inside)),
                           shape=(len(compared), len(group)))  # fmt: skip
        total = (member @ self.palettes).astype(np.float64)
        count = size[compared]
        # How alike two tiles of a group are; a tile is not compared with itself.
        within = ((total**2).sum(axis=1) - count) / (count * (count - 1))
        a, b = pairs.reshape(2, -1)
        across = (total[a] * total[b]).sum(axis=1) / (count[a] * count[b])
        alike = across / np.sqrt(np.maximum(within[a] * within[b], TINY))
        left[large] = self._share_left(alike, *GROUPS)
        return left

    def _share_left(
        self, alike: NDArray[np.floating], most: float, least: float
    ) -> NDArray[np.floating]:
        """Return 1 where things are alike, falling exponentially to LOWEST with full trust."""
        return LOWEST ** (self.trust * np.clip((most - alike) / (most - least), 0, 1))

    def tell_apart(self, one: Sequence[int], other: Sequence[int]) -> float:
        """Return the share of tiles that are painted more like their own part than the other.

        Each of the two parts counts by half; parts of few painted tiles are not told apart: 0.
        """
        parts = [self.palettes[list(part)] for part in (one, other)]
        parts = [part[part.any(axis=1)] for part in parts]
        if min(map(len, parts)) < LEAST:
            return 0.0
        nearer = []
        for own, theirs in (parts, parts[::-1]):
            rest = own.sum(axis=0) - own  # of its own part, without the tile itself
            likeness = (own * rest).sum(axis=1) / np.linalg.norm(rest, axis=1)
            total = theirs.sum(axis=0)
            nearer.append((likeness > own @ total / np.linalg.norm(total)).mean())
        return float(np.mean(nearer))
