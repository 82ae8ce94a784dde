"""Jobs of a museum: add a crate, sort, solve, look for patterns, and match a wall with them.

What a stopped one did is kept. They are those of the museum's own project, within its folder.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.context import JobContext, Stopped
from azulejar.app.jobs.cut_job import read_wall, shown_grid, uncertain_grid
from azulejar.app.jobs.import_job import import_until_stopped
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.museum.crate_files import crate_folder
from azulejar.app.museum.table_statements import state_tables
from azulejar.app.schemas.jobs import (
    Intake,
    MuseumAddRequest,
    MuseumMatchRequest,
    MuseumPatternsRequest,
    MuseumSolveRequest,
    MuseumSortRequest,
    WallMatch,
    WallPattern,
)
from azulejar.collection.engines.local import LocalEngine
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.intake.crates import half_tiles_error
from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.intake.encoding import model_checksum
from azulejar.collection.intake.repair import repair_collection
from azulejar.collection.pattern_match import PatternMatch, find_wall, match_photograph
from azulejar.collection.patterns import CollectionPatterns, require_patterns
from azulejar.collection.search.tile_list import TileList
from azulejar.collection.solve import SkippedGroup
from azulejar.collection.sort_results import require_sort, select_groups
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_warning
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import HOME, ImportedPhoto, ImportLog
from azulejar.imaging.photographs.importing import ImportSettings
from azulejar.imaging.photographs.levelling import level_photographs
from azulejar.imaging.photographs.photo_files import find_photographs
from azulejar.imaging.walls.grid import Grid
from azulejar.outputs.collection.panels import SolvedPanel
from azulejar.outputs.collection.stages import list_patterns, solve_collection, sort_collection

MOST = 200  # files of a kind that are named


def run_museum_add(context: JobContext, request: MuseumAddRequest) -> JobResult:
    """Add uploaded crates; if they hold photographs, add the tiles found in them."""
    with _opened(context) as museum:
        photographs: list[ImportedPhoto] = []
        for crate in request.crates if request.photographs else ():
            photographs += _import(context, museum.folder, crate, Colour(request.colour))
        if museum.model not in (None, model_checksum()):
            _describe_anew(context, museum)
        report = IntakeReport()

        def on_progress(done: float) -> None:
            context.reporter.intake(_intake(report, photographs))  # in case the server is killed
            context.reporter.fraction(done)

        context.reporter.step("adding")
        with LocalEngine() as engine:
            add_tiles(
                museum,
                [crate_folder(museum.folder, crate) for crate in request.crates],
                engine=engine,
                on_progress=on_progress,
                stop=context.stop,
                report=report,
            )
        if report.halves:
            context.reporter.note_error(half_tiles_error(report.halves))
        if report.sideways:
            warning = orientation_warning([path.name for path in report.sideways])
            context.reporter.note_error(warning)
    return JobResult(stopped=context.stop.is_set(), intake=_intake(report, photographs))


def _describe_anew(context: JobContext, museum: Collection) -> None:
    """Describe the tiles of a museum that an older version has made."""
    context.reporter.step("describing")
    try:
        with LocalEngine(stop=context.stop) as engine:
            repair_collection(museum, engine=engine, on_progress=context.reporter.fraction)
    except KeyboardInterrupt:
        raise Stopped from None


def run_museum_sort(context: JobContext, request: MuseumSortRequest) -> JobResult:
    """Sort the tiles into panels, respecting what people laid on tables."""
    with _opened(context) as museum:
        state_tables(museum)
        context.reporter.step("searching")
        try:
            with LocalEngine(stop=context.stop) as engine:
                sort_collection(
                    museum,
                    engine,
                    on_progress=context.fraction,
                    on_searched=lambda: context.reporter.step("sorting"),
                )
        except KeyboardInterrupt:
            raise Stopped from None
    return JobResult()


def run_museum_solve(context: JobContext, request: MuseumSolveRequest) -> JobResult:
    """Solve panels; those finished before a stop are kept."""

    def on_panel(panel: SolvedPanel | SkippedGroup) -> None:
        if isinstance(panel, SkippedGroup):
            context.reporter.note_error(panel.why)

    def on_progress(done: float) -> None:
        if context.stop.is_set():
            raise KeyboardInterrupt  # leaves the page of all panels up to date
        context.reporter.fraction(done)

    with _opened(context) as museum:
        state_tables(museum)
        groups = select_groups(require_sort(museum), request.panels)
        context.reporter.step("panels")
        try:
            with LocalEngine(stop=context.stop) as engine:
                solve_collection(
                    museum,
                    engine,
                    groups=groups,
                    preset=request.preset,
                    on_panel=on_panel,
                    on_progress=on_progress,
                )
        except KeyboardInterrupt:
            return JobResult(stopped=True)
    return JobResult()


def run_museum_patterns(context: JobContext, request: MuseumPatternsRequest) -> JobResult:
    """Look for patterns; a stop leaves those that were found before."""
    with _opened(context) as museum:
        context.reporter.step("comparing")
        list_patterns(museum, on_progress=context.fraction)
    return JobResult()


def run_museum_match(context: JobContext, request: MuseumMatchRequest) -> JobResult:
    """Tell which patterns continue a photographed wall; or show its grid only."""
    with Collection.open(context.folder.parent.parent) as museum:
        kept = require_patterns(museum)
    given = (request.accepted, request.corners, request.rows, request.cols)
    if all(each is None for each in given):
        picture, grid, sure, found = _find_wall(context, request, kept)
    else:
        (picture, grid, sure), found = read_wall(context, request), []
        if not request.look:
            context.reporter.step("comparing")
            grid, found = match_photograph(kept, picture, grid, context.fraction)
    shown = shown_grid(grid, picture.shape, sure)
    if request.look:
        return JobResult(grid=shown)
    return JobResult(match=WallMatch(grid=shown, patterns=[_on_wall(each) for each in found]))


def _find_wall(
    context: JobContext, request: MuseumMatchRequest, kept: CollectionPatterns
) -> tuple[NDArray[np.uint8], Grid, bool, list[PatternMatch]]:
    """Return a photograph, the grid of its wall, whether it is sure, and its patterns."""
    picture, guess, sure = read_wall(context, request.model_copy(update={"look": True}))
    context.reporter.step("comparing")
    grid, found = find_wall(kept, picture, guess if sure else None, context.fraction)
    if grid is None and not request.look:
        raise uncertain_grid(guess)
    return picture, guess if grid is None else grid, grid is not None, found


def _on_wall(found: PatternMatch) -> WallPattern:
    marks = np.where(found.seen, "#", np.where(found.gaps, "?", "."))
    needed = [(count, found.stock[each]) for each, count in found.needed.items() if count]
    return WallPattern(
        pattern=found.name,
        share=found.share,
        places=["".join(row) for row in marks],
        needed=sum(found.needed.values()),
        stock=sum(found.stock.values()),
        lacking=found.lacking,
        designs=needed,
    )


@contextmanager
def _opened(context: JobContext) -> Iterator[Collection]:
    """Open the museum of the job, and refresh its tile list at the end."""
    with Collection.open(context.folder.parent.parent) as museum:
        yield museum
        listed = TileList(museum)
        listed.refresh()
        listed.close()


def _import(context: JobContext, museum: Path, crate: str, colour: Colour) -> list[ImportedPhoto]:
    """Import tiles from photographs into a crate; return all photographs of that crate."""
    context.reporter.step("importing")
    folder = crate_folder(museum, crate)
    (folder / HOME).mkdir(parents=True, exist_ok=True)
    records = ImportLog(folder)
    sources = find_photographs([crate_folder(museum, crate, photographs=True)])
    failures: list[AzulejarError] = []

    def on_error(error: AzulejarError) -> None:
        failures.append(error)
        context.reporter.note_error(error)

    renewed = import_until_stopped(context, records, sources, ImportSettings(colour), on_error)
    if failures and len(failures) == len(sources):
        raise failures[0]
    if context.stop.is_set():
        raise Stopped
    level_photographs(records)
    records.write_list(renewed)
    return records.all()


def _intake(report: IntakeReport, photographs: list[ImportedPhoto]) -> Intake:
    """Return what became of the pictures, each named as CRATE/FILE."""
    found = [tile for photograph in photographs for tile in photograph.tiles]
    doubtful = [(Path(tile.file).stem, tile.note) for tile in found if tile.doubtful]

    def name(path: Path) -> str:
        return f"{path.parent.name}/{path.name}"

    return Intake(
        new=report.new,
        known=report.known,
        updated=report.updated,
        twice=[(name(one), name(other)) for one, other in islice(report.twice.items(), MOST)],
        renamed=[(name(path), number) for path, number in islice(report.renamed.items(), MOST)],
        broken=[name(path) for path in islice(report.broken, MOST)],
        refused=[name(path) for path in islice(chain(report.refused, report.halves), MOST)],
        photographs=len(photographs),
        found=len(found),
        doubtful=doubtful[:MOST],
    )
