"""Museums: crates, tiles, search, panels and the report of a collection.

Jobs and events of a museum are those of the project of the same id.
"""

from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, JSONResponse

from azulejar.app.dependencies import PersonDep, Services, ServicesDep
from azulejar.app.museum.crate_files import missing_files, take_file
from azulejar.app.museum.museum import is_museum
from azulejar.app.museum.panel_lines import PanelOrder, PanelState
from azulejar.app.museum.report import Language, make_pdf, read_report
from azulejar.app.museum.tables import fits_of_place, is_touched, open_panel, panel_of
from azulejar.app.people.roles import Person, Role, needs
from azulejar.app.routes.files import BODY, JPEG, draining, receive
from azulejar.app.routes.museum_moves import table_of
from azulejar.app.schemas import museums as schemas
from azulejar.app.schemas.boards import Coordinate, PanelPlace
from azulejar.app.schemas.jobs import Job
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.schemas.projects import NewProject, Uploaded
from azulejar.app.uploads.checks import Kind
from azulejar.app.uploads.references import check_reference_name, take_wall
from azulejar.collection.patterns import last_search
from azulejar.collection.search.tile_list import MOST, ListedTile, State
from azulejar.collection.sort_results import folder_name
from azulejar.errors import AzulejarError

router = APIRouter(prefix="/api/museums", tags=["museums"])

First = Annotated[int, Query(ge=0, le=10**8)]
Count = Annotated[int, Query(ge=1, le=MOST)]
Words = Annotated[str, Query(max_length=200)]
Title = Annotated[str, Query(min_length=1, max_length=200)]
Number = Annotated[int, Query(ge=0, lt=2**31)]
PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/webp": {}, "image/jpeg": {}}, "description": "A picture."}
}
PDF: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/pdf": {}}, "description": "The report."}
}
A_DAY = {"Cache-Control": "private, max-age=86400"}


@router.get("")
@needs(Role.LOOK)
def list_museums(services: ServicesDep) -> list[schemas.MuseumSummary]:
    """List all museums that can be opened."""
    found = []
    working = services.queue.working()
    for museum in services.workspace.museums():
        with suppress(AzulejarError, OSError):  # one that is in use must not hide the others
            opened = services.workspace.museum(museum)
            with services.workspace.glance(museum) as desk:
                summary = schemas.MuseumSummary(
                    museum=museum,
                    name=opened.name,
                    tiles=opened.count,
                    archived=desk.archived,
                    **_work_of(services, museum, working),
                )
            found.append(summary)
    return found


@router.post("", status_code=201)
@needs(Role.WORK)
def create_museum(new: NewProject, services: ServicesDep, person: PersonDep) -> schemas.Museum:
    """Create an empty museum."""
    return _read_museum(services, services.workspace.create_museum(new.name), person)


@router.get("/{museum}")
@needs(Role.LOOK)
def get_museum(museum: ProjectId, services: ServicesDep, person: PersonDep) -> schemas.Museum:
    """Return the data with which the page of a museum starts."""
    return _read_museum(services, museum, person)


@router.get("/{museum}/tiles", response_model=schemas.TilePage)
@needs(Role.LOOK)
def list_tiles(
    museum: ProjectId,
    services: ServicesDep,
    words: Words = "",
    crate: Title | None = None,
    state: State | None = None,
    panel: Title | None = None,
    pattern: Title | None = None,
    first: First = 0,
    count: Count = 100,
) -> Response:
    """Search tiles by the beginnings of words; return one page of results."""
    found = services.workspace.museum(museum)
    if words or state == "doubtful":
        found.mark_tiles()
    total, tiles = found.tiles.find(
        words,
        crate=crate,
        state=state,
        panel=panel,
        pattern=pattern,
        first=first,
        count=count,
    )
    # As they are: to check each of a hundred tiles would take longer than to find them.
    return JSONResponse({"total": total, "first": first, "tiles": [vars(tile) for tile in tiles]})


@router.get("/{museum}/tile")
@needs(Role.LOOK)
def get_tile(museum: ProjectId, tile: Number, services: ServicesDep) -> ListedTile:
    """Return one tile, and prepare the search for what fits it."""
    found = services.workspace.museum(museum)
    listed = found.listed(tile)
    found.open_table_soon()
    return listed


