"""Ties: which tiles go together so far, and which may not."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError

LEAST = 12  # tiles that make a panel of their own


class Ties:
    """n tiles in groups that only ever grow; ``group`` [n] numbers that of each tile.

    ``together`` are lists of tiles that share a panel, ``apart`` pairs that do not. ``panels`` is
    how many panels there are, if known: then no two large groups merge that would leave fewer.
    """

    def __init__(
        self,
        n: int,
        together: Iterable[Sequence[int]] = (),
        apart: Iterable[tuple[int, int]] = (),
        panels: int | None = None,
    ) -> None:
        self.group = np.arange(n)
        self.panels = panels
        self.apart = np.array(list(apart), np.int64).reshape(-1, 2)
        for tiles in together:
            for tile in tiles[1:]:
                self.unite(tiles[0], tile)
        both = self.group[self.apart]
        if (both[:, 0] == both[:, 1]).any():
            raise AzulejarError(
                "Some tiles are said to be of one panel and of two.",
                "Correct what is known of the tiles' panels.",
            )

    def sizes(self) -> NDArray[np.int64]:
        """Tiles of each group; 0 for a number that no group bears: [n]."""
        return np.bincount(self.group, minlength=len(self.group))

    def large(self) -> NDArray[np.bool_]:
        """Which groups could be panels: [n]."""
        return self.sizes() >= LEAST

    def may_unite(self, one: int, other: int) -> bool:
        """Whether the groups of two tiles may be one."""
        first, second = self.group[one], self.group[other]
        if first == second:
            return True
        for a, b in ((first, second), (second, first)):
            if ((self.group[self.apart] == (a, b)).all(axis=1)).any():
                return False
        large = self.large()
        scarce = self.panels is not None and large.sum() <= self.panels
        return not (scarce and large[first] and large[second])

    def unite(self, one: int, other: int) -> None:
        """Make the groups of two tiles one."""
        self.group[self.group == self.group[other]] = self.group[one]
