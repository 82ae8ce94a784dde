"""Fragments of broken tiles: look at their joins, accept or refuse them, take that back."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import FileResponse

from azulejar.app.dependencies import PersonDep, ServicesDep, StoreDep
from azulejar.app.people.roles import Role, needs
from azulejar.app.routes.files import Responses
from azulejar.app.routes.sources import publish_pictures
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.schemas.tiles import Fragments, JoinVerdict
from azulejar.app.uploads.imported import decide, fragment_picture, list_fragments

router = APIRouter(prefix="/api/projects/{project}/fragments", tags=["fragments"])

PNG: Responses = {200: {"content": {"image/png": {}}, "description": "A picture."}}
JoinName = Annotated[Name, Path()]


@router.get("")
@needs(Role.LOOK)
def get_fragments(project: ProjectId, store: StoreDep) -> Fragments:
    """Return the fragments of a project, and how they are joined."""
    return list_fragments(store)


@router.get("/{name}/picture", response_class=FileResponse, responses=PNG)
@needs(Role.LOOK)
def get_fragment_picture(project: ProjectId, name: JoinName, store: StoreDep) -> FileResponse:
    """Return the picture of a fragment, or of a join, transparent around it."""
    headers = {"Cache-Control": "private, no-cache"}
    path = fragment_picture(store, name)
    return FileResponse(path, media_type="image/png", headers=headers)


@router.put("/{name}")
@needs(Role.WORK)
def decide_fragments(
    project: ProjectId,
    name: JoinName,
    said: JoinVerdict,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> Fragments:
    """Say whether a join is right, or take that back; its tile comes into the tray or leaves."""
    decide(store, name, said.verdict, said.label, person.name)
    publish_pictures(services, project, store, person.name)
    found = list_fragments(store)
    services.hub.publish(project, "fragments", found)
    return found
