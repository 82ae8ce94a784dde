"""The web server of the page: its routes and middleware put together."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from azulejar.app.connections import GuardedProtocol
from azulejar.app.dependencies import Services
from azulejar.app.error_handlers import RESPONSES, UnexpectedErrors, add_handlers
from azulejar.app.events import Hub
from azulejar.app.jobs.queue import Queue
from azulejar.app.routes import board, files, jobs, projects
from azulejar.app.security import SecurityMiddleware
from azulejar.app.workspace import Workspace
from azulejar.version import __version__

SHUTDOWN = 3  # seconds that open connections get when the server stops
UPLOADS = 2  # of these, seconds that uploads get
WEB = Path(__file__).parent / "web"


def create_app(
    workspace: Workspace, *, host: str = "127.0.0.1", token: str | None = None
) -> FastAPI:
    """Return the server for a workspace; ``token``, if given, must come with every request."""
    hub = Hub()
    services = Services(workspace, hub, Queue(workspace, hub))

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(_remove_abandoned, services)
        await services.queue.start()
        try:
            yield
        finally:
            await hub.close()
            await services.queue.close()

    app = FastAPI(
        title="azulejar",
        version=__version__,
        lifespan=running,
        responses=RESPONSES,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    add_handlers(app)
    for part in (projects, files, board, jobs):
        app.include_router(part.router)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html")

    app.mount("/static", StaticFiles(directory=WEB, check_dir=False))
    app.add_middleware(UnexpectedErrors)
    app.add_middleware(SecurityMiddleware, host=host, token=token)
    return app


def _remove_abandoned(services: Services) -> None:
    """Remove what pages left that were closed while an earlier server ended."""
    for project in services.workspace.ids():
        services.remove_abandoned(project)


def run_server(app: FastAPI, listener: socket.socket) -> None:
    """Serve until Ctrl-C or a signal to terminate."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        http=GuardedProtocol,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    # uvicorn passes the signal on once it has shut down in order.
    with suppress(KeyboardInterrupt):
        _Server(config, app.state.services.hub).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that ends event streams at once and uploads soon, as uvicorn would wait for them."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._hub.close()
        asyncio.get_running_loop().call_later(UPLOADS, self._end_uploads)
        await super().shutdown(sockets)

    def _end_uploads(self) -> None:
        for each in list(self.server_state.connections):
            if isinstance(each, GuardedProtocol) and each.awaits_body:
                each.transport.close()
