"""What the calls share: the folder of projects, who watches them, and the queue of jobs."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from azulejar.app.events import Hub
from azulejar.app.jobs.queue import Queue
from azulejar.app.schemas import ProjectId
from azulejar.app.store import Store
from azulejar.app.workspace import Workspace


@dataclass(frozen=True)
class Context:
    """One a server."""

    workspace: Workspace
    hub: Hub
    queue: Queue


async def open_context(request: Request) -> Context:
    """The server's context."""
    return request.app.state.context


OpenContext = Annotated[Context, Depends(open_context)]


async def open_store(project: ProjectId, context: OpenContext) -> Store:
    """The project that the path names; only one that is not open yet takes a thread."""
    store = context.workspace.opened(project)
    if store is None:
        store = await run_in_threadpool(context.workspace.open, project)
    return store


OpenStore = Annotated[Store, Depends(open_store)]
