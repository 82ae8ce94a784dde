"""Knowns: what people know of a panel before it is solved."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Integral

from azulejar.core.limits import LONGEST, most_places
from azulejar.errors import AzulejarError

BOUNDLESS = 2**30  # rows or cols of a panel of which only the other is known


@dataclass(frozen=True)
class Lock:
    """What is known of one tile's place and turn; None is unknown.

    Args:
        tile: Number of the tile, in the order of the tile set.
        row: Row of the panel, from 0.
        col: Col of the panel, from 0.
        turn: Clockwise quarters from how the tile's file shows it.
        source: Where this is stated, for messages.

    Examples:
        >>> from azulejar import Lock
        >>> Lock(tile=3, turn=2)  # it is upside down; nobody knows where it lies
        Lock(tile=3, row=None, col=None, turn=2, source='')
    """

    tile: int
    row: int | None = None
    col: int | None = None
    turn: int | None = None
    source: str = ""


@dataclass(frozen=True)
class Knowns:
    """What is known of a panel before it is solved; nothing, by default.

    A solver keeps ``locks``, ``joined``, ``apart`` and ``empty`` exactly. Tiles are numbered in
    the order of the tile set, edges as in ``Compatibility``; rows and cols count from 0.

    Args:
        rows: Rows of the panel. Of rows and cols, either, both or none may be given; where they
            make more places than there are tiles, some places stay empty.
        cols: Cols of the panel.
        upright: Whether no tile is turned.
        panels: How many panels the tiles belong to; None if that is unknown.
        locks: What is known of single tiles.
        joined: Sets of tiles whose places relative to each other are known, wherever the whole set
            lies and however it is turned.
        apart: Pairs of edges that must not meet.
        empty: Rows and cols of places whose tiles are missing.
        together: Sets of tiles that belong to one panel.
        outer: Edges that are said to lie at the outline. Some may be wrong: a solver prefers
            assemblies in which nothing meets them.

    Examples:
        >>> from azulejar import Knowns, Lock
        >>> knowns = Knowns(rows=2, locks=(Lock(tile=0, row=0, col=0, turn=1),))
        >>> knowns.for_tiles(6).cols
        3
        >>> knowns.constrained
        True
    """

    rows: int | None = None
    cols: int | None = None
    upright: bool = False
    panels: int | None = 1
    locks: tuple[Lock, ...] = ()
    joined: tuple[tuple[Lock, ...], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    empty: tuple[tuple[int, int], ...] = ()
    together: tuple[tuple[int, ...], ...] = ()
    outer: tuple[int, ...] = ()

    @property
    def constrained(self) -> bool:
        """Whether anything binds the solver beyond size and turns."""
        return bool(self.locks or self.joined or self.apart or self.empty)

    @property
    def frame(self) -> tuple[int, int]:
        """Most rows and cols of the panel; 0, 0 if neither is known."""
        if not self.rows and not self.cols:
            return 0, 0
        return self.rows or BOUNDLESS, self.cols or BOUNDLESS

    def check(self, n: int) -> None:
        """Raise AzulejarError unless a panel of this size can hold n tiles."""
        self._check_numbers()
        self._check_panels(n)
        self._check_size(n)
        for what, count in (("rows", self.rows), ("cols", self.cols)):
            if count is not None and count < 1:
                raise AzulejarError(
                    "panel-without-rows",
                    "A panel cannot have {count} {what}.",
                    "Give 1 or more.",
                    count=count,
                    what=what,
                )
        if self.rows and self.cols:
            self._check_places(n, self.rows, self.cols, len(set(self.empty)))
        self._check_tiles(n)

    def _check_numbers(self) -> None:
        for what, number in self._numbers():
            if isinstance(number, bool) or not isinstance(number, Integral):
                raise AzulejarError(
                    "known-no-whole-number",
                    "{what} is {number}, which is no whole number.",
                    "Give a whole number.",
                    what=what,
                    number=repr(number),
                )

    def _numbers(self) -> Iterator[tuple[str, object]]:
        """Yield every number that is given, with its name."""
        of_panel = {"rows": self.rows, "cols": self.cols, "panels": self.panels}
        yield from ((what, count) for what, count in of_panel.items() if count is not None)
        for lock in chain(self.locks, *self.joined):
            yield "tile", lock.tile
            of_tile = {"row": lock.row, "col": lock.col, "turn": lock.turn}
            yield from ((what, count) for what, count in of_tile.items() if count is not None)
        lists = {"apart": self.apart, "empty": self.empty, "together": self.together}
        for what, several in lists.items():
            yield from ((what, number) for number in chain(*several))
        yield from (("outer", edge) for edge in self.outer)

    def _check_tiles(self, n: int) -> None:
        for edge in self.outer:
            if not 0 <= edge < 4 * n:
                raise AzulejarError(
                    "outer-side-unknown",
                    "The outer side {edge} belongs to none of {tiles} tiles.",
                    "Number sides as 4 · tile + side, tiles and sides from 0.",
                    edge=edge,
                    tiles=n,
                )
        locked = (lock.tile for lock in chain(self.locks, *self.joined))
        apart = (edge // 4 for edge in chain(*self.apart))
        for tile in chain(locked, apart, *self.together):
            if not 0 <= tile < n:
                raise AzulejarError(
                    "known-tile-unknown",
                    "Tile {tile} is none of {tiles} tiles.",
                    "Number tiles from 0, and edges as 4 · tile + side.",
                    tile=tile,
                    tiles=n,
                )

    def _check_size(self, n: int) -> None:
        rows, cols, most = self.rows or 1, self.cols or 1, most_places(n)
        if max(rows, cols) > LONGEST or rows * cols > most:
            raise AzulejarError(
                "panel-too-large",
                "{rows} rows × {cols} cols are too large a panel for {tiles} tiles.",
                "Give {longest:,} rows and cols at most, and {places:,} places at most.",
                rows=rows,
                cols=cols,
                tiles=n,
                longest=LONGEST,
                places=most,
            )

    @staticmethod
    def _check_places(n: int, rows: int, cols: int, empty: int) -> None:
        if rows * cols < n:
            raise AzulejarError(
                "panel-too-small",
                "{rows} rows × {cols} cols are {places} places, but there are {tiles} tiles.",
                "Check the folder for extra tiles, or leave rows and cols out.",
                rows=rows,
                cols=cols,
                places=rows * cols,
                tiles=n,
            )
        if rows * cols - empty < n:
            raise AzulejarError(
                "panel-too-small-with-empty",
                "{rows} rows × {cols} cols are {places} places less {empty} kept empty, but there "
                "are {tiles} tiles.",
                "Check the folder for extra tiles, or leave rows and cols out.",
                rows=rows,
                cols=cols,
                places=rows * cols,
                empty=empty,
                tiles=n,
            )

    def for_tiles(self, n: int) -> "Knowns":
        """Return these knowns, checked, with cols worked out from rows or rows from cols.

        Where n tiles do not fill whole rows (or cols), some are missing, nobody knows how many,
        and the cols (or rows) stay unknown.
        """
        self.check(n)
        rows, cols = self.rows, self.cols
        if rows and not cols and n % rows == 0:
            cols = n // rows
        elif cols and not rows and n % cols == 0:
            rows = n // cols
        return replace(self, rows=rows, cols=cols)

    def _check_panels(self, n: int) -> None:
        if self.panels is not None and not 1 <= self.panels <= n:
            raise AzulejarError(
                "panels-too-many",
                "{tiles} tiles do not make {panels} panels.",
                "Give 1 or more, at most one a tile.",
                tiles=n,
                panels=self.panels,
            )
        if self.panels != 1 and (self.rows or self.cols):
            raise AzulejarError(
                "panels-with-size",
                "Rows and cols are those of one panel.",
                "Leave them out for several panels.",
            )
