import csv

import pytest

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.placement import COLUMNS, loose_tiles, placed_tiles, write_placement
from azulejar.outputs.spreadsheets import ListStyle


@pytest.fixture
def solution():
    """Panel 1: é above ``=x``, ``MNAz 2`` right of é; panel 2: ``p``; no place: ``-z``, ``a``."""
    tiles = [
        PlacedTile(file="=x.png", row=1, col=0, turn=180, confidence=0.5),
        PlacedTile(file="-z.png", row=0, col=0, turn=0, panel=-1, confidence=0),
        PlacedTile(file="p.png", row=0, col=0, turn=0, panel=1),
        PlacedTile(
            file="b, 2.png", row=0, col=1, turn=90, confidence=0.256,
            inventory="MNAz 2", crate="C7", code="4º D", note="-chipped",
        ),
        PlacedTile(file="é.JPG", row=0, col=0, turn=270, confidence=1),
        PlacedTile(file="a.png", row=4, col=0, turn=0, panel=-1, crate="C1"),
    ]  # fmt: skip
    return Solution(rows=2, cols=2, tiles=tiles)


def lines(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_every_tile_in_reading_order_with_its_neighbours(tmp_path, solution):
    write_placement(tmp_path / "placement.csv", solution)
    assert lines(tmp_path / "placement.csv") == [
        list(COLUMNS),
        ["é", "é.JPG", "1", "1", "1", "270", "0.99", "", "MNAz 2", "'=x", "", "", "", ""],
        ["MNAz 2", "b, 2.png", "1", "1", "2", "90", "0.26", "", "", "", "é",
         "C7", "4º D", "'-chipped"],
        ["'=x", "'=x.png", "1", "2", "1", "180", "0.50", "é", "", "", "", "", "", ""],
        ["p", "p.png", "2", "1", "1", "0", "", "", "", "", "", "", "", ""],
        ["'-z", "'-z.png", *[""] * 12],
        ["a", "a.png", *[""] * 9, "C1", "", ""],
    ]  # fmt: skip


def test_excel_finds_a_byte_order_mark(tmp_path, solution):
    write_placement(tmp_path / "placement.csv", solution)
    assert (tmp_path / "placement.csv").read_bytes().startswith(b"\xef\xbb\xbfinventory,")


def test_in_portuguese_as_its_spreadsheets_have_it(tmp_path, solution):
    solution.tiles[3].thickness, solution.tiles[3].mark = 12.5, "M7"
    write_placement(tmp_path / "lugares.csv", solution, ListStyle("pt"))
    text = (tmp_path / "lugares.csv").read_text(encoding="utf-8-sig")
    head, first, second, *_ = text.splitlines()
    assert head == (
        "número de inventário;ficheiro;painel;fiada;coluna;rotação;confiança;"
        "acima;à direita;abaixo;à esquerda;caixa;código;observações;tardoz;espessura"
    )
    assert first == "é;é.JPG;1;1;1;270;0,99;;MNAz 2;'=x;;;;;;"
    assert second == "MNAz 2;b, 2.png;1;1;2;90;0,26;;;;é;C7;4º D;'-chipped;M7;12,5"


def test_rows_from_the_bottom(tmp_path, solution):
    write_placement(tmp_path / "list.csv", solution, ListStyle(rows_from="bottom"))
    head, *found = lines(tmp_path / "list.csv")
    at = head.index("row_from_bottom")
    assert [(line[0], line[at]) for line in found] == [
        ("é", "2"), ("MNAz 2", "2"), ("'=x", "1"), ("p", "1"), ("'-z", ""), ("a", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_cell_starts_as_a_formula(tmp_path, start):
    tiles = [
        PlacedTile(file=f"{start}1+1.png", row=0, col=0, turn=0),
        PlacedTile(file="b.png", row=0, col=1, turn=0),
    ]
    write_placement(tmp_path / "placement.csv", Solution(rows=1, cols=2, tiles=tiles))
    cells = [cell for line in lines(tmp_path / "placement.csv") for cell in line]
    assert cells.count(f"'{start}1+1") == 2
    assert not any(cell.startswith(start) for cell in cells)


def solution_of(*places, rows=4, cols=4):
    tiles = [
        PlacedTile(file=f"{i}.png", row=row, col=col, turn=0, panel=panel)
        for i, (panel, row, col) in enumerate(places)
    ]
    return Solution(rows=rows, cols=cols, tiles=tiles)


def test_panel_by_panel_and_row_by_row():
    found = placed_tiles(solution_of((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (-1, 0, 0)))
    assert [tile.file for tile in found] == ["3.png", "2.png", "1.png", "0.png"]


def test_an_empty_rim_of_one_panel_counts_but_not_of_several():
    assert [(t.row, t.col) for t in placed_tiles(solution_of((0, 2, 1)))] == [(2, 1)]
    several = placed_tiles(solution_of((0, 2, 1), (1, 3, 3)))
    assert [(t.row, t.col) for t in several] == [(0, 0), (0, 0)]


def test_tiles_without_a_place():
    assert [t.file for t in loose_tiles(solution_of((-1, 0, 0), (0, 0, 0), (-1, 3, 3)))] == [
        "0.png",
        "2.png",
    ]
