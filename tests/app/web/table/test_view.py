"""Looking: pan, zoom, fit, fingers."""

import pytest


def view(bench):
    return bench.page.evaluate("table.view")


def test_opening_shows_the_whole_panel(bench):
    bench.open(10, 20)
    for row, col in ((0, 0), (9, 19)):
        x, y = bench.where(row, col)
        assert 0 < x < bench.page.evaluate("table.tray.area.x")
        assert 0 < y < 800


def test_dragging_the_ground_pans(bench):
    bench.open(4, 6)
    before = view(bench)
    bench.mouse.move(20, 780)
    bench.mouse.down()
    bench.mouse.move(120, 740, steps=5)
    bench.page.wait_for_timeout(150)  # a hand that rests before it lets go does not throw
    bench.mouse.up()
    bench.rest()
    after = view(bench)
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (100, -40)
    assert after["scale"] == before["scale"]


def test_a_thrown_panel_rolls_on(bench):
    bench.open(4, 6)
    before = view(bench)
    bench.drag((20, 780), (220, 780))
    assert view(bench)["x"] > before["x"] + 201


def test_motion_is_left_out_where_it_is_unwelcome(bench):
    bench.page.emulate_media(reduced_motion="reduce")
    try:
        bench.open(4, 6)
        before = view(bench)
        bench.drag((20, 780), (220, 780))
        assert view(bench)["x"] == before["x"] + 200
        bench.keyboard.press("+")
        assert not bench.page.evaluate("table.camera.moving")
        assert view(bench)["scale"] > before["scale"]
    finally:
        bench.page.emulate_media(reduced_motion="no-preference")


def test_space_and_drag_pans_over_tiles_too(bench):
    bench.open(4, 6)
    before = view(bench)
    bench.mouse.move(*bench.where(1, 1))
    bench.keyboard.down(" ")
    bench.mouse.down()
    bench.mouse.move(300, 300, steps=4)
    bench.mouse.up()
    bench.keyboard.up(" ")
    assert view(bench)["x"] != before["x"]
    assert bench.told("edit") == []


def test_the_wheel_zooms_about_the_pointer(bench):
    bench.open(10, 20)
    at = bench.where(3, 4)
    before = view(bench)
    bench.mouse.move(*at)
    bench.mouse.wheel(0, -240)
    bench.page.wait_for_function("scale => table.view.scale > scale", arg=before["scale"])
    bench.rest()
    assert view(bench)["scale"] > 1.5 * before["scale"]
    assert bench.where(3, 4) == pytest.approx(at, abs=1)  # the pointer is on whole pixels


def test_plus_minus_and_nought(bench):
    bench.open(10, 20)
    before = view(bench)
    bench.press("+", "+")
    assert view(bench)["scale"] == pytest.approx(before["scale"] * 1.35**2)
    bench.press("-")
    assert view(bench)["scale"] == pytest.approx(before["scale"] * 1.35)
    bench.press("0")
    assert view(bench) == pytest.approx(before)


def test_the_wheel_scrolls_a_tray_of_a_thousand_tiles(bench):
    bench.open(2, 2, loose=996)
    before = view(bench)
    bench.mouse.move(*bench.loose(5))
    bench.mouse.wheel(0, 500)
    bench.page.wait_for_function("table.tray.scroll > 0")
    assert view(bench) == before
    bench.mouse.wheel(0, 1e6)
    bench.page.wait_for_function("table.tray.scroll === table.tray.deepest")
    bench.rest()
    bench.click(bench.loose(995))
    assert bench.selection() == [999]


def test_zoom_to_a_tile_brings_it_into_the_middle(bench):
    bench.open(10, 20, loose=200)
    bench.page.evaluate("table.zoomTo(27)")
    bench.rest()
    area = bench.page.evaluate("table.tray.panel")
    middle = (area["width"] / 2, area["height"] / 2)
    assert bench.where(1, 7) == pytest.approx(middle, abs=1)
    bench.page.evaluate("table.zoomTo(399)")
    assert bench.loose(199)[1] < 800


