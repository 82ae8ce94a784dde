"""Links to single panels: made and withdrawn by people of the server, opened by anybody.

Who has opened a link may read its panel and nothing else.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, JSONResponse, Response

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep, cookie_name
from azulejar.app.http.errors import Conflict, Unauthorized
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.atlas import SHARED, open_atlas, wait_for_page
from azulejar.app.projects.store import ProjectStore
from azulejar.app.routes.files import FOR_EVER, JPEG, Number, Stamp, TileSize, tile_picture
from azulejar.app.schemas.boards import Board
from azulejar.app.schemas.messages import ProjectId, Schema
from azulejar.app.schemas.people import LinkSecret, NewLink, SharedLink
from azulejar.app.schemas.tiles import Atlas, ProjectTile, TileId
from azulejar.errors import AzulejarError

router = APIRouter(prefix="/api", tags=["links"])

COOKIE = "azulejar-link"


class MadeLink(Schema):
    """A new link and its secret, which cannot be shown again."""

    link: SharedLink
    secret: str


class SharedPanel(Schema):
    """A panel as seen through a link; it has no name of its own where its project has no other."""

    project: str
    panel: str | None
    tiles: list[ProjectTile]
    board: Board


@router.get("/projects/{project}/links")
@needs(Role.WORK)
def list_links(project: ProjectId, store: StoreDep) -> list[SharedLink]:
    """List the active links."""
    return store.links.all()


@router.post("/projects/{project}/links", status_code=201)
@needs(Role.WORK)
def make_link(project: ProjectId, new: NewLink, store: StoreDep, person: PersonDep) -> MadeLink:
    """Create a read-only link to one panel."""
    if new.panel >= len(store.state().board.panels):
        raise Conflict(
            "panel-unknown", "There is no such panel.", "Choose another one.", panel=new.panel
        )
    link, secret = store.links.share(new.panel, new.name, person.name)
    return MadeLink(link=link, secret=f"{project}.{secret}")


@router.delete("/projects/{project}/links/{link}", status_code=204)
@needs(Role.WORK)
def withdraw_link(
    project: ProjectId,
    link: Annotated[int, Path(ge=1, lt=2**31)],
    store: StoreDep,
    person: PersonDep,
) -> None:
    """Withdraw a link, which stops working at once."""
    store.links.withdraw(link, person.name)


class _Opened:
    """A panel opened through a link."""

    def __init__(self, services: Services, secret: str) -> None:
        project, _, rest = secret.partition(".")
        try:
            self.store: ProjectStore = services.workspace.open(project)
            self.link = self.store.links.open(rest)
        except AzulejarError:  # whether there is such a project is not told
            raise Unauthorized(
                "link-withdrawn",
                "This link does not lead to a panel, or no longer does.",
                "Ask the person who sent it for a new one.",
            ) from None
        board = self.store.state().board
        self.alone = len(board.panels) == 1
        self.board = _only(board, self.link.panel)
        here = {each.tile for each in self.board.placed}
        self.tiles = [tile for tile in self.store.tiles() if tile.tile in here]

    def panel(self) -> SharedPanel:
        return SharedPanel(
            project=self.store.name,
            panel=None if self.alone else self.board.panels[0],
            tiles=[tile.model_copy(update={"note": None, "doubt": None}) for tile in self.tiles],
            board=self.board,
        )


async def get_opened(request: Request, services: ServicesDep) -> _Opened:
    """Return the panel that the link in the cookie leads to."""
    secret = request.cookies.get(cookie_name(request, COOKIE), "")
    return await run_in_threadpool(_Opened, services, secret)


OpenedDep = Annotated[_Opened, Depends(get_opened)]


@router.post("/shared", response_model=SharedPanel)
@needs(Role.NOBODY)
def open_link(given: LinkSecret, request: Request, services: ServicesDep) -> Response:
    """Open a link; the reply sets a cookie, so that the secret need not stay in the address."""
    panel = _Opened(services, given.secret).panel()
    reply = JSONResponse(panel.model_dump(), headers={"Cache-Control": "no-store"})
    reply.set_cookie(
        cookie_name(request, COOKIE),
        given.secret,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return reply


@router.get("/shared")
@needs(Role.NOBODY)
def get_shared(opened: OpenedDep) -> SharedPanel:
    """Return the panel of the opened link."""
    return opened.panel()


@router.get("/shared/atlas")
@needs(Role.NOBODY)
def get_shared_atlas(opened: OpenedDep) -> Atlas:
    """Return the layout of the atlas of the panel's tiles."""
    return open_atlas(opened.store, opened.tiles, SHARED)


@router.get("/shared/atlas/{stamp}/{size}/{page}", response_class=FileResponse, responses=JPEG)
@needs(Role.NOBODY)
def get_shared_page(stamp: Stamp, size: Number, page: Number, opened: OpenedDep) -> FileResponse:
    """Return a page of that atlas."""
    own = open_atlas(opened.store, opened.tiles, SHARED).stamp
    path = wait_for_page(opened.store, own if stamp == own else "", size, page, home=SHARED)
    return FileResponse(path, media_type="image/jpeg", headers=FOR_EVER)


@router.get("/shared/tiles/{tile}/picture", response_class=Response, responses=JPEG)
@needs(Role.NOBODY)
def get_shared_picture(
    tile: Annotated[TileId, Path()], opened: OpenedDep, request: Request, size: TileSize = 512
) -> Response:
    """Return a tile of the panel as its file shows it."""
    return tile_picture(opened.store, opened.tiles, tile, request, size)


def _only(board: Board, panel: int) -> Board:
    """Return a board with this panel only, empty if the panel is gone."""
    names = board.panels[panel : panel + 1] or [str(panel + 1)]
    return Board(
        placed=[p.model_copy(update={"panel": 0}) for p in board.placed if p.panel == panel],
        missing=[p.model_copy(update={"panel": 0}) for p in board.missing if p.panel == panel],
        outlines=[p.model_copy(update={"panel": 0}) for p in board.outlines if p.panel == panel],
        panels=names,
    )
