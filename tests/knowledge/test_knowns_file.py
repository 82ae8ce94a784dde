"""knowns.json, and its union with tiles.csv and arguments."""

import json

import numpy as np
import pytest

from azulejar.core.knowns import Lock
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile, gather_knowns, load_knowns

NAMES = [("a.png", "MNAz 1", "a"), ("b.png", "MNAz 2", "b"), ("c.png", "c", "c")]
FILES = tuple(f"t{i}.png" for i in range(6))


def load(tmp_path, data):
    path = tmp_path / "knowns.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return KnownsFile.load(path)


def test_everything_that_can_be_said(tmp_path):
    stated = load(
        tmp_path,
        {
            "format": "azulejar-knowns/1",
            "rows": 4,
            "cols": 5,
            "upright": False,
            "locked": [{"tile": "a.png", "row": 1, "col": 2, "turn": 270}, {"tile": "b", "row": 0}],
            "joined": [[{"tile": "a", "row": 0, "col": 0}, {"tile": "c", "row": 0, "col": 1}]],
            "apart": [{"tile": "a", "side": "right", "other": "MNAz 2", "other_side": "left"}],
            "together": [["a", "b"]],
            "empty": [{"row": 3, "col": 3}],
        },
    )
    knowns = stated.knowns(NAMES)
    assert (knowns.rows, knowns.cols, knowns.upright) == (4, 5, False)
    assert knowns.locks == (Lock(0, 1, 2, 3, "locked 1"), Lock(1, 0, None, None, "locked 2"))
    assert knowns.joined == ((Lock(0, 0, 0, 0, "joined 1"), Lock(2, 0, 1, 0, "joined 1")),)
    assert knowns.apart == ((1, 7),)
    assert knowns.together == ((0, 1),)
    assert knowns.empty == ((3, 3),)


def test_two_tiles_may_be_kept_apart_on_all_sides(tmp_path):
    stated = load(tmp_path, {"apart": [{"tile": "a", "other": "b"}]})
    assert set(stated.knowns(NAMES).apart) == {(i, 4 + j) for i in range(4) for j in range(4)}


def test_a_mask_gives_the_size_and_the_empty_places(tmp_path):
    stated = load(tmp_path, {"mask": ["##.", "###"], "empty": [{"row": 1, "col": 1}]})
    knowns = stated.knowns(NAMES)
    assert (knowns.rows, knowns.cols) == (2, 3)
    assert knowns.empty == ((0, 2), (1, 1))
    stated.save(tmp_path / "saved.json")
    assert KnownsFile.load(tmp_path / "saved.json") == stated
    with pytest.raises(AzulejarError, match="The panel is to have 2 rows, but the knowns say 3"):
        load(tmp_path, {"mask": ["##.", "###"], "rows": 3}).knowns(NAMES)
    with pytest.raises(AzulejarError, match="A mask is given, and the knowns hold one too"):
        stated.with_mask(np.ones((2, 3), bool))
    assert KnownsFile().with_mask(np.array([[True, False]])).mask == ["#."]


def test_a_mask_has_a_place_for_each_tile():
    gather_knowns(tiles(), KnownsFile(mask=["##.", "###", "##."]))
    for mask in (["##", "##"], ["###", "#.#"]):
        with pytest.raises(AzulejarError, match=r"The mask has \d places, but there are 6 tiles"):
            gather_knowns(tiles(), KnownsFile(mask=mask))
    with pytest.raises(AzulejarError, match="to have 2 rows, but the mask has 3"):
        gather_knowns(tiles(), KnownsFile(mask=["##.", "###", "##."]), rows=2)


