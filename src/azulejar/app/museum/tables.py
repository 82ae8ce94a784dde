"""The tables of a museum: a project for each panel that was opened.

A job never changes a table that somebody has touched: a newer solution becomes a version, from
which it can be taken.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from azulejar.app.http.errors import NotFound
from azulejar.app.museum.museum import DESK, TABLES, Museum, table_name
from azulejar.app.projects import database
from azulejar.app.projects.convert import assembly_places, board_assembly
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import LOOSE, Board, BoardState, Edit, PanelPlace, Placed
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.schemas.museums import Fit, Gift, Seam
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile
from azulejar.app.workspace import Workspace
from azulejar.collection.sort_results import folder_name
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.alignment import Motion, motion_between
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.judging.candidates import Place, surroundings
from azulejar.outputs.collection.panels import load_loose_part, load_panel_solution

_PLAIN = "-_.() "  # letters of a file name besides letters and digits


def open_panel(workspace: Workspace, museum: Museum, name: str) -> str:
    """Return the project of a panel, creating or updating it."""
    group = museum.group(name)
    entries = museum.collection.entries(group.tiles)
    solution = _solution(museum.collection, name)
    table = museum.folder / TABLES / folder_name(name)
    if not (table / database.NAME).is_file():
        with workspace.making(table.parent) as folder:
            store = ProjectStore.create(folder, table_name(museum.name, name), name)
            try:
                # The tiles of crates were accepted when they came in.
                store.put_settings(SolveSettings(one_size=True))
                _update(store, museum.collection, entries, solution)
            finally:
                store.close()
        return workspace.adopt_table(folder, table)
    project = workspace.id_of(table)
    _update(workspace.open(project), museum.collection, entries, solution)
    return project


def is_touched(store: ProjectStore) -> bool:
    """Return whether people have changed what the museum laid, not counting undone edits."""
    laid, state = _laid(store), store.state()
    return laid.revision != state.revision and laid.board != _board_checksum(state.board)


def find_tables(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folder of each table and the name of its panel."""
    for table in sorted((folder / TABLES).glob("panel_*")):
        if (table / database.NAME).is_file():
            store = ProjectStore(table)
            try:
                name = store.source[0]
            finally:
                store.close()
            if name is not None and table.name != DESK:
                yield table, name


def table_projects(workspace: Workspace, museum: Museum) -> list[str]:
    """Return the projects of a museum's tables."""
    return [workspace.id_of(folder) for folder, _ in find_tables(museum.folder)]


@contextmanager
def stay_untouched(store: ProjectStore) -> Iterator[None]:
    """Change a board for the museum: one that nobody has edited still counts as such."""
    touched = is_touched(store)
    yield
    if not touched:
        _put_laid(store, _laid(store).solution)


@contextmanager
def without_touching(workspace: Workspace, project: str, store: ProjectStore) -> Iterator[None]:
    """Change old pictures: a table of a museum on which nobody laid tiles still counts as such."""
    if workspace.museum_of(project) is None:
        yield
    else:
        with stay_untouched(store):
            yield


@contextmanager
def stay_laid(workspace: Workspace, museum: Museum) -> Iterator[None]:
    """Change an inventory number without making the solutions of tables look newer."""
    stores = [
        (workspace.open(workspace.id_of(at)), name) for at, name in find_tables(museum.folder)
    ]

    def newest(name: str) -> str | None:
        solution = _solution(museum.collection, name)
        return None if solution is None else _solution_checksum(solution)

    laid = [each for each in stores if _laid(each[0]).solution == newest(each[1])]
    yield
    for store, name in laid:
        store.put_stamp(str(_laid(store)._replace(solution=newest(name) or "")))


