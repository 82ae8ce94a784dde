import json
import shutil
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from azulejar.collection.solve import SkippedGroup, solve_groups
from azulejar.collection.sort_results import Group, folder_name
from azulejar.collection.storage.catalogue import Collection
from azulejar.knowledge.knowns_file import KnownsFile, LockedTile
from azulejar.knowledge.knowns_file import RefusedPair as Apart
from azulejar.outputs.collection.panels import (
    is_solved,
    likely_outline,
    load_loose_part,
    load_panel_solution,
    read_panels,
    remove_leftovers,
    write_solved_panel,
)


def copied(made, tmp_path):
    """A collection of its own, beside crates of its own."""
    shutil.copytree(made[0].folder.parent, tmp_path, dirs_exist_ok=True)
    return Collection.open(tmp_path / "museum")


def test_the_folder_is_as_a_solve_leaves_it(made):
    collection, _, panels = made
    folder = collection.folder / "panels" / "panel_0001"
    assert {path.name for path in folder.iterdir()} == {
        "solution.json", "panel.png", "placement.csv", "report.html", "small.webp", "panel.json",
    }  # fmt: skip
    solution = load_panel_solution(collection, "1")
    assert len(solution.tiles) == 19
    assert {tile.crate for tile in solution.tiles} == {"K 0", "K 1", "K 2"}
    assert "<h1>Panel 1</h1>" in (folder / "report.html").read_text(encoding="utf-8")
    one = next(panel for panel in panels if panel.name == "1")
    assert (one.places, one.holes, one.tiles) == (20, 1, 19)
    assert Image.open(folder / "panel.png").size in {(300, 240), (240, 300)}


def test_panels_are_read_as_they_were_written_finest_first(made):
    collection, found, panels = made
    read = read_panels(collection, found.groups)
    assert sorted(read, key=lambda p: p.name) == sorted(panels, key=lambda p: p.name)
    assert [panel.merit for panel in read] == sorted((p.merit for p in panels), reverse=True)


def test_a_panel_with_a_loose_part_is_to_be_checked_and_comes_last(
    made, tmp_path, in_turn, monkeypatch
):
    collection = copied(made, tmp_path)
    finest, *_ = read_panels(collection, made[1].groups)
    (group,) = (group for group in made[1].groups if group.name == finest.name)
    monkeypatch.setattr("azulejar.judging.seams.HELD", 1.1)  # nothing holds together then
    monkeypatch.setattr("azulejar.judging.seams.LEAST_MIRRORED", 1000)
    (solved,) = solve_groups(collection, [group], in_turn, preset="fast")
    write_solved_panel(collection, solved, "fast", 0)
    *_, last = read_panels(collection, made[1].groups)
    assert (last.name, last.trust) == (finest.name, "check")
    numbers, mirrored = load_loose_part(collection, finest.name)
    assert (len(numbers), mirrored) == (last.loose, False)
    assert 4 <= last.loose <= len(group.tiles) / 2  # no more than the rest


def test_a_group_of_other_tiles_makes_its_panel_outdated(made):
    collection, found, _ = made
    fewer = Group("1", found.groups[0].tiles[:-1])
    assert [panel.outdated for panel in read_panels(collection, [fewer])] == [True]
    assert read_panels(collection, [Group("99", (0, 1))]) == []


def test_what_is_done_is_not_done_again_until_something_changes(made, tmp_path, in_turn):
    collection = copied(made, tmp_path)
    groups = made[1].groups

    def solved(**settings):
        settings = {
            "preset": "fast",
            "is_done": lambda g, k: is_solved(collection, g, k),
            **settings,
        }
        return [each.group.name for each in solve_groups(collection, groups, in_turn, **settings)]

    assert solved() == []
    assert sorted(solved(seed=1)) == ["1", "Stairs <b>"]
    (collection.folder / "panels" / folder_name("1") / "panel.json").unlink()
    assert solved() == ["1"]
    first, second = (collection.entries(groups[0].tiles)[i].inventory for i in (0, 1))
    collection.save_statements(KnownsFile(apart=[Apart(tile=first, other=second)]))
    assert solved() == ["1"]


def test_locks_and_refusals_hold(made, tmp_path, in_turn):
    collection, groups = copied(made, tmp_path), made[1].groups[:1]
    tile = collection.entries(groups[0].tiles)[3].inventory
    collection.save_statements(KnownsFile(locked=[LockedTile(tile=tile, row=0, col=0, turn=90)]))
    (solved,) = solve_groups(collection, groups, in_turn, preset="fast")
    write_solved_panel(collection, solved, "fast", 0)
    placed = {each.number: each for each in load_panel_solution(collection, "1").tiles}
    assert (placed[tile].row, placed[tile].col, placed[tile].turn) == (0, 0, 90)


