"""The board by hand: edits and undo, history, versions, confidence and candidates."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from azulejar.app import judging
from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep
from azulejar.app.museum.moves import edit_from_table, remove_from_table
from azulejar.app.museum.replaying import replay_move
from azulejar.app.museum.tables import without_touching
from azulejar.app.people.roles import Role, needs
from azulejar.app.projects.store import ProjectStore
from azulejar.app.routes.museum_moves import publish_moves
from azulejar.app.schemas.boards import (
    BoardState,
    Candidates,
    Confidence,
    Coordinate,
    Edit,
    NewVersion,
    PanelPlace,
    Revision,
    Version,
    VersionBoard,
)
from azulejar.app.schemas.messages import ProjectId
from azulejar.app.schemas.people import HistoryEntry
from azulejar.app.schemas.tiles import TileChange
from azulejar.app.uploads.imported import list_fragments, replay_join

router = APIRouter(prefix="/api/projects/{project}", tags=["board"])

VersionNumber = Annotated[int, Path(ge=1, lt=2**31)]


@router.post("/edits")
@needs(Role.WORK)
def edit_board(
    project: ProjectId, edit: Edit, services: ServicesDep, store: StoreDep, person: PersonDep
) -> BoardState:
    """Apply an edit as a whole, or not at all.

    Tiles that are removed from the table of a museum's panel are removed from the museum too.
    """
    museum = services.workspace.museum_of(project) if edit.remove else None
    if museum is not None:
        found = services.workspace.museum(museum)
        changed = remove_from_table(services.workspace, found, project, edit, person.name)
        publish_moves(services, museum, person.name, changed)
        return changed[0][1]
    if not edit.only_references:
        return _publish(services, project, store, store.edit(edit, person.name))
    with without_touching(services.workspace, project, store):
        state = store.edit(edit, person.name)
    return _publish(services, project, store, state)


@router.post("/undo")
@needs(Role.WORK)
def undo(
    project: ProjectId,
    expected: Revision,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Undo one's own latest action."""
    return _replay(services, project, store, expected.revision, person.name, undone=True)


@router.post("/redo")
@needs(Role.WORK)
def redo(
    project: ProjectId,
    expected: Revision,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Redo the action that one undid last."""
    return _replay(services, project, store, expected.revision, person.name, undone=False)


@router.get("/versions")
@needs(Role.LOOK)
def list_versions(project: ProjectId, store: StoreDep) -> list[Version]:
    """List all versions, the oldest first."""
    return store.versions()


@router.post("/versions", status_code=201)
@needs(Role.WORK)
def keep_version(
    project: ProjectId,
    new: NewVersion,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> Version:
    """Save the present board under a name."""
    version = store.keep_version(new.name, who=person.name)
    services.hub.publish(project, "versions", store.versions())
    return version


@router.get("/versions/{version}")
@needs(Role.LOOK)
def get_version(project: ProjectId, version: VersionNumber, store: StoreDep) -> VersionBoard:
    """Return a version with its board."""
    return store.version(version)


@router.patch("/versions/{version}")
@needs(Role.WORK)
def name_version(
    project: ProjectId,
    version: VersionNumber,
    new: NewVersion,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> Version:
    """Rename a version."""
    named = store.name_version(version, new.name, person.name)
    services.hub.publish(project, "versions", store.versions())
    return named


@router.post("/versions/{version}/restore")
@needs(Role.WORK)
def restore_version(
    project: ProjectId,
    version: VersionNumber,
    expected: Revision,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Return to a version; this can be undone."""
    state = store.restore(version, expected.revision, person.name)
    return _publish(services, project, store, state)


@router.patch("/tiles")
@needs(Role.WORK)
def change_tiles(
    project: ProjectId,
    change: TileChange,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> BoardState:
    """Change fields of tiles, as one action that can be undone.

    What is on record of a museum's tiles is changed in the museum too.
    """
    museum = services.workspace.museum_of(project)
    if museum is not None:
        found = services.workspace.museum(museum)
        changed = edit_from_table(services.workspace, found, project, change, person.name)
        if changed:
            publish_moves(services, museum, person.name, changed)
            return dict(changed)[project]
    return _publish(services, project, store, store.change_tiles(change, person.name))


@router.get("/history")
@needs(Role.LOOK)
def list_history(
    project: ProjectId, store: StoreDep, before: Annotated[int | None, Query(ge=1)] = None
) -> list[HistoryEntry]:
    """List who did what and when, the newest first; ``before`` an entry for earlier ones."""
    return store.history(before)


@router.get("/confidence")
@needs(Role.LOOK)
def get_confidence(project: ProjectId, store: StoreDep) -> Confidence:
    """Return how likely each tile and each joint of the present board is correct."""
    return judging.board_confidence(store)


@router.get("/candidates")
@needs(Role.LOOK)
def get_candidates(
    project: ProjectId,
    store: StoreDep,
    panel: Annotated[int, Query(ge=0, lt=10_000)],
    row: Annotated[Coordinate, Query()],
    col: Annotated[Coordinate, Query()],
    everything: bool = False,
    top: Annotated[int, Query(ge=1, le=200)] = 12,
) -> Candidates:
    """Return the tiles that would fit a hole, or the place of a tile, best first."""
    place = PanelPlace(panel=panel, row=row, col=col)
    return judging.find_candidates(store, place, everything, top)


def _replay(
    services: Services, project: str, store: ProjectStore, revision: int, who: str, *, undone: bool
) -> BoardState:
    """Undo or redo an action; one that is part of a move of the museum, with all of that move."""
    move = store.move_of(who, undone=not undone)
    museum = services.workspace.museum_of(project) if move is not None else None
    if move is None or museum is None:
        said = store.join_of(who, undone=not undone)
        state = (store.undo if undone else store.redo)(revision, who)
        if said is not None:
            replay_join(store, *said)
            services.hub.publish(project, "fragments", list_fragments(store))
        return _publish(services, project, store, state)
    store.check_revision(revision)
    found = services.workspace.museum(museum)
    changed = replay_move(services.workspace, found, move, undone=undone)
    publish_moves(services, museum, who, changed)
    return dict(changed).get(project) or store.state(who)


def _publish(
    services: Services, project: str, store: ProjectStore, state: BoardState
) -> BoardState:
    """Publish a change to all pages and return it."""
    if state.tiles_changed:
        services.hub.publish(project, "tiles", store.tiles())
    services.hub.publish(project, "board", state)
    return state
