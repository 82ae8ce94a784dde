"""The web server of the page: its routes and middleware put together."""

import asyncio
import hashlib
import logging
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import APIRouter, Depends, FastAPI
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from azulejar.app.dependencies import Services, check_role
from azulejar.app.http.connections import GuardedProtocol, most_connections
from azulejar.app.http.error_handlers import RESPONSES, UnexpectedErrors, add_handlers
from azulejar.app.http.events import Hub
from azulejar.app.http.security import SecurityMiddleware, is_loopback
from azulejar.app.jobs.queue import Queue
from azulejar.app.people.roles import Role, needs
from azulejar.app.routes import (
    board,
    files,
    fragments,
    jobs,
    museum_moves,
    museums,
    notes,
    people,
    projects,
    references,
    shared,
    sources,
)
from azulejar.app.workspace import Workspace
from azulejar.errors import AzulejarError
from azulejar.version import __version__

SHUTDOWN = 3  # seconds that open connections get when the server stops
UPLOADS = 2  # of these, seconds that uploads get
PARTS = (
    projects,
    files,
    fragments,
    board,
    jobs,
    museums,
    museum_moves,
    notes,
    people,
    references,
    shared,
    sources,
)
WEB = Path(__file__).parent / "web"

# Shared by all servers of a process: to prepare them takes longer than most requests.
ROUTES = APIRouter(responses=RESPONSES, dependencies=[Depends(check_role)])
for _part in PARTS:
    ROUTES.include_router(_part.router)


@ROUTES.get("/", include_in_schema=False)
@needs(Role.NOBODY)
def get_page() -> HTMLResponse:
    """Send the page, with the URLs of its files stamped by a hash of their contents."""
    files = sorted(path for path in WEB.rglob("*") if path.is_file())
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
    page = (WEB / "index.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("/static/", f"/static/{stamp}/"))


class PageFiles(StaticFiles):
    """The page's files, more than a hundred, which browsers may cache: their URLs are stamped."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """Return a file that may be cached for a year."""
        response = super().file_response(*arguments, **options)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(workspace: Workspace, *, host: str = "127.0.0.1", url: str | None = None) -> FastAPI:
    """Return the server for a workspace that listens at ``host``.

    People log in if other computers reach it, by ``host`` or by a proxy at ``url``, or if there are
    accounts.
    """
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
        routes=[*ROUTES.routes],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        dependencies=ROUTES.dependencies,
    )
    app.state.services = services
    app.state.public = url is not None or not is_loopback(host)
    add_handlers(app)
    app.mount("/static/{stamp}", PageFiles(directory=WEB, check_dir=False))
    app.add_middleware(UnexpectedErrors)
    app.add_middleware(SecurityMiddleware, host=host, url=url)
    return app


def _remove_abandoned(services: Services) -> None:
    """Remove what pages left that were closed while an earlier server ended."""
    for project in services.workspace.ids():
        services.remove_abandoned(project)


def load_certificate(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """Return the TLS context; the key may be in the certificate file."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ssl.SSLError) as error:
        raise AzulejarError(
            "certificate-unusable",
            "The certificate {path} cannot be used: {reason}.",
            "Give certificate and key as PEM files that belong together, without a password.",
            path=str(certificate),
            reason=error.strerror or str(error),
        ) from error
    return context


def run_server(
    app: FastAPI, listener: socket.socket, encryption: ssl.SSLContext | None = None
) -> None:
    """Serve until Ctrl-C or a signal to terminate."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        http=GuardedProtocol,
        # Accepted at a time, before any is refused: a burst must not take all descriptors.
        backlog=most_connections() // 8,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    if encryption is not None:
        config.load()
        config.ssl = encryption
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