def test_a_contradiction_leaves_one_panel_and_not_the_others(made, tmp_path, in_turn):
    collection, groups = copied(made, tmp_path), made[1].groups
    one, two = (collection.entries(groups[0].tiles)[i].inventory for i in (3, 4))
    locks = [LockedTile(tile=name, row=0, col=0) for name in (one, two)]
    collection.save_statements(KnownsFile(locked=locks))
    answers = list(solve_groups(collection, groups, in_turn, preset="fast"))
    assert [type(each) is SkippedGroup for each in answers] == [True, False]
    assert one in str(answers[0].why) or two in str(answers[0].why)


def test_vanished_pictures_give_way_to_the_copies(made, tmp_path, in_turn):
    collection, groups = copied(made, tmp_path), made[1].groups[:1]
    lost = collection.entries(groups[0].tiles)[:2]
    lost[0].path.unlink()
    lost[1].path.write_bytes(b"no picture")
    (solved,) = solve_groups(collection, groups, in_turn, preset="fast")
    assert write_solved_panel(collection, solved, "fast", 0).vanished == 2
    folder = collection.folder / "panels" / "panel_0001"
    mark = json.loads((folder / "panel.json").read_text(encoding="utf-8"))
    assert mark["vanished"] == [entry.inventory for entry in lost]
    assert "2 of 19 pictures are no longer" in (folder / "report.html").read_text(encoding="utf-8")


class Jumbled:
    """An engine whose blocks end in reverse."""

    name, workers = "jumbled", 2

    def map(self, task, blocks, shared=(), on_done=None):
        yield from reversed([(number, task((), block)) for number, block in enumerate(blocks)])


def test_the_answers_do_not_depend_on_the_engine(made, in_turn):
    collection, found, _ = made
    answers = [
        {each.group.name: each for each in solve_groups(collection, found.groups, engine, seed=3,
                                                        preset="fast")}
        for engine in (in_turn, Jumbled())
    ]  # fmt: skip
    assert list(answers[0]) == list(reversed(answers[1]))
    for name, one in answers[0].items():
        other = answers[1][name]
        assert one.key == other.key
        for part in ("row", "col", "turn"):
            same = getattr(one.assembly, part), getattr(other.assembly, part)
            np.testing.assert_array_equal(*same)


def test_what_a_killed_run_left_is_taken_away(tmp_path):
    (tmp_path / ".panel_0001.abc").mkdir()
    (tmp_path / "panel_0002" / ".panel_0002.abc").mkdir(parents=True)
    (tmp_path / "panel_0002" / "mine.txt").touch()
    (tmp_path / ".mine").touch()
    remove_leftovers(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert left == {"panel_0002", "panel_0002/mine.txt", ".mine"}


def test_a_panel_whose_solution_was_removed_is_not_done(made, tmp_path):
    collection = copied(made, tmp_path)
    folder = collection.folder / "panels" / "panel_0001"
    key = json.loads((folder / "panel.json").read_text(encoding="utf-8"))["key"]
    assert is_solved(collection, made[1].groups[0], key)
    (folder / "solution.json").unlink()
    assert not is_solved(collection, made[1].groups[0], key)
    assert [panel.name for panel in read_panels(collection, made[1].groups)] == ["Stairs <b>"]


def agreement(lies, rows, cols):
    return 2 * lies[rows, cols].sum() / (lies.sum() + lies[rows, cols].size)


@given(arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 6))).filter(lambda a: a.any()))
def test_no_rectangle_agrees_better(lies):
    spans = [
        [slice(a, b) for a in range(length) for b in range(a + 1, length + 1)]
        for length in lies.shape
    ]
    best = max(agreement(lies, rows, cols) for rows, cols in product(*spans))
    assert np.isclose(agreement(lies, *likely_outline(lies)), best)


def test_holes_are_within_and_a_tail_is_without():
    lies = np.zeros((9, 8), bool)
    lies[2:8, 1:7] = True
    lies[3, 3] = lies[2, 1] = False
    lies[0:2, 4] = lies[5, 7] = True
    assert likely_outline(lies) == (slice(2, 8), slice(1, 7))


def test_a_whole_panel_is_its_own_outline():
    assert likely_outline(np.ones((3, 5), bool)) == (slice(0, 3), slice(0, 5))
