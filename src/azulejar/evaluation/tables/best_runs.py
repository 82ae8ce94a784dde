"""The runs that the pages show, and the puzzles they solved."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.tables.cells import Cell

# Cuts the puzzle of a cell again: its tiles, and where each truly lies.
TilesOf = Callable[[Cell], tuple[TileSet, Assembly]]


def best_runs(cells: Iterable[Cell]) -> list[Cell]:
    """For each puzzle, variant and row the run of highest worth, sorted by puzzle.

    A user who does not know the truth would choose that run as well.
    """
    best: dict[tuple, Cell] = {}
    for cell in cells:
        run = (*puzzle_of(cell), cell.known, cell.solver, cell.measure)
        if run not in best or cell.worth > best[run].worth:
            best[run] = cell
    return sorted(best.values(), key=puzzle_of)


def panel_of(cell: Cell) -> tuple:
    """What tells panels apart, cut or corrupted in one way."""
    return (
        cell.set, cell.panel, cell.rows, cell.cols,
        cell.corruption != "none", cell.corruption, cell.amount, cell.trim, cell.size,
    )  # fmt: skip


def puzzle_of(cell: Cell) -> tuple:
    """What tells puzzles apart."""
    return (*panel_of(cell), cell.upright)


def with_tiles(
    cells: Iterable[Cell], tiles_of: TilesOf
) -> Iterator[tuple[Cell, TileSet, Assembly]]:
    """Each cell with its puzzle; a puzzle is cut once where its cells follow one another."""
    for _, group in groupby(cells, puzzle_of):
        first, *others = group
        tiles, truth = tiles_of(first)
        for cell in (first, *others):
            yield cell, tiles, truth


def assembly_of(cell: Cell, truth: Assembly) -> Assembly:
    """What the solver made, as a whole turned the way the truth lies."""
    assembly = Assembly.of(*zip(*cell.place, strict=True))
    if cell.upright:
        return assembly
    alike = [int(((assembly.turn + q) % 4 == truth.turn).sum()) for q in range(4)]
    return assembly.turned(alike.index(max(alike)))


def panel_title(cell: Cell) -> str:
    """The panel's name without its grid."""
    name = cell.panel.rpartition("__")[0].replace("_", " ") or cell.panel
    return name[0].upper() + name[1:]


def loss_title(cell: Cell) -> str:
    """How much of the panel is lost, in words."""
    trim = f"Trim {100 * cell.trim:.3g} %"
    lost = {"missing": "of the tiles missing", "content": "of the painting lost"}
    if cell.corruption == "none":
        return trim
    return f"{trim}, {100 * cell.amount:.3g} % {lost[cell.corruption]}"


def variant_title(cell: Cell) -> str:
    """What the solver was told."""
    turn = "upright" if cell.upright else "turned"
    return f"{turn}, size {'known' if cell.known else 'unknown'}"
