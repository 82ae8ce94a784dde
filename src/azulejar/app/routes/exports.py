"""Exports: files to download."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.responses import FileResponse

from azulejar.app.context import OpenStore
from azulejar.app.refusals import NotFound
from azulejar.app.schemas import ProjectId

router = APIRouter(prefix="/api/projects/{project}", tags=["exports"])

FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {}}, "description": "The file."}
}


@router.get("/exports/{name}", response_class=FileResponse, responses=FILE)
def export(
    project: ProjectId,
    name: Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]{0,100}$")],
    store: OpenStore,
) -> FileResponse:
    """What an export job has written, as an attachment."""
    for path in (store.folder / "exports").iterdir():
        if path.name == name and path.is_file():
            headers = {"Cache-Control": "private, no-store"}
            return FileResponse(
                path, media_type="application/octet-stream", filename=name, headers=headers
            )
    raise NotFound("There is no such file.", "Export it again.")