def test_saved_and_read_again(tmp_path):
    stated = KnownsFile(rows=3, locked=[{"tile": "ç", "turn": 90}], empty=[{"row": 0, "col": 1}])
    stated.save(tmp_path / "saved.json")
    assert KnownsFile.load(tmp_path / "saved.json") == stated


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "is not valid JSON at line 1, column 1"),
        ('{"rows": 3, "rows": 4}', "gives 'rows' twice"),
        ({"rows": 0}, "rows: must be 1 or more"),
        ({"rows": True}, "rows: must be a whole number"),
        ({"lock": []}, "has 'lock', which means nothing there"),
        ({"locked": [{"tile": "a"}, {"tile": "b", "turn": 45}]}, "locked 2 turn: must be 0, 90"),
        ({"rows": 10_001}, "rows: must be 10000 or less"),
        ({"empty": [{"row": 10_000, "col": 0}]}, "empty 1 row: must be less than 10000"),
        ({"locked": [{"row": 1}]}, "locked 1: lacks 'tile'"),
        ({"format": "azulejar-knowns/9"}, "format: must be 'azulejar-knowns/1'"),
    ],
)
def test_the_statement_at_fault_is_named(tmp_path, data, message):
    with pytest.raises(AzulejarError, match=message):
        load(tmp_path, data)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        (KnownsFile(locked=[{"tile": "a"}, {"tile": "z"}]), "locked 2 speaks of a tile z that is"),
        (KnownsFile(joined=[[{"tile": "y", "row": 0, "col": 0}]]), "joined 1 speaks of a tile y"),
        (KnownsFile(apart=[{"tile": "a", "other": "a.png"}]), "apart 1 names one tile twice"),
        (KnownsFile(together=[["a"], ["x"]]), "together 2 speaks of a tile x"),
    ],
)
def test_tiles_that_are_not_here(stated, message):
    with pytest.raises(AzulejarError, match=message):
        stated.knowns(NAMES)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(AzulejarError, match="Cannot read"):
        KnownsFile.load(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes('{"rows": "é"}'.encode("latin-1"))
    with pytest.raises(AzulejarError, match="not UTF-8"):
        KnownsFile.load(tmp_path / "latin.json")


def tiles(**records):
    listed = tuple(records.get(f"t{i}", Record()) for i in range(6))
    return TileSet(np.zeros((6, 4, 4, 3), np.uint8), FILES, records=listed)


def test_all_sources_add_up():
    on_record = tiles(
        t1=Record(row=0, line=2), t2=Record(panel="hall"), t3=Record(panel="hall", outer="left")
    )
    stated = KnownsFile(cols=3, locked=[{"tile": "t4", "turn": 90}], together=[["t0", "t1"]])
    knowns = gather_knowns(on_record, stated, rows=2)
    assert (knowns.rows, knowns.cols, knowns.upright) == (2, 3, False)
    assert knowns.locks == (
        Lock(1, 0, None, None, "row 2 of tiles.csv"),
        Lock(4, None, None, 1, "locked 1"),
    )
    assert (knowns.together, knowns.outer) == (((0, 1), (2, 3)), (15,))


def test_tiles_go_by_their_inventory_number():
    stated = KnownsFile(locked=[{"tile": "MNAz 9", "row": 1, "col": 1}])
    assert gather_knowns(tiles(t5=Record(inventory="MNAz 9")), stated).locks[0].tile == 5


@pytest.mark.parametrize(
    ("stated", "asked", "message"),
    [
        (KnownsFile(rows=3), {"rows": 2}, "to have 2 rows, but the knowns say 3"),
        (KnownsFile(upright=False), {"upright": True}, "to be upright, but the knowns say"),
        (KnownsFile(rows=2, cols=2), {}, "4 places, but there are 6 tiles"),
        (
            KnownsFile(rows=2, cols=3, locked=[{"tile": "t0", "row": 4, "col": 0}]),
            {},
            "t0 at row 5, col 1 lies outside",
        ),
        (
            KnownsFile(locked=[{"tile": "t0", "turn": 90}]),
            {"upright": True},
            r"t0 cannot be turned \(locked 1\)",
        ),
    ],
)
def test_contradictions(stated, asked, message):
    with pytest.raises(AzulejarError, match=message):
        gather_knowns(tiles(), stated, **asked)


def test_a_record_and_a_statement_contradict_each_other():
    on_record = tiles(t0=Record(turn=0, line=2))
    stated = KnownsFile(locked=[{"tile": "t0", "turn": 180}])
    with pytest.raises(AzulejarError, match=r"t0 contradict .*row 2 of tiles.csv, locked 1"):
        gather_knowns(on_record, stated)


def test_knowns_are_read_from_a_file_by_its_path(tmp_path):
    KnownsFile(cols=3, locked=[{"tile": "t4", "turn": 90}]).save(str(tmp_path / "knowns.json"))
    knowns = load_knowns(tiles(), str(tmp_path / "knowns.json"), rows=2)
    assert (knowns.rows, knowns.cols) == (2, 3)
    assert knowns.locks == (Lock(4, None, None, 1, "locked 1"),)
    assert load_knowns(tiles()) == gather_knowns(tiles())


@pytest.mark.parametrize(
    ("records", "stated", "message"),
    [
        ({"t1": Record(row=19, line=2)}, {}, "row 2 of tiles.csv: row 20 lies beyond what 6 tiles"),
        ({"t1": Record(col=6, line=5)}, {}, "row 5 of tiles.csv: col 7 lies beyond what 6 tiles"),
        ({}, {"locked": [{"tile": "t0", "row": 6}]}, "locked 1: row 7 lies beyond what 6 tiles"),
        ({}, {"empty": [{"row": 9, "col": 0}]}, "The empty place: row 10 lies beyond"),
        (
            {},
            {
                "joined": [
                    [{"tile": "t0", "row": 0, "col": 0}, {"tile": "t1", "row": 0, "col": 900}]
                ]
            },
            "joined 1: col 901 lies beyond",
        ),
    ],
)
def test_places_that_the_tiles_cannot_fill(records, stated, message):
    with pytest.raises(AzulejarError, match=message):
        gather_knowns(tiles(**records), KnownsFile(**stated))


def test_places_far_away_where_tiles_are_missing():
    far = tiles(t1=Record(row=19, line=2))
    assert gather_knowns(far, rows=20, cols=3).locks[0].row == 19
    assert gather_knowns(far, few_of_many=True).locks[0].row == 19
    apart = [{"tile": "t0", "row": 0, "col": 0}, {"tile": "t1", "row": 30, "col": 0}]
    assert gather_knowns(tiles(), KnownsFile(joined=[apart])).joined


@pytest.mark.parametrize("size", [{"rows": 20_000}, {"rows": 2000, "cols": 2000}])
def test_a_panel_that_is_too_large_for_the_tiles(size):
    with pytest.raises(AzulejarError) as raised:
        gather_knowns(tiles(), **size)
    assert raised.value.code == "panel-too-large"