def fits_of_place(store: ProjectStore, museum: Museum, place: PanelPlace, count: int) -> list[Fit]:
    """Return the tiles of the museum that fit a place on a table, except those on that table."""
    tiles = store.tiles()
    board = store.state().board
    laid = {each.tile for each in board.placed}
    known = {
        tile.tile: museum.collection.entry(tile.number).number
        for tile in tiles
        if tile.tile in laid
    }
    facing = surroundings(board_assembly(board, tiles), Place(place.panel, place.row, place.col))
    neighbours = {
        direction: (known[tiles[edge // 4].tile], edge % 4) for direction, edge in facing.items()
    }
    return museum.hole_fits(neighbours, set(known.values()), count)


def give_tile(
    museum: Museum,
    store: ProjectStore,
    gift: Gift,
    label: str = "move",
    who: str = "",
    move: str | None = None,
) -> BoardState:
    """Place a tile of the museum on a board, as part of a ``move``."""
    (entry,) = museum.collection.entries([gift.tile])
    known = {each.tile for each in store.tiles()}
    add_tiles(store, museum.collection, [entry])
    tile = next(each.tile for each in store.tiles() if each.number == entry.inventory)
    state = store.state()
    place = gift.model_dump(include={"panel", "row", "col"})
    change = {"placed": [{"tile": tile, "turn": gift.turn, **place}]}
    if PanelPlace(**place) in state.board.missing:
        change["present"] = [place]
    edit = Edit.model_validate({"revision": state.revision, "label": label, **change})
    new = {tile} - known
    return store.edit(edit, who, move, new).model_copy(update={"tiles_changed": bool(new)})


def panel_of(store: ProjectStore) -> str:
    """Return the name of the panel that a table shows."""
    return str(store.source[0])


def suspected_part(museum: Museum, panel: str) -> tuple[tuple[int, ...], Seam]:
    """Return the tiles of a panel that may be a second one, and what speaks for that.

    Sorting suspects them, or the seam that holds them to the rest of the solved panel does.
    """
    group = museum.group(panel)
    if group.part:
        return group.part, "few"
    numbers, mirrored = load_loose_part(museum.collection, panel)
    own = {entry.inventory: entry.number for entry in museum.collection.entries(group.tiles)}
    part = tuple(own[number] for number in numbers if number in own)
    return part if len(part) == len(numbers) else (), "mirrored" if mirrored else "doubtful"


def doubtful_part(museum: Museum, store: ProjectStore) -> tuple[list[int], Seam]:
    """Return the tiles on a table that may be a second panel, and what speaks for that.

    Once somebody has moved tiles there, nothing is suspected: people know better.
    """
    try:
        part, seam = suspected_part(museum, panel_of(store))
    except NotFound:  # all its tiles were moved to other panels
        return [], "few"
    if not part or is_touched(store):
        return [], seam
    numbers = {entry.inventory for entry in museum.collection.entries(part)}
    return [tile.tile for tile in store.tiles() if tile.number in numbers], seam


def _solution(collection: Collection, name: str) -> Solution | None:
    try:
        return load_panel_solution(collection, name)
    except AzulejarError:
        return None


# Bringing a table up to date


def _update(
    store: ProjectStore, collection: Collection, entries: Sequence[Entry], solution: Solution | None
) -> None:
    laid, touched = _laid(store), is_touched(store)
    newest = laid.solution
    add_tiles(store, collection, entries)
    if solution is not None:
        newest = _solution_checksum(solution)
        if newest != laid.solution:
            board = _board(store, entries, solution)
            if touched:
                board = _lying_alike(store, board)
                store.file_version(board, "solve", "solve", solution.mean_confidence)
            else:
                store.open_board(board, solution.mean_confidence)
    if touched:
        store.put_stamp(str(laid._replace(solution=newest)))
    else:
        _put_laid(store, newest)


def _solution_checksum(solution: Solution) -> str:
    return hashlib.sha256(solution.model_dump_json().encode()).hexdigest()


class _Laid(NamedTuple):
    """What the museum laid last: the solution's checksum, and the board's revision and checksum."""

    solution: str
    revision: int
    board: str

    def __str__(self) -> str:
        return f"{self.solution} {self.revision} {self.board}"


def _laid(store: ProjectStore) -> _Laid:
    solution, revision, board, *_ = [*(store.source[1] or "").split(" "), "", ""]
    return _Laid(solution, int(revision or 0), board)


def _put_laid(store: ProjectStore, solution: str) -> None:
    """Mark the current board as the one that the museum laid."""
    state = store.state()
    store.put_stamp(str(_Laid(solution, state.revision, _board_checksum(state.board))))


def _board_checksum(board: Board) -> str:
    """Return a checksum of a board without its tray and old pictures, which touch no table."""
    laid = [each for each in board.placed if each.panel != LOOSE]
    known = board.model_copy(update={"placed": laid, "references": []})
    return hashlib.sha256(known.model_dump_json().encode()).hexdigest()


def add_tiles(store: ProjectStore, collection: Collection, entries: Sequence[Entry]) -> None:
    """Put tiles of a museum into the tray of a table, unless it has them."""
    known = {tile.number: tile for tile in store.tiles()}
    files = {tile.number: tile.file for tile in [*store.removed_tiles(), *known.values()]}
    new = []
    for entry in entries:
        file = files.get(entry.inventory) or _file_name(entry, store.folder / "tiles")
        there = store.folder / "tiles" / file
        if not there.exists():  # it is new, or comes from a backup, which has no pictures
            bring_picture(entry, collection, there)
        if entry.inventory in known:
            continue
        record = entry.record
        new.append(
            NewProjectTile(
                file=file,
                number=entry.inventory,
                crate=entry.crate,
                code=record.code,
                note=record.note,
                thickness=record.thickness,
                outer=record.outer,
            )
        )
    if new:
        store.add_tiles(new)


def _file_name(entry: Entry, folder: Path) -> str:
    stem = "".join(c if c.isalnum() or c in _PLAIN else "_" for c in entry.inventory)[:80]
    stem = stem.strip(" .") or "tile"
    suffix = entry.path.suffix.lower()
    taken = (folder / f"{stem}{suffix}").exists()
    return f"{stem}-{entry.number}{suffix}" if taken else f"{stem}{suffix}"


def bring_picture(entry: Entry, collection: Collection, target: Path) -> None:
    """Hard-link the original; else copy it; else write the collection's small copy."""
    try:
        os.link(entry.path, target)
    except OSError:
        try:
            shutil.copyfile(entry.path, target)
        except OSError:
            target.unlink(missing_ok=True)
            write_picture(target, collection.pixels[entry.number])


def _board(store: ProjectStore, entries: Sequence[Entry], solution: Solution) -> Board:
    """Return the board of a solution; tiles that are no longer of the panel go to the tray."""
    tiles: dict[str, ProjectTile] = {tile.number: tile for tile in store.tiles()}
    own = {entry.inventory for entry in entries}
    placed = {tile.tile: Placed(tile=tile.tile, panel=LOOSE) for tile in tiles.values()}
    for each in solution.tiles:
        if each.number in own and each.panel >= 0:
            tile = tiles[each.number].tile
            placed[tile] = Placed(
                tile=tile, panel=each.panel, row=each.row, col=each.col, turn=each.turn
            )
    count = max((each.panel for each in placed.values()), default=0) + 1
    return Board(placed=list(placed.values()), panels=[str(i + 1) for i in range(max(1, count))])


def _lying_alike(store: ProjectStore, board: Board) -> Board:
    """Return a board turned and shifted to lie as the present one does, with what is known there.

    A solution that was laid in an outline lies in it again; locks that it does not keep are left
    out.
    """
    now, tiles = store.state().board, store.tiles()
    laid, shown = board_assembly(board, tiles, [0]), board_assembly(now, tiles, [0])
    outline = next((each for each in now.outlines if each.panel == 0), None)
    motion = motion_between(laid, shown)
    if outline is not None:
        drawn = Motion(0, outline.row, outline.col)
        lie = {(each.row, each.col) for each in assembly_places(drawn(laid), tiles)
               if each.panel == 0}  # fmt: skip
        motion = drawn if lie <= set(outline.places()) else motion
    moved = {each.tile: each for each in assembly_places(motion(laid), tiles) if each.panel == 0}
    placed = [moved.get(each.tile, each) for each in board.placed]
    before = {each.tile: each for each in now.placed}
    full = {(each.panel, each.row, each.col) for each in placed}
    return now.model_copy(
        update={
            "placed": placed,
            "panels": board.panels,
            "locked": [tile for tile in now.locked if moved.get(tile) == before.get(tile)],
            "missing": [
                each for each in now.missing if (each.panel, each.row, each.col) not in full
            ],
        }
    )
