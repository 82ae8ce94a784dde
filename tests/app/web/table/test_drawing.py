"""What shows on the canvas."""

import io

import numpy as np
import pytest
from PIL import Image

DOUBT = {"tile": 0, "confidence": 0.1, "right": 0.02, "below": None}


def shot(driver):
    return np.asarray(Image.open(io.BytesIO(driver.page.screenshot())).convert("RGB")).astype(int)


def square(driver, pixels, row, col):
    """The pixels of a place."""
    x, y = driver.where(row, col)
    half = int(driver.page.evaluate("table.view.scale") / 2)
    return pixels[int(y) - half : int(y) + half, int(x) - half : int(x) + half]


def bar_side(tile):
    """The side of a tile where the dark bar lies that is along the top of its file."""
    strip = max(2, len(tile) // 16)
    sides = [tile[2:strip], tile[:, -strip:-2], tile[-strip:-2], tile[:, 2:strip]]
    return int(np.argmin([side.mean() for side in sides]))


@pytest.mark.parametrize("quarters", range(4))
def test_tiles_show_turned_clockwise(driver, quarters):
    driver.open(2, 3, change=lambda board: board["placed"][1].update(turn=90 * quarters))
    pixels = shot(driver)
    assert bar_side(square(driver, pixels, 0, 1)) == quarters
    assert bar_side(square(driver, pixels, 0, 0)) == 0


@pytest.mark.parametrize("scale", [6, 40, 200, 420])
def test_every_zoom_shows_the_right_tile(driver, scale):
    driver.open(10, 12)
    driver.page.evaluate("view => (table.view = view)", {"x": -scale, "y": -scale, "scale": scale})
    driver.rest()
    tile = square(driver, shot(driver), 1, 1)
    wanted = np.array([13 * 53 % 200 + 40, 13 * 91 % 160 + 80, 255 - 13])
    assert np.abs(tile[int(len(tile) * 0.6), len(tile) // 2] - wanted).max() <= 2


def test_nothing_is_drawn_when_nothing_changes(driver):
    driver.open(10, 12)
    driver.page.evaluate(
        """() => { const own = table.renderer.context; globalThis.draws = 0;
           const before = own.drawImage.bind(own);
           own.drawImage = (...all) => { draws += 1; return before(...all); }; }"""
    )
    driver.frames(15)
    assert driver.page.evaluate("draws") == 0
    driver.mouse.move(*driver.where(1, 1))
    driver.rest()
    assert driver.page.evaluate("draws") > 0


def test_panning_draws_the_tiles_of_a_panel_once(driver):
    driver.open(25, 40)
    before = driver.page.evaluate("table.renderer.panelLayer.paintings")
    driver.keyboard.down(" ")
    driver.drag((700, 400), (300, 300))
    driver.keyboard.up(" ")
    assert driver.page.evaluate("table.renderer.panelLayer.paintings") == before


def test_coarser_pictures_stand_in_until_finer_ones_come(driver):
    driver.open(3, 3)
    held = []
    driver.page.route("**/atlas/later/256/*", lambda route: held.append(route))
    levels = {"levels": [256, 16], "columns": [8, 8], "per_page": [64, 64]}
    atlas = {"stamp": "later", "tiles": list(range(9)), **levels}
    driver.page.evaluate("atlas => table.setTiles([], atlas)", atlas)
    driver.page.wait_for_function("table.atlas.pictures.get('/atlas/later/16/0')")
    driver.page.wait_for_function("!table.renderer.awaited && !table.renderer.pending")
    coarse = square(driver, shot(driver), 1, 1)
    assert abs(coarse[100, 100, 0] - (4 * 53 % 200 + 40)) <= 2
    assert len(held) == 1
    held[0].continue_()
    driver.page.wait_for_function("table.atlas.pictures.get('/atlas/later/256/0')")
    driver.page.unroute("**/atlas/later/256/*")
    driver.rest()


def test_pictures_stay_while_those_of_a_new_atlas_are_fetched(driver):
    project = driver.open(2, 3)
    before, held = square(driver, shot(driver), 1, 1), []

    def hold(route):
        held.append(route)

    driver.page.route("**/atlas/new/**", hold)
    atlas = driver.atlas(project) | {"stamp": "new"}
    driver.page.evaluate("all => table.setTiles(...all)", [project["tiles"], atlas])
    driver.frames(4)
    assert np.array_equal(square(driver, shot(driver), 1, 1), before)
    assert held
    driver.page.unroute("**/atlas/new/**")  # which lets them go
    driver.rest()
    driver.frames(4)
    assert np.array_equal(square(driver, shot(driver), 1, 1), before)
    assert driver.page.evaluate("table.atlas.former") is None


def test_a_picture_that_is_not_there_is_not_asked_for_again_and_again(driver):
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=404)

    driver.page.route("**/atlas/t/**", refuse)
    driver.open(3, 3)
    atlas = {"stamp": "t", "levels": [64], "columns": [8], "per_page": [64], "tiles": [0, 1]}
    driver.page.evaluate("atlas => table.setTiles([], atlas)", atlas)
    for _ in range(3):
        driver.press("+")
    assert len(asked) == 1
    driver.page.unroute("**/atlas/t/**")


def overlay(driver, tiles, scored=True):
    confidence = {"revision": 0, "scored": scored, "tiles": tiles}
    driver.page.evaluate("confidence => table.setConfidence(confidence)", confidence)
    driver.rest()


def warmth(driver, row, col):
    """How far red outweighs blue along the joint at the right of a place."""
    x, y = driver.where(row, col + 0.5)
    strip = shot(driver)[int(y) - 10 : int(y) + 10, int(x) - 3 : int(x) + 4]
    return (strip[..., 0] - strip[..., 2]).max()


def test_doubtful_joints_glow_until_the_overlay_is_put_away(driver):
    driver.open(2, 3)
    cold = warmth(driver, 0, 0)
    overlay(driver, [DOUBT])
    assert warmth(driver, 0, 0) > cold + 100
    driver.page.evaluate("table.overlay = false")
    assert warmth(driver, 0, 0) == cold


def test_likely_and_unscored_joints_do_not_glow(driver):
    driver.open(2, 3)
    cold = warmth(driver, 0, 0)
    overlay(driver, [{**DOUBT, "confidence": 0.97, "right": 0.99}])
    assert warmth(driver, 0, 0) == cold
    overlay(driver, [DOUBT], scored=False)
    assert warmth(driver, 0, 0) == cold


def test_a_joint_no_longer_glows_once_its_tile_has_moved(driver):
    driver.open(2, 3)
    cold = warmth(driver, 0, 0)
    overlay(driver, [DOUBT])
    driver.drag(driver.where(0, 1), driver.where(1, 2))
    driver.press("Escape")
    driver.mouse.move(2, 2)
    assert warmth(driver, 0, 0) < cold + 60


@pytest.mark.parametrize(
    "change",
    [
        lambda board: board["locked"].append(1),
        lambda board: board["missing"].append({"panel": 0, "row": 0, "col": 3}),
        lambda board: board["forbidden"].append(
            {"tile": 1, "side": 1, "other": 2, "other_side": 3}
        ),
        lambda board: board["placed"][1].update(panel=-1, row=0, col=0),
    ],
    ids=["lock", "missing", "forbidden", "hole"],
)
def test_what_is_on_the_board_shows(driver, change):
    driver.open(2, 4, change=lambda board: board["placed"][3].update(panel=-1, row=0, col=0))
    before = shot(driver)

    def both(board):
        board["placed"][3].update(panel=-1, row=0, col=0)
        change(board)

    driver.open(2, 4, change=both)
    assert (shot(driver) != before).any()


def test_tiles_and_joints_with_notes_are_marked(driver):
    driver.open(2, 4, loose=1)
    before = shot(driver)
    joint = {"tile": 5, "side": 1, "other": 6, "other_side": 3}
    notes = [{"tile": 1, "joint": None}, {"tile": 8, "joint": None}, {"tile": None, "joint": joint}]
    driver.page.evaluate("notes => table.setNotes(notes)", notes)
    driver.rest()

    def marked():
        now = shot(driver)
        places = [divmod(tile, 4) for tile in range(8)]
        return [
            tile
            for tile, place in enumerate(places)
            if (square(driver, now, *place) != square(driver, before, *place)).any()
        ]

    assert marked() == [1, 5, 6]  # the last two at their joint
    x, y = (int(each) for each in driver.loose(0))
    around = slice(y - 30, y + 30), slice(x - 30, x + 30)
    assert (shot(driver)[around] != before[around]).any()
    driver.page.evaluate("table.setNotes([])")
    driver.rest()
    assert marked() == []


def test_locks_cover_little_of_small_tiles(driver):
    def lock_all(board):
        board["locked"] += range(1200)

    shots = []
    for change in (None, lock_all):
        driver.open(30, 40, change=change)
        shots.append(shot(driver))
    assert 16 < driver.page.evaluate("table.view.scale") < 30
    assert 0.005 < (shots[0] != shots[1]).any(axis=-1).mean() < 0.08


def test_findings_are_marked(driver):
    driver.open(3, 4)
    before = shot(driver)
    finding = {"kind": "moved", "tiles": [0], "probability": 0.9}
    proposed = [{"tile": 0, "panel": 0, "row": 2, "col": 2, "turn": 0}]
    driver.page.evaluate("list => table.highlight(list)", [{**finding, "proposed": proposed}])
    driver.rest()
    arrow = shot(driver)
    assert (square(driver, arrow, 1, 1) != square(driver, before, 1, 1)).any()
    driver.page.evaluate("list => table.highlight(list)", [{**finding, "proposed": []}])
    driver.rest()
    marked = shot(driver)
    assert (square(driver, marked, 0, 0) != square(driver, before, 0, 0)).any()
    assert (square(driver, marked, 1, 1) == square(driver, before, 1, 1)).all()
    driver.page.evaluate("table.highlight(null)")
    driver.rest()
    assert (shot(driver) == before).all()


def test_dark_ground(driver):
    driver.open(3, 4)
    assert shot(driver)[5, 5].min() > 200
    driver.page.emulate_media(color_scheme="dark")
    driver.rest()
    assert shot(driver)[5, 5].max() < 60
    driver.page.evaluate(
        """() => { document.documentElement.dataset.theme = "light";
           document.dispatchEvent(new Event("themechange")); }"""
    )
    driver.rest()
    assert shot(driver)[5, 5].min() > 200
    driver.page.evaluate("delete document.documentElement.dataset.theme")
    driver.page.emulate_media(color_scheme="light")


def test_live_tiles_glide_and_a_thousand_jump(driver):
    driver.open(4, 6)
    places = "n => table.layout.board.placed.map((p) => ({ ...p, row: n - 1 - p.row }))"
    driver.page.evaluate(f"table.setLive(({places})(4))")
    driver.page.wait_for_function("table.motion.tiles.size === 24")
    driver.rest()
    assert driver.at(0, 0) == 18
    driver.page.evaluate("table.setLive(null)")
    driver.open(25, 40)
    driver.page.evaluate(f"table.setLive(({places})(25))")
    driver.page.wait_for_function("table.arranged === table.layout")
    assert driver.page.evaluate("table.motion.tiles.size") == 0
    assert driver.at(0, 0) == 960


def test_a_read_only_table_shows_no_tray_and_takes_no_edit(driver):
    driver.open(3, 4)
    driver.page.evaluate(
        "table.readOnly = true; table.arranged = null; table.renderer.refresh('all')"
    )
    driver.rest()
    assert driver.page.evaluate("table.tray.area.width") == 0
    driver.drag(driver.where(0, 0), driver.where(1, 1))
    driver.press("r")
    assert driver.told("edit") == []
    driver.page.evaluate(
        "table.readOnly = false; table.arranged = null; table.renderer.refresh('all')"
    )


def test_a_table_that_is_done_with_lets_go_of_the_page(driver):
    driver.page.evaluate(
        """async () => { const { Table } = await import("/static/js/table/table.js");
           const canvas = document.createElement("canvas");
           const place = document.createElement("div");
           place.append(canvas);
           document.body.append(place);
           new Table(canvas, {}).destroy();
           place.remove(); }"""
    )
    driver.open(3, 4)
    driver.mouse.move(*driver.where(1, 1))
    driver.press("r")
    assert len(driver.told("edit")) == 1
