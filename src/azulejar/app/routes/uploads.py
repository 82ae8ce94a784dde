"""Pictures that come in."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.schemas import ProjectId, Uploaded
from azulejar.app.uploads import incoming, take_in

router = APIRouter(prefix="/api/projects/{project}")


@router.post(
    "/uploads",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
async def upload(
    project: ProjectId,
    kind: Literal["tiles", "photographs", "panel"],
    name: Annotated[str, Query(min_length=1, max_length=200)],
    request: Request,
    context: OpenContext,
    store: OpenStore,
) -> Uploaded:
    """Take in one picture, a zip of pictures, or tiles.csv."""
    before = store.state().revision
    async with incoming(store, kind, name, request.headers.get("content-length")) as file:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)
        uploaded = await run_in_threadpool(take_in, store, kind, file)
    state = store.state()
    if state.revision != before or uploaded.taken:
        context.hub.publish(project, "tiles", store.tiles())
        context.hub.publish(project, "board", state)
    return uploaded
