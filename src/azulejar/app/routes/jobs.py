"""Jobs: request one, follow it by events, stop it."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from starlette.responses import StreamingResponse

from azulejar.app.dependencies import PersonDep, ServicesDep, StoreDep, sender_of
from azulejar.app.http.events import encode_event, topics
from azulejar.app.people.roles import Role, needs
from azulejar.app.schemas.jobs import Job, JobRequest
from azulejar.app.schemas.messages import ProjectId

router = APIRouter(prefix="/api/projects/{project}", tags=["jobs"])

JobNumber = Annotated[int, Path(ge=0, lt=2**31)]
PATIENCE = 30.0  # seconds in which a page that has lost its connection is back
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events."}
}


@router.post("/jobs", status_code=202)
@needs(Role.WORK)
def request_job(
    project: ProjectId,
    services: ServicesDep,
    store: StoreDep,
    request: Annotated[JobRequest, Body()],
    person: PersonDep,
) -> Job:
    """Queue a job."""
    return services.queue.submit(project, request, person.name)


@router.get("/jobs")
@needs(Role.LOOK)
def list_jobs(project: ProjectId, services: ServicesDep, store: StoreDep) -> list[Job]:
    """List the latest 50 jobs, the oldest first."""
    return services.queue.jobs(project)


@router.get("/jobs/{job}")
@needs(Role.LOOK)
def get_job(project: ProjectId, job: JobNumber, services: ServicesDep, store: StoreDep) -> Job:
    """Return the state of a job."""
    return services.queue.job(project, job)


@router.post("/jobs/{job}/stop")
@needs(Role.WORK)
def stop_job(project: ProjectId, job: JobNumber, services: ServicesDep, store: StoreDep) -> Job:
    """Stop a job; a solve keeps its best assembly so far."""
    return services.queue.stop(project, job)


@router.get("/events", response_class=StreamingResponse, responses=STREAM)
@needs(Role.LOOK)
async def stream_events(
    project: ProjectId,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
    request: Request,
) -> StreamingResponse:
    """Stream changes of jobs, assemblies, board, tiles, versions and notes, and who is here.

    The stream ends with the login of who reads it, at the next heartbeat at the latest.
    """
    subscriber = services.hub.subscribe(project, person.name)
    for event, payload in services.queue.current(project):
        subscriber.put(topics(event, payload)[0], encode_event(event, payload))

    async def stream() -> AsyncIterator[bytes]:
        try:
            async for chunk in subscriber.stream():
                if sender_of(request) != person:
                    return
                yield chunk
        finally:
            services.hub.unsubscribe(project, subscriber)
            loop = asyncio.get_running_loop()
            remove = partial(services.remove_abandoned, project)
            loop.call_later(PATIENCE, loop.run_in_executor, None, remove)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)
