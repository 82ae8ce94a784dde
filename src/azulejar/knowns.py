"""Knowns: what the user knows of the panel beforehand."""

from dataclasses import dataclass

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Knowns:
    """``rows`` and ``cols`` of the panel, either, both or none; ``upright``: no tile is turned.

    Where both are given and there are fewer tiles than places, some places stay empty. ``panels``
    is how many panels the tiles belong to, None if that is unknown.
    """

    rows: int | None = None
    cols: int | None = None
    upright: bool = False
    panels: int | None = 1

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
        if self.rows and self.cols and self.rows * self.cols < n:
            raise AzulejarError(
                f"{self.rows} rows × {self.cols} cols are {self.rows * self.cols} places, "
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
        return Knowns(rows, cols, self.upright, self.panels)

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
