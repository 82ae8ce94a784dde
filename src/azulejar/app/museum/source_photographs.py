"""The source photographs of a museum's tiles, and new pictures that are cut there or uploaded."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from azulejar.app.museum.crate_files import PHOTOGRAPHS
from azulejar.app.museum.move_records import Changed
from azulejar.app.museum.moves import replace_picture
from azulejar.app.museum.museum import Museum
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.tiles import Corners, TileSource
from azulejar.app.uploads.checks import check_picture
from azulejar.app.uploads.incoming import IncomingFile
from azulejar.app.uploads.sources import CutOut, cut_at, cut_out_of, unused_name
from azulejar.app.workspace import Workspace
from azulejar.collection.storage.catalogue import Entry
from azulejar.collection.storage.pictures import FOLDER
from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.import_log import HOME, read_photo
from azulejar.imaging.picture import write_picture
from azulejar.system.atomic import flush_file


def find_museum_source(workspace: Workspace, museum: Museum, tile: int) -> CutOut:
    """Return where a tile of a museum was cut out."""
    entry = _entry(museum, tile)
    return cut_out_of(entry.path, _source(workspace, museum, entry), museum.folder)


def cut_museum_tile(
    workspace: Workspace, museum: Museum, tile: int, corners: Corners, label: str, who: str = ""
) -> Changed:
    """Cut a tile of a museum out of its photograph at other corners; undoable."""
    entry, cut = _entry(museum, tile), find_museum_source(workspace, museum, tile)
    source, new = _source(workspace, museum, entry), cut_at(cut, corners)
    assert source is not None  # it was cut there

    moved = source.model_copy(update={"corners": corners})

    def write(path: Path) -> None:
        write_picture(path, new)

    return _give_picture(workspace, museum, entry, write, ".png", label, who, moved)


def upload_museum_picture(
    workspace: Workspace, museum: Museum, tile: int, file: IncomingFile, label: str, who: str = ""
) -> Changed:
    """Replace the picture of a museum's tile by an uploaded one; undoable."""
    check_picture(file.path, file.name, "tiles", halves=False)

    def write(path: Path) -> None:
        flush_file(file.path)
        file.path.replace(path)

    entry, suffix = _entry(museum, tile), file.path.suffix
    return _give_picture(workspace, museum, entry, write, suffix, label, who)


def museum_tile(
    workspace: Workspace, project: str, store: ProjectStore, tile: int
) -> tuple[Museum, int] | None:
    """Return the museum of a table and the number that a tile of the table has there, if any."""
    museum = workspace.museum_of(project)
    number = next((each.number for each in store.tiles() if each.tile == tile), None)
    if museum is None or number is None:
        return None
    found = workspace.museum(museum)
    with suppress(AzulejarError):  # a tile that was added to the table alone
        return found, found.collection.entry(number).number
    return None


def _give_picture(
    workspace: Workspace,
    museum: Museum,
    entry: Entry,
    write: Callable[[Path], None],
    suffix: str,
    label: str,
    who: str,
    source: TileSource | None = None,
) -> Changed:
    """Let a new file be written, and give it to a tile; nothing is left of it if that fails."""
    folder, desk = museum.folder / FOLDER, workspace.open(museum.id)
    folder.mkdir(exist_ok=True)
    with desk.files_lock:
        path = folder / unused_name(folder, entry.path.name, suffix)
        try:
            write(path)
            return replace_picture(workspace, museum, entry.number, path, label, who)
        finally:
            # What fails later, on a table, does not take the picture from the tile again.
            if museum.collection.entry(entry.inventory).path.name != path.name:
                path.unlink(missing_ok=True)
            elif source is not None:
                desk.put_sources([source.model_copy(update={"file": path.name})])


def _entry(museum: Museum, tile: int) -> Entry:
    museum.check_tiles([tile])
    return museum.collection.entries([tile])[0]


def _source(workspace: Workspace, museum: Museum, entry: Entry) -> TileSource | None:
    """Return where a tile was cut out: again by hand, or when its crate was imported."""
    path = entry.path
    if path.parent == museum.collection.folder / FOLDER:
        return workspace.open(museum.id).source_of(path.name)
    for record in (path.parent / HOME).glob("*.json"):
        if not path.stem.startswith(record.stem):
            continue
        with suppress(AzulejarError):  # it is damaged
            photo = read_photo(record)
            there = Path(PHOTOGRAPHS, path.parent.name, Path(photo.photo).name)
            if not (museum.folder / there).is_file():
                there = Path(photo.photo)
            for tile in photo.tiles:
                if tile.file == path.name and tile.corners:
                    corners = [(x, y) for x, y in tile.corners]
                    return TileSource(
                        file=path.name, folder=str(there.parent), photo=there.name, corners=corners
                    )
    return None
