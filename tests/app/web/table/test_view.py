"""Looking: pan, zoom, fit, fingers."""

import pytest


def view(driver):
    return driver.page.evaluate("table.view")


def test_opening_shows_the_whole_panel(driver):
    driver.open(10, 20)
    for row, col in ((0, 0), (9, 19)):
        x, y = driver.where(row, col)
        assert 0 < x < driver.page.evaluate("table.tray.area.x")
        assert 0 < y < 800


def test_dragging_the_ground_pans(driver):
    driver.open(4, 6)
    before = view(driver)
    driver.mouse.move(20, 780)
    driver.mouse.down()
    driver.mouse.move(120, 740, steps=5)
    # A pointer that rests before it is released does not fling the panel.
    moved = driver.page.evaluate("performance.now()")
    driver.page.wait_for_function("moved => performance.now() > moved + 100", arg=moved)
    driver.mouse.up()
    driver.rest()
    after = view(driver)
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (100, -40)
    assert after["scale"] == before["scale"]


def test_a_thrown_panel_rolls_on(driver):
    driver.open(4, 6)
    before = view(driver)
    driver.mouse.move(20, 780)
    driver.mouse.down()
    # All at once in the page: on a busy machine the mouse would rest between two moves.
    driver.page.evaluate(
        """() => {
           const send = (type, x) => table.canvas.dispatchEvent(new PointerEvent(type,
             { pointerId: 1, pointerType: "mouse", clientX: x, clientY: 780, bubbles: true }));
           for (const x of [70, 120, 170, 220]) send("pointermove", x);
           send("pointerup", 220); }"""
    )
    driver.mouse.up()
    driver.rest()
    assert view(driver)["x"] > before["x"] + 201


def test_motion_is_left_out_where_it_is_unwelcome(driver):
    driver.page.emulate_media(reduced_motion="reduce")
    try:
        driver.open(4, 6)
        before = view(driver)
        driver.drag((20, 780), (220, 780))
        assert view(driver)["x"] == before["x"] + 200
        driver.keyboard.press("+")
        assert not driver.page.evaluate("table.camera.moving")
        assert view(driver)["scale"] > before["scale"]
    finally:
        driver.page.emulate_media(reduced_motion="no-preference")


def test_space_and_drag_pans_over_tiles_too(driver):
    driver.open(4, 6)
    before = view(driver)
    driver.mouse.move(*driver.where(1, 1))
    driver.keyboard.down(" ")
    driver.mouse.down()
    driver.mouse.move(300, 300, steps=4)
    driver.mouse.up()
    driver.keyboard.up(" ")
    assert view(driver)["x"] != before["x"]
    assert driver.told("edit") == []


def test_the_wheel_zooms_about_the_pointer(driver):
    driver.open(10, 20)
    at = driver.where(3, 4)
    before = view(driver)
    driver.mouse.move(*at)
    driver.mouse.wheel(0, -240)
    driver.page.wait_for_function("scale => table.view.scale > scale", arg=before["scale"])
    driver.rest()
    assert view(driver)["scale"] > 1.5 * before["scale"]
    assert driver.where(3, 4) == pytest.approx(at, abs=1)  # the pointer is on whole pixels


def test_plus_minus_and_nought(driver):
    driver.open(10, 20)
    before = view(driver)
    driver.press("+", "+")
    assert view(driver)["scale"] == pytest.approx(before["scale"] * 1.35**2)
    driver.press("-")
    assert view(driver)["scale"] == pytest.approx(before["scale"] * 1.35)
    driver.press("0")
    assert view(driver) == pytest.approx(before)


def test_the_wheel_scrolls_a_tray_of_a_thousand_tiles(driver):
    driver.open(2, 2, loose=996)
    before = view(driver)
    driver.mouse.move(*driver.loose(5))
    driver.mouse.wheel(0, 500)
    driver.page.wait_for_function("table.tray.scroll > 0")
    assert view(driver) == before
    driver.mouse.wheel(0, 1e6)
    driver.page.wait_for_function("table.tray.scroll === table.tray.deepest")
    driver.rest()
    driver.click(driver.loose(995))
    assert driver.selection() == [999]


def test_zoom_to_a_tile_brings_it_into_the_middle(driver):
    driver.open(10, 20, loose=200)
    driver.page.evaluate("table.zoomTo(27)")
    driver.rest()
    area = driver.page.evaluate("table.tray.panel")
    middle = (area["width"] / 2, area["height"] / 2)
    assert driver.where(1, 7) == pytest.approx(middle, abs=1)
    driver.page.evaluate("table.zoomTo(399)")
    assert driver.loose(199)[1] < 800


