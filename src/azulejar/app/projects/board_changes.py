"""The difference between two boards, as the history stores it: find, apply and take it back."""

from pydantic import BaseModel

from azulejar.app.projects.board_form import (
    build_board,
    lift,
    outlines_by_panel,
    pair_keys,
    place_key,
    references_by_panel,
    sorted_pairs,
    sorted_places,
)
from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    Pair,
    PanelOutline,
    PanelPlace,
    PanelReference,
    Placed,
)
from azulejar.app.schemas.tiles import ProjectTile, TileId


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


def find_change(before: Board, after: Board) -> Change:
    """Return the change from ``before`` to ``after``."""
    lay = {each.tile: each for each in before.placed}
    locks = set(before.locked), set(after.locked)
    pairs = tuple(pair_keys(board.forbidden) for board in (before, after))
    right = tuple(pair_keys(board.accepted) for board in (before, after))
    gaps = tuple({place_key(p) for p in board.missing} for board in (before, after))
    drawn = tuple({each.panel: each for each in board.outlines} for board in (before, after))
    shown = tuple(references_by_panel(board.references) for board in (before, after))
    return Change(
        # Most are the same object, which is faster to see than equality.
        placed=[p for p in after.placed if lay.get(p.tile) is not p and lay.get(p.tile) != p],
        lock=sorted(locks[1] - locks[0]),
        unlock=sorted(locks[0] - locks[1]),
        forbid=sorted_pairs(pairs[1] - pairs[0]),
        allow=sorted_pairs(pairs[0] - pairs[1]),
        accept=sorted_pairs(right[1] - right[0]),
        doubt=sorted_pairs(right[0] - right[1]),
        missing=sorted_places(gaps[1] - gaps[0]),
        present=sorted_places(gaps[0] - gaps[1]),
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
    forbidden = pair_keys(board.forbidden) - pair_keys(change.allow) | pair_keys(change.forbid)
    accepted = pair_keys(board.accepted) - pair_keys(change.doubt) | pair_keys(change.accept)
    missing = {place_key(p) for p in board.missing} - {place_key(p) for p in change.present}
    missing |= {place_key(p) for p in change.missing}
    panels = board.panels if change.panels is None else change.panels
    outlines = outlines_by_panel(board.outlines, change.outlines)
    pictures = references_by_panel(board.references, change.references)
    judged = (forbidden, accepted)
    return build_board(lies.values(), locked, judged, missing, panels, outlines, pictures)


def make_room(board: Board, change: Change) -> Change:
    """Return a change that lays tiles back which were removed: into the tray if their places are
    taken by now."""
    moved = {each.tile for each in change.placed} | set(change.removed)
    known = {each.tile for each in board.placed}
    taken = {place_key(each) for each in board.placed if each.tile not in moved}
    placed = [
        lift(each) if each.tile not in known and place_key(each) in taken else each
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
    shown = references_by_panel(board.references)
    if any(shown.get(each.panel) != (each if each.file else None) for each in left.references):
        return False
    moved = {each.tile for each in wanted.placed} | set(wanted.removed)
    if moved & (set(board.locked) - set(wanted.unlock) - set(left.lock)):
        return False
    panels = board.panels if wanted.panels is None else wanted.panels
    after = lies | {each.tile: each for each in wanted.placed}
    laid = [each for tile, each in after.items() if tile not in wanted.removed]
    keys = [place_key(each) for each in laid if each.panel != LOOSE]
    return len(set(keys)) == len(keys) and all(each.panel < len(panels) for each in laid)
