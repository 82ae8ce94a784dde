"""Edits of the board as pure functions: each returns a board in normal form, or raises Conflict."""

from collections.abc import Iterable, Sequence

from azulejar.app.http.errors import Conflict
from azulejar.app.projects.board_form import (
    PlaceKey,
    build_board,
    lift,
    outlines_by_panel,
    pair_keys,
    place_key,
    references_by_panel,
)
from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    Edit,
    PanelOutline,
    PanelReference,
    Placed,
)

MOST_MARKS = 20_000  # missing places, or refused pairs, of one board
MOST_PLACES = 500_000  # of all its outlines


def apply_edit(board: Board, edit: Edit) -> Board:
    """Return the board after a change by hand; raise Conflict if it cannot be made completely."""
    lies = {each.tile: each for each in board.placed}
    _check_tiles(lies.keys(), edit)
    moved = {each.tile: _normalise_place(each) for each in edit.placed}
    if len(moved) < len(edit.placed):
        raise Conflict(
            "edit-moves-tile-twice",
            "The change moves a tile twice.",
            "Move each tile once.",
        )
    held = set(board.locked) - set(edit.unlock)
    if held & set(edit.remove) or any(moved[tile] != lies[tile] for tile in held & moved.keys()):
        raise tile_locked()
    lies |= moved
    for tile in edit.remove:
        lies.pop(tile, None)
    taken = _occupied_places(lies.values())
    panels = _name_panels(board.panels, lies.values())
    marked = {place_key(place) for place in edit.missing}
    if marked & taken:
        raise Conflict(
            "missing-place-taken",
            "A tile lies where a place is to be marked as missing.",
            "Lift it first.",
        )
    if any(place.panel >= len(panels) for place in edit.missing):
        raise Conflict(
            "missing-place-outside",
            "A missing place lies in a panel that is not there.",
            "Choose another panel.",
        )
    missing = {place_key(place) for place in board.missing} - {
        place_key(place) for place in edit.present
    }
    locked = held | set(edit.lock)
    if any(tile not in lies or lies[tile].panel == LOOSE for tile in edit.lock):
        raise Conflict(
            "tile-in-tray",
            "A tile in the tray cannot be locked.",
            "Place it first.",
        )
    forbidden = pair_keys(board.forbidden) - pair_keys(edit.allow) - pair_keys(edit.accept)
    forbidden |= pair_keys(edit.forbid)
    accepted = (
        pair_keys(board.accepted) - pair_keys(edit.doubt) | pair_keys(edit.accept)
    ) - forbidden
    missing = (missing | marked) - taken
    outlines = outlines_by_panel(board.outlines, edit.outlines)
    drawn = sum(len(each.mask) * len(each.mask[0]) for each in outlines.values())
    for count, most in ((max(len(missing), len(forbidden)), MOST_MARKS), (drawn, MOST_PLACES)):
        if count > most:
            raise Conflict(
                "too-many-marks",
                "There are more than {most:,} marks.",
                "Take some of them away.",
                most=most,
            )
    named = [each.panel for each in edit.outlines] + [each.panel for each in edit.references]
    if any(panel >= len(panels) for panel in named):
        raise Conflict("panel-unknown", "There is no such panel.", "Choose another one.")
    for each in edit.outlines:
        check_outline(outlines.get(each.panel), (lies[tile] for tile in locked if tile in lies))
    pictures = references_by_panel(board.references, _still_believed(board, edit.references))
    judged = (forbidden, accepted)
    return build_board(lies.values(), locked, judged, missing, panels, outlines, pictures)


def tile_locked() -> Conflict:
    """Return the error for moving a locked tile."""
    return Conflict("tile-locked", "A locked tile cannot be moved.", "Unlock it first.")


def check_outline(outline: PanelOutline | None, locked: Iterable[Placed]) -> None:
    """Raise unless all locked tiles of a panel lie within its outline."""
    if outline is None:
        return
    places = set(outline.places())
    own = [each for each in locked if each.panel == outline.panel]
    count = sum((each.row, each.col) not in places for each in own)
    if count:
        raise Conflict(
            "locked-outside-outline",
            "Locked tiles that lie outside the outline: {count}.",
            "Draw the outline around them, or unlock them.",
            count=count,
        )


