"""Cell: what came of one puzzle, solved once by one solver with the scores of one measure."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self


@dataclass(frozen=True)
class Cell:
    """One puzzle, one row of a table, one seed.

    - ``set``, ``panel``: names of the folder and of the picture;
    - ``corruption``: ``none``, ``missing`` (tiles) or ``content``, and its ``amount`` from 0 to 1;
    - ``known``: whether the solver was told rows and cols;
    - ``solver``, ``measure``: labels, as the user gave them;
    - ``seconds``: of the search alone;
    - ``worth``, ``truth_worth``: what the solver makes large, of its assembly and of the truth;
    - ``outscored``: of the true joints that the assembly lacks, how many score below what it has
      in their place;
    - ``place``: row, col, turn and panel of each tile;
    - ``history``: seconds and worth at each improvement.
    """

    table: str
    set: str
    panel: str
    rows: int
    cols: int
    trim: float
    size: int
    corruption: str
    amount: float
    upright: bool
    known: bool
    solver: str
    measure: str
    seed: int
    neighbour: float
    direct: float
    perfect: bool
    largest: float
    seconds: float
    worth: float
    truth_worth: float
    outscored: float
    place: list[list[int]] = field(repr=False)
    history: list[list[float]] = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """What JSON can hold."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Self:
        """The cell of which ``stored`` is the dict."""
        return cls(**stored)
