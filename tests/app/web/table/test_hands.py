"""What a hand does with the mouse, through real pointer events."""

import pytest


def test_a_click_selects_and_asks_for_candidates(driver):
    driver.open(4, 6)
    driver.click(driver.where(1, 2))
    assert driver.selection() == [8]
    assert driver.told("select")[-1]["tiles"] == [8]
    assert driver.told("place") == [{"type": "place", "panel": 0, "row": 1, "col": 2, "tile": 8}]


def test_a_click_on_a_hole_asks_for_candidates_and_selects_nothing(driver):
    driver.open(4, 6, change=lambda board: board["placed"][8].update(panel=-1, row=0, col=0))
    driver.click(driver.where(0, 0))
    driver.click(driver.where(1, 2))
    assert driver.selection() == []
    assert driver.told("place")[-1] == {
        "type": "place",
        "panel": 0,
        "row": 1,
        "col": 2,
        "tile": None,
    }


def test_a_click_on_the_ground_clears_the_selection(driver):
    driver.open(4, 6)
    driver.click(driver.where(1, 2))
    driver.click((4, 4))
    assert driver.selection() == []


def test_shift_click_adds_and_takes_away(driver):
    driver.open(4, 6)
    driver.click(driver.where(0, 0))
    driver.click(driver.where(0, 1), "Shift")
    driver.click(driver.where(2, 2), "Shift")
    driver.click(driver.where(0, 0), "Shift")
    assert driver.selection() == [1, 14]
    assert driver.told("edit") == []


def test_a_rubber_band_selects_what_it_touches(driver):
    driver.open(4, 6)
    driver.drag(driver.where(-1, -1), driver.where(1, 1), "Shift")
    assert sorted(driver.selection()) == [0, 1, 6, 7]


def test_a_tile_dropped_on_another_swaps_them(driver):
    driver.open(4, 6)
    driver.drag(driver.where(0, 0), driver.where(2, 3))
    edit = driver.edit()
    assert edit["label"] == "Swap n0 with another"
    assert sorted((p["tile"], p["row"], p["col"]) for p in edit["placed"]) == [
        (0, 2, 3),
        (15, 0, 0),
    ]
    assert (driver.at(2, 3), driver.at(0, 0)) == (0, 15)  # shown before the server has answered


def test_the_landing_place_and_the_swap_show_before_the_drop(driver):
    driver.open(4, 6)
    before = driver.page.screenshot()
    driver.hold(driver.where(0, 0), driver.where(2.2, 3.1))
    plan = driver.page.evaluate("table.drag.plan")
    assert plan["swapped"] == [15]
    assert driver.page.screenshot() != before
    driver.press("Escape")
    driver.mouse.up()
    assert driver.told("edit") == []
    assert driver.at(0, 0) == 0


def test_a_drop_beside_the_panel_makes_it_larger(driver):
    driver.open(4, 6)
    driver.drag(driver.where(0, 0), driver.where(-1, 0))
    assert [(p["row"], p["col"]) for p in driver.edit()["placed"]] == [(-1, 0)]


def test_a_drop_on_the_tray_lifts(driver):
    driver.open(4, 6, loose=3)
    driver.drag(driver.where(1, 1), driver.loose(1))
    edit = driver.edit()
    assert [(p["tile"], p["panel"]) for p in edit["placed"]] == [(7, -1)]
    assert edit["label"] == "n7 to the tray"


def test_a_tile_from_the_tray_pushes_what_it_covers_there(driver):
    driver.open(4, 6, loose=3)
    driver.drag(driver.loose(0), driver.where(1, 1))
    placed = {p["tile"]: (p["panel"], p["row"], p["col"]) for p in driver.edit()["placed"]}
    assert placed == {24: (0, 1, 1), 7: (-1, 0, 0)}


def test_a_selection_moves_together(driver):
    driver.open(4, 6)
    driver.drag(driver.where(-1, -1), driver.where(1, 1), "Shift")
    driver.drag(driver.where(0, 0), driver.where(2, 3))
    placed = {p["tile"]: (p["row"], p["col"]) for p in driver.edit()["placed"]}
    assert placed[7] == (3, 4)
    assert placed[15] == (0, 0)
    assert len(placed) == 8


def test_alt_sends_covered_tiles_to_the_tray(driver):
    driver.open(4, 6)
    driver.drag(driver.where(0, 0), driver.where(2, 3), "Alt")
    placed = {p["tile"]: p["panel"] for p in driver.edit()["placed"]}
    assert placed == {0: 0, 15: -1}


