"""A tile in its source photograph: view, cut again, replace the picture."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.atlas import start_atlas
from azulejar.app.projects.store import ProjectStore
from azulejar.app.routes.files import BODY, JPEG, receive
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.schemas.tiles import CutAgain, SourceView, TileId
from azulejar.app.uploads.sources import cut_again, replace_upload, source_picture, view_source

router = APIRouter(prefix="/api/projects/{project}/tiles/{tile}", tags=["sources"])

Tile = Annotated[TileId, Path()]


@router.get("/source")
@needs(Role.LOOK)
def get_source(project: ProjectId, tile: Tile, store: StoreDep) -> SourceView:
    """Return where in which photograph a tile was cut out."""
    return view_source(store, tile)


@router.get("/source/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_source_picture(
    project: ProjectId,
    tile: Tile,
    store: StoreDep,
    size: Annotated[int, Query(ge=64, le=3000)] = 1200,
    whole: bool = False,
) -> Response:
    """Return the source photograph of a tile, or the part around it."""
    jpeg = source_picture(store, tile, size, whole=whole)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(jpeg, media_type="image/jpeg", headers=headers)


@router.post("/cut")
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
    cut_again(store, tile, new.corners, new.label, person.name)
    return publish_pictures(services, project, store, person.name)


@router.post("/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def replace_picture(
    project: ProjectId,
    tile: Tile,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    label: Annotated[Name, Query()],
    request: Request,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Replace the picture of a tile; undoable."""
    take = partial(replace_upload, store, tile, label=label, who=person.name)
    await receive(request, store, "tiles", name, take)
    return await run_in_threadpool(publish_pictures, services, project, store, person.name)


def publish_pictures(services: Services, project: str, store: ProjectStore, who: str) -> BoardState:
    """Publish the new picture of a tile, and return the state of the board."""
    start_atlas(store)
    services.hub.publish(project, "tiles", store.tiles())
    state = store.state(who)
    services.hub.publish(project, "board", state)
    return state
