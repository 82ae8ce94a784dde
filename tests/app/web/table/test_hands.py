"""What a hand does with the mouse, through real pointer events."""

import pytest


def test_a_click_selects_and_asks_for_candidates(bench):
    bench.open(4, 6)
    bench.click(bench.where(1, 2))
    assert bench.selection() == [8]
    assert bench.told("select")[-1]["tiles"] == [8]
    assert bench.told("place") == [{"type": "place", "panel": 0, "row": 1, "col": 2, "tile": 8}]


def test_a_click_on_a_hole_asks_for_candidates_and_selects_nothing(bench):
    bench.open(4, 6, change=lambda board: board["placed"][8].update(panel=-1, row=0, col=0))
    bench.click(bench.where(0, 0))
    bench.click(bench.where(1, 2))
    assert bench.selection() == []
    assert bench.told("place")[-1] == {
        "type": "place",
        "panel": 0,
        "row": 1,
        "col": 2,
        "tile": None,
    }


def test_a_click_on_the_ground_clears_the_selection(bench):
    bench.open(4, 6)
    bench.click(bench.where(1, 2))
    bench.click((4, 4))
    assert bench.selection() == []


def test_shift_click_adds_and_takes_away(bench):
    bench.open(4, 6)
    bench.click(bench.where(0, 0))
    bench.click(bench.where(0, 1), "Shift")
    bench.click(bench.where(2, 2), "Shift")
    bench.click(bench.where(0, 0), "Shift")
    assert bench.selection() == [1, 14]
    assert bench.told("edit") == []


def test_a_rubber_band_selects_what_it_touches(bench):
    bench.open(4, 6)
    bench.drag(bench.where(-1, -1), bench.where(1, 1), "Shift")
    assert sorted(bench.selection()) == [0, 1, 6, 7]


def test_a_tile_dropped_on_another_swaps_them(bench):
    bench.open(4, 6)
    bench.drag(bench.where(0, 0), bench.where(2, 3))
    edit = bench.edit()
    assert edit["label"] == "Swap n0 with another"
    assert sorted((p["tile"], p["row"], p["col"]) for p in edit["placed"]) == [
        (0, 2, 3),
        (15, 0, 0),
    ]
    assert (bench.at(2, 3), bench.at(0, 0)) == (0, 15)  # shown before the server has answered


def test_the_landing_place_and_the_swap_show_before_the_drop(bench):
    bench.open(4, 6)
    before = bench.page.screenshot()
    bench.hold(bench.where(0, 0), bench.where(2.2, 3.1))
    plan = bench.page.evaluate("table.drag.plan")
    assert plan["swapped"] == [15]
    assert bench.page.screenshot() != before
    bench.press("Escape")
    bench.mouse.up()
    assert bench.told("edit") == []
    assert bench.at(0, 0) == 0


def test_a_drop_beside_the_panel_makes_it_larger(bench):
    bench.open(4, 6)
    bench.drag(bench.where(0, 0), bench.where(-1, 0))
    assert [(p["row"], p["col"]) for p in bench.edit()["placed"]] == [(-1, 0)]


def test_a_drop_on_the_tray_lifts(bench):
    bench.open(4, 6, loose=3)
    bench.drag(bench.where(1, 1), bench.loose(1))
    edit = bench.edit()
    assert [(p["tile"], p["panel"]) for p in edit["placed"]] == [(7, -1)]
    assert edit["label"] == "n7 to the tray"


def test_a_tile_from_the_tray_pushes_what_it_covers_there(bench):
    bench.open(4, 6, loose=3)
    bench.drag(bench.loose(0), bench.where(1, 1))
    placed = {p["tile"]: (p["panel"], p["row"], p["col"]) for p in bench.edit()["placed"]}
    assert placed == {24: (0, 1, 1), 7: (-1, 0, 0)}


def test_a_selection_moves_together(bench):
    bench.open(4, 6)
    bench.drag(bench.where(-1, -1), bench.where(1, 1), "Shift")
    bench.drag(bench.where(0, 0), bench.where(2, 3))
    placed = {p["tile"]: (p["row"], p["col"]) for p in bench.edit()["placed"]}
    assert placed[7] == (3, 4)
    assert placed[15] == (0, 0)
    assert len(placed) == 8


def test_alt_sends_covered_tiles_to_the_tray(bench):
    bench.open(4, 6)
    bench.drag(bench.where(0, 0), bench.where(2, 3), "Alt")
    placed = {p["tile"]: p["panel"] for p in bench.edit()["placed"]}
    assert placed == {0: 0, 15: -1}


