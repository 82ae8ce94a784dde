"""Cut: the tiles of a photographed panel, each in its place."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from azulejar.app.convert import frame_of
from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.bringing import write_tiles
from azulejar.app.jobs.result import Laid, Result, panel_name
from azulejar.app.schemas import Cut
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.imaging.walls.corners import UNSURE, grid_from_corners, parse_corners
from azulejar.imaging.walls.cut import DOUBTFUL, cut_tiles
from azulejar.imaging.walls.detect import DetectedGrid, detect_grids, sure_grids
from azulejar.imaging.walls.grid import Grid


def work(bench: Bench, wish: Cut) -> Result:
    """New tiles as a panel: in the first that is empty, or one more."""
    bench.tell.step("reading")
    picture = read_picture(_photograph(bench.folder / "panel", wish.file))
    bench.tell.step("cutting")
    if wish.corners is None:
        grid, *others = _undoubted(detect_grids(picture, bench.fraction), wish)
        for other in others:
            bench.tell.note(
                f"There is another panel of {other.rows} rows × {other.cols} cols; to cut it, mark "
                "its corners in the photograph."
            )
    else:
        corners = parse_corners(" ".join(f"{x},{y}" for x, y in wish.corners))
        grid = grid_from_corners(picture, corners, wish.rows, wish.cols, bench.fraction)
    _tell(bench, grid)
    bench.tell.step("cutting")
    files = _names(bench, wish, grid)
    tiles = write_tiles(bench, files, cut_tiles(picture, grid))
    panel, names = _panel(bench, panel_name(Path(wish.file).stem))
    row, col = (each.tolist() for each in np.divmod(np.arange(len(files)), grid.cols))
    laid = [
        Laid(file=file, panel=panel, row=r, col=c)
        for file, r, c in zip(files, row, col, strict=True)
    ]
    return Result(tiles=tiles, laid=laid, panels=names, label="cut", source="cut")


def _photograph(folder: Path, name: str) -> Path:
    """One of those that were uploaded, and nothing else."""
    for path in folder.iterdir():
        if path.name == name and is_picture(path):
            return path
    raise AzulejarError(f"There is no photograph {name} of a panel.", "Bring it first.")


def _undoubted(found: Sequence[DetectedGrid], wish: Cut) -> list[Grid]:
    sure = sure_grids(found, wish.rows, wish.cols)
    if not sure:
        guess = found[0].grid
        raise AzulejarError(
            "Finding the joints: it is not certain which grid of tiles is meant; the best guess "
            f"has {guess.rows} rows × {guess.cols} cols.",
            "Mark the panel's four corners in the photograph.",
        )
    return sure


def _tell(bench: Bench, grid: Grid) -> None:
    unseen = np.concatenate([grid.clear_down.ravel(), grid.clear_across.ravel()]) < DOUBTFUL
    bench.tell.note(
        f"{grid.rows} rows × {grid.cols} cols; {unseen.mean():.0%} of the joints were not seen."
    )
    if grid.confidence < UNSURE:
        bench.tell.note("The joints are faint and the grid may be wrong: give rows and cols.")


def _names(bench: Bench, wish: Cut, grid: Grid) -> list[str]:
    """Files named by row and col from 1; a second cut of one photograph has names of its own."""
    taken = {tile.file for tile in bench.tiles}
    digits = max(2, len(str(max(grid.rows, grid.cols))))
    stem, number = Path(wish.file).stem, 1
    while True:
        begin = stem if number == 1 else f"{stem}-{number}"
        files = [
            f"{begin}_r{row + 1:0{digits}}_c{col + 1:0{digits}}.png"
            for row in range(grid.rows)
            for col in range(grid.cols)
        ]
        if taken.isdisjoint(files):
            return files
        number += 1


def _panel(bench: Bench, name: str) -> tuple[int, list[str]]:
    names = list(bench.board.panels)
    for panel in range(len(names)):
        if frame_of(bench.board, panel) is None:
            names[panel] = name
            return panel, names
    return len(names), [*names, name]
