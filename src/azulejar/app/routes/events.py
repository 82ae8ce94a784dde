"""Events: what happens in a project, as it happens."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.events import encoded, matters
from azulejar.app.schemas import ProjectId

router = APIRouter(prefix="/api/projects/{project}", tags=["events"])

STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events."}
}


@router.get("/events", response_class=StreamingResponse, responses=STREAM)
async def events(project: ProjectId, context: OpenContext, store: OpenStore) -> StreamingResponse:
    """Job, live, board, tiles and versions, each as the schemas of these names have it."""
    watcher = context.hub.watch(project)
    for event, payload in context.queue.now(project):
        watcher.put(matters(event, payload)[0], encoded(event, payload))

    async def stream() -> AsyncIterator[bytes]:
        try:
            async for chunk in watcher.stream():
                yield chunk
        finally:
            context.hub.leave(project, watcher)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)
