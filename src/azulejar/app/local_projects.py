"""Projects made from a folder of this computer: a result of solve, or a folder of tiles."""

import filecmp
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import LOOSE, Board, Placed
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.uploads.incoming import copy_tiles
from azulejar.app.workspace import Workspace
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture
from azulejar.knowledge import inventory
from azulejar.measures import MEASURES
from azulejar.solvers import PRESETS

SOLUTION = "solution.json"

OnProgress = Callable[[float], None]


def is_openable(path: Path) -> bool:
    """Whether a project can be made from ``path``."""
    if path.is_file():
        return path.suffix == ".json"
    if not path.is_dir():
        return False
    return (path / SOLUTION).is_file() or any(is_picture(entry) for entry in path.iterdir())


def open_local(workspace: Workspace, path: Path, on_progress: OnProgress | None = None) -> str:
    """Return the id of the project for ``path``: the one made from it earlier, or a new one.

    Tiles added to the folder since are copied in, and a newer solution becomes a version. Where
    pictures have been replaced since, a new project is made.
    """
    path = path.resolve()
    if path.name == SOLUTION:
        path = path.parent
    solution = _load_solution(path)
    pictures = _pictures(path, solution)
    for project in workspace.made_from(path):
        store = workspace.open(project)
        if _same_tiles(store, pictures):
            _update(store, pictures, solution, on_progress)
            return project
    name = f"{path.parent.name}/{path.name}" if path.parent.name else path.name
    with workspace.making() as folder:
        store = ProjectStore.create(folder, name[-120:], str(path))
        try:
            _update(store, pictures, solution, on_progress)
        finally:
            store.close()
    return workspace.adopt_folder(folder, name)[0]


def _load_solution(path: Path) -> Solution | None:
    file = path if path.is_file() else path / SOLUTION
    return Solution.load(file) if file.is_file() else None


def _pictures(path: Path, solution: Solution | None) -> list[Path]:
    """Return the paths of the tiles' pictures, and of their tiles.csv."""
    if solution is None:
        folder = path
    elif solution.folder is None or not Path(solution.folder).is_dir():
        if solution.folder is None:
            raise AzulejarError(
                "solution-tiles-unknown",
                "The tiles of {path} cannot be found: it does not say where.",
                "Put the folder of tiles back, or solve again.",
                path=str(path),
            )
        raise AzulejarError(
            "solution-folder-gone",
            "The tiles of {path} cannot be found: {folder} is not there.",
            "Put the folder of tiles back, or solve again.",
            path=str(path),
            folder=str(solution.folder),
        )
    else:
        folder = Path(solution.folder)
    found = [entry for entry in folder.iterdir() if is_picture(entry)]
    absent = set(solution.files if solution else ()) - {entry.name for entry in found}
    if absent:
        raise AzulejarError(
            "solution-tile-gone",
            "{folder} has no {file}, which the solution places.",
            "Put it back, or solve again.",
            folder=str(folder),
            file=min(absent),
        )
    table = folder / inventory.NAME
    return [*found, table] if table.is_file() else found


def _same_tiles(store: ProjectStore, pictures: Sequence[Path]) -> bool:
    """Whether the pictures that the project has are unchanged in the folder."""
    here = store.folder / "tiles"
    known = store.taken_files()
    return all(
        (here / path.name).is_file() and filecmp.cmp(path, here / path.name)
        for path in pictures
        if path.name in known
    )


def _update(
    store: ProjectStore,
    pictures: Sequence[Path],
    solution: Solution | None,
    on_progress: OnProgress | None,
) -> None:
    known = store.taken_files()
    new = [picture for picture in pictures if picture.name not in known]
    if new:
        copy_tiles(store, new, on_progress)
    if solution is None:
        return
    stamp = hashlib.sha256(solution.model_dump_json().encode()).hexdigest()
    if store.source[1] == stamp:
        return
    board = _board(store, solution)
    if any(each.panel != LOOSE for each in store.state().board.placed):
        store.put_board(board, "open", "open", solution.mean_confidence)
    else:
        store.open_board(board, solution.mean_confidence)
    store.put_settings(_settings(solution))
    store.put_stamp(stamp)


def _board(store: ProjectStore, solution: Solution) -> Board:
    ids = {tile.file: tile.tile for tile in store.tiles()}
    used = sorted({tile.panel for tile in solution.tiles} - {LOOSE})
    number = {LOOSE: LOOSE} | {panel: i for i, panel in enumerate(used)}
    placed = [
        Placed(
            tile=ids[tile.file],
            panel=number[tile.panel],
            row=tile.row,
            col=tile.col,
            turn=tile.turn,
        )
        for tile in solution.tiles
    ]
    panels = [str(i + 1) for i in range(max(1, len(used)))]
    return Board(placed=placed, panels=panels)


def _settings(solution: Solution) -> SolveSettings:
    """Return the settings of the solution, as far as the page offers them.

    Its tiles were accepted as they are when it was solved.
    """
    known: dict[str, Any] = {"upright": solution.upright, "one_size": True}
    if solution.measure in MEASURES:
        known["measure"] = solution.measure
    if solution.preset in PRESETS:
        known["preset"] = solution.preset
    return SolveSettings(**known)
