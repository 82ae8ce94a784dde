"""Ties: which tiles go together so far, and which may not."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        self._size = np.ones(n, np.int64)
        self._members: dict[int, list[int]] = {}  # of groups of two tiles and more
        self._foes: dict[int, list[int]] = {}  # by group, the tiles that may not join it
        self._large = 0
        for tiles in together:
            for tile in tiles[1:]:
                self.unite(tiles[0], tile)
        self.apart = np.array(list(apart), np.int64).reshape(-1, 2)
        both = self.group[self.apart]
        if (both[:, 0] == both[:, 1]).any():
            raise AzulejarError(
                "Some tiles are said to be of one panel and of two.",
                "Correct what is known of the tiles' panels.",
            )

    @property
    def apart(self) -> NDArray[np.int64]:
        """Pairs of tiles that do not share a panel: [pairs, 2]."""
        return self._apart

    @apart.setter
    def apart(self, pairs: ArrayLike) -> None:
        self._apart = np.asarray(pairs, np.int64).reshape(-1, 2)
        self._foes = {}
        for one, other in self._apart.tolist():
            self._foes.setdefault(int(self.group[one]), []).append(other)
            self._foes.setdefault(int(self.group[other]), []).append(one)

    def sizes(self) -> NDArray[np.int64]:
        """Tiles of each group; 0 for a number that no group bears: [n]."""
        return self._size.copy()

    def large(self) -> NDArray[np.bool_]:
        """Which groups could be panels: [n]."""
        return self._size >= LEAST

    def may_unite(self, one: int, other: int) -> bool:
        """Whether the groups of two tiles may be one."""
        first, second = int(self.group[one]), int(self.group[other])
        if first == second:
            return True
        foes, asked = self._foes.get(first, ()), second
        if len(self._foes.get(second, ())) < len(foes):
            foes, asked = self._foes.get(second, ()), first
        if any(self.group[foe] == asked for foe in foes):
            return False
        scarce = self.panels is not None and self._large <= self.panels
        return not (scarce and min(self._size[first], self._size[second]) >= LEAST)

    def unite(self, one: int, other: int) -> None:
        """Make the groups of two tiles one."""
        first, second = int(self.group[one]), int(self.group[other])
        if first == second:
            return
        were_large = int(self._size[first] >= LEAST) + int(self._size[second] >= LEAST)
        come = self._members.pop(second, [second])
        self._members.setdefault(first, [first]).extend(come)
        self.group[come] = first
        self._size[first] += self._size[second]
        self._size[second] = 0
        self._large += int(self._size[first] >= LEAST) - were_large
        if second in self._foes:
            self._foes.setdefault(first, []).extend(self._foes.pop(second))
