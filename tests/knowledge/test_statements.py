"""knowns.json: what may be said, and what cannot be."""

import json

import pytest

from azulejar.core.knowns import Lock
from azulejar.errors import AzulejarError
from azulejar.knowledge.statements import Statements

NAMES = [("a.png", "MNAz 1", "a"), ("b.png", "MNAz 2", "b"), ("c.png", "c", "c")]


def load(tmp_path, data):
    path = tmp_path / "knowns.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return Statements.load(path)


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


def test_saved_and_read_again(tmp_path):
    stated = Statements(rows=3, locked=[{"tile": "ç", "turn": 90}], empty=[{"row": 0, "col": 1}])
    stated.save(tmp_path / "saved.json")
    assert Statements.load(tmp_path / "saved.json") == stated


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "Invalid JSON"),
        ({"rows": 0}, "rows: Input should be greater"),
        ({"lock": []}, "lock: Extra inputs"),
        ({"locked": [{"tile": "a"}, {"tile": "b", "turn": 45}]}, "locked 2 turn: Input should be"),
        ({"locked": [{"row": 1}]}, "locked 1 tile: Field required"),
        ({"format": "azulejar-knowns/9"}, "format: Input should be"),
    ],
)
def test_the_statement_at_fault_is_named(tmp_path, data, message):
    with pytest.raises(AzulejarError, match=message):
        load(tmp_path, data)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        (Statements(locked=[{"tile": "a"}, {"tile": "z"}]), "locked 2 speaks of a tile z that is"),
        (Statements(joined=[[{"tile": "y", "row": 0, "col": 0}]]), "joined 1 speaks of a tile y"),
        (Statements(apart=[{"tile": "a", "other": "a.png"}]), "apart 1 names one tile twice"),
        (Statements(together=[["a"], ["x"]]), "together 2 speaks of a tile x"),
    ],
)
def test_tiles_that_are_not_here(stated, message):
    with pytest.raises(AzulejarError, match=message):
        stated.knowns(NAMES)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(AzulejarError, match="Cannot read"):
        Statements.load(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes('{"rows": "é"}'.encode("latin-1"))
    with pytest.raises(AzulejarError, match="not UTF-8"):
        Statements.load(tmp_path / "latin.json")
