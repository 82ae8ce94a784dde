"""Boards and edits of boards, at random and by hand."""

from hypothesis import strategies as st

from azulejar.app.http.errors import Conflict
from azulejar.app.projects.board import apply_edit
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

TILES = range(1, 7)
# Few places, so that edits get into each other's way.
ROWS = st.integers(-1, 1)
PLACES = st.builds(PanelPlace, panel=st.integers(0, 1), row=ROWS, col=ROWS)
PLACED = st.builds(
    Placed,
    tile=st.sampled_from(TILES),
    panel=st.integers(LOOSE, 1),
    row=ROWS,
    col=ROWS,
    turn=st.sampled_from([0, 90, 180, 270]),
)
PAIRS = st.builds(
    Pair,
    tile=st.sampled_from(TILES),
    side=st.integers(0, 3),
    other=st.sampled_from(TILES),
    other_side=st.integers(0, 3),
)
OUTLINES = st.builds(
    PanelOutline,
    panel=st.integers(0, 1),
    row=ROWS,
    col=ROWS,
    mask=st.sampled_from([[], ["."], ["##", "##"], ["...", ".#.", "..#"]]),
)
REFERENCES = st.builds(
    PanelReference,
    panel=st.integers(0, 1),
    file=st.sampled_from([None, "1930.jpg", "1950.jpg"]),
    corners=st.sampled_from([None, [(0, 0), (1, 0), (1, 1), (0, 1)]]),
)
_TILE = st.sampled_from(TILES)
EDITS = st.builds(
    Edit,
    revision=st.just(0),
    label=st.sampled_from(["move", "turn", "lock"]),
    placed=st.lists(PLACED, max_size=4, unique_by=lambda each: each.tile),
    lock=st.lists(_TILE, max_size=1),
    unlock=st.lists(_TILE, max_size=2),
    forbid=st.lists(PAIRS, max_size=1),
    allow=st.lists(PAIRS, max_size=1),
    missing=st.lists(PLACES, max_size=1),
    present=st.lists(PLACES, max_size=2),
    outlines=st.lists(OUTLINES, max_size=1),
    references=st.lists(REFERENCES, max_size=1),
)


def place_of(each):
    return each.panel, each.row, each.col


def in_tray(tiles=TILES):
    return Board(placed=[Placed(tile=tile, panel=LOOSE) for tile in tiles])


def edit_of(**what):
    return Edit(revision=0, label="edit", **what)


def laid(*places, **other):
    """Tiles 1, 2 … at (panel, row, col), the rest of six in the tray."""
    laid = [
        Placed(tile=tile, panel=panel, row=row, col=col)
        for tile, (panel, row, col) in enumerate(places, 1)
    ]
    loose = [Placed(tile=tile, panel=LOOSE) for tile in TILES if tile > len(places)]
    return Board(placed=laid + loose, **other)


def boards_after(board, edits):
    """The boards after each of the edits that can be made."""
    boards = [board]
    for edit in edits:
        try:
            boards.append(apply_edit(boards[-1], edit))
        except Conflict:
            continue
    return boards


BOARDS = st.lists(EDITS, max_size=8).map(lambda edits: boards_after(in_tray(), edits)[-1])
