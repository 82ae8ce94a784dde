"""Import: the tiles of photographs on a table.

The library imports into a folder of its own, work/import, from which tiles are copied: what a
later import with other settings drops there may have its place on the board by then.
"""

import filecmp
import shutil
from pathlib import Path

from azulejar.app.jobs.bench import Bench, Stopped
from azulejar.app.jobs.bringing import refuse_too_many
from azulejar.app.jobs.result import Result
from azulejar.app.schemas import Import, NewTile
from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import HOME, ImportLog
from azulejar.imaging.photographs.importing import ImportSettings, import_photographs
from azulejar.imaging.photographs.photo_files import find_photographs
from azulejar.imaging.picture import is_picture
from azulejar.system.atomic import replacing


def work(bench: Bench, wish: Import) -> Result:
    """New tiles in the tray, doubtful ones with the reason; a stop keeps what is finished."""
    photographs = bench.folder / "photographs"
    if not any(is_picture(path) for path in photographs.iterdir()):
        raise AzulejarError("There are no photographs yet.", "Bring some first.")
    home = bench.folder / "work" / "import"
    (home / HOME).mkdir(parents=True, exist_ok=True)
    records = ImportLog(home)
    earlier = {tile.file for record in records.all() for tile in record.tiles}
    bench.tell.step("importing")
    sources = find_photographs([photographs])
    failures: list[AzulejarError] = []

    def tell(error: AzulejarError) -> None:
        failures.append(error)
        bench.tell.note(f"{error.problem} {error.remedy}")

    settings = ImportSettings(Colour(wish.colour))
    renewed = import_photographs(records, sources, settings, bench.stop, bench.tell.fraction, tell)
    if failures and len(failures) == len(sources):
        raise failures[0]
    if bench.stop.is_set() and not renewed:
        raise Stopped
    return Result(stopped=bench.stop.is_set(), tiles=_bring(bench, records, renewed, earlier))


def _bring(bench: Bench, records: ImportLog, renewed: set[str], earlier: set[str]) -> list[NewTile]:
    """Copy what is new into the project; what people wrote of a tile stays."""
    known = {tile.file: tile for tile in bench.tiles}
    new = []
    for record in records.all():
        for tile in record.tiles:
            if tile.file in known and Path(record.photo).stem not in renewed:
                continue
            old = known.get(tile.file)
            new.append(
                NewTile(
                    file=tile.file,
                    number=old.number if old else Path(tile.file).stem,
                    crate=old.crate if old else None,
                    code=old.code if old else None,
                    note=tile.note or None,
                    doubt=tile.note if tile.doubtful else None,
                )
            )
    refuse_too_many(bench, (tile.file for tile in new))
    for brought in new:
        file = brought.file
        copy_tile(records.folder / file, bench.folder / "tiles" / file, earlier)
    return new


def copy_tile(source: Path, target: Path, earlier: set[str]) -> None:
    """Copy a picture, but never over a tile that no ``earlier`` import brought."""
    if target.exists():
        if filecmp.cmp(source, target, shallow=False):
            return
        if target.name not in earlier:
            raise AzulejarError(
                f"There is another tile {target.name} already.", "Rename the photograph."
            )
    with replacing(target) as temporary:
        shutil.copyfile(source, temporary)
