"""Knowns: what the user knows of the panel beforehand."""

from dataclasses import dataclass, replace

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Lock:
    """What is known of one tile's place and turn (clockwise quarters); None is unknown.

    ``source`` says where this stands, for messages.
    """

    tile: int
    row: int | None = None
    col: int | None = None
    turn: int | None = None
    source: str = ""


@dataclass(frozen=True)
class Knowns:
    """``rows`` and ``cols`` of the panel, either, both or none; ``upright``: no tile is turned.

    Where both are given and there are fewer tiles than places, some places stay empty. ``panels``
    is how many panels the tiles belong to, None if that is unknown.

    What the solver keeps exactly, rows and cols counted from 0: ``locks`` hold single tiles;
    ``joined`` are sets of tiles that lie so to each other, wherever the whole lies and however it
    is turned; ``apart`` are pairs of edges that must not meet; ``empty`` are places of missing
    tiles. ``together`` are sets of tiles of one panel.
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

    @property
    def constrained(self) -> bool:
        """Whether anything binds the solver beyond size and turns."""
        return bool(self.locks or self.joined or self.apart or self.empty)

    def check(self, n: int) -> None:
        """Raise unless a panel of this size can hold n tiles."""
        self._check_panels(n)
        for name, count in (("rows", self.rows), ("cols", self.cols)):
            if count is not None and count < 1:
                raise AzulejarError(f"A panel cannot have {count} {name}.", "Give 1 or more.")
            if count is not None and n % count and not (self.rows and self.cols):
                raise AzulejarError(
                    f"{n} tiles do not fill {count} whole {name}.",
                    f"Give both --rows and --cols if tiles are missing, or leave --{name} out.",
                )
        if self.rows and self.cols and self.rows * self.cols - len(set(self.empty)) < n:
            kept = f" less {len(set(self.empty))} kept empty" if self.empty else ""
            raise AzulejarError(
                f"{self.rows} rows × {self.cols} cols are {self.rows * self.cols} places{kept}, "
                f"but there are {n} tiles.",
                "Check the folder for extra tiles, or leave --rows and --cols out.",
            )

    def for_tiles(self, n: int) -> "Knowns":
        """These knowns, checked; of rows and cols, one gives the other."""
        self.check(n)
        rows, cols = self.rows, self.cols
        if rows and not cols:
            cols = n // rows
        if cols and not rows:
            rows = n // cols
        return replace(self, rows=rows, cols=cols)

    def _check_panels(self, n: int) -> None:
        if self.panels is not None and not 1 <= self.panels <= n:
            raise AzulejarError(
                f"{n} tiles do not make {self.panels} panels.",
                "Give 1 or more, at most one a tile.",
            )
        if self.panels != 1 and (self.rows or self.cols):
            raise AzulejarError(
                "Rows and cols are those of one panel.", "Leave them out for several panels."
            )
