"""The server: wiring only."""

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from azulejar.app.context import Context
from azulejar.app.events import Hub
from azulejar.app.jobs.queue import Queue
from azulejar.app.problems import RESPONSES, Mistakes, add_handlers
from azulejar.app.routes import (
    board,
    events,
    exports,
    insight,
    jobs,
    pictures,
    projects,
    uploads,
    versions,
)
from azulejar.app.security import Guard
from azulejar.app.workspace import Workspace
from azulejar.version import __version__

PARTS = (projects, uploads, board, versions, jobs, events, pictures, insight, exports)
GOODBYE = 3  # seconds that open connections get when the server stops
WEB = Path(__file__).parent / "web"


def create_app(
    workspace: Workspace, *, host: str = "127.0.0.1", token: str | None = None
) -> FastAPI:
    """The server for the projects of a workspace; ``token`` must come with every request."""
    hub = Hub()
    context = Context(workspace, hub, Queue(workspace, hub))

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        await context.queue.start()
        try:
            yield
        finally:
            await hub.close()
            await context.queue.close()

    app = FastAPI(
        title="azulejar",
        version=__version__,
        lifespan=running,
        responses=RESPONSES,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.context = context
    add_handlers(app)
    for part in PARTS:
        app.include_router(part.router)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html")

    app.mount("/static", StaticFiles(directory=WEB, check_dir=False))
    app.add_middleware(Mistakes)
    app.add_middleware(Guard, host=host, token=token)
    return app


def run(app: FastAPI, listener: socket.socket) -> None:
    """Serve until Ctrl-C or the system's wish to end."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=GOODBYE,
    )
    # uvicorn passes the signal on once it has shut down in order.
    with suppress(KeyboardInterrupt):
        _Server(config, app.state.context.hub).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends event streams first: uvicorn would wait for them."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._hub.close()
        await super().shutdown(sockets)