@pytest.mark.parametrize("locked", [0, 15])
def test_a_locked_tile_neither_moves_nor_makes_room(bench, locked):
    bench.open(4, 6, change=lambda board: board["locked"].append(locked))
    bench.drag(bench.where(0, 0), bench.where(2, 3))
    assert bench.told("edit") == []
    assert bench.told("notice")[-1]["text"] == f"n{locked} is locked. Press L to unlock it."
    assert (bench.at(0, 0), bench.at(2, 3)) == (0, 15)


def test_a_locked_tile_shakes(bench):
    bench.open(4, 6, change=lambda board: board["locked"].append(0))
    x = bench.page.evaluate(
        """async () => { table.refuse([0]);
           const [shake] = table.motion.tiles.values(); shake.gone = 0.1;
           return table.motion.at(0, table.rectOf(0)).x - table.rectOf(0).x; }"""
    )
    assert x > 3
    bench.rest()


def test_the_handle_turns_the_selected_tile(bench):
    bench.open(4, 6)
    bench.click(bench.where(1, 1))
    handle = bench.page.evaluate("table.handle()")
    bench.page.evaluate("told.length = 0")
    bench.click((handle["x"], handle["y"]))
    assert [(p["tile"], p["turn"]) for p in bench.edit()["placed"]] == [(7, 90)]
    centre = handle["centre"]
    bench.drag((handle["x"], handle["y"]), (centre["x"] - 60, centre["y"]))
    assert [p["turn"] for p in bench.edit()["placed"]] == [0]


def test_hover_tells_the_tile_under_the_pointer(bench):
    bench.open(4, 6, loose=2)
    bench.mouse.move(*bench.where(1, 2))
    bench.mouse.move(*bench.loose(1))
    bench.mouse.move(3, 3)
    assert [one["tile"] for one in bench.told("hover")] == [8, 25, None]


def test_the_tray_is_made_broader_at_its_rim(bench):
    bench.open(4, 6, loose=9)
    x = bench.page.evaluate("table.tray.area.x")
    bench.drag((x, 400), (x - 150, 400))
    assert bench.page.evaluate("table.tray.area.x") == x - 150
    bench.page.evaluate("table.tray.wish = null")


def test_nothing_moves_by_hand_while_a_live_assembly_shows(bench):
    bench.open(4, 6)
    bench.page.evaluate("table.setLive([{ tile: 0, panel: 0, row: 5, col: 5, turn: 0 }])")
    bench.rest()
    bench.drag(bench.where(1, 1), bench.where(2, 2))
    bench.press("r", "Delete")
    assert bench.told("edit") == []
    assert bench.at(5, 5) == 0
    bench.page.evaluate("table.setLive(null)")
    assert bench.at(5, 5) is None


def test_the_servers_board_replaces_what_was_shown(bench):
    project = bench.open(4, 6)
    bench.drag(bench.where(0, 0), bench.where(2, 3))
    bench.page.evaluate("state => table.setBoard(state)", project["state"])
    bench.rest()
    assert (bench.at(0, 0), bench.at(2, 3)) == (0, 15)


def test_the_hover_card_goes_when_a_tile_is_taken(bench):
    bench.open(4, 6)
    bench.hold(bench.where(0, 0), bench.where(1, 1))
    assert bench.told("hover")[-1]["tile"] is None
    bench.press("Escape")
    bench.mouse.up()


def test_an_empty_tray_is_slim_and_still_takes_tiles(bench):
    bench.open(4, 6)
    tray = bench.page.evaluate("table.tray.area")
    assert tray["width"] == 36
    bench.drag(bench.where(1, 1), (tray["x"] + 20, 400))
    assert bench.edit()["placed"][0]["panel"] == -1
    assert bench.page.evaluate("table.tray.area.width") > 90


def test_a_drop_far_from_the_panel_lifts(bench):
    bench.open(4, 6)
    bench.press("-", "-", "-")
    bench.drag(bench.where(1, 1), bench.where(7, 1))
    assert bench.edit()["placed"][0]["panel"] == -1


def test_the_view_moves_along_when_a_tile_rests_at_the_rim(bench):
    bench.open(4, 6)
    before = bench.page.evaluate("table.view.x")
    bench.hold(bench.where(1, 1), (8, 400))
    bench.page.wait_for_function("x => table.view.x > x + 40", arg=before)
    bench.keyboard.press("Escape")
    bench.mouse.up()
    bench.rest()
    assert bench.told("edit") == []
