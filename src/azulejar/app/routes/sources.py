"""A tile in its source photograph: view, cut again, replace the picture.

The same of a project's tile and of a museum's; on the table of a museum's panel, its tiles are
those of the museum.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep
from azulejar.app.http.errors import NotFound
from azulejar.app.museum.source_photographs import (
    cut_museum_tile,
    find_museum_source,
    museum_tile,
    upload_museum_picture,
)
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.atlas import start_atlas
from azulejar.app.projects.store import ProjectStore
from azulejar.app.routes.files import BODY, JPEG, receive
from azulejar.app.routes.museum_moves import publish_moves
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.schemas.tiles import CutAgain, SourceName, SourceView, TileId
from azulejar.app.uploads.sources import (
    CutOut,
    cut_again,
    find_source,
    replace_upload,
    source_picture,
    view_source,
)

router = APIRouter(tags=["sources"])

OF_PROJECT = "/api/projects/{project}/tiles/{tile}"
OF_MUSEUM = "/api/museums/{museum}/tiles/{tile}"
Tile = Annotated[TileId, Path()]
Size = Annotated[int, Query(ge=64, le=3000)]
FileName = Annotated[str, Query(min_length=1, max_length=200)]
Label = Annotated[Name, Query()]


@router.get(f"{OF_PROJECT}/source")
@needs(Role.LOOK)
def get_source(
    project: ProjectId, tile: Tile, services: ServicesDep, store: StoreDep
) -> SourceView:
    """Return where in which photograph a tile was cut out."""
    return view_source(_source(services, project, store, tile))


@router.get(f"{OF_MUSEUM}/source")
@needs(Role.LOOK)
def get_museum_source(museum: ProjectId, tile: Tile, services: ServicesDep) -> SourceView:
    """Return where in which photograph a tile of a museum was cut out."""
    found = services.workspace.museum(museum)
    return view_source(find_museum_source(services.workspace, found, tile))


@router.get(f"{OF_PROJECT}/source/name")
@needs(Role.LOOK)
def get_source_name(
    project: ProjectId, tile: Tile, services: ServicesDep, store: StoreDep
) -> SourceName:
    """Return the photograph that a tile was cut from, if any, without its place in it."""
    return _name(lambda: _source(services, project, store, tile))


@router.get(f"{OF_MUSEUM}/source/name")
@needs(Role.LOOK)
def get_museum_source_name(museum: ProjectId, tile: Tile, services: ServicesDep) -> SourceName:
    """Return the photograph that a tile of a museum was cut from, if any."""
    found = services.workspace.museum(museum)
    return _name(lambda: find_museum_source(services.workspace, found, tile))


@router.get(f"{OF_PROJECT}/source/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_source_picture(
    project: ProjectId,
    tile: Tile,
    services: ServicesDep,
    store: StoreDep,
    size: Size = 1200,
    whole: bool = False,
) -> Response:
    """Return the source photograph of a tile, or the part around it."""
    return _picture(_source(services, project, store, tile), size, whole)


@router.get(f"{OF_MUSEUM}/source/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_museum_source_picture(
    museum: ProjectId, tile: Tile, services: ServicesDep, size: Size = 1200, whole: bool = False
) -> Response:
    """Return the source photograph of a museum's tile, or the part around it."""
    found = services.workspace.museum(museum)
    return _picture(find_museum_source(services.workspace, found, tile), size, whole)


@router.post(f"{OF_PROJECT}/cut")
@needs(Role.WORK)
def cut_tile_again(
    project: ProjectId,
    tile: Tile,
    new: CutAgain,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Cut a tile out of its photograph again, at other corners; undoable."""
    of_museum = museum_tile(services.workspace, project, store, tile)
    if of_museum is not None:
        museum, number = of_museum
        cut_museum_tile_again(museum.id, number, new, services, person)
        return store.state(person.name)
    cut_again(store, tile, new.corners, new.label, person.name)
    return publish_pictures(services, project, store, person.name)


@router.post(f"{OF_MUSEUM}/cut", status_code=204)
@needs(Role.WORK)
def cut_museum_tile_again(
    museum: ProjectId, tile: Tile, new: CutAgain, services: ServicesDep, person: PersonDep
) -> None:
    """Cut a museum's tile out of its photograph again, at other corners; undoable."""
    found = services.workspace.museum(museum)
    changed = cut_museum_tile(services.workspace, found, tile, new.corners, new.label, person.name)
    publish_moves(services, museum, person.name, changed)


@router.post(f"{OF_PROJECT}/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def replace_picture(
    project: ProjectId,
    tile: Tile,
    name: FileName,
    label: Label,
    request: Request,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Replace the picture of a tile; undoable."""
    of_museum = await run_in_threadpool(museum_tile, services.workspace, project, store, tile)
    if of_museum is not None:
        museum, number = of_museum
        await replace_museum_picture(museum.id, number, name, label, request, services, person)
        return await run_in_threadpool(store.state, person.name)
    take = partial(replace_upload, store, tile, label=label, who=person.name)
    await receive(request, store, "tiles", name, take)
    return await run_in_threadpool(publish_pictures, services, project, store, person.name)


@router.post(f"{OF_MUSEUM}/uploads", openapi_extra=BODY, status_code=204)
@needs(Role.WORK)
async def replace_museum_picture(
    museum: ProjectId,
    tile: Tile,
    name: FileName,
    label: Label,
    request: Request,
    services: ServicesDep,
    person: PersonDep,
) -> None:
    """Replace the picture of a museum's tile; undoable."""
    workspace = services.workspace
    found = await run_in_threadpool(workspace.museum, museum)
    desk = await run_in_threadpool(workspace.open, museum)
    take = partial(upload_museum_picture, workspace, found, tile, label=label, who=person.name)
    changed = await receive(request, desk, "tiles", name, take)
    await run_in_threadpool(publish_moves, services, museum, person.name, changed)


def publish_pictures(services: Services, project: str, store: ProjectStore, who: str) -> BoardState:
    """Publish the new picture of a tile, and return the state of the board."""
    start_atlas(store)
    services.hub.publish(project, "tiles", store.tiles())
    state = store.state(who)
    services.hub.publish(project, "board", state)
    return state


def _source(services: Services, project: str, store: ProjectStore, tile: int) -> CutOut:
    of_museum = museum_tile(services.workspace, project, store, tile)
    if of_museum is None:
        return find_source(store, tile)
    return find_museum_source(services.workspace, *of_museum)


def _name(find: Callable[[], CutOut]) -> SourceName:
    try:
        return SourceName(photo=find().photo.name)
    except NotFound as error:
        if error.code != "tile-source-unknown":
            raise
        return SourceName(photo=None)


def _picture(source: CutOut, size: int, whole: bool) -> Response:
    jpeg = source_picture(source, size, whole=whole)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(jpeg, media_type="image/jpeg", headers=headers)