def test_the_view_can_be_told_and_set(bench):
    bench.open(4, 6)
    bench.page.evaluate(
        "table.addEventListener('view', (event) => (globalThis.seen = event.detail))"
    )
    bench.press("+")
    assert bench.page.evaluate("seen") == view(bench)
    bench.page.evaluate("table.view = { x: 10, y: 20, scale: 30 }")
    assert view(bench) == {"x": 10, "y": 20, "scale": 30}


def test_a_panel_that_grows_stays_in_sight_until_the_user_looks_elsewhere(bench):
    bench.open(4, 6)
    far = "([row]) => table.setLive([{ tile: 0, panel: 0, row, col: 0, turn: 0 }])"
    before = view(bench)
    bench.page.evaluate(far, [12])
    bench.rest()
    assert view(bench)["scale"] < before["scale"]
    bench.press("+")
    before = view(bench)
    bench.page.evaluate(far, [30])
    bench.rest()
    assert view(bench) == before


def test_what_is_under_a_resting_pointer_is_looked_up_again_when_the_view_moves(bench):
    bench.open(4, 6)
    bench.mouse.move(*bench.where(1, 1))
    bench.page.evaluate("table.view = { ...table.view, x: table.view.x - table.view.scale }")
    bench.page.evaluate("table.pan(0.5, 0)")
    bench.rest()
    assert bench.page.evaluate("table.hover.tile") == 8


def test_a_lifted_tile_is_brought_into_sight(bench):
    bench.open(10, 20, loose=700)
    bench.page.evaluate("table.scrollTray(1e6)")
    bench.drag(bench.where(3, 3), bench.page.evaluate("[table.tray.area.x + 40, 400]"))
    assert bench.page.evaluate("table.layout.looseIndex.get(63)") == 0
    assert bench.page.evaluate("table.tray.scroll") == 0


def test_a_tray_that_grows_does_not_cover_a_fitted_panel(bench):
    bench.open(4, 14)
    bench.click(bench.where(0, 0))
    bench.press("Delete")
    edge = bench.where(0, 13.5)[0]
    assert edge < bench.page.evaluate("table.tray.area.x")


def test_the_tray_alone(bench):
    bench.open(4, 6, loose=30)
    bench.page.evaluate("table.panel = -1")
    bench.rest()
    assert bench.page.evaluate("table.tray.area.width") == 1200
    bench.click(bench.loose(3))
    assert bench.selection() == [27]
    assert bench.told("place")[-1]["panel"] == -1


@pytest.fixture
def touch(bench):
    """A function that sends touches: a list of points for each step, down from the first."""
    session = bench.page.context.new_cdp_session(bench.page)

    def send(kind, points):
        touches = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def touch(*steps, wait=0):
        send("touchStart", steps[0])
        bench.page.wait_for_timeout(wait)
        for points in steps[1:]:
            send("touchMove", points)
        send("touchEnd", [])
        bench.rest()

    return touch


def test_two_fingers_zoom_and_pan(bench, touch):
    bench.open(10, 20)
    before = view(bench)
    touch([(400, 400), (500, 400)], [(380, 420), (520, 420)], [(350, 440), (550, 440)])
    assert view(bench)["scale"] == pytest.approx(2 * before["scale"], rel=0.02)
    assert bench.told("edit") == []


def test_one_finger_pans_over_tiles_unless_they_are_selected(bench, touch):
    bench.open(4, 6)
    start, end = bench.where(1, 1), bench.where(1, 3)
    before = view(bench)
    touch([start], [(start[0] + 30, start[1])], [end], [end])
    assert bench.told("edit") == []
    assert view(bench)["x"] > before["x"]
    bench.press("0")
    touch([bench.where(1, 1)])
    assert bench.selection() == [7]
    touch([start], [(start[0] + 30, start[1])], [end])
    assert bench.edit()["placed"][0] == {"tile": 7, "panel": 0, "row": 1, "col": 3, "turn": 0}


def test_a_finger_that_rests_picks_a_tile_up(bench, touch):
    bench.open(4, 6)
    start, end = bench.where(1, 1), bench.where(2, 3)
    touch([start], [(start[0] + 30, start[1])], [end], wait=500)
    assert bench.edit()["placed"][0]["row"] == 2
