"""What the command, knowns.json and tiles.csv say becomes one."""

import numpy as np
import pytest

from azulejar.core.knowns import Lock
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.gathering import gather
from azulejar.knowledge.statements import Statements

FILES = tuple(f"t{i}.png" for i in range(6))


def tiles(**records):
    listed = tuple(records.get(f"t{i}", Record()) for i in range(6))
    return TileSet(np.zeros((6, 4, 4, 3), np.uint8), FILES, records=listed)


def test_all_sources_add_up():
    on_record = tiles(t1=Record(row=0, line=2), t2=Record(panel="hall"), t3=Record(panel="hall"))
    stated = Statements(cols=3, locked=[{"tile": "t4", "turn": 90}], together=[["t0", "t1"]])
    knowns = gather(on_record, stated, rows=2)
    assert (knowns.rows, knowns.cols, knowns.upright) == (2, 3, False)
    assert knowns.locks == (
        Lock(1, 0, None, None, "row 2 of tiles.csv"),
        Lock(4, None, None, 1, "locked 1"),
    )
    assert knowns.together == ((0, 1), (2, 3))


def test_tiles_go_by_their_inventory_number():
    stated = Statements(locked=[{"tile": "MNAz 9", "row": 1, "col": 1}])
    assert gather(tiles(t5=Record(inventory="MNAz 9")), stated).locks[0].tile == 5


@pytest.mark.parametrize(
    ("stated", "asked", "message"),
    [
        (Statements(rows=3), {"rows": 2}, "--rows is 2, but the knowns say 3"),
        (Statements(upright=False), {"upright": True}, "to be upright, but the knowns say"),
        (Statements(rows=2, cols=2), {}, "4 places, but there are 6 tiles"),
        (
            Statements(rows=2, cols=3, locked=[{"tile": "t0", "row": 4, "col": 0}]),
            {},
            "t0 at row 5, col 1 lies outside",
        ),
        (
            Statements(locked=[{"tile": "t0", "turn": 90}]),
            {"upright": True},
            r"t0 cannot be turned \(locked 1\)",
        ),
    ],
)
def test_contradictions(stated, asked, message):
    with pytest.raises(AzulejarError, match=message):
        gather(tiles(), stated, **asked)


def test_a_record_and_a_statement_contradict_each_other():
    on_record = tiles(t0=Record(turn=0, line=2))
    stated = Statements(locked=[{"tile": "t0", "turn": 180}])
    with pytest.raises(AzulejarError, match=r"t0 contradict .*row 2 of tiles.csv, locked 1"):
        gather(on_record, stated)
