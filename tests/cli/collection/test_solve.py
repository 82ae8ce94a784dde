import json
import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.collection.groups_page import write_collection_groups

SOLVE = ("collection", "solve", "museum", "--preset", "fast", "--workers", "1")


def panel_files(museum):
    folder = museum / "panels" / "panel_0001"
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


@pytest.fixture
def solved(museum, solved_museum):
    """The museum with its panel put together."""
    shutil.copytree(solved_museum, museum, dirs_exist_ok=True)
    return museum


@pytest.fixture(scope="module")
def solved_museum(tmp_path_factory, made_museum, run_command):
    folder = shutil.copytree(made_museum, tmp_path_factory.mktemp("solved"), dirs_exist_ok=True)
    assert run_command(*SOLVE, cwd=folder).returncode == 0
    return folder / "museum"


def test_panels_and_their_page_are_written_once(museum, azulejar, azulejar_process):
    shown = azulejar_process(*SOLVE)
    assert (
        "Panel 1: 4 rows × 5 cols, 19 tiles, 1 missing" in shown or "Panel 1: 5 rows × 4" in shown
    )
    assert (museum / "panels" / "index.html").is_file()
    before = panel_files(museum)
    again = azulejar(*SOLVE)
    assert "Panel 1:" not in again and "1 of 1 panel put together." in again
    assert panel_files(museum) == before


def test_a_hole_of_a_solved_panel_may_be_asked_for(solved, azulejar):
    museum = solved
    tiles = json.loads((museum / "panels" / "panel_0001" / "solution.json").read_text())["tiles"]
    places = {(tile["row"], tile["col"]) for tile in tiles}
    rows, cols = (max(place[axis] for place in places) + 1 for axis in (0, 1))
    (hole,) = set(np.ndindex(rows, cols)) - places
    place = ("--row", hole[0] + 1, "--col", hole[1] + 1)
    shown = azulejar("collection", "find", "museum", "--panel", "1", *place, "-o", "hole.png")
    assert f"What fits row {hole[0] + 1}, col {hole[1] + 1} of panel 1" in shown
    assert Image.open(museum.parent / "hole.png").width > 100


def test_the_report_tells_of_what_was_solved(solved, azulejar):
    museum = solved
    azulejar("collection", "report", "museum")
    page = (museum / "report.html").read_text(encoding="utf-8")
    assert "1 panel has been put together" in page


def test_what_is_stated_once_stays(solved, azulejar, tmp_path):
    museum = solved
    (tmp_path / "knowns.json").write_text('{"locked": [{"tile": "A07", "turn": 90}]}')
    assert "Panel 1:" in azulejar(*SOLVE, "--knowns", "knowns.json")
    solution = json.loads((museum / "panels" / "panel_0001" / "solution.json").read_text())
    (tile,) = [tile for tile in solution["tiles"] if tile["inventory"] == "A07"]
    assert tile["turn"] == 90
    assert "Panel 1:" not in azulejar(*SOLVE)


def test_size_and_hanging_are_stated_once(solved, azulejar):
    museum = solved

    def box():
        solution = json.loads((museum / "panels" / "panel_0001" / "solution.json").read_text())
        return solution["rows"], solution["cols"]

    before = box()
    azulejar(*SOLVE, "--turn", "1=90")
    assert box() == before[::-1]
    azulejar(*SOLVE, "--panel", "1", "--rows", "4", "--cols", "5")
    assert box() == (4, 5)
    azulejar(*SOLVE, "--turn", "1=270")
    assert box() == (5, 4)
    assert "Panel 1:" not in azulejar(*SOLVE)


def test_a_panel_that_hangs_right_is_kept_so(solved, azulejar):
    museum = solved

    def turns():
        solution = json.loads((museum / "panels" / "panel_0001" / "solution.json").read_text())
        return {tile["inventory"]: tile["turn"] for tile in solution["tiles"]}

    before = turns()
    azulejar(*SOLVE, "--turn", "1=0")
    assert turns() == before
    azulejar(*SOLVE, "--seed", "1")
    assert turns() == before


def test_tiles_that_came_in_since_are_told_of(museum, azulejar, tmp_path):
    (tmp_path / "new").mkdir()
    noise = np.random.default_rng(5).integers(0, 256, (60, 60, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "new" / "B1.png")
    azulejar("collection", "add", "museum", "new", "--workers", "1")
    shown = azulejar("collection", "report", "museum")
    assert "1 tile came in since the last sort" in shown
    assert "azulejar collection sort museum" in shown


def test_ctrl_c_leaves_what_was_done(museum, azulejar, interrupted):
    """Stopped when the second of two panels is about to be written."""
    with Collection.open(museum) as collection:
        halves = [
            Group("1", tuple(range(9)), 0.9, 12, 0.9, 12),
            Group("2", tuple(range(9, 19)), 0.9, 12, 0.9, 12),
        ]
        write_collection_groups(collection, SortResult(halves, (19,), np.ones(20)))
    at = "azulejar.outputs.collection.stages.write_solved_panel"
    ended = interrupted(*SOLVE, "--least", "2", at=at, call=2)
    assert ended.returncode == 130
    assert ended.stderr == (
        "azulejar: stopped; what was solved is kept. Continue with the same command.\n"
    )
    assert "1 of 2 panels put together." in ended.stdout
    assert {path.name for path in (museum / "panels").iterdir() if path.is_dir()} == {"panel_0001"}
    assert not list((museum / "panels").glob(".*"))
    before = panel_files(museum)
    again = azulejar(*SOLVE, "--least", "2")
    assert "Panel 1:" not in again and "Panel 2:" in again
    assert panel_files(museum) == before


@pytest.mark.parametrize(
    "options, said",
    [
        (("--panel", "7"), "found no panel 7"),
        (("--preset", "slow"), "no preset"),
        (("--engine", "abacus"), "no engine"),
        (("--knowns", "none.json"), "Cannot read"),
        (("--turn", "1=45"), "how far which panel"),
        (("--turn", "1=90"), "has not been put together"),
        (("--rows", "4", "--cols", "5"), "one --panel"),
        (("--panel", "1", "--rows", "2", "--cols", "5"), "10 places"),
    ],
)
def test_refusals(museum, refused, options, said):
    assert said in refused("collection", "solve", "museum", *options)


def test_knowns_of_one_panel_are_refused(museum, refused, tmp_path):
    (tmp_path / "knowns.json").write_text('{"rows": 4}')
    said = refused("collection", "solve", "museum", "--knowns", "knowns.json")
    assert "those of one panel" in said
    (tmp_path / "knowns.json").write_text('{"locked": [{"tile": "Z9", "turn": 90}]}')
    assert "no tile Z9" in refused("collection", "solve", "museum", "--knowns", "knowns.json")


@pytest.mark.parametrize("command", ["solve", "report"])
def test_a_museum_must_be_sorted_first(museum, refused, command):
    (museum / "groups" / "groups.json").unlink()
    assert "has not been sorted yet" in refused("collection", command, "museum")


@pytest.mark.parametrize("command", ["find", "sort", "solve", "report"])
def test_an_empty_museum_has_nothing_to_work_on(azulejar, refused, command):
    azulejar("collection", "create", "empty")
    assert "has no tiles yet" in refused("collection", command, "empty")
