"""Cut: divide a photographed panel into tiles, each in its place."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult, ResultTile, clean_panel_name
from azulejar.app.projects.convert import panel_frame
from azulejar.app.schemas.jobs import CutRequest, WallGrid, WallRequest
from azulejar.app.schemas.tiles import TileSource
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.imaging.walls.corners import UNSURE, grid_from_corners, parse_corners
from azulejar.imaging.walls.cut import cut_tiles, unseen_share
from azulejar.imaging.walls.detect import DetectedGrid, detect_grids, sure_grids
from azulejar.imaging.walls.grid import Grid
from azulejar.outputs.tile_folders import wall_files


def run_cut(context: JobContext, request: CutRequest) -> JobResult:
    """Lay the new tiles in the first empty panel, or in a new one; or show the grid only."""
    picture, grid, sure = read_wall(context, request)
    if request.look:
        return JobResult(grid=shown_grid(grid, picture.shape, sure))
    if request.accepted is None:
        _note_grid(context, grid)
    context.reporter.step("cutting")
    files = _names(context, request, grid)
    tiles = context.write_tiles(files, cut_tiles(picture, grid))
    panel, names = _panel(context, clean_panel_name(Path(request.file).stem))
    row, col = (each.tolist() for each in np.divmod(np.arange(len(files)), grid.cols))
    laid = [
        ResultTile(file=file, panel=panel, row=r, col=c)
        for file, r, c in zip(files, row, col, strict=True)
    ]
    return JobResult(
        tiles=tiles,
        sources=_sources(files, request.file, grid),
        laid=laid,
        panels=names,
        label="cut",
        source="cut",
    )


def read_wall(context: JobContext, request: WallRequest) -> tuple[NDArray[np.uint8], Grid, bool]:
    """Read a photograph and find its joints; return both, and whether they are sure."""
    context.reporter.step("joints")
    path = _photograph(context.folder / "panel", request.file)
    picture = read_picture(path)
    doubt = orientation_doubt([path])
    if doubt is not None:
        context.reporter.note_error(doubt)
    if request.accepted is not None:
        return picture, _accepted_grid(context, request, request.accepted, picture.shape), True
    if request.corners is not None:
        corners = parse_corners(" ".join(f"{x},{y}" for x, y in request.corners))
        grid = grid_from_corners(picture, corners, request.rows, request.cols, context.fraction)
        return picture, grid, grid.confidence >= UNSURE
    found = detect_grids(picture, context.fraction)
    sure = bool(sure_grids(found, request.rows, request.cols))
    certain = _certain_grids(found, request) if sure or not request.look else [found[0].grid]
    grid, *others = certain
    for other in others:
        context.reporter.note(
            "cut-another-panel",
            "There is another panel of {rows} rows × {cols} cols; to cut it, mark its corners "
            "in the photograph.",
            rows=other.rows,
            cols=other.cols,
        )
    return picture, grid, sure


def shown_grid(grid: Grid, shape: tuple[int, ...], sure: bool) -> WallGrid:
    """Return a grid in a photograph of that shape, to be looked at."""
    return WallGrid(
        width=shape[1],
        height=shape[0],
        rows=grid.rows,
        cols=grid.cols,
        sure=sure,
        crossings=[[(x, y) for x, y in line] for line in grid.crossings.round(1).tolist()],
    )


def _accepted_grid(
    context: JobContext, request: WallRequest, job: int, shape: tuple[int, ...]
) -> Grid:
    """Return the grid that an earlier job found in the same photograph."""
    found = context.store.job(job)
    shown = found.grid
    same = isinstance(found.request, WallRequest) and found.request.file == request.file
    if shown is None or not same or (shown.height, shown.width) != shape[:2]:
        raise AzulejarError(
            "cut-grid-unknown",
            "The grid that was accepted is not one of this photograph.",
            "Look at it again.",
        )
    clear = np.ones((shown.rows, shown.cols + 1)), np.ones((shown.rows + 1, shown.cols))
    return Grid(np.array(shown.crossings), *clear, 1.0)


def _sources(files: Sequence[str], photo: str, grid: Grid) -> list[TileSource]:
    """Return where in the photograph each tile lies."""
    around = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    cells = [np.array(divmod(number, grid.cols)) + around for number in range(len(files))]
    return [
        TileSource(
            file=file,
            folder="panel",
            photo=photo,
            corners=[(x, y) for x, y in grid.crossings[cell[:, 0], cell[:, 1]].round(2).tolist()],
        )
        for file, cell in zip(files, cells, strict=True)
    ]


def _photograph(folder: Path, name: str) -> Path:
    """Return the path of an uploaded photograph, never of another file."""
    for path in folder.iterdir():
        if path.name == name and is_picture(path):
            return path
    raise AzulejarError(
        "panel-photograph-unknown",
        "There is no photograph {name} of a panel.",
        "Add it first.",
        name=name,
    )


def _certain_grids(found: Sequence[DetectedGrid], request: WallRequest) -> list[Grid]:
    sure = sure_grids(found, request.rows, request.cols)
    if not sure:
        raise uncertain_grid(found[0].grid)
    return sure


def uncertain_grid(guess: Grid) -> AzulejarError:
    """Return the error that tells the best guess where no grid is certain."""
    return AzulejarError(
        "cut-grid-uncertain",
        "Finding the joints: it is not certain which grid of tiles is meant; the best guess "
        "has {rows} rows × {cols} cols.",
        "Mark the panel's four corners in the photograph.",
        rows=guess.rows,
        cols=guess.cols,
    )


def _note_grid(context: JobContext, grid: Grid) -> None:
    context.reporter.note(
        "cut-grid",
        "{rows} rows × {cols} cols; {share:.0%} of the joints were not seen.",
        rows=grid.rows,
        cols=grid.cols,
        share=unseen_share(grid),
    )
    if grid.confidence < UNSURE:
        context.reporter.note(
            "cut-joints-faint",
            "The joints are faint and the grid may be wrong: give rows and cols.",
        )


def _names(context: JobContext, request: CutRequest, grid: Grid) -> list[str]:
    """Return file names by row and col from 1; a second cut of a photograph has other names."""
    taken = context.store.taken_files()
    stem, number = Path(request.file).stem, 1
    while True:
        begin = stem if number == 1 else f"{stem}-{number}"
        files = list(wall_files(begin, grid.rows, grid.cols))
        if taken.isdisjoint(files):
            return files
        number += 1


def _panel(context: JobContext, name: str) -> tuple[int, list[str]]:
    names = list(context.board.panels)
    for panel in range(len(names)):
        if panel_frame(context.board, panel) is None:
            names[panel] = name
            return panel, names
    return len(names), [*names, name]
