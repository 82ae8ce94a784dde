"""The server: wiring only."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from azulejar.app.context import Context
from azulejar.app.problems import RESPONSES, Mistakes, add_handlers
from azulejar.app.routes import board, projects, uploads, versions
from azulejar.app.security import Guard
from azulejar.app.workspace import Workspace
from azulejar.version import __version__

WEB = Path(__file__).parent / "web"


def create_app(
    workspace: Workspace, *, host: str = "127.0.0.1", token: str | None = None
) -> FastAPI:
    """The server for the projects of a workspace; ``token`` must come with every request."""
    context = _context(workspace)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        await context.queue.start()
        try:
            yield
        finally:
            await context.hub.close()
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
    for routes in (projects, board, versions, uploads, *_routes_of_jobs()):
        app.include_router(routes.router)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html")

    app.mount("/static", StaticFiles(directory=WEB, check_dir=False))
    app.add_middleware(Mistakes)
    app.add_middleware(Guard, host=host, token=token)
    return app


def _routes_of_jobs():
    from importlib import import_module

    found = []
    for name in ("jobs", "events", "pictures", "insight", "exports"):
        try:
            found.append(import_module(f"azulejar.app.routes.{name}"))
        except ImportError as error:
            print(f"(not there yet: {error})")
    return found


def _context(workspace):
    try:
        from azulejar.app.events import Hub
        from azulejar.app.jobs.queue import Queue

        hub = Hub()
        return Context(workspace, hub, Queue(workspace, hub))
    except ImportError as error:
        print(f"(not there yet: {error})")
        from azulejar.app.refusals import Unready

        class Nobody:
            def publish(self, *_):
                pass

            async def start(self):
                pass

            async def close(self):
                pass

            def submit(self, project, wish):
                raise Unready("No jobs yet.", "Wait.")

        return Context(workspace, Nobody(), Nobody())
