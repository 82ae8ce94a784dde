"""Files: uploads, pictures of tiles, and exports to download."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, Response

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep
from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.http.events import Hub
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.atlas import open_atlas, wait_for_page
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.messages import Name, ProjectId
from azulejar.app.schemas.projects import Uploaded
from azulejar.app.schemas.tiles import Atlas, ProjectTile, TileId
from azulejar.app.uploads.checks import Kind
from azulejar.app.uploads.incoming import MAX_BYTES, IncomingFile, accept_upload, receive_upload
from azulejar.app.uploads.showing import decode, to_jpeg
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture, picture_size, read_tile

router = APIRouter(prefix="/api/projects/{project}", tags=["files"])

Stamp = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Number = Annotated[int, Path(ge=0, lt=100_000)]
Responses = dict[int | str, dict[str, Any]]
JPEG: Responses = {200: {"content": {"image/jpeg": {}}, "description": "A picture."}}
FILE: Responses = {200: {"content": {"application/octet-stream": {}}, "description": "The file."}}
BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
TileSize = Annotated[int, Query(ge=16, le=2048)]
FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
T = TypeVar("T")


@router.post("/uploads", openapi_extra=BODY)
@needs(Role.WORK)
async def upload_file(
    project: ProjectId,
    kind: Kind,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    request: Request,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> Uploaded:
    """Accept one picture, a zip of pictures, or tiles.csv."""
    async with draining(request):
        await run_in_threadpool(_refuse_tables, services, project)
    accept = partial(_accept, services.hub, project, store, kind, person.name)
    return await receive(request, store, kind, name, accept)


async def receive(
    request: Request, store: ProjectStore, kind: Kind, name: str, take: Callable[[IncomingFile], T]
) -> T:
    """Receive the body of a request as a file, and return what ``take`` makes of it."""
    announced = request.headers.get("content-length")
    async with draining(request), receive_upload(store, kind, name, announced) as file:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)
        return await run_in_threadpool(take, file)


@asynccontextmanager
async def draining(request: Request) -> AsyncIterator[None]:
    """Read the rest of a body that is refused: until then, browsers do not read the reply."""
    try:
        yield
    except AzulejarError:
        read = 0
        with suppress(RuntimeError, ClientDisconnect):  # nothing is left, or the page is closed
            async for chunk in request.stream():
                read += len(chunk)
                if read > MAX_BYTES:
                    break
        raise


def _refuse_tables(services: Services, project: str) -> None:
    """Refuse uploads to a museum's tables, since all their tiles must be in the catalogue."""
    if services.workspace.museum_of(project) is not None:
        raise Conflict(
            "upload-to-table",
            "This is the table of a panel of a museum, whose tiles come from its crates.",
            "Add the files to the museum, under Crates.",
        )


def _accept(
    hub: Hub, project: str, store: ProjectStore, kind: Kind, who: str, file: IncomingFile
) -> Uploaded:
    uploaded = accept_upload(store, kind, file, who)
    if kind == "tiles" and uploaded.taken:
        # The page sends many files, one after the other.
        hub.publish_soon(project, {"tiles": store.tiles, "board": partial(store.state, who)})
    return uploaded


@router.get("/atlas")
@needs(Role.LOOK)
def get_atlas(project: ProjectId, store: StoreDep) -> Atlas:
    """Return the layout of the atlas of all tiles."""
    return open_atlas(store)


@router.get("/atlas/{stamp}/{size}/{page}", response_class=FileResponse, responses=JPEG)
@needs(Role.LOOK)
def get_atlas_page(
    project: ProjectId, stamp: Stamp, size: Number, page: Number, store: StoreDep
) -> FileResponse:
    """Return a page of the atlas, which never changes; wait while it is being made."""
    path = wait_for_page(store, stamp, size, page)
    return FileResponse(path, media_type="image/jpeg", headers=FOR_EVER)


@router.get("/tiles/{tile}/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_tile_picture(
    project: ProjectId,
    tile: Annotated[TileId, Path()],
    store: StoreDep,
    request: Request,
    size: TileSize = 512,
) -> Response:
    """Return a tile as its file shows it, never enlarged."""
    return tile_picture(store, store.tiles(), tile, request, size)


def tile_picture(
    store: ProjectStore, tiles: Sequence[ProjectTile], tile: int, request: Request, size: int
) -> Response:
    """Return the picture of a tile, or 304 if the page has it."""
    found = next((each for each in tiles if each.tile == tile), None)
    if found is None:
        raise NotFound("tile-unknown", "There is no such tile.", "Load the project again.")
    path = store.folder / "tiles" / found.file
    if not path.is_file():
        raise NotFound(
            "tile-picture-gone",
            "The picture {file} is gone from the project's folder.",
            "Put it back into the folder tiles.",
            file=found.file,
        )
    about = path.stat()
    headers = {
        "Cache-Control": "private, no-cache",
        "ETag": f'"{about.st_mtime_ns:x}-{about.st_size:x}-{size}"',
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    shown = read_tile(path, min(size, *picture_size(path)))
    return Response(to_jpeg(shown), media_type="image/jpeg", headers=headers)


@router.get("/panel/{name}/picture", response_class=Response, responses=JPEG)
@needs(Role.LOOK)
def get_panel_photograph(
    project: ProjectId, name: Annotated[Name, Path()], store: StoreDep, size: TileSize = 1600
) -> Response:
    """Return an uploaded photograph of a panel, at most ``size`` pixels large."""
    for path in (store.folder / "panel").iterdir():
        if path.name == name and is_picture(path):
            headers = {"Cache-Control": "private, max-age=600"}
            shown = to_jpeg(decode(path), size)
            return Response(shown, media_type="image/jpeg", headers=headers)
    raise NotFound("photograph-unknown", "There is no such photograph.", "Add it again.")


@router.get("/exports/{name}", response_class=FileResponse, responses=FILE)
@needs(Role.LOOK)
def download_export(
    project: ProjectId,
    name: Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]{0,100}$")],
    store: StoreDep,
) -> FileResponse:
    """Return the file that an export job has written, as an attachment."""
    for path in (store.folder / "exports").iterdir():
        if path.name == name and path.is_file():
            headers = {"Cache-Control": "private, no-store"}
            return FileResponse(
                path, media_type="application/octet-stream", filename=name, headers=headers
            )
    raise NotFound("export-unknown", "There is no such file.", "Export it again.")
