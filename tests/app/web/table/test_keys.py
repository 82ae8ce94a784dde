"""What keys do."""

import pytest


def test_r_turns_the_selected_tile_and_shift_r_turns_it_back(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.press("r")
    assert [(p["tile"], p["turn"]) for p in driver.edit()["placed"]] == [(5, 90)]
    driver.press("Shift+R", "Shift+R")
    assert [edit["placed"][0]["turn"] for edit in driver.told("edit")] == [0, 270]


def test_r_turns_a_rectangle_of_places_as_a_block(driver):
    driver.open(3, 4)
    driver.click(driver.where(0, 0))
    for place in ((0, 1), (1, 0), (1, 1)):
        driver.click(driver.where(*place), "Shift")
    driver.press("r")
    assert [driver.at(0, 0), driver.at(0, 1), driver.at(1, 1), driver.at(1, 0)] == [4, 0, 1, 5]
    assert driver.of(0)["turn"] == 90


def test_keys_mean_the_tile_under_the_pointer_if_none_is_selected(driver):
    driver.open(3, 4)
    driver.mouse.move(*driver.where(2, 3))
    driver.press("r")
    assert driver.edit()["placed"][0]["tile"] == 11


def test_l_locks_and_unlocks(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.press("l")
    assert driver.edit()["lock"] == [5]
    driver.press("r")
    assert driver.told("edit") == []
    driver.press("l")
    assert driver.edit()["unlock"] == [5]


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
def test_delete_lifts_to_the_tray(driver, key):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.press(key)
    edit = driver.edit()
    assert [(p["tile"], p["panel"]) for p in edit["placed"]] == [(5, -1)]
    assert driver.at(1, 1) is None


def test_m_marks_the_hole_under_the_pointer_as_missing_and_back(driver):
    driver.open(3, 4, change=lambda board: board["placed"][5].update(panel=-1, row=0, col=0))
    driver.mouse.move(*driver.where(1, 1))
    driver.press("m")
    assert driver.edit()["missing"] == [{"panel": 0, "row": 1, "col": 1}]
    driver.press("m")
    assert driver.edit()["present"] == [{"panel": 0, "row": 1, "col": 1}]
    driver.mouse.move(*driver.where(0, 0))
    driver.press("m")
    assert driver.told("edit") == []
    assert "Only an empty place" in driver.told("notice")[-1]["text"]


def test_an_outline_is_drawn_by_keyboard_and_by_hand(driver):
    driver.open(3, 4)
    voice = driver.page.locator("[aria-live=polite]")
    driver.page.focus("#before")
    driver.press("Tab", "c", "ArrowDown", "ArrowRight", "Shift+ArrowRight")
    assert voice.text_content() == "Row 2, column 3: tile n6, inside the outline"
    driver.press("Enter")  # a window of two places
    outline = {"panel": 0, "row": 0, "col": 0, "mask": ["####", "#..#", "####"]}
    assert driver.edit()["outlines"] == [outline]
    driver.drag(driver.where(-1, 1), driver.where(-1, 2))  # a shaped top
    taller = {"panel": 0, "row": -1, "col": 0, "mask": [".##.", "####", "#..#", "####"]}
    assert driver.edit()["outlines"] == [taller]
    assert driver.page.evaluate("table.layout.frame(0).rows") == 4
    driver.click(driver.where(1, 1))
    assert driver.edit()["outlines"][0]["mask"][2] == "##.#"
    driver.page.evaluate("table.outlining.fromTiles()")
    assert driver.edit()["outlines"][0]["mask"] == ["####"] * 3
    driver.page.evaluate("table.outlining.clear()")
    assert driver.edit()["outlines"] == [{"panel": 0, "row": 0, "col": 0, "mask": []}]
    driver.press("Escape")
    driver.drag(driver.where(0, 0), driver.where(0, 1))  # a tile is moved again
    assert len(driver.edit()["placed"]) == 2


def test_f_forbids_a_joint_and_allows_it_again(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.click(driver.where(2, 1), "Shift")
    driver.press("f")
    pair = {"tile": 5, "side": 2, "other": 9, "other_side": 0}
    assert driver.edit()["forbid"] == [pair]
    driver.press("f")
    assert driver.edit()["allow"] == [pair]


def test_f_asks_for_two_neighbours(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.click(driver.where(2, 3), "Shift")
    driver.press("f")
    assert driver.told("edit") == []
    assert driver.told("notice")[-1]["text"].startswith("Select two tiles")


def test_ctrl_a_and_escape(driver):
    driver.open(3, 4, loose=2)
    driver.press("Control+a")
    assert sorted(driver.selection()) == list(range(12))
    driver.press("Escape")
    assert driver.selection() == []


def test_arrows_pan_when_nothing_is_selected(driver):
    driver.open(3, 4)
    before = driver.page.evaluate("table.view")
    driver.press("ArrowRight", "ArrowDown")
    view = driver.page.evaluate("table.view")
    assert (view["x"], view["y"]) == pytest.approx((before["x"] - 90, before["y"] - 90))


def test_the_whole_work_by_keyboard(driver):
    driver.open(3, 4, loose=2)
    voice = driver.page.locator("[aria-live=polite]")
    driver.page.focus("#before")
    driver.press("Tab")
    assert voice.text_content() == "Row 1, column 1: tile n0"
    driver.press("ArrowRight", "ArrowDown")
    assert voice.text_content() == "Row 2, column 2: tile n5"
    driver.press("Enter")
    assert driver.selection() == [5]
    assert driver.told("place")[-1]["tile"] == 5
    driver.press("Control+ArrowRight")
    assert (driver.at(1, 2), driver.at(1, 1)) == (5, 6)
    assert voice.text_content() == "Row 2, column 3: tile n5, selected"
    driver.press("Delete")
    assert voice.text_content() == "n5 to the tray"
    driver.press("t", "ArrowRight")
    assert voice.text_content() == "Tray, 2 of 3: tile n12"
    driver.press("Enter", "t")
    driver.page.evaluate("told.length = 0")
    driver.press("p")
    assert [(p["tile"], p["row"], p["col"]) for p in driver.edit()["placed"]] == [(12, 1, 2)]


def test_space_adds_to_the_selection(driver):
    driver.open(3, 4)
    driver.page.focus("#before")
    driver.press("Tab", " ", "ArrowRight", " ")
    assert driver.selection() == [0, 1]


def test_the_page_keeps_its_own_keys(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.press("Control+z", "Control+y")
    assert driver.told("edit") == []


def test_the_canvas_says_what_it_is(driver):
    canvas = driver.page.locator("canvas")
    assert canvas.get_attribute("role") == "application"
    assert canvas.get_attribute("aria-label").startswith("Light table.")


def test_letters_reach_the_table_from_a_button_but_its_own_keys_do_not(driver):
    driver.open(3, 4)
    driver.click(driver.where(1, 1))
    driver.page.focus("#before")
    driver.page.evaluate("told.length = 0")
    driver.press("Enter", " ", "ArrowDown")
    assert driver.page.evaluate("told") == []
    driver.press("r")
    assert driver.edit()["placed"][0]["tile"] == 5


def test_the_focus_shows_when_it_came_by_keyboard(driver):
    def outline():
        return driver.page.evaluate("getComputedStyle(table.canvas).outlineStyle")

    driver.open(3, 4)
    driver.page.focus("#before")
    driver.press("Tab")
    assert outline() == "solid"
    driver.click(driver.where(1, 1))
    assert outline() == "none"


def test_shift_and_arrows_select_a_block_and_space_one_more(driver):
    driver.open(4, 6, loose=5)
    driver.page.focus("canvas")
    driver.press("ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown")
    assert sorted(driver.selection()) == [1, 2, 7, 8]
    driver.press("Shift+ArrowLeft")
    assert sorted(driver.selection()) == [1, 7]
    driver.press("ArrowDown", "ArrowRight", "Space")
    assert sorted(driver.selection()) == [1, 7, 14]
    driver.press("t", "Shift+ArrowRight", "Shift+ArrowRight")
    assert sorted(driver.selection()) == [24, 25, 26]


def test_the_menu_comes_by_key_and_by_the_right_button(driver):
    driver.open(4, 6)
    driver.mouse.click(*driver.where(1, 2), button="right")
    assert driver.selection() == [8]
    driver.page.evaluate("document.activeElement.blur()")
    driver.page.focus("canvas")
    driver.press("ArrowRight", "Shift+F10")
    first, second = driver.told("menu")
    assert (first["spot"]["tile"], second["spot"]["tile"]) == (8, 9)
    x, y = driver.where(1, 3)
    assert abs(second["x"] - x) < 2
    assert abs(second["y"] - y) < 2
    assert driver.told("edit") == []