@pytest.mark.parametrize("locked", [0, 15])
def test_a_locked_tile_neither_moves_nor_makes_room(driver, locked):
    driver.open(4, 6, change=lambda board: board["locked"].append(locked))
    driver.drag(driver.where(0, 0), driver.where(2, 3))
    assert driver.told("edit") == []
    assert driver.told("notice")[-1]["text"] == f"n{locked} is locked. Press L to unlock it."
    assert (driver.at(0, 0), driver.at(2, 3)) == (0, 15)


def test_a_locked_tile_shakes(driver):
    driver.open(4, 6, change=lambda board: board["locked"].append(0))
    x = driver.page.evaluate(
        """async () => { table.refuse([0]);
           const [shake] = table.motion.tiles.values(); shake.gone = 0.1;
           return table.motion.at(0, table.rectOf(0)).x - table.rectOf(0).x; }"""
    )
    assert x > 3
    driver.rest()


def test_the_handle_turns_the_selected_tile(driver):
    driver.open(4, 6)
    driver.click(driver.where(1, 1))
    handle = driver.page.evaluate("table.handle()")
    driver.page.evaluate("told.length = 0")
    driver.click((handle["x"], handle["y"]))
    assert [(p["tile"], p["turn"]) for p in driver.edit()["placed"]] == [(7, 90)]
    centre = handle["centre"]
    driver.drag((handle["x"], handle["y"]), (centre["x"] - 60, centre["y"]))
    assert [p["turn"] for p in driver.edit()["placed"]] == [0]


def test_hover_tells_the_tile_under_the_pointer(driver):
    driver.open(4, 6, loose=2)
    driver.mouse.move(*driver.where(1, 2))
    driver.mouse.move(*driver.loose(1))
    driver.mouse.move(3, 3)
    assert [one["tile"] for one in driver.told("hover")] == [8, 25, None]


def test_the_tray_is_made_broader_at_its_rim(driver):
    driver.open(4, 6, loose=9)
    x = driver.page.evaluate("table.tray.area.x")
    driver.drag((x, 400), (x - 150, 400))
    assert driver.page.evaluate("table.tray.area.x") == x - 150
    driver.page.evaluate("table.tray.chosen = null")


def test_nothing_moves_by_hand_while_a_live_assembly_shows(driver):
    driver.open(4, 6)
    driver.page.evaluate("table.setLive([{ tile: 0, panel: 0, row: 5, col: 5, turn: 0 }])")
    driver.rest()
    driver.drag(driver.where(1, 1), driver.where(2, 2))
    assert [each["text"] for each in driver.told("notice")] == [
        "The tiles are just being laid. Stop the work first, then move them."
    ]
    driver.press("r", "Delete")
    assert driver.told("edit") == []
    assert driver.at(5, 5) == 0
    driver.page.evaluate("table.setLive(null)")
    assert driver.at(5, 5) is None


def test_the_servers_board_replaces_what_was_shown(driver):
    project = driver.open(4, 6)
    driver.drag(driver.where(0, 0), driver.where(2, 3))
    driver.page.evaluate("state => table.setBoard(state)", project["state"])
    driver.rest()
    assert (driver.at(0, 0), driver.at(2, 3)) == (0, 15)


def test_the_hover_card_goes_when_a_tile_is_taken(driver):
    driver.open(4, 6)
    driver.hold(driver.where(0, 0), driver.where(1, 1))
    assert driver.told("hover")[-1]["tile"] is None
    driver.press("Escape")
    driver.mouse.up()


def test_an_empty_tray_is_slim_and_still_takes_tiles(driver):
    driver.open(4, 6)
    tray = driver.page.evaluate("table.tray.area")
    assert tray["width"] == 36
    driver.drag(driver.where(1, 1), (tray["x"] + 20, 400))
    assert driver.edit()["placed"][0]["panel"] == -1
    assert driver.page.evaluate("table.tray.area.width") > 90


def test_a_drop_far_from_the_panel_lifts(driver):
    driver.open(4, 6)
    driver.press("-", "-", "-")
    driver.drag(driver.where(1, 1), driver.where(7, 1))
    assert driver.edit()["placed"][0]["panel"] == -1


def test_the_view_moves_along_when_a_tile_rests_at_the_rim(driver):
    driver.open(4, 6)
    before = driver.page.evaluate("table.view.x")
    driver.hold(driver.where(1, 1), (8, 400))
    driver.page.wait_for_function("x => table.view.x > x + 40", arg=before)
    driver.keyboard.press("Escape")
    driver.mouse.up()
    driver.rest()
    assert driver.told("edit") == []
