"""``azulejar solve`` with what people know: tiles.csv and knowns.json."""

import csv
import json
import re
import shutil

import pytest


@pytest.fixture
def puzzle(puzzles, tmp_path):
    """Turned tiles that may be written to, and their truth."""
    shutil.copytree(puzzles / "turned", tmp_path / "puzzle")
    truth = json.loads((tmp_path / "puzzle" / "truth.json").read_text(encoding="utf-8"))
    return tmp_path / "puzzle" / "tiles", truth


def solved(azulejar, tmp_path, tiles, *more):
    shown = azulejar("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc", *more)
    found = json.loads((tmp_path / "out" / "solution.json").read_text(encoding="utf-8"))
    return shown, {tile["file"]: tile for tile in found["tiles"]}


def pose(tile):
    return tile["row"], tile["col"], tile["turn"]


def test_one_tile_on_record_tells_where_the_top_is(azulejar, tmp_path, puzzle):
    tiles, truth = puzzle
    known = truth["tiles"][0]
    (tiles / "tiles.csv").write_text(
        "file;inventory;crate;code;row;col;turn;note\n"
        f"{known['file']};MNAz 17;K 3;IV-b;{known['row'] + 1};{known['col'] + 1};{known['turn']};"
        "gasta\n"
    )
    shown, found = solved(azulejar, tmp_path, tiles, "--rows", 4, "--cols", 5)
    assert "Kept as given: 1 locked tile." in shown
    assert {file: pose(tile) for file, tile in found.items()} == {
        tile["file"]: pose(tile) for tile in truth["tiles"]
    }
    first = found[known["file"]]
    assert [first[key] for key in ("inventory", "crate", "code", "note")] == [
        "MNAz 17",
        "K 3",
        "IV-b",
        "gasta",
    ]
    with (tmp_path / "out" / "placement.csv").open(encoding="utf-8-sig") as file:
        lines = {line["file"]: line for line in csv.DictReader(file)}
    assert lines[known["file"]]["inventory"] == "MNAz 17"
    assert lines[known["file"]]["crate"] == "K 3"


def test_rows_counted_from_the_bottom(azulejar, refused, tmp_path, puzzle):
    tiles, truth = puzzle
    known = truth["tiles"][0]
    text = f"ficheiro;fiada;coluna;rotação\n{known['file']};{4 - known['row']};{known['col'] + 1};"
    (tiles / "tiles.csv").write_text(f"{text}{known['turn']}\n", encoding="utf-8-sig")
    options = ("--rows-from", "bottom", "--headings", "pt")
    message = refused("solve", tiles, "-o", "out", "-m", "mgc", *options)
    assert "how many there are is not known. Solve with azulejar solve --rows." in message
    _, found = solved(azulejar, tmp_path, tiles, "--rows", 4, *options)
    assert pose(found[known["file"]]) == pose(known)
    with (tmp_path / "out" / "placement.csv").open(encoding="utf-8-sig") as file:
        lines = {line["ficheiro"]: line for line in csv.DictReader(file, delimiter=";")}
    assert lines[known["file"]]["fiada a contar de baixo"] == str(4 - known["row"])


def test_locks_refusals_and_holes_are_kept_against_the_scores(azulejar, tmp_path, puzzle):
    tiles, truth = puzzle
    a, b, c, d = (tile["file"] for tile in truth["tiles"][:4])
    stated = {
        "rows": 5,
        "cols": 6,
        "locked": [{"tile": a, "row": 2, "col": 2, "turn": 90}],
        "joined": [[{"tile": b, "row": 0, "col": 0}, {"tile": c, "row": 1, "col": 0, "turn": 180}]],
        "apart": [{"tile": a, "other": d}],
        "empty": [{"row": 2, "col": 3}, {"row": 0, "col": 0}],
    }
    (tmp_path / "knowns.json").write_text(json.dumps(stated))
    shown, found = solved(azulejar, tmp_path, tiles, "--knowns", "knowns.json")
    assert (
        "Kept as given: 1 locked tile, 1 joined group, 1 refused pair, 2 missing places." in shown
    )
    assert pose(found[a]) == (2, 2, 90)
    assert (found[c]["turn"] - found[b]["turn"]) % 360 == 180
    distance = abs(found[b]["row"] - found[c]["row"]) + abs(found[b]["col"] - found[c]["col"])
    assert distance == 1
    assert abs(found[d]["row"] - 2) + abs(found[d]["col"] - 2) > 1
    assert not {(2, 3), (0, 0)} & {pose(tile)[:2] for tile in found.values()}


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ('{"rows": 4, "locked": [{"tile": "x", "row": 0}]}', "locked 1 speaks of a tile x"),
        ('{"locked": 3}', "knowns.json, locked: must be a list in brackets"),
        ('{"locked": [{"tile": "tile_0001", "row": 7, "col": 0}]}', "lies outside 4 rows × 5 cols"),
        (
            '{"locked": [{"tile": "tile_0001", "row": 1, "col": 0},'
            ' {"tile": "tile_0002", "row": 1, "col": 0}]}',
            "tile_0001 and tile_0002 are both locked to row 2, col 1",
        ),
    ],
)
def test_what_cannot_be_is_refused(refused, tmp_path, puzzles, stated, message):
    (tmp_path / "knowns.json").write_text(stated)
    tiles = puzzles / "turned" / "tiles"
    known = ("--knowns", "knowns.json", "--rows", 4, "--cols", 5)
    assert message in refused("solve", tiles, "-o", "out", "-m", "mgc", *known)


def test_solvers_that_cannot_keep_locks_say_so(refused, tmp_path, puzzles):
    (tmp_path / "knowns.json").write_text('{"locked": [{"tile": "tile_0001", "turn": 90}]}')
    tiles = puzzles / "turned" / "tiles"
    assert "keeps no locks or refusals" in refused(
        "solve", tiles, "-o", "out", "-m", "mgc", "--solver", "gallagher", "--knowns", "knowns.json"
    )


def test_a_broken_table_is_refused_by_its_row(refused, tmp_path, puzzle):
    tiles, _ = puzzle
    (tiles / "tiles.csv").write_text("file,turn\ntile_0001.png,90\ntile_0002.png,33\n")
    assert "tiles.csv, row 3: has turn '33'" in refused("solve", tiles, "-o", "out", "-m", "mgc")


def test_islands_hold_only_what_is_sure(azulejar, refused, tmp_path, puzzle):
    tiles, _ = puzzle
    shown, found = solved(azulejar, tmp_path, tiles, "--islands")
    assert re.search(r"^\d+ islands?; (1 tile is|\d+ tiles are) in none\.$", shown, re.MULTILINE)
    assert {tile["panel"] for tile in found.values()} <= {-1, 0, 1, 2, 3, 4}
    never = ("solve", tiles, "-o", "none", "-m", "mgc", "--islands", "--threshold")
    assert "No joint is right with a probability of 1.0. Give a lower" in refused(*never, "1")
    assert "2.0 is not a probability" in refused(*never, "2")


def test_several_panels_on_record_are_noticed(azulejar, tmp_path, puzzle):
    tiles, _ = puzzle
    (tiles / "tiles.csv").write_text("file,panel\ntile_0001,Stairs\ntile_0002,Hall\n")
    shown, _ = solved(azulejar, tmp_path, tiles)
    assert "tiles.csv names several panels" in shown
