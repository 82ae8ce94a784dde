"""Pictures of a table: curves, the gallery, and what scores higher than the truth."""

from collections.abc import Sequence
from pathlib import Path

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.tables.against_truth import write_against_truth
from azulejar.evaluation.tables.best_runs import puzzle_of
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.gallery import write_gallery
from azulejar.evaluation.tables.pages import FILES
from azulejar.evaluation.tables.plots import plot_accuracy, plot_progress
from azulejar.evaluation.tables.puzzles import Recipe

LOSSES = {"reconstruct": ("trim",), "corruptions": ("missing", "trim", "content"), "standard": ()}


def draw_pictures(
    folder: Path, table: str, found: Sequence[tuple[Recipe, Cell]]
) -> list[tuple[str, Path]]:
    """Write the pictures of a table's cells, each beside its recipe; gives name and file."""
    cells = [cell for _, cell in found]
    recipes = {puzzle_of(cell): recipe for recipe, cell in found}

    def tiles_of(cell: Cell) -> tuple[TileSet, Assembly]:
        puzzle = recipes[puzzle_of(cell)].make()
        return puzzle.tiles, puzzle.truth

    name = FILES[table]
    written = []
    for loss in LOSSES[table]:
        path = folder / f"{name}_{loss}.png"
        if plot_accuracy(cells, path, loss):
            written.append(("Curve", path))
    path = folder / f"{name}_time.png"
    if table == "reconstruct" and plot_progress(cells, path):
        written.append(("Curve", path))
    gallery = folder / f"{name}_gallery"
    if write_gallery(cells, gallery, tiles_of):
        written.append(("Gallery", gallery / "index.html"))
    if table == "reconstruct" and write_against_truth(cells, folder, tiles_of):
        written.append(("Worth more than the truth", folder / "against_truth" / "index.html"))
    return written
