"""Jobs: wish for one, look at it, stop it."""

from typing import Annotated

from fastapi import APIRouter, Body, Path

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.schemas import Job, ProjectId, Wish

router = APIRouter(prefix="/api/projects/{project}", tags=["jobs"])

JobNumber = Annotated[int, Path(ge=0, lt=2**31)]


@router.post("/jobs", status_code=202)
def wish(
    project: ProjectId, context: OpenContext, store: OpenStore, wish: Annotated[Wish, Body()]
) -> Job:
    """Queue a job."""
    return context.queue.submit(project, wish)


@router.get("/jobs")
def jobs(project: ProjectId, context: OpenContext, store: OpenStore) -> list[Job]:
    """The latest 50, the oldest of them first."""
    return context.queue.jobs(project)


@router.get("/jobs/{job}")
def one(project: ProjectId, job: JobNumber, context: OpenContext, store: OpenStore) -> Job:
    """How far a job is."""
    return context.queue.job(project, job)


@router.post("/jobs/{job}/stop")
def stop(project: ProjectId, job: JobNumber, context: OpenContext, store: OpenStore) -> Job:
    """End a job; a solve keeps its best so far."""
    return context.queue.stop(project, job)
