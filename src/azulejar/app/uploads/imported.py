"""What was imported into a project: tiles, and fragments of broken ones with their joins."""

import filecmp
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from azulejar.app.http.errors import NotFound
from azulejar.app.projects.board import tile_locked
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.tiles import FragmentJoin, Fragments, NewProjectTile
from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.join_list import ListedJoin, decide_join, read_joins
from azulejar.imaging.photographs.import_log import HOME, ImportedTile, ImportLog
from azulejar.imaging.photographs.importing import FRAGMENTS
from azulejar.system.atomic import replacing


def import_folder(project: Path) -> Path:
    """Return the folder into which the photographs of a project are imported."""
    return project / "work" / "import"


def new_tile(tile: ImportedTile, known: NewProjectTile | None = None) -> NewProjectTile:
    """Return the record of an imported tile, with what is known of it already."""
    return NewProjectTile(
        file=tile.file,
        number=known.number if known else Path(tile.file).stem,
        crate=known.crate if known else None,
        code=known.code if known else None,
        thickness=known.thickness if known else None,
        outer=known.outer if known and known.outer else tile.outer or None,
        note=tile.note or None,
        doubt=tile.note if tile.doubtful else None,
    )


def copy_tile(source: Path, target: Path, earlier: set[str]) -> None:
    """Copy a picture, but never over a tile that no ``earlier`` import brought."""
    if target.exists():
        if filecmp.cmp(source, target, shallow=False):
            return
        if target.name not in earlier:
            raise AzulejarError(
                "tile-name-taken",
                "There is another tile {file} already.",
                "Rename the photograph.",
                file=target.name,
            )
    with replacing(target) as temporary:
        shutil.copyfile(source, temporary)


def list_fragments(store: ProjectStore) -> Fragments:
    """Return the fragments of a project, and how they are joined."""
    folder = import_folder(store.folder)
    if not (folder / FRAGMENTS).is_dir() or not (folder / HOME).is_dir():
        return Fragments(fragments=[], joins=[])
    records = ImportLog(folder).all()
    names = [Path(each.file).name for record in records for each in record.fragments]
    there = [name for name in names if (folder / FRAGMENTS / name).is_file()]
    joins = [join for join in read_joins(folder) if (folder / join.picture).is_file()]
    return Fragments(
        fragments=[Path(name).stem for name in there], joins=[_shown(join) for join in joins]
    )


def _shown(join: ListedJoin) -> FragmentJoin:
    return FragmentJoin(
        join=join.name,
        fragments=[Path(file).stem for file in join.files],
        probability=join.probability,
        made=join.is_made,
        verdict=join.verdict,
    )


def fragment_picture(store: ProjectStore, name: str) -> Path:
    """Return the path of the picture of a fragment, or of a join."""
    folder = import_folder(store.folder)
    shown = list_fragments(store)
    if name in shown.fragments:
        return folder / FRAGMENTS / f"{name}.png"
    for join in read_joins(folder):
        if join.name == name:
            return folder / join.picture
    raise NotFound("fragment-unknown", "There is no such fragment.", "Load the page again.")


def decide(
    store: ProjectStore, join: str, verdict: bool | None, label: str, who: str = ""
) -> BoardState:
    """Say whether a join is right, or take that back; its tile comes into the tray or leaves.

    This can be undone as any other action; ``replay_join`` then says the same of the join.
    """
    folder = import_folder(store.folder)
    with store.files_lock:
        was = next((each for each in read_joins(folder) if each.name == join), None)
        tile = next((each.tile for each in store.tiles() if each.file == f"{join}.png"), None)
        stays = was is None or replace(was, verdict=verdict).is_made
        if not stays and tile in store.state().board.locked:
            raise tile_locked()
        decided = decide_join(folder, join, verdict)
        put = _tile_of(folder, decided) if decided.is_made and tile is None else None
        if put is not None:
            copy_tile(folder / put.file, store.folder / "tiles" / put.file, {put.file})
        said = (join, was.verdict if was else None, verdict)
        return store.record_join(said, label, who, put=put, take=None if stays else tile)


def replay_join(store: ProjectStore, join: str, verdict: bool | None) -> None:
    """Restore the verdict on a join after an undo or redo; ignore a join that no longer exists."""
    with store.files_lock, suppress(AzulejarError):
        decide_join(import_folder(store.folder), join, verdict)


def _tile_of(folder: Path, join: ListedJoin) -> NewProjectTile:
    """Return the record of the joined tile."""
    record = ImportLog(folder).read(FRAGMENTS)
    return new_tile(
        next(each for each in (record.tiles if record else ()) if each.file == join.tile)
    )
