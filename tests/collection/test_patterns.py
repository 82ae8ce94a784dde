"""Patterns of a collection: found, named, kept, and matched with a wall."""

import json

import numpy as np
import pytest

from azulejar.collection.pattern_match import match_photograph, match_wall
from azulejar.collection.pattern_names import apply_naming, plan_naming
from azulejar.collection.patterns import (
    FOLDER,
    MARK,
    CollectionPatterns,
    condition_of,
    find_collection_patterns,
    load_patterns,
    save_patterns,
)
from azulejar.collection.sort import without_tiles
from azulejar.core.joints import Joints
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.imaging.walls.grid import Grid
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut

BY_NAME = {design.name: design for design in DESIGNS}


class Museum:
    """As much of a collection as patterns need: pixels, records and a folder."""

    def __init__(self, folder, pixels):
        self.folder, self.pixels = folder, pixels
        self.records = [Record() for _ in pixels]
        self.removed = {}

    def __len__(self):
        return len(self.pixels)

    def inventories(self):
        return [f"A{i:03}" for i in range(len(self))]

    def entries(self):
        return [type("Entry", (), {"record": record}) for record in self.records]


@pytest.fixture(scope="module", autouse=True)
def few_decoys():
    """Let designs compete with few decoys, which take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("azulejar.collection.patterns.removed_tiles", lambda museum: museum.removed)
        patch.setattr("azulejar.patterns.linking.CROWD", 8)
        yield


@pytest.fixture(scope="module")
def pixels():
    """24 rosettes, 12 tiles of a trellis, and 20 of a painted panel, turned: [56, 50, 50, 3]."""
    rng = np.random.default_rng(0)
    parts = [
        cut(paint_pattern(BY_NAME["rosettes"], 4, 6, 50), 4, 6),
        cut(paint_pattern(BY_NAME["trellis"], 3, 4, 50), 3, 4),
        cut(paint_panel(4, 5, 50, 3), 4, 5),
    ]
    return np.stack([np.rot90(tile, rng.integers(4)) for tile in np.concatenate(parts)])


@pytest.fixture
def museum(tmp_path, pixels):
    (tmp_path / FOLDER).mkdir()
    return Museum(tmp_path, pixels)


def keep(museum):
    kept = find_collection_patterns(museum)
    save_patterns(museum.folder / FOLDER / MARK, museum, kept)
    return kept


def name(museum, rename):
    """Find patterns and name them; return how, and the patterns then."""
    kept = keep(museum)
    naming = plan_naming(museum, kept, rename)
    named = apply_naming(museum, kept, naming)
    save_patterns(museum.folder / FOLDER / MARK, museum, named)
    return naming, named


def test_patterns_are_numbered_and_keep_their_tiles(museum):
    kept = keep(museum)
    assert [(name, len(each)) for name, each in zip(kept.names, kept.found, strict=True)] == [
        ("1", 24),
        ("2", 12),
    ]
    assert kept.by_tile() == {tile: "1" if tile < 24 else "2" for tile in range(36)}


def test_a_name_stays_with_its_pattern(museum):
    naming, named = name(museum, {"2": "P-17-00101"})
    assert keep(museum).names == named.names == ("1", "P-17-00101")
    assert apply_naming(museum, named, naming, undone=True).names == ("1", "2")


def test_designs_of_one_name_are_one_pattern(museum):
    naming, named = name(museum, {"1": "P-17-00101", "2": "P-17-00101"})
    kept = keep(museum)
    assert kept.names == named.names == ("P-17-00101",)
    assert len(kept.found[0]) == len(named.found[0]) == 36
    assert named.stored() == kept.stored()
    apart = apply_naming(museum, load_patterns(museum), naming, undone=True)
    assert [len(each) for each in apart.found] == [24, 12]
    again = apply_naming(museum, apart, naming)
    assert again.stored() == kept.stored()
    assert apply_naming(museum, again, naming) is None  # it is named already


def test_names_can_be_exchanged(museum):
    name(museum, {"1": "P-1", "2": "P-2"})
    _, named = name(museum, {"P-1": "P-2", "P-2": "P-1"})
    assert named.names == ("P-2", "P-1")


def test_the_inventory_names_patterns(museum):
    museum.records[3] = Record(pattern="P-18-00007")
    assert keep(museum).names == ("P-18-00007", "1")


def test_who_names_a_pattern_overrides_the_inventory(museum, monkeypatch):
    def edit(museum, old, new):
        if any(museum.records[int(n[1:])].pattern != v["pattern"] for n, v in old.items()):
            return False
        for number, values in new.items():
            museum.records[int(number[1:])] = Record(**values)
        return True

    monkeypatch.setattr("azulejar.collection.pattern_names.edit_records", edit)
    museum.records[3] = Record(pattern="P-18-00007")
    naming, named = name(museum, {"P-18-00007": "P-17-00101"})
    assert keep(museum).names == ("P-17-00101", "1")
    museum.records[3] = Record(pattern="other")  # somebody has edited it since
    assert apply_naming(museum, named, naming, undone=True) is None
    museum.records[3] = Record(pattern="P-17-00101")
    assert apply_naming(museum, named, naming, undone=True).names == ("P-18-00007", "1")
    assert museum.records[3].pattern == "P-18-00007"


@pytest.mark.parametrize(
    ("rename", "code"),
    [
        ({"7": "P"}, "pattern-unknown"),
        ({"1": ""}, "pattern-name-unfit"),
        ({"1": "2"}, "pattern-name-unfit"),
    ],
)
def test_names_that_cannot_be_given_are_refused(museum, rename, code):
    with pytest.raises(AzulejarError) as refusal:
        plan_naming(museum, keep(museum), rename)
    assert refusal.value.code == code


def test_what_was_found_is_read_again(museum):
    assert load_patterns(museum) is None
    kept = keep(museum)
    again = load_patterns(museum)
    assert isinstance(again, CollectionPatterns)
    assert again.names == kept.names
    for one, other in zip(again.found, kept.found, strict=True):
        assert one.tiles.tolist() == other.tiles.tolist()
        assert one.module.design.tolist() == other.module.design.tolist()
        assert np.array_equal(one.picture, other.picture)
    museum.removed["A003"] = None
    left = load_patterns(museum, drawn=False)
    assert left.by_tile().keys() == kept.by_tile().keys() - {3}
    assert find_collection_patterns(museum).by_tile() == left.by_tile()


def test_a_list_of_patterns_draws_nothing(museum, monkeypatch):
    kept = keep(museum)
    monkeypatch.setattr("azulejar.collection.patterns.draw_design", None)
    again = load_patterns(museum, drawn=False)
    assert again.by_tile() == kept.by_tile()
    with pytest.raises(TypeError):
        load_patterns(museum)


def test_a_damaged_list_is_refused(museum):
    keep(museum)
    path = museum.folder / FOLDER / MARK
    data = json.loads(path.read_text())
    data["tiles"][0]["tile"] = "nobody"
    path.write_text(json.dumps(data))
    with pytest.raises(AzulejarError) as refusal:
        load_patterns(museum)
    assert refusal.value.code == "patterns-unreadable"
    assert load_patterns(museum, ignore_damage=True) is None


def test_the_condition_follows_the_likeness():
    assert [condition_of(each) for each in (0.99, 0.92, 0.5)] == ["good", "worn", "poor"]


def test_a_wall_is_continued_by_its_own_pattern(museum):
    kept = keep(museum)
    wall = cut(paint_pattern(BY_NAME["rosettes"], 5, 6, 64, seed=9), 5, 6)
    wall[[8, 14]] = 200  # lost
    best, *others = match_wall(kept, wall, 5, 6)
    assert (best.name, others) == ("1", [])
    assert best.seen.sum() == 28
    assert sum(best.needed.values()) == 2
    assert sum(best.stock.values()) == 24
    assert best.lacking == 0


@pytest.mark.parametrize(
    ("start", "step"), [((0, 0), 50), ((25, 25), 50), ((0, 0), 25), ((0, 25), 50)]
)
def test_mirror_axes_that_were_taken_for_joints(museum, start, step):
    picture = paint_pattern(BY_NAME["rosettes"], 6, 8, 50, seed=9)
    picture[100:150, 150:200] = 200  # lost
    xs, ys = np.arange(start[1], 401, step), np.arange(start[0], 301, step)
    crossings = np.stack(np.meshgrid(xs, ys), axis=-1).astype(float)
    rows, cols = len(ys) - 1, len(xs) - 1
    grid = Grid(crossings, np.ones((rows, cols + 1)), np.ones((rows + 1, cols)), 1.0)
    grid, (best,) = match_photograph(keep(museum), picture, grid)
    assert (grid.rows, grid.cols, sum(best.needed.values())) == (6, 8, 1)
    assert best.gaps.sum() == 1
    assert best.gaps[2, 3]


def test_a_place_to_mend_counts_for_one_pattern_only(museum):
    rows = [cut(paint_pattern(BY_NAME[n], 1, 6, 50), 1, 6) for n in ("rosettes", "trellis")]
    wall = np.concatenate([*rows, *rows])  # as two parts of one pattern would lie
    wall[8] = 200  # lost
    matches = match_wall(keep(museum), wall, 4, 6)
    assert sorted(int(each.seen.sum()) for each in matches) == [11, 12]
    assert sum(sum(each.needed.values()) for each in matches) == 1


def test_a_strange_wall_is_continued_by_none(museum):
    strange = cut(paint_pattern(BY_NAME["diamond point"], 4, 4, 64), 4, 4)
    assert match_wall(keep(museum), strange, 4, 4) == []
    without = CollectionPatterns((), find_patterns(strange[:4]))
    assert match_wall(without, strange, 4, 4) == []


def test_joints_of_pattern_tiles_do_not_count():
    start = np.array([0, 1, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4], np.int32)
    joints = Joints(start, np.array([4, 5, 0, 1], np.int32), np.ones(4, np.float32))
    assert without_tiles(joints, np.array([2])).score.tolist() == [1, 1, 1, 1]
    assert without_tiles(joints, np.array([1])).score.tolist() == [0, 0, 0, 0]