@router.get("/{museum}/sheet", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_sheet(
    museum: ProjectId,
    services: ServicesDep,
    tiles: Annotated[str, Query(pattern=r"^\d{1,9}(,\d{1,9}){0,199}$")],
) -> Response:
    """Return small pictures of up to 200 tiles, ten in a row of 50 px each."""
    sheet = services.workspace.museum(museum).sheet([int(each) for each in tiles.split(",")])
    return Response(sheet, media_type="image/jpeg", headers=A_DAY)


@router.get("/{museum}/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_picture(
    museum: ProjectId,
    tile: Number,
    services: ServicesDep,
    size: Annotated[int, Query(ge=16, le=2048)] = 512,
) -> Response:
    """Return a tile as its file shows it, never enlarged."""
    picture = services.workspace.museum(museum).picture(tile, size)
    return Response(picture, media_type="image/jpeg", headers=A_DAY)


@router.get("/{museum}/fits")
@needs(Role.LOOK)
def find_fits(
    museum: ProjectId,
    tile: Number,
    services: ServicesDep,
    side: Annotated[int, Query(ge=0, le=3)] | None = None,
    count: Annotated[int, Query(ge=1, le=100)] = 12,
) -> list[schemas.Fit]:
    """Return the tiles of the whole museum that fit a side of a tile, or any, best first."""
    return services.workspace.museum(museum).fits(tile, side, count)


@router.get("/{museum}/crates")
@needs(Role.LOOK)
def list_crates(
    museum: ProjectId,
    services: ServicesDep,
    words: Words = "",
    first: First = 0,
    count: Count = 100,
) -> schemas.CratePage:
    """Return one page of the crates whose names contain ``words``."""
    wanted = words.strip().casefold()
    opened = services.workspace.museum(museum)
    opened.mark_tiles()
    found = opened.tiles.crates()
    chosen = [each for each in found if wanted in each.crate.casefold()]
    return schemas.CratePage(total=len(chosen), first=first, crates=chosen[first : first + count])


@router.post("/{museum}/missing")
@needs(Role.WORK)
def find_missing(
    museum: ProjectId, wanted: schemas.KnownFiles, services: ServicesDep
) -> schemas.MissingFiles:
    """Return which files of a crate are still missing, so that uploads can resume."""
    folder = services.workspace.museum(museum).folder
    return schemas.MissingFiles(missing=missing_files(folder, wanted))


@router.post("/{museum}/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def upload_file(
    museum: ProjectId,
    crate: Annotated[Name, Query()],
    name: Title,
    request: Request,
    services: ServicesDep,
    photographs: bool = False,
) -> Uploaded:
    """Accept a picture, a zip of pictures, or tiles.csv for a crate."""
    async with draining(request):
        folder = (await run_in_threadpool(services.workspace.museum, museum)).folder
        store = await run_in_threadpool(services.workspace.open, museum)
        kind: Kind = "photographs" if photographs else "tiles"
        take = partial(take_file, folder, crate, photographs)
        return await receive(request, store, kind, name, take)


@router.post("/{museum}/walls/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def upload_wall(
    museum: ProjectId, name: Title, request: Request, services: ServicesDep
) -> Uploaded:
    """Accept a photograph of a wall; return the name by which jobs know it."""
    async with draining(request):
        check_reference_name(name)
        await run_in_threadpool(services.workspace.museum, museum)
        store = await run_in_threadpool(services.workspace.open, museum)
        return await receive(request, store, "panel", name, partial(take_wall, store))


@router.get("/{museum}/panels")
@needs(Role.LOOK)
def list_panels(
    museum: ProjectId,
    services: ServicesDep,
    words: Words = "",
    state: PanelState | None = None,
    order: PanelOrder = "merit",
    first: First = 0,
    count: Count = 60,
) -> schemas.PanelPage:
    """Return one page of the panels of the last sort."""
    opened = services.workspace.museum(museum)
    if words:
        opened.mark_tiles()
    found = opened.panels(words, state, order)
    shown = found[first : first + count]
    tables = services.workspace.tables(museum)
    for panel in shown:
        panel.project = tables.get(folder_name(panel.name))
        if panel.project is not None:
            with services.workspace.glance(panel.project) as store:
                panel.touched = is_touched(store)
    return schemas.PanelPage(total=len(found), first=first, panels=shown)


@router.get("/{museum}/panel-picture", response_class=Response, responses=PICTURE)
@needs(Role.LOOK)
def get_panel_picture(museum: ProjectId, panel: Title, services: ServicesDep) -> Response:
    """Return the thumbnail of a panel, or of some of its tiles."""
    picture, kind = services.workspace.museum(museum).panel_picture(panel)
    return Response(picture, media_type=kind, headers={"Cache-Control": "private, no-cache"})


@router.get("/{museum}/patterns")
@needs(Role.LOOK)
def list_patterns(museum: ProjectId, services: ServicesDep) -> list[schemas.Pattern]:
    """Return the patterns found last."""
    return services.workspace.museum(museum).patterns()


@router.get("/{museum}/pattern-picture", response_class=FileResponse, responses=PICTURE)
@needs(Role.LOOK)
def get_pattern_picture(museum: ProjectId, pattern: Title, services: ServicesDep) -> FileResponse:
    """Return the picture of a pattern's repeat."""
    path = services.workspace.museum(museum).pattern_picture(pattern)
    headers = {"Cache-Control": "private, no-cache"}
    return FileResponse(path, media_type="image/jpeg", headers=headers)


@router.post("/{museum}/table")
@needs(Role.LOOK)
def open_table(museum: ProjectId, panel: schemas.PanelName, services: ServicesDep) -> (
    schemas.OpenedPanel
):  # fmt: skip
    """Open a panel on the table, as a project."""
    found = services.workspace.museum(museum)
    project = open_panel(services.workspace, found, panel.panel)
    return schemas.OpenedPanel(project=project)


@router.get("/{museum}/hole")
@needs(Role.LOOK)
def find_hole_fits(
    museum: ProjectId,
    project: ProjectId,
    panel: Annotated[int, Query(ge=0, lt=10_000)],
    row: Annotated[Coordinate, Query()],
    col: Annotated[Coordinate, Query()],
    services: ServicesDep,
    count: Annotated[int, Query(ge=1, le=100)] = 12,
) -> list[schemas.Fit]:
    """Return the tiles of the museum that fit a place on a table, except those on that table."""
    found, store = table_of(services, museum, project)
    return fits_of_place(store, found, PanelPlace(panel=panel, row=row, col=col), count)


@router.get("/{museum}/report")
@needs(Role.LOOK)
def get_report(museum: ProjectId, services: ServicesDep) -> schemas.Report:
    """Return the figures of the director's report."""
    return read_report(services.workspace.museum(museum))


@router.get("/{museum}/report.pdf", response_class=Response, responses=PDF)
@needs(Role.LOOK)
def get_report_pdf(museum: ProjectId, services: ServicesDep, language: Language = "en") -> Response:
    """Return the director's report as PDF."""
    found = services.workspace.museum(museum)
    headers = {"Content-Disposition": f'attachment; filename="{museum}.pdf"'}
    content = make_pdf(found, language)
    return Response(content, media_type="application/pdf", headers=headers)


def _work_of(services: Services, museum: str, working: dict[str, Job]) -> dict[str, Any]:
    """Return the running job of a museum, or else of one of its tables."""
    tables = services.workspace.tables(museum).values() if working else ()
    for project in [museum, *tables]:
        if (job := working.get(project)) is not None:
            panel = None if project == museum else panel_of(services.workspace.open(project))
            return {"working": job.request.kind, "fraction": job.fraction, "panel": panel}
    return {}


def _read_museum(services: Services, museum: str, person: Person) -> schemas.Museum:
    found = services.workspace.museum(museum)
    desk = services.workspace.open(museum).state(person.name)
    found.open_table_later()
    found.mark_tiles()
    sort = found.sort
    return schemas.Museum(
        museum=museum,
        name=found.name,
        tiles=found.count,
        crates=len(found.tiles.crates()),
        states=found.tiles.states(),
        sorted=sort is not None,
        panels=len(sort.groups) if sort is not None else 0,
        solved=found.solved_count(),
        one=is_museum(services.workspace.folder),
        pictures=found.pictures,
        patterns_sought=last_search(found.collection),
        jobs=services.queue.jobs(museum),
        undo=desk.undo,
        redo=desk.redo,
    )
