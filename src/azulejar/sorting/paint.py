"""What paint tells about tiles sharing a panel: two panels may show one design in two pigments.

Paint only lowers the weight of links, and never to nothing: a panel may have a figure in many
colours within a blue frame. Groups of many tiles are compared more strictly than two tiles, of
which one may show a face and the other the sky.
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
NEGLIGIBLE = 1e-3  # scores below this are not looked at
TINY = 1e-9
BLOCK = 1 << 14  # pairs that are compared at a time


@dataclass(frozen=True)
class PaintEvidence:
    """The ``palettes`` [n, k] of n tiles (see ``imaging.pigments``)."""

    palettes: NDArray[np.float32]

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> "PaintEvidence":
        """Read the paint of tiles [n, S, S, 3]."""
        return cls(read_palettes(pixels))

    @cached_property
    def painted(self) -> NDArray[np.bool_]:
        """Which tiles have paint: [n]."""
        return np.asarray(self.palettes.any(axis=1), np.bool_)

    def weigh(self, joints: Joints) -> Joints:
        """Lower the scores of joints between tiles of different pigments."""
        painted, score = self.painted, joints.score.copy()
        one, other = joints.edge // 4, joints.other // 4
        seen = np.flatnonzero((score >= NEGLIGIBLE) & painted[one] & painted[other])
        for start in range(0, len(seen), BLOCK):
            at = seen[start : start + BLOCK]
            alike = np.einsum("ij,ij->i", self.palettes[one[at]], self.palettes[other[at]])
            score[at] *= _share_left(alike, *TILES)
        return replace(joints, score=score)

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
        left[large] = _share_left(alike, *GROUPS)
        return left

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


def _share_left(alike: NDArray[np.floating], most: float, least: float) -> NDArray[np.floating]:
    """Return 1 where things are alike, falling to LOWEST: exponentially between both limits."""
    return LOWEST ** np.clip((most - alike) / (most - least), 0, 1)
