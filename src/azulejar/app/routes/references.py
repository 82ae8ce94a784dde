"""Old pictures of panels: given, and shown; corners and removal are edits of the board."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep
from azulejar.app.museum.tables import without_touching
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.store import ProjectStore
from azulejar.app.routes.files import BODY, JPEG, TileSize, draining, receive
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.uploads.incoming import IncomingFile
from azulejar.app.uploads.references import (
    check_reference_name,
    reference_picture,
    take_reference,
)

router = APIRouter(prefix="/api/projects/{project}/references", tags=["references"])


@router.post("/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def add_reference(
    project: ProjectId,
    panel: Annotated[int, Query(ge=0, lt=10_000)],
    name: Annotated[str, Query(min_length=1, max_length=200)],
    label: Annotated[Name, Query()],
    request: Request,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Give a panel an old photograph, drawing or engraving of it; undoable."""
    take = partial(_take, services, project, store, panel, label, person.name)
    async with draining(request):
        check_reference_name(name)
        return await receive(request, store, "panel", name, take)


def _take(
    services: Services,
    project: str,
    store: ProjectStore,
    panel: int,
    label: str,
    who: str,
    file: IncomingFile,
) -> BoardState:
    with without_touching(services.workspace, project, store):
        state = take_reference(store, panel, file, label, who)
    services.hub.publish(project, "board", state)
    return state


@router.get("/{name}/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_reference_picture(
    project: ProjectId,
    name: Annotated[str, Path(min_length=1, max_length=220)],
    store: StoreDep,
    size: TileSize = 1600,
) -> Response:
    """Return an old picture, at most ``size`` pixels large."""
    headers = {"Cache-Control": "private, max-age=600"}
    jpeg = reference_picture(store, name, size)
    return Response(jpeg, media_type="image/jpeg", headers=headers)
