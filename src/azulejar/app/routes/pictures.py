"""Pictures: atlases of all tiles, and single tiles."""

from io import BytesIO
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from PIL import Image
from starlette.responses import FileResponse, Response

from azulejar.app.atlas import QUALITY, atlas_of, page_of
from azulejar.app.context import OpenStore
from azulejar.app.refusals import NotFound
from azulejar.app.schemas import Atlas, ProjectId, TileId
from azulejar.imaging.picture import picture_size, read_tile

router = APIRouter(prefix="/api/projects/{project}", tags=["pictures"])

Stamp = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Number = Annotated[int, Path(ge=0, lt=100_000)]
JPEG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/jpeg": {}}, "description": "A picture."}
}
FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}


@router.get("/atlas")
def atlas(project: ProjectId, store: OpenStore) -> Atlas:
    """How the atlas of the project's tiles is laid out."""
    return atlas_of(store)


@router.get("/atlas/{stamp}/{size}/{page}", response_class=FileResponse, responses=JPEG)
def atlas_page(
    project: ProjectId, stamp: Stamp, size: Number, page: Number, store: OpenStore
) -> FileResponse:
    """A page of the atlas, which never changes; it is waited for while it is made."""
    path = page_of(store, stamp, size, page)
    return FileResponse(path, media_type="image/jpeg", headers=FOR_EVER)


@router.get("/tiles/{tile}/picture", response_class=Response, responses=JPEG)
def picture(
    project: ProjectId,
    tile: Annotated[TileId, Path()],
    store: OpenStore,
    request: Request,
    size: Annotated[int, Query(ge=16, le=2048)] = 512,
) -> Response:
    """A tile as its file shows it, no larger than the file is."""
    found = next((each for each in store.tiles() if each.tile == tile), None)
    if found is None:
        raise NotFound("There is no such tile.", "Load the project again.")
    path = store.folder / "tiles" / found.file
    if not path.is_file():
        raise NotFound(f"The picture {found.file} is gone.", "Put it back into the folder tiles.")
    about = path.stat()
    headers = {
        "Cache-Control": "private, no-cache",
        "ETag": f'"{about.st_mtime_ns:x}-{about.st_size:x}-{size}"',
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    shown = read_tile(path, min(size, *picture_size(path)))
    jpeg = BytesIO()
    Image.fromarray(shown).save(jpeg, "JPEG", quality=QUALITY)
    return Response(jpeg.getvalue(), media_type="image/jpeg", headers=headers)
