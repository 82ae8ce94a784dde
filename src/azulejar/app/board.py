"""Changes of the board as pure functions: each returns a new board, or raises Conflict.

Boards from here are normalised: lists are sorted, no two tiles share a place, tiles in the tray
are at row 0, col 0 and not locked, and no tile lies in a place that is marked as missing.
"""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from azulejar.app.http_errors import Conflict
from azulejar.app.schemas import LOOSE, Board, Edit, Pair, PanelPlace, Placed, TileId

MOST_MARKS = 20_000  # missing places, or refused pairs, of one board

_Key = tuple[int, int, int]
_PairKey = tuple[int, int, int, int]


class Change(BaseModel):
    """The difference between two boards. ``panels`` None: the names stay."""

    placed: list[Placed] = []
    lock: list[TileId] = []
    unlock: list[TileId] = []
    forbid: list[Pair] = []
    allow: list[Pair] = []
    missing: list[PanelPlace] = []
    present: list[PanelPlace] = []
    panels: list[str] | None = None


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
    for tile in sorted(held & moved.keys()):
        if moved[tile] != lies[tile]:
            raise Conflict(
                "tile-locked",
                "A locked tile cannot be moved.",
                "Unlock it first.",
            )
    lies |= moved
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
    if any(lies[tile].panel == LOOSE for tile in edit.lock):
        raise Conflict(
            "tile-in-tray",
            "A tile in the tray cannot be locked.",
            "Place it first.",
        )
    allowed = {_pair_key(pair) for pair in edit.allow}
    forbidden = {_pair_key(pair) for pair in board.forbidden} - allowed
    forbidden |= {_pair_key(pair) for pair in edit.forbid}
    missing = (missing | marked) - taken
    if max(len(missing), len(forbidden)) > MOST_MARKS:
        raise Conflict(
            "too-many-marks",
            "There are more than {most:,} marks.",
            "Take some of them away.",
            most=MOST_MARKS,
        )
    return _normalise(lies.values(), locked, forbidden, missing, panels)


def merge_boards(now: Board, wanted: Board) -> Board:
    """Return ``wanted``, with tiles that it does not hold left where they are in ``now``.

    Such a tile goes to the tray if its panel is gone or another tile takes its place.
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
    forbidden = {_pair_key(p) for p in wanted.forbidden if {p.tile, p.other} <= known}
    forbidden |= {_pair_key(p) for p in now.forbidden if not {p.tile, p.other} <= shared}
    missing = {_key(place) for place in wanted.missing if place.panel < len(panels)} - taken
    return _normalise(lies.values(), locked, forbidden, missing, panels)


def add_to_tray(board: Board, tiles: Iterable[int]) -> Board:
    """Return the board with those tiles that are new to it in the tray."""
    known = {each.tile for each in board.placed}
    new = [Placed(tile=tile, panel=LOOSE) for tile in dict.fromkeys(tiles) if tile not in known]
    placed = sorted([*board.placed, *new], key=lambda each: each.tile)
    return board.model_copy(update={"placed": placed})


def find_change(before: Board, after: Board) -> Change:
    """Return the change from ``before`` to ``after``, which has the same tiles."""
    lay = {each.tile: each for each in before.placed}
    locks = set(before.locked), set(after.locked)
    pairs = tuple({_pair_key(p) for p in board.forbidden} for board in (before, after))
    gaps = tuple({_key(p) for p in board.missing} for board in (before, after))
    return Change(
        # Most are the same object, which is faster to see than equality.
        placed=[p for p in after.placed if lay[p.tile] is not p and lay[p.tile] != p],
        lock=sorted(locks[1] - locks[0]),
        unlock=sorted(locks[0] - locks[1]),
        forbid=_pairs(pairs[1] - pairs[0]),
        allow=_pairs(pairs[0] - pairs[1]),
        missing=_gaps(gaps[1] - gaps[0]),
        present=_gaps(gaps[0] - gaps[1]),
        panels=after.panels if after.panels != before.panels else None,
    )


def apply_change(board: Board, change: Change) -> Board:
    """Return the board after a change found by ``find_change``."""
    lies = {each.tile: each for each in board.placed} | {each.tile: each for each in change.placed}
    locked = set(board.locked) - set(change.unlock) | set(change.lock)
    forbidden = {_pair_key(p) for p in board.forbidden} - {_pair_key(p) for p in change.allow}
    forbidden |= {_pair_key(p) for p in change.forbid}
    missing = {_key(p) for p in board.missing} - {_key(p) for p in change.present}
    missing |= {_key(p) for p in change.missing}
    panels = board.panels if change.panels is None else change.panels
    return _normalise(lies.values(), locked, forbidden, missing, panels)


def _check_tiles(known: Iterable[int], edit: Edit) -> None:
    pairs = [*edit.forbid, *edit.allow]
    named = {each.tile for each in edit.placed} | set(edit.lock) | set(edit.unlock)
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
    forbidden: Iterable[_PairKey],
    missing: Iterable[_Key],
    panels: list[str],
) -> Board:
    lies = sorted(placed, key=lambda each: each.tile)
    loose = {each.tile for each in lies if each.panel == LOOSE}
    return Board(
        placed=lies,
        locked=sorted(set(locked) - loose),
        forbidden=_pairs(forbidden),
        missing=_gaps(missing),
        panels=panels,
    )


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


def _pairs(keys: Iterable[_PairKey]) -> list[Pair]:
    return [
        Pair(tile=tile, side=side, other=other, other_side=other_side)
        for tile, side, other, other_side in sorted(keys)
    ]
