"""Results of single searches, the best of them, and how pages name them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, Self

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet


@dataclass(frozen=True)
class SearchResult:
    """One puzzle, solved once by one method: a solver with the scores of one measure.

    - ``set``, ``panel``: names of the folder and of the picture;
    - ``corruption``: ``none``, ``missing`` (tiles) or ``content``, and its ``amount`` from 0 to 1;
    - ``light``: in which each tile was photographed by itself, or ``none``;
    - ``known``: whether the solver was told rows and cols;
    - ``solver``, ``measure``: labels, as the user gave them;
    - ``seconds``: of the search alone;
    - ``worth``, ``truth_worth``: the solver's objective, for its assembly and for the truth;
    - ``outscored``: share of the true joints that the assembly lacks which score below what it
      has in their place;
    - ``featureless``: share of the true joints without features;
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
    light: str = "none"  # which results stored by earlier versions do not name
    featureless: float | None = None  # likewise

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON can hold them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Self:
        """Return the result that ``as_dict`` stored."""
        return cls(**stored)


# Cuts the puzzle of a result again: its tiles, and where each truly lies.
TilesOf = Callable[[SearchResult], tuple[TileSet, Assembly]]


def best_runs(results: Iterable[SearchResult]) -> list[SearchResult]:
    """Return for each puzzle, variant and method the run of highest worth, sorted by puzzle.

    A user who does not know the truth would choose that run as well.
    """
    best: dict[tuple, SearchResult] = {}
    for result in results:
        run = (*puzzle_key(result), result.known, result.solver, result.measure)
        if run not in best or result.worth > best[run].worth:
            best[run] = result
    return sorted(best.values(), key=puzzle_key)


def panel_key(result: SearchResult) -> tuple:
    """Return what distinguishes a panel, cut and corrupted in one way, from all others."""
    return (
        result.set, result.panel, result.rows, result.cols,
        result.corruption != "none", result.corruption, result.amount, result.trim, result.size,
        result.light,
    )  # fmt: skip


def puzzle_key(result: SearchResult) -> tuple:
    """Return what distinguishes a puzzle from all others."""
    return (*panel_key(result), result.upright)


def each_with_puzzle(
    results: Iterable[SearchResult], tiles_of: TilesOf
) -> Iterator[tuple[SearchResult, TileSet, Assembly]]:
    """Yield each result with its puzzle, which is cut once for consecutive results of it."""
    for _, group in groupby(results, puzzle_key):
        first, *others = group
        tiles, truth = tiles_of(first)
        for result in (first, *others):
            yield result, tiles, truth


def aligned_assembly(result: SearchResult, truth: Assembly) -> Assembly:
    """Return the solver's assembly, turned as a whole the way the truth lies."""
    assembly = Assembly.of(*zip(*result.place, strict=True))
    if result.upright:
        return assembly
    alike = [int(((assembly.turn + q) % 4 == truth.turn).sum()) for q in range(4)]
    return assembly.turned(alike.index(max(alike)))


def panel_title(result: SearchResult) -> str:
    """Return the panel's name without its size."""
    name = result.panel.rpartition("__")[0].replace("_", " ") or result.panel
    return name[0].upper() + name[1:]


def loss_title(result: SearchResult) -> str:
    """Say how much of the panel is lost."""
    trim = f"Trim {100 * result.trim:.3g} %"
    if result.light != "none":
        trim += f", {result.light} light"
    lost = {"missing": "of the tiles missing", "content": "of the painting lost"}
    if result.corruption == "none":
        return trim
    return f"{trim}, {100 * result.amount:.3g} % {lost[result.corruption]}"


def variant_title(result: SearchResult) -> str:
    """Say what the solver was told."""
    turn = "upright" if result.upright else "turned"
    return f"{turn}, size {'known' if result.known else 'unknown'}"
