"""Reading order, and places within the panels' boxes."""

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.places import loose_tiles, placed_tiles


def solution(*places, rows=4, cols=4):
    tiles = [
        PlacedTile(file=f"{i}.png", row=row, col=col, turn=0, panel=panel)
        for i, (panel, row, col) in enumerate(places)
    ]
    return Solution(rows=rows, cols=cols, tiles=tiles)


def test_panel_by_panel_and_row_by_row():
    found = placed_tiles(solution((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (-1, 0, 0)))
    assert [tile.file for tile in found] == ["3.png", "2.png", "1.png", "0.png"]


def test_an_empty_rim_of_one_panel_counts_but_not_of_several():
    assert [(t.row, t.col) for t in placed_tiles(solution((0, 2, 1)))] == [(2, 1)]
    several = placed_tiles(solution((0, 2, 1), (1, 3, 3)))
    assert [(t.row, t.col) for t in several] == [(0, 0), (0, 0)]


def test_tiles_without_a_place():
    assert [t.file for t in loose_tiles(solution((-1, 0, 0), (0, 0, 0), (-1, 3, 3)))] == [
        "0.png",
        "2.png",
    ]
