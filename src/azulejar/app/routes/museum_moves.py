"""Changes of a museum by hand: tiles moved, edited, removed and restored, and patterns named."""

from fastapi import APIRouter

from azulejar.app.dependencies import PersonDep, Services, ServicesDep
from azulejar.app.http.errors import NotFound
from azulejar.app.museum.moves import (
    Changed,
    edit_tiles,
    label_of,
    make_move,
    name_pattern,
    remove_from_museum,
    restore_to_museum,
    split_panel,
)
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.replaying import replay_move
from azulejar.app.museum.tables import panel_of
from azulejar.app.people.roles import Person, Role, needs
from azulejar.app.projects.history import nothing_left
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas import museums as schemas
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.messages import ProjectId
from azulejar.app.schemas.tiles import CatalogueChange

router = APIRouter(prefix="/api/museums", tags=["museums"])


@router.patch("/{museum}/tiles", status_code=204)
@needs(Role.WORK)
def edit_records(
    museum: ProjectId, change: CatalogueChange, services: ServicesDep, person: PersonDep
) -> None:
    """Edit fields of tiles; reading ``tiles.csv`` again keeps the edits."""
    found = services.workspace.museum(museum)
    changed = edit_tiles(services.workspace, found, change, person.name)
    publish_moves(services, museum, person.name, changed)


@router.post("/{museum}/moves", status_code=204)
@needs(Role.WORK)
def move_to_panel(
    museum: ProjectId, move: schemas.Move, services: ServicesDep, person: PersonDep
) -> None:
    """Move tiles to a panel, creating it if necessary; later sorts keep them there."""
    found = services.workspace.museum(museum)
    names = {group.name.casefold() for group in (found.sort.groups if found.sort else ())}
    key = "museum.edit.move" if move.to.casefold() in names else "museum.edit.split"
    label = label_of(key, count=len(set(move.tiles)), panel=move.to)
    changed = make_move(services.workspace, found, move.tiles, move.to, label, person.name)
    publish_moves(services, museum, person.name, changed)


@router.post("/{museum}/removals", status_code=204)
@needs(Role.WORK)
def remove_tiles(
    museum: ProjectId, removal: schemas.Removal, services: ServicesDep, person: PersonDep
) -> None:
    """Remove tiles, or merge one with another; no job sees them until they are restored."""
    found = services.workspace.museum(museum)
    changed = remove_from_museum(
        services.workspace, found, removal.tiles, person.name, removal.kept
    )
    publish_moves(services, museum, person.name, changed)


@router.post("/{museum}/restorings", status_code=204)
@needs(Role.WORK)
def restore_tiles(
    museum: ProjectId, restoring: schemas.Restoring, services: ServicesDep, person: PersonDep
) -> None:
    """Restore removed tiles, also on the tables of their panels."""
    found = services.workspace.museum(museum)
    changed = restore_to_museum(services.workspace, found, restoring.tiles, person.name)
    publish_moves(services, museum, person.name, changed)


@router.post("/{museum}/unions", status_code=204)
@needs(Role.WORK)
def unite_panels(
    museum: ProjectId, union: schemas.Union, services: ServicesDep, person: PersonDep
) -> None:
    """Merge two panels."""
    found = services.workspace.museum(museum)
    found.group(union.to)
    tiles = found.group(union.panel).tiles
    label = label_of("museum.edit.unite", panel=union.panel, to=union.to)
    changed = make_move(services.workspace, found, tiles, union.to, label, person.name)
    publish_moves(services, museum, person.name, changed)


@router.post("/{museum}/splits")
@needs(Role.WORK)
def split_in_two(
    museum: ProjectId, table: schemas.OpenedPanel, services: ServicesDep, person: PersonDep
) -> schemas.PanelName:
    """Split off the suspected second panel of an open panel; return the name of the new one."""
    found, store = table_of(services, museum, table.project)
    name, changed = split_panel(services.workspace, found, panel_of(store), person.name)
    publish_moves(services, museum, person.name, changed)
    return schemas.PanelName(panel=name)


@router.post("/{museum}/pattern-names", status_code=204)
@needs(Role.WORK)
def give_pattern_name(
    museum: ProjectId, naming: schemas.PatternName, services: ServicesDep, person: PersonDep
) -> None:
    """Give a pattern the museum's code or another name; the next searches keep it."""
    found = services.workspace.museum(museum)
    name_pattern(services.workspace, found, naming.pattern, naming.name.strip(), person.name)
    publish_moves(services, museum, person.name, [])


@router.post("/{museum}/undo", status_code=204)
@needs(Role.WORK)
def undo_move(museum: ProjectId, services: ServicesDep, person: PersonDep) -> None:
    """Undo one's own latest move or edit."""
    _replay(services, museum, person, undone=True)


@router.post("/{museum}/redo", status_code=204)
@needs(Role.WORK)
def redo_move(museum: ProjectId, services: ServicesDep, person: PersonDep) -> None:
    """Redo the move or edit that one undid last."""
    _replay(services, museum, person, undone=False)


@router.post("/{museum}/gifts")
@needs(Role.WORK)
def give_to_hole(
    museum: ProjectId, gift: schemas.Gift, services: ServicesDep, person: PersonDep
) -> BoardState:
    """Place a tile of the museum in an open panel; later sorts keep it there."""
    found, store = table_of(services, museum, gift.project)
    panel, number = panel_of(store), found.listed(gift.tile).inventory
    label = label_of("museum.edit.gift", number=number, panel=panel)
    changed = make_move(
        services.workspace, found, [gift.tile], panel, label, person.name, gift=gift
    )
    publish_moves(services, museum, person.name, changed)
    return changed[0][1]


def table_of(services: Services, museum: str, project: str) -> tuple[Museum, ProjectStore]:
    """Return a museum and the project of one of its tables."""
    found = services.workspace.museum(museum)
    if project == museum or services.workspace.museum_of(project) != museum:
        raise NotFound(
            "museum-table-unknown", "This museum has no such table.", "Load the page again."
        )
    return found, services.workspace.open(project)


def publish_moves(services: Services, museum: str, who: str, changed: Changed) -> None:
    """Publish the boards that a move has changed, and the undo of the museum."""
    for project, state in changed:
        if state.tiles_changed:
            services.hub.publish(project, "tiles", services.workspace.open(project).tiles())
        services.hub.publish(project, "board", state)
    services.hub.publish(museum, "board", services.workspace.open(museum).state(who))


def _replay(services: Services, museum: str, person: Person, *, undone: bool) -> None:
    found, desk = services.workspace.museum(museum), services.workspace.open(museum)
    move = desk.move_of(person.name, undone=not undone)
    if move is None:
        raise nothing_left(undone=undone)
    changed = replay_move(services.workspace, found, move, undone=undone)
    publish_moves(services, museum, person.name, changed)
