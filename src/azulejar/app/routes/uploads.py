"""Pictures that come in."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.events import Hub
from azulejar.app.file_checks import Kind
from azulejar.app.schemas import ProjectId, Uploaded
from azulejar.app.store import Store
from azulejar.app.uploads import MAX_BYTES, Incoming, incoming, take_in
from azulejar.errors import AzulejarError

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
    kind: Kind,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    request: Request,
    context: OpenContext,
    store: OpenStore,
) -> Uploaded:
    """Take in one picture, a zip of pictures, or tiles.csv."""
    try:
        async with incoming(store, kind, name, request.headers.get("content-length")) as file:
            async for chunk in request.stream():
                await run_in_threadpool(file.write, chunk)
            return await run_in_threadpool(_take_in, context.hub, project, store, kind, file)
    except AzulejarError:
        await _hear_out(request)
        raise


async def _hear_out(request: Request) -> None:
    """Read what is still being sent: until then, browsers do not listen to a refusal."""
    heard = 0
    with suppress(RuntimeError, ClientDisconnect):  # nothing is left, or nobody there
        async for chunk in request.stream():
            heard += len(chunk)
            if heard > MAX_BYTES:
                return


def _take_in(hub: Hub, project: str, store: Store, kind: Kind, file: Incoming) -> Uploaded:
    uploaded = take_in(store, kind, file)
    if kind == "tiles" and uploaded.taken:
        # The page sends many files, one after the other.
        hub.publish_soon(project, {"tiles": store.tiles, "board": store.state})
    return uploaded
