"""Boards that are kept."""

from typing import Annotated

from fastapi import APIRouter, Path

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.schemas import (
    BoardState,
    NewVersion,
    ProjectId,
    Revision,
    Version,
    VersionBoard,
)

router = APIRouter(prefix="/api/projects/{project}/versions")
VersionNumber = Annotated[int, Path(ge=1, lt=2**31)]


@router.get("")
def list_versions(project: ProjectId, store: OpenStore) -> list[Version]:
    """All versions, the oldest first."""
    return store.versions()


@router.post("", status_code=201)
def keep_version(
    project: ProjectId, new: NewVersion, context: OpenContext, store: OpenStore
) -> Version:
    """Keep the board as it lies under a name."""
    version = store.keep_version(new.name)
    context.hub.publish(project, "versions", store.versions())
    return version


@router.get("/{version}")
def get_version(project: ProjectId, version: VersionNumber, store: OpenStore) -> VersionBoard:
    """A version with its board."""
    return store.version(version)


@router.patch("/{version}")
def name_version(
    project: ProjectId,
    version: VersionNumber,
    new: NewVersion,
    context: OpenContext,
    store: OpenStore,
) -> Version:
    """Give a version another name."""
    named = store.name_version(version, new.name)
    context.hub.publish(project, "versions", store.versions())
    return named


@router.post("/{version}/restore")
def restore_version(
    project: ProjectId,
    version: VersionNumber,
    meant: Revision,
    context: OpenContext,
    store: OpenStore,
) -> BoardState:
    """Go back to a version; this can be undone."""
    state = store.restore(version, meant.revision)
    context.hub.publish(project, "board", state)
    return state