def merge_boards(now: Board, wanted: Board) -> Board:
    """Return ``wanted``, with tiles that it does not hold left where they are in ``now``.

    Such a tile goes to the tray if its panel is gone or another tile takes its place. Old pictures
    that it does not hold stay, but do not count as its guides.
    """
    known = {each.tile for each in now.placed}
    shared = {each.tile for each in wanted.placed} & known
    strangers = [each for each in now.placed if each.tile not in shared]
    panels = _name_panels(wanted.panels, wanted.placed)
    lies: dict[int, Placed] = {}
    taken: set[PlaceKey] = set()
    for each in [*(p for p in wanted.placed if p.tile in shared), *strangers]:
        there = each.panel < len(panels) and place_key(each) not in taken
        lies[each.tile] = _normalise_place(each) if there else lift(each)
        if there and each.panel != LOOSE:
            taken.add(place_key(each))
    locked = set(wanted.locked) & shared | set(now.locked) - shared
    judged = [
        pair_keys(theirs) | pair_keys(p for p in ours if not {p.tile, p.other} <= shared)
        for theirs, ours in (
            (wanted.forbidden, now.forbidden),
            (wanted.accepted, now.accepted),
        )
    ]
    missing = {place_key(place) for place in wanted.missing if place.panel < len(panels)} - taken
    outlines = outlines_by_panel(wanted.outlines)
    others = [each.model_copy(update={"believed": False}) for each in now.references]
    pictures = references_by_panel(others, wanted.references)
    return build_board(lies.values(), locked, judged, missing, panels, outlines, pictures)


def add_to_tray(board: Board, tiles: Iterable[int]) -> Board:
    """Return the board with those tiles that are new to it in the tray."""
    known = {each.tile for each in board.placed}
    new = [Placed(tile=tile, panel=LOOSE) for tile in dict.fromkeys(tiles) if tile not in known]
    placed = sorted([*board.placed, *new], key=lambda each: each.tile)
    return board.model_copy(update={"placed": placed})


def _check_tiles(known: Iterable[int], edit: Edit) -> None:
    pairs = [*edit.forbid, *edit.allow, *edit.accept, *edit.doubt]
    named = {each.tile for each in edit.placed}.union(edit.lock, edit.unlock, edit.remove)
    named |= {tile for pair in pairs for tile in (pair.tile, pair.other)}
    if not named <= set(known):
        raise Conflict(
            "edit-unknown-tile",
            "The change names a tile that is not in the project.",
            "Load it again.",
        )
    if any(pair.tile == pair.other for pair in pairs):
        raise Conflict(
            "joint-with-itself",
            "A tile has no joint with itself.",
            "Choose two tiles.",
        )


def _occupied_places(placed: Iterable[Placed]) -> set[PlaceKey]:
    taken: set[PlaceKey] = set()
    for each in placed:
        if each.panel == LOOSE:
            continue
        if place_key(each) in taken:
            raise Conflict(
                "place-taken",
                "Two tiles would lie in one place.",
                "Move the other one away as well.",
            )
        taken.add(place_key(each))
    return taken


def _name_panels(names: Sequence[str], placed: Iterable[Placed]) -> list[str]:
    """Return the names of all panels; a tile in the next unused panel opens it."""
    used = {each.panel for each in placed}
    panels = list(names)
    while len(panels) in used:
        panels.append(str(len(panels) + 1))
    if max(used, default=LOOSE) >= len(panels):
        raise Conflict(
            "tile-outside-panels",
            "A tile is laid in a panel that is not there.",
            "Choose another panel.",
        )
    return panels


def _still_believed(board: Board, given: Iterable[PanelReference]) -> list[PanelReference]:
    """Return pictures given by hand: whether one was believed is not for people to say."""
    believed = {(each.panel, each.file) for each in board.references if each.believed}
    return [
        each.model_copy(update={"believed": (each.panel, each.file) in believed}) for each in given
    ]


def _normalise_place(each: Placed) -> Placed:
    return lift(each) if each.panel == LOOSE else each