def test_the_view_can_be_told_and_set(driver):
    driver.open(4, 6)
    driver.page.evaluate(
        "table.addEventListener('view', (event) => (globalThis.seen = event.detail))"
    )
    driver.press("+")
    assert driver.page.evaluate("seen") == view(driver)
    driver.page.evaluate("table.view = { x: 10, y: 20, scale: 30 }")
    assert view(driver) == {"x": 10, "y": 20, "scale": 30}


def test_a_panel_that_grows_stays_in_sight_until_the_user_looks_elsewhere(driver):
    driver.open(4, 6)
    far = "([row]) => table.setLive([{ tile: 0, panel: 0, row, col: 0, turn: 0 }])"
    before = view(driver)
    driver.page.evaluate(far, [12])
    driver.rest()
    assert view(driver)["scale"] < before["scale"]
    driver.press("+")
    before = view(driver)
    driver.page.evaluate(far, [30])
    driver.rest()
    assert view(driver) == before


def test_what_is_under_a_resting_pointer_is_looked_up_again_when_the_view_moves(driver):
    driver.open(4, 6)
    driver.mouse.move(*driver.where(1, 1))
    driver.page.evaluate("table.view = { ...table.view, x: table.view.x - table.view.scale }")
    driver.page.evaluate("table.pan(0.5, 0)")
    driver.rest()
    assert driver.page.evaluate("table.hover.tile") == 8


def test_a_lifted_tile_is_brought_into_sight(driver):
    driver.open(10, 20, loose=700)
    driver.page.evaluate("table.scrollTray(1e6)")
    driver.drag(driver.where(3, 3), driver.page.evaluate("[table.tray.area.x + 40, 400]"))
    assert driver.page.evaluate("table.layout.looseIndex.get(63)") == 0
    assert driver.page.evaluate("table.tray.scroll") == 0


def test_a_tray_that_grows_does_not_cover_a_fitted_panel(driver):
    driver.open(4, 14)
    driver.click(driver.where(0, 0))
    driver.press("Delete")
    edge = driver.where(0, 13.5)[0]
    assert edge < driver.page.evaluate("table.tray.area.x")


def test_the_tray_alone(driver):
    driver.open(4, 6, loose=30)
    driver.page.evaluate("table.panel = -1")
    driver.rest()
    assert driver.page.evaluate("table.tray.area.width") == 1200
    driver.click(driver.loose(3))
    assert driver.selection() == [27]
    assert driver.told("place")[-1]["panel"] == -1


@pytest.fixture
def touch(driver):
    """A function that sends touches: a list of points for each step, down from the first."""
    session = driver.page.context.new_cdp_session(driver.page)

    def send(kind, points):
        touches = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def touch(*steps, until="true"):
        send("touchStart", steps[0])
        driver.page.wait_for_function(until)
        for points in steps[1:]:
            send("touchMove", points)
        send("touchEnd", [])
        driver.rest()

    return touch


def test_two_fingers_zoom_and_pan(driver, touch):
    driver.open(10, 20)
    before = view(driver)
    touch([(400, 400), (500, 400)], [(380, 420), (520, 420)], [(350, 440), (550, 440)])
    assert view(driver)["scale"] == pytest.approx(2 * before["scale"], rel=0.02)
    assert driver.told("edit") == []


def test_one_finger_pans_over_tiles_unless_they_are_selected(driver, touch):
    driver.open(4, 6)
    start, end = driver.where(1, 1), driver.where(1, 3)
    before = view(driver)
    touch([start], [(start[0] + 30, start[1])], [end], [end])
    assert driver.told("edit") == []
    assert view(driver)["x"] > before["x"]
    driver.press("0")
    touch([driver.where(1, 1)])
    assert driver.selection() == [7]
    touch([start], [(start[0] + 30, start[1])], [end])
    assert driver.edit()["placed"][0] == {"tile": 7, "panel": 0, "row": 1, "col": 3, "turn": 0}


def test_a_finger_that_rests_and_leaves_asks_for_the_menu(driver, touch):
    driver.open(4, 6)
    at = driver.where(1, 1)
    touch([at], until="table.drag.active")
    [menu] = driver.told("menu")
    assert (menu["spot"]["tile"], round(menu["x"]), round(menu["y"])) == (7, *map(round, at))
    assert driver.selection() == [7]
    assert driver.told("edit") == []


def test_a_finger_that_rests_picks_a_tile_up(driver, touch):
    driver.open(4, 6)
    start, end = driver.where(1, 1), driver.where(2, 3)
    touch([start], [(start[0] + 30, start[1])], [end], until="table.drag.active")
    assert driver.edit()["placed"][0]["row"] == 2
