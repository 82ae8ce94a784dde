"""Knowns: what the user knows of the panel beforehand."""

from dataclasses import dataclass

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Knowns:
    """``rows`` and ``cols`` of the panel, either, both or none; ``upright``: no tile is turned."""

    rows: int | None = None
    cols: int | None = None
    upright: bool = False

    def check(self, n: int) -> None:
        """Raise unless a panel of this size can hold exactly n tiles."""
        for name, count in (("rows", self.rows), ("cols", self.cols)):
            if count is not None and count < 1:
                raise AzulejarError(f"A panel cannot have {count} {name}.", "Give 1 or more.")
            if count is not None and n % count:
                raise AzulejarError(
                    f"{n} tiles do not fill {count} whole {name}.",
                    f"Check the folder for missing or extra tiles, or leave --{name} out.",
                )
        if self.rows and self.cols and self.rows * self.cols != n:
            raise AzulejarError(
                f"{self.rows} rows × {self.cols} cols are {self.rows * self.cols} places, "
                f"but there are {n} tiles.",
                "Check the folder for missing or extra tiles, or leave --rows and --cols out.",
            )

    def for_tiles(self, n: int) -> "Knowns":
        """These knowns, checked; of rows and cols, one gives the other."""
        self.check(n)
        rows, cols = self.rows, self.cols
        if rows and not cols:
            cols = n // rows
        if cols and not rows:
            rows = n // cols
        return Knowns(rows, cols, self.upright)
