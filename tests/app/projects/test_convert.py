"""The board as an assembly, and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.app.projects.convert import (
    assembly_places,
    board_assembly,
    in_library_order,
    panel_assembly,
    panel_frame,
)
from azulejar.app.schemas.boards import LOOSE, Board, PanelPlace, Placed
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.core.edges import COL_STEP, ROW_STEP


def tiles_of(count):
    return [ProjectTile(tile=10 + i, file=f"{i}.png", number=str(i)) for i in range(count)]


@st.composite
def boards(draw):
    """Boards of up to 12 tiles in three panels, no two in one place."""
    places = draw(
        st.lists(
            st.tuples(st.integers(-1, 2), st.integers(-3, 3), st.integers(-3, 3)),
            max_size=12,
            unique=True,
        )
    )
    placed = [
        Placed(
            tile=10 + i,
            panel=panel,
            row=row if panel >= 0 else 0,
            col=col if panel >= 0 else 0,
            turn=draw(st.sampled_from([0, 90, 180, 270])),
        )
        for i, (panel, row, col) in enumerate(places)
    ]
    return Board(placed=placed, panels=["1", "2", "3"])


@given(boards())
def test_a_board_comes_back_as_it_was(board):
    tiles = tiles_of(len(board.placed))
    assert assembly_places(board_assembly(board, tiles), tiles) == board.placed


@given(boards())
def test_sides_meet_as_a_slow_look_around_says(board):
    tiles = tiles_of(len(board.placed))
    met = board_assembly(board, tiles).neighbours()
    at = {(p.panel, p.row, p.col): i for i, p in enumerate(board.placed) if p.panel != LOOSE}
    for i, each in enumerate(board.placed):
        for side in range(4):
            direction = (side + each.turn // 90) % 4
            step = each.row + ROW_STEP[direction], each.col + COL_STEP[direction]
            other = at.get((each.panel, *step)) if each.panel != LOOSE else None
            expected = -1
            if other is not None:
                turn = board.placed[other].turn // 90
                expected = 4 * other + (direction + 2 - turn) % 4
            assert met[4 * i + side] == expected


@given(boards(), st.sets(st.integers(0, 2), min_size=1))
def test_outputs_count_from_each_panels_frame(board, panels):
    tiles = tiles_of(len(board.placed))
    framed = panel_assembly(board, tiles, sorted(panels))
    for i, each in enumerate(board.placed):
        if each.panel in panels:
            frame = panel_frame(board, each.panel)
            found = framed.row[i] + frame.top, framed.col[i] + frame.left
            assert found == (each.row, each.col)
            assert framed.panel[i] == each.panel
        else:
            assert framed.panel[i] == LOOSE
    for panel in panels:
        here = framed.panel == panel
        if here.any():
            assert framed.row[here].min() == framed.col[here].min() == 0


def test_missing_places_at_the_rim_belong_to_the_frame():
    board = Board(
        placed=[Placed(tile=10, panel=0, row=2, col=2)],
        missing=[PanelPlace(panel=0, row=1, col=4), PanelPlace(panel=1, row=9, col=9)],
    )
    assert panel_frame(board, 0) == (1, 2, 2, 3)
    assert panel_frame(board, 1) == (9, 9, 1, 1)
    assert panel_frame(board, 2) is None
    framed = panel_assembly(board, tiles_of(1), [0])
    assert (framed.size, framed.row[0], framed.col[0]) == ((2, 3), 1, 0)


def test_tiles_come_in_natural_order():
    names = ["b.png", "a10.png", "a2.png"]
    tiles = [ProjectTile(tile=i, file=name, number=name) for i, name in enumerate(names)]
    assert [tile.file for tile in in_library_order(tiles)] == ["a2.png", "a10.png", "b.png"]


def test_tiles_that_the_board_does_not_know_are_loose():
    found = board_assembly(Board(placed=[]), tiles_of(2))
    assert found.panel.tolist() == [LOOSE, LOOSE]
    assert len(board_assembly(Board(placed=[]), [])) == 0
    assert found.row.dtype == np.int32
