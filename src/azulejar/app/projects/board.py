"""Changes of the board as pure functions: each returns a new board, or raises Conflict.

Boards from here are normalised: lists are sorted, no two tiles share a place, tiles in the tray
are at row 0, col 0 and not locked, no tile lies in a place that is marked as missing, and no joint
is of a tile that is not there.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from pydantic import BaseModel

from azulejar.app.http.errors import Conflict
from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    Edit,
    Pair,
    PanelOutline,
    PanelPlace,
    PanelReference,
    Placed,
)
from azulejar.app.schemas.tiles import ProjectTile, TileId
from azulejar.core.mask import parse_mask, write_rows

MOST_MARKS = 20_000  # missing places, or refused pairs, of one board
MOST_PLACES = 500_000  # of all its outlines

_Key = tuple[int, int, int]
_PairKey = tuple[int, int, int, int]


class Change(BaseModel):
    """The difference between two boards. ``panels`` None: the names stay.

    ``move`` names the move of tiles in a museum of which it is a part, ``join`` a join of fragments
    and what is said of it from then on.
    """

    placed: list[Placed] = []
    lock: list[TileId] = []
    unlock: list[TileId] = []
    forbid: list[Pair] = []
    allow: list[Pair] = []
    missing: list[PanelPlace] = []
    present: list[PanelPlace] = []
    outlines: list[PanelOutline] = []  # without a mask where there is none any more
    references: list[PanelReference] = []  # likewise without a file
    accept: list[Pair] = []
    doubt: list[Pair] = []
    removed: list[TileId] = []
    records: list[ProjectTile] = []  # of tiles whose records it changes
    panels: list[str] | None = None
    move: str | None = None
    join: tuple[str, bool | None] | None = None


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
    marked = {_key(place) for place in edit.missing}
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
    missing = {_key(place) for place in board.missing} - {_key(place) for place in edit.present}
    locked = held | set(edit.lock)
    if any(tile not in lies or lies[tile].panel == LOOSE for tile in edit.lock):
        raise Conflict(
            "tile-in-tray",
            "A tile in the tray cannot be locked.",
            "Place it first.",
        )
    forbidden = _keys(board.forbidden) - _keys(edit.allow) - _keys(edit.accept)
    forbidden |= _keys(edit.forbid)
    accepted = (_keys(board.accepted) - _keys(edit.doubt) | _keys(edit.accept)) - forbidden
    missing = (missing | marked) - taken
    outlines = _outlined(board.outlines, edit.outlines)
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
    pictures = _pictured(board.references, _still_believed(board, edit.references))
    judged = (forbidden, accepted)
    return _normalise(lies.values(), locked, judged, missing, panels, outlines, pictures)


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
    taken: set[_Key] = set()
    for each in [*(p for p in wanted.placed if p.tile in shared), *strangers]:
        there = each.panel < len(panels) and _key(each) not in taken
        lies[each.tile] = _normalise_place(each) if there else _lift(each)
        if there and each.panel != LOOSE:
            taken.add(_key(each))
    locked = set(wanted.locked) & shared | set(now.locked) - shared
    judged = [
        _keys(theirs) | _keys(p for p in ours if not {p.tile, p.other} <= shared)
        for theirs, ours in (
            (wanted.forbidden, now.forbidden),
            (wanted.accepted, now.accepted),
        )
    ]
    missing = {_key(place) for place in wanted.missing if place.panel < len(panels)} - taken
    outlines = _outlined(wanted.outlines)
    others = [each.model_copy(update={"believed": False}) for each in now.references]
    pictures = _pictured(others, wanted.references)
    return _normalise(lies.values(), locked, judged, missing, panels, outlines, pictures)


def add_to_tray(board: Board, tiles: Iterable[int]) -> Board:
    """Return the board with those tiles that are new to it in the tray."""
    known = {each.tile for each in board.placed}
    new = [Placed(tile=tile, panel=LOOSE) for tile in dict.fromkeys(tiles) if tile not in known]
    placed = sorted([*board.placed, *new], key=lambda each: each.tile)
    return board.model_copy(update={"placed": placed})


def find_change(before: Board, after: Board) -> Change:
    """Return the change from ``before`` to ``after``."""
    lay = {each.tile: each for each in before.placed}
    locks = set(before.locked), set(after.locked)
    pairs = tuple(_keys(board.forbidden) for board in (before, after))
    right = tuple(_keys(board.accepted) for board in (before, after))
    gaps = tuple({_key(p) for p in board.missing} for board in (before, after))
    drawn = tuple({each.panel: each for each in board.outlines} for board in (before, after))
    shown = tuple(_pictured(board.references) for board in (before, after))
    return Change(
        # Most are the same object, which is faster to see than equality.
        placed=[p for p in after.placed if lay.get(p.tile) is not p and lay.get(p.tile) != p],
        lock=sorted(locks[1] - locks[0]),
        unlock=sorted(locks[0] - locks[1]),
        forbid=_pairs(pairs[1] - pairs[0]),
        allow=_pairs(pairs[0] - pairs[1]),
        accept=_pairs(right[1] - right[0]),
        doubt=_pairs(right[0] - right[1]),
        missing=_gaps(gaps[1] - gaps[0]),
        present=_gaps(gaps[0] - gaps[1]),
        outlines=[
            drawn[1].get(panel) or PanelOutline(panel=panel, row=0, col=0, mask=[])
            for panel in sorted(drawn[0].keys() | drawn[1].keys())
            if drawn[0].get(panel) != drawn[1].get(panel)
        ],
        references=[
            shown[1].get(panel) or PanelReference(panel=panel, file=None)
            for panel in sorted(shown[0].keys() | shown[1].keys())
            if shown[0].get(panel) != shown[1].get(panel)
        ],
        removed=sorted(lay.keys() - {each.tile for each in after.placed}),
        panels=after.panels if after.panels != before.panels else None,
    )


def apply_change(board: Board, change: Change) -> Board:
    """Return the board after a change found by ``find_change``."""
    lies = {each.tile: each for each in board.placed} | {each.tile: each for each in change.placed}
    for tile in change.removed:
        lies.pop(tile, None)
    locked = set(board.locked) - set(change.unlock) | set(change.lock)
    forbidden = _keys(board.forbidden) - _keys(change.allow) | _keys(change.forbid)
    accepted = _keys(board.accepted) - _keys(change.doubt) | _keys(change.accept)
    missing = {_key(p) for p in board.missing} - {_key(p) for p in change.present}
    missing |= {_key(p) for p in change.missing}
    panels = board.panels if change.panels is None else change.panels
    outlines = _outlined(board.outlines, change.outlines)
    pictures = _pictured(board.references, change.references)
    judged = (forbidden, accepted)
    return _normalise(lies.values(), locked, judged, missing, panels, outlines, pictures)


def make_room(board: Board, change: Change) -> Change:
    """Return a change that lays tiles back which were removed: into the tray if their places are
    taken by now."""
    moved = {each.tile for each in change.placed} | set(change.removed)
    known = {each.tile for each in board.placed}
    taken = {_key(each) for each in board.placed if each.tile not in moved}
    placed = [
        _lift(each) if each.tile not in known and _key(each) in taken else each
        for each in change.placed
    ]
    return change.model_copy(update={"placed": placed})


def is_still(board: Board, left: Change, wanted: Change) -> bool:
    """Whether ``wanted`` can be applied to a board on which ``left``, its opposite, was the latest
    change of the same tiles."""
    lies = {each.tile: each for each in board.placed}
    if any(lies.get(each.tile) != each for each in left.placed):
        return False
    if any(tile in lies for tile in left.removed):
        return False
    if left.panels is not None and board.panels != left.panels:
        return False
    drawn = {each.panel: each for each in board.outlines}
    if any(drawn.get(each.panel) != (each if each.mask else None) for each in left.outlines):
        return False
    shown = _pictured(board.references)
    if any(shown.get(each.panel) != (each if each.file else None) for each in left.references):
        return False
    moved = {each.tile for each in wanted.placed} | set(wanted.removed)
    if moved & (set(board.locked) - set(wanted.unlock) - set(left.lock)):
        return False
    panels = board.panels if wanted.panels is None else wanted.panels
    after = lies | {each.tile: each for each in wanted.placed}
    laid = [each for tile, each in after.items() if tile not in wanted.removed]
    keys = [_key(each) for each in laid if each.panel != LOOSE]
    return len(set(keys)) == len(keys) and all(each.panel < len(panels) for each in laid)


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


def _occupied_places(placed: Iterable[Placed]) -> set[_Key]:
    taken: set[_Key] = set()
    for each in placed:
        if each.panel == LOOSE:
            continue
        if _key(each) in taken:
            raise Conflict(
                "place-taken",
                "Two tiles would lie in one place.",
                "Move the other one away as well.",
            )
        taken.add(_key(each))
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


def _normalise(
    placed: Iterable[Placed],
    locked: Iterable[int],
    judged: Sequence[Iterable[_PairKey]],
    missing: Iterable[_Key],
    panels: list[str],
    outlines: dict[int, PanelOutline],
    pictures: dict[int, PanelReference],
) -> Board:
    """Build a board; ``judged`` holds the forbidden and the accepted joints."""
    lies = sorted(placed, key=lambda each: each.tile)
    known = {each.tile for each in lies}
    laid = {each.tile for each in lies if each.panel != LOOSE}
    taken = {_key(each) for each in lies}
    forbidden, accepted = (
        _pairs(key for key in keys if key[0] in known and key[2] in known) for keys in judged
    )
    return Board(
        placed=lies,
        locked=sorted(laid.intersection(locked)),
        forbidden=forbidden,
        accepted=accepted,
        missing=_gaps(key for key in missing if key not in taken),
        outlines=[outlines[panel] for panel in sorted(outlines) if panel < len(panels)],
        references=[pictures[panel] for panel in sorted(pictures) if panel < len(panels)],
        panels=panels,
    )


def _outlined(
    known: Iterable[PanelOutline], drawn: Iterable[PanelOutline] = ()
) -> dict[int, PanelOutline]:
    """Return the outlines by panel, those in ``drawn`` in place of earlier ones, cut to fit."""
    outlines = {each.panel: each for each in known}
    for each in drawn:
        outlines.pop(each.panel, None)
        if each.places():
            mask = parse_mask(each.mask)
            where = np.argwhere(mask)
            (top, left), (bottom, right) = where.min(axis=0), where.max(axis=0)
            cut = write_rows(mask[top : bottom + 1, left : right + 1])
            place = {"row": each.row + int(top), "col": each.col + int(left)}
            outlines[each.panel] = each.model_copy(update={"mask": cut, **place})
    return outlines


def _pictured(
    known: Iterable[PanelReference], given: Iterable[PanelReference] = ()
) -> dict[int, PanelReference]:
    """Return the old pictures by panel, those ``given`` in place of earlier ones."""
    pictures = {each.panel: each for each in [*known, *given]}
    return {panel: each for panel, each in pictures.items() if each.file is not None}


def _still_believed(board: Board, given: Iterable[PanelReference]) -> list[PanelReference]:
    """Return pictures given by hand: whether one was believed is not for people to say."""
    believed = {(each.panel, each.file) for each in board.references if each.believed}
    return [
        each.model_copy(update={"believed": (each.panel, each.file) in believed}) for each in given
    ]


def _normalise_place(each: Placed) -> Placed:
    return _lift(each) if each.panel == LOOSE else each


def _lift(each: Placed) -> Placed:
    return each.model_copy(update={"panel": LOOSE, "row": 0, "col": 0})


def _key(place: PanelPlace | Placed) -> _Key:
    return place.panel, place.row, place.col


def _gaps(keys: Iterable[_Key]) -> list[PanelPlace]:
    return [PanelPlace(panel=panel, row=row, col=col) for panel, row, col in sorted(keys)]


def _pair_key(pair: Pair) -> _PairKey:
    """Return a key that is the same for both orders of the pair."""
    first, second = sorted([(pair.tile, pair.side), (pair.other, pair.other_side)])
    return first + second


def _keys(pairs: Iterable[Pair]) -> set[_PairKey]:
    return {_pair_key(pair) for pair in pairs}


def _pairs(keys: Iterable[_PairKey]) -> list[Pair]:
    return [
        Pair(tile=tile, side=side, other=other, other_side=other_side)
        for tile, side, other, other_side in sorted(keys)
    ]
