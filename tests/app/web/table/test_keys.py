"""What keys do."""

import pytest


def test_r_turns_the_selected_tile_and_shift_r_turns_it_back(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.press("r")
    assert [(p["tile"], p["turn"]) for p in bench.edit()["placed"]] == [(5, 90)]
    bench.press("Shift+R", "Shift+R")
    assert [edit["placed"][0]["turn"] for edit in bench.told("edit")] == [0, 270]


def test_r_turns_a_rectangle_of_places_as_a_block(bench):
    bench.open(3, 4)
    bench.click(bench.where(0, 0))
    for place in ((0, 1), (1, 0), (1, 1)):
        bench.click(bench.where(*place), "Shift")
    bench.press("r")
    assert [bench.at(0, 0), bench.at(0, 1), bench.at(1, 1), bench.at(1, 0)] == [4, 0, 1, 5]
    assert bench.of(0)["turn"] == 90


def test_keys_mean_the_tile_under_the_pointer_if_none_is_selected(bench):
    bench.open(3, 4)
    bench.mouse.move(*bench.where(2, 3))
    bench.press("r")
    assert bench.edit()["placed"][0]["tile"] == 11


def test_l_locks_and_unlocks(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.press("l")
    assert bench.edit()["lock"] == [5]
    bench.press("r")
    assert bench.told("edit") == []
    bench.press("l")
    assert bench.edit()["unlock"] == [5]


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
def test_delete_lifts_to_the_tray(bench, key):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.press(key)
    edit = bench.edit()
    assert [(p["tile"], p["panel"]) for p in edit["placed"]] == [(5, -1)]
    assert bench.at(1, 1) is None


def test_m_marks_the_hole_under_the_pointer_as_missing_and_back(bench):
    bench.open(3, 4, change=lambda board: board["placed"][5].update(panel=-1, row=0, col=0))
    bench.mouse.move(*bench.where(1, 1))
    bench.press("m")
    assert bench.edit()["missing"] == [{"panel": 0, "row": 1, "col": 1}]
    bench.press("m")
    assert bench.edit()["present"] == [{"panel": 0, "row": 1, "col": 1}]
    bench.mouse.move(*bench.where(0, 0))
    bench.press("m")
    assert bench.told("edit") == []
    assert "Only an empty place" in bench.told("notice")[-1]["text"]


def test_f_forbids_a_joint_and_allows_it_again(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.click(bench.where(2, 1), "Shift")
    bench.press("f")
    pair = {"tile": 5, "side": 2, "other": 9, "other_side": 0}
    assert bench.edit()["forbid"] == [pair]
    bench.press("f")
    assert bench.edit()["allow"] == [pair]


def test_f_asks_for_two_neighbours(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.click(bench.where(2, 3), "Shift")
    bench.press("f")
    assert bench.told("edit") == []
    assert bench.told("notice")[-1]["text"].startswith("Select two tiles")


def test_ctrl_a_and_escape(bench):
    bench.open(3, 4, loose=2)
    bench.press("Control+a")
    assert sorted(bench.selection()) == list(range(12))
    bench.press("Escape")
    assert bench.selection() == []


def test_arrows_pan_when_nothing_is_selected(bench):
    bench.open(3, 4)
    before = bench.page.evaluate("table.view")
    bench.press("ArrowRight", "ArrowDown")
    view = bench.page.evaluate("table.view")
    assert (view["x"], view["y"]) == pytest.approx((before["x"] - 90, before["y"] - 90))


def test_the_whole_work_by_keyboard(bench):
    bench.open(3, 4, loose=2)
    voice = bench.page.locator("[aria-live=polite]")
    bench.page.focus("#before")
    bench.press("Tab")
    assert voice.text_content() == "Row 1, column 1: tile n0"
    bench.press("ArrowRight", "ArrowDown")
    assert voice.text_content() == "Row 2, column 2: tile n5"
    bench.press("Enter")
    assert bench.selection() == [5]
    assert bench.told("place")[-1]["tile"] == 5
    bench.press("Control+ArrowRight")
    assert (bench.at(1, 2), bench.at(1, 1)) == (5, 6)
    assert voice.text_content() == "Row 2, column 3: tile n5, selected"
    bench.press("Delete")
    assert voice.text_content() == "n5 to the tray"
    bench.press("t", "ArrowRight")
    assert voice.text_content() == "Tray, 2 of 3: tile n12"
    bench.press("Enter", "t")
    bench.page.evaluate("told.length = 0")
    bench.press("p")
    assert [(p["tile"], p["row"], p["col"]) for p in bench.edit()["placed"]] == [(12, 1, 2)]


def test_space_adds_to_the_selection(bench):
    bench.open(3, 4)
    bench.page.focus("#before")
    bench.press("Tab", " ", "ArrowRight", " ")
    assert bench.selection() == [0, 1]


def test_the_page_keeps_its_own_keys(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.press("Control+z", "Control+y")
    assert bench.told("edit") == []


def test_the_canvas_says_what_it_is(bench):
    canvas = bench.page.locator("canvas")
    assert canvas.get_attribute("role") == "application"
    assert canvas.get_attribute("aria-label").startswith("Light table.")


def test_letters_reach_the_table_from_a_button_but_its_own_keys_do_not(bench):
    bench.open(3, 4)
    bench.click(bench.where(1, 1))
    bench.page.focus("#before")
    bench.page.evaluate("told.length = 0")
    bench.press("Enter", " ", "ArrowDown")
    assert bench.page.evaluate("told") == []
    bench.press("r")
    assert bench.edit()["placed"][0]["tile"] == 5


def test_the_focus_shows_when_it_came_by_keyboard(bench):
    def outline():
        return bench.page.evaluate("getComputedStyle(table.canvas).outlineStyle")

    bench.open(3, 4)
    bench.page.focus("#before")
    bench.press("Tab")
    assert outline() == "solid"
    bench.click(bench.where(1, 1))
    assert outline() == "none"
