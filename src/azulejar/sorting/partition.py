"""Partition: tiles in groups that are united step by step, and tiles that must stay apart."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.errors import AzulejarError

LEAST = 12  # tiles of a group that may be a panel
STRAY = -1  # in place of a panel's number


class Partition:
    """n tiles in groups that only ever grow; ``group`` [n] is the number of each tile's group.

    ``together`` are lists of tiles that share a panel, ``apart`` pairs that do not. ``panels`` is
    the number of panels, if known: large groups are not united if fewer would remain.
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
        self._members: dict[int, list[int]] = {}  # for groups of two tiles or more
        self._excluded: dict[int, list[int]] = {}  # by group, the tiles that may not join it
        self._large = 0
        for tiles in together:
            for tile in tiles[1:]:
                self.unite(tiles[0], tile)
        self.apart = np.array(list(apart), np.int64).reshape(-1, 2)
        both = self.group[self.apart]
        if (both[:, 0] == both[:, 1]).any():
            raise AzulejarError(
                "panels-contradict",
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
        self._excluded = {}
        for one, other in self._apart.tolist():
            self._excluded.setdefault(int(self.group[one]), []).append(other)
            self._excluded.setdefault(int(self.group[other]), []).append(one)

    def sizes(self) -> NDArray[np.int64]:
        """Return the number of tiles of each group; 0 for unused numbers: [n]."""
        return self._size.copy()

    def large(self) -> NDArray[np.bool_]:
        """Return which groups may be panels: [n]."""
        return self._size >= LEAST

    def may_unite(self, one: int, other: int) -> bool:
        """Return whether the groups of two tiles may be united."""
        first, second = int(self.group[one]), int(self.group[other])
        if first == second:
            return True
        excluded, joining = self._excluded.get(first, ()), second
        if len(self._excluded.get(second, ())) < len(excluded):
            excluded, joining = self._excluded.get(second, ()), first
        if any(self.group[tile] == joining for tile in excluded):
            return False
        scarce = self.panels is not None and self._large <= self.panels
        return not (scarce and min(self._size[first], self._size[second]) >= LEAST)

    def unite(self, one: int, other: int) -> None:
        """Unite the groups of two tiles."""
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
        if second in self._excluded:
            self._excluded.setdefault(first, []).extend(self._excluded.pop(second))
