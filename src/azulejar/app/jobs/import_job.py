"""Import: find the tiles in photographs of a table.

The library imports into a folder of its own, work/import, from which tiles are copied: a tile that
a later import with other settings no longer finds may lie on the board by then.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from pathlib import Path

from azulejar.app.jobs.context import JobContext, Stopped
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.schemas.jobs import ImportRequest
from azulejar.app.schemas.tiles import NewProjectTile, TileSource
from azulejar.app.uploads.imported import copy_tile, import_folder, new_tile
from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.joins import join_imported
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import HOME, ImportLog
from azulejar.imaging.photographs.importing import (
    FRAGMENTS,
    ImportSettings,
    import_photographs,
)
from azulejar.imaging.photographs.levelling import level_photographs, light_doubt
from azulejar.imaging.photographs.photo_files import PhotoFile, find_photographs
from azulejar.imaging.photographs.sizes import sizes_by_kind
from azulejar.imaging.picture import is_picture

SIDES = "{long:.1f} × {short:.1f} cm (sides of {least:.1f} to {most:.1f} cm)."
SIZES = {
    "whole": f"Whole tiles: {{tiles}}, {SIDES}",
    "half": f"Half tiles: {{tiles}}, {SIDES}",
    "quarter": f"Quarter tiles: {{tiles}}, {SIDES}",
    "narrow": f"Narrow tiles: {{tiles}}, {SIDES}",
}
GLANCE = 0.1  # seconds between two looks at the photograph being imported


def run_import(context: JobContext, request: ImportRequest) -> JobResult:
    """Put new tiles into the tray, doubtful ones with the reason; a stop keeps finished ones."""
    photographs = context.folder / "photographs"
    _leave_out(context, request.leave_out)
    if not any(is_picture(path) for path in photographs.iterdir()):
        raise AzulejarError(
            "project-without-photographs", "There are no photographs yet.", "Add some first."
        )
    home = import_folder(context.folder)
    (home / HOME).mkdir(parents=True, exist_ok=True)
    records = ImportLog(home)
    earlier = {tile.file for record in records.all() for tile in record.tiles}
    context.reporter.step("importing")
    sources = find_photographs([photographs])
    failures: list[AzulejarError] = []

    def on_error(error: AzulejarError) -> None:
        failures.append(error)
        if len(sources) > 1:
            context.reporter.note_error(error)

    settings = ImportSettings(Colour(request.colour), half_tiles=request.half_tiles)
    renewed = import_until_stopped(context, records, sources, settings, on_error)
    if failures and len(failures) == len(sources):
        if len(failures) == 1:
            raise failures[0]
        raise AzulejarError(
            "import-all-failed",
            "None of the {count} photographs could be imported.",
            "Read why, and continue without them or with others.",
            count=len(failures),
        )
    if context.stop.is_set() and not renewed:
        raise Stopped
    if not context.stop.is_set():
        renewed |= level_photographs(records)
        if (doubt := light_doubt(records.all())) is not None:
            context.reporter.note_error(doubt)
        if request.side is not None:
            _note_sizes(context, records, request.side)
        new = renewed or records.read(FRAGMENTS) is None
        if new and any(record.fragments for record in records.all()):
            try:
                join(context, records)
                renewed.add(FRAGMENTS)
            except AzulejarError as error:  # the tiles are there all the same
                context.reporter.note_error(error)
            except Stopped:
                pass  # the next import joins them
    return JobResult(
        stopped=context.stop.is_set(),
        tiles=copy_new(context, records, renewed, earlier),
        sources=[
            TileSource(
                file=tile.file,
                folder="photographs",
                photo=Path(record.photo).name,
                corners=[(x, y) for x, y in tile.corners],
            )
            for record in records.all()
            for tile in record.tiles
            if tile.corners  # those of joined fragments are in several photographs
        ],
    )


def import_until_stopped(
    context: JobContext,
    records: ImportLog,
    sources: list[PhotoFile],
    settings: ImportSettings,
    on_error: Callable[[AzulejarError], None],
) -> set[str]:
    """Import photographs until the user stops the job; return the names of those imported now.

    A stop does not wait for the current photograph, which may take long: its thread ends with the
    process, and the photograph is imported completely or not at all.
    """
    doubt = orientation_doubt(source.path for source in sources)
    if doubt is not None:
        context.reporter.note_error(doubt)
    renewed: set[str] = set()
    for number, source in enumerate(sources, 1):
        found: Future[set[str]] = Future()

        def work(source: PhotoFile = source, found: Future[set[str]] = found) -> None:
            try:
                stop, tell = context.stop, lambda _: None
                one = import_photographs(records, [source], settings, stop, tell, on_error)
                found.set_result(one)
            except BaseException as error:
                found.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        while not wait([found], GLANCE).done:
            if context.stop.is_set():
                return renewed
        renewed |= found.result()
        context.reporter.fraction(number / len(sources))
    return renewed


def _note_sizes(context: JobContext, records: ImportLog, side: float) -> None:
    """Note how many tiles of which size there are."""
    for each in sizes_by_kind(records.all(), side):
        context.reporter.note(f"size-{each.kind}", SIZES[each.kind], **each._asdict())


def join(context: JobContext, records: ImportLog) -> None:
    """Join the fragments of broken tiles, and note how many wait for a person's word."""
    context.reporter.step("joining")
    joins, left = join_imported(records.folder, context.fraction)
    made = [each for each in joins if each.is_made]
    context.reporter.note(
        "fragments-joined",
        "Fragments of broken tiles: {count}; tiles joined: {tiles}; joins to confirm: {waiting}.",
        count=sum(len(each.files) for each in joins) + len(left),
        tiles=len(made),
        waiting=len(joins) - len(made),
    )


def _leave_out(context: JobContext, names: Sequence[str]) -> None:
    """Move the photographs with these names, with or without suffix, to ``left-out``."""
    aside = context.folder / "left-out"
    for path in list((context.folder / "photographs").iterdir()):
        if path.name in names or path.stem in names:
            aside.mkdir(exist_ok=True)
            names_there = (f"{path.stem}{again}{path.suffix}" for again in ("", *range(2, 10_000)))
            path.replace(next(aside / name for name in names_there if not (aside / name).exists()))


def copy_new(
    context: JobContext, records: ImportLog, renewed: set[str], earlier: set[str]
) -> list[NewProjectTile]:
    """Copy new tiles into the project; records that people have entered stay, and tiles that they
    have removed or cut again do not come back."""
    known = {tile.file: tile for tile in context.tiles}
    gone = context.store.taken_files() - known.keys()
    new = []
    for record in records.all():
        for tile in record.tiles:
            if tile.file in gone:
                continue
            if tile.file in known and Path(record.photo).stem not in renewed:
                continue
            new.append(new_tile(tile, known.get(tile.file)))
    context.check_tile_count(tile.file for tile in new)
    for file in [tile.file for tile in new]:
        copy_tile(records.folder / file, context.folder / "tiles" / file, earlier)
    return new
