"""What shows on the canvas."""

import io

import numpy as np
import pytest
from PIL import Image

DOUBT = {"tile": 0, "confidence": 0.1, "right": 0.02, "below": None}


def shot(bench):
    return np.asarray(Image.open(io.BytesIO(bench.page.screenshot())).convert("RGB")).astype(int)


def square(bench, pixels, row, col):
    """The pixels of a place."""
    x, y = bench.where(row, col)
    half = int(bench.page.evaluate("table.view.scale") / 2)
    return pixels[int(y) - half : int(y) + half, int(x) - half : int(x) + half]


def bar_side(tile):
    """The side of a tile where the dark bar lies that is along the top of its file."""
    strip = max(2, len(tile) // 16)
    sides = [tile[2:strip], tile[:, -strip:-2], tile[-strip:-2], tile[:, 2:strip]]
    return int(np.argmin([side.mean() for side in sides]))


@pytest.mark.parametrize("quarters", range(4))
def test_tiles_show_turned_clockwise(bench, quarters):
    bench.open(2, 3, change=lambda board: board["placed"][1].update(turn=90 * quarters))
    pixels = shot(bench)
    assert bar_side(square(bench, pixels, 0, 1)) == quarters
    assert bar_side(square(bench, pixels, 0, 0)) == 0


@pytest.mark.parametrize("scale", [6, 40, 200, 420])
def test_every_zoom_shows_the_right_tile(bench, scale):
    bench.open(10, 12)
    bench.page.evaluate("view => (table.view = view)", {"x": -scale, "y": -scale, "scale": scale})
    bench.rest()
    tile = square(bench, shot(bench), 1, 1)
    wanted = np.array([13 * 53 % 200 + 40, 13 * 91 % 160 + 80, 255 - 13])
    assert np.abs(tile[int(len(tile) * 0.6), len(tile) // 2] - wanted).max() <= 2


def test_nothing_is_drawn_when_nothing_changes(bench):
    bench.open(10, 12)
    bench.page.evaluate(
        """() => { const own = table.stage.context; globalThis.draws = 0;
           const before = own.drawImage.bind(own);
           own.drawImage = (...all) => { draws += 1; return before(...all); }; }"""
    )
    bench.page.wait_for_timeout(300)
    assert bench.page.evaluate("draws") == 0
    bench.mouse.move(*bench.where(1, 1))
    bench.rest()
    assert bench.page.evaluate("draws") > 0


def test_panning_draws_the_tiles_of_a_panel_once(bench):
    bench.open(25, 40)
    before = bench.page.evaluate("table.stage.panelLayer.paintings")
    bench.keyboard.down(" ")
    bench.drag((700, 400), (300, 300))
    bench.keyboard.up(" ")
    assert bench.page.evaluate("table.stage.panelLayer.paintings") == before


def test_coarser_pictures_stand_in_until_finer_ones_come(bench):
    bench.open(3, 3)
    held = []
    bench.page.route("**/atlas/later/256/*", lambda route: held.append(route))
    levels = {"levels": [256, 16], "columns": [8, 8], "per_page": [64, 64]}
    atlas = {"stamp": "later", "tiles": list(range(9)), **levels}
    bench.page.evaluate("atlas => table.setTiles([], atlas)", atlas)
    bench.page.wait_for_function("table.atlas.pictures.get('/atlas/later/16/0')")
    bench.page.wait_for_function("!table.stage.awaited && !table.stage.pending")
    coarse = square(bench, shot(bench), 1, 1)
    assert abs(coarse[100, 100, 0] - (4 * 53 % 200 + 40)) <= 2
    assert len(held) == 1
    held[0].continue_()
    bench.page.wait_for_function("table.atlas.pictures.get('/atlas/later/256/0')")
    bench.page.unroute("**/atlas/later/256/*")
    bench.rest()


def test_a_picture_that_is_not_there_is_not_asked_for_again_and_again(bench):
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=404)

    bench.page.route("**/atlas/t/**", refuse)
    bench.open(3, 3)
    atlas = {"stamp": "t", "levels": [64], "columns": [8], "per_page": [64], "tiles": [0, 1]}
    bench.page.evaluate("atlas => table.setTiles([], atlas)", atlas)
    for _ in range(3):
        bench.press("+")
    assert len(asked) == 1
    bench.page.unroute("**/atlas/t/**")


def overlay(bench, tiles, scored=True):
    confidence = {"revision": 0, "scored": scored, "tiles": tiles}
    bench.page.evaluate("confidence => table.setConfidence(confidence)", confidence)
    bench.rest()


def warmth(bench, row, col):
    """How far red outweighs blue along the joint at the right of a place."""
    x, y = bench.where(row, col + 0.5)
    strip = shot(bench)[int(y) - 10 : int(y) + 10, int(x) - 3 : int(x) + 4]
    return (strip[..., 0] - strip[..., 2]).max()


def test_doubtful_joints_glow_until_the_overlay_is_put_away(bench):
    bench.open(2, 3)
    cold = warmth(bench, 0, 0)
    overlay(bench, [DOUBT])
    assert warmth(bench, 0, 0) > cold + 100
    bench.page.evaluate("table.overlay = false")
    assert warmth(bench, 0, 0) == cold


def test_likely_and_unscored_joints_do_not_glow(bench):
    bench.open(2, 3)
    cold = warmth(bench, 0, 0)
    overlay(bench, [{**DOUBT, "confidence": 0.97, "right": 0.99}])
    assert warmth(bench, 0, 0) == cold
    overlay(bench, [DOUBT], scored=False)
    assert warmth(bench, 0, 0) == cold


def test_a_joint_no_longer_glows_once_its_tile_has_moved(bench):
    bench.open(2, 3)
    cold = warmth(bench, 0, 0)
    overlay(bench, [DOUBT])
    bench.drag(bench.where(0, 1), bench.where(1, 2))
    bench.press("Escape")
    bench.mouse.move(2, 2)
    assert warmth(bench, 0, 0) < cold + 60


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
def test_what_is_on_the_board_shows(bench, change):
    bench.open(2, 4, change=lambda board: board["placed"][3].update(panel=-1, row=0, col=0))
    before = shot(bench)

    def both(board):
        board["placed"][3].update(panel=-1, row=0, col=0)
        change(board)

    bench.open(2, 4, change=both)
    assert (shot(bench) != before).any()


def test_findings_are_marked(bench):
    bench.open(3, 4)
    before = shot(bench)
    finding = {"kind": "moved", "tiles": [0], "probability": 0.9}
    proposed = [{"tile": 0, "panel": 0, "row": 2, "col": 2, "turn": 0}]
    bench.page.evaluate("list => table.highlight(list)", [{**finding, "proposed": proposed}])
    bench.rest()
    arrow = shot(bench)
    assert (square(bench, arrow, 1, 1) != square(bench, before, 1, 1)).any()
    bench.page.evaluate("list => table.highlight(list)", [{**finding, "proposed": []}])
    bench.rest()
    marked = shot(bench)
    assert (square(bench, marked, 0, 0) != square(bench, before, 0, 0)).any()
    assert (square(bench, marked, 1, 1) == square(bench, before, 1, 1)).all()
    bench.page.evaluate("table.highlight(null)")
    bench.rest()
    assert (shot(bench) == before).all()


def test_dark_ground(bench):
    bench.open(3, 4)
    assert shot(bench)[5, 5].min() > 200
    bench.page.emulate_media(color_scheme="dark")
    bench.rest()
    assert shot(bench)[5, 5].max() < 60
    bench.page.evaluate(
        """() => { document.documentElement.dataset.theme = "light";
           document.dispatchEvent(new Event("themechange")); }"""
    )
    bench.rest()
    assert shot(bench)[5, 5].min() > 200
    bench.page.evaluate("delete document.documentElement.dataset.theme")
    bench.page.emulate_media(color_scheme="light")


def test_live_tiles_glide_and_a_thousand_jump(bench):
    bench.open(4, 6)
    places = "n => table.layout.board.placed.map((p) => ({ ...p, row: n - 1 - p.row }))"
    bench.page.evaluate(f"table.setLive(({places})(4))")
    bench.page.wait_for_function("table.motion.tiles.size === 24")
    bench.rest()
    assert bench.at(0, 0) == 18
    bench.page.evaluate("table.setLive(null)")
    bench.open(25, 40)
    bench.page.evaluate(f"table.setLive(({places})(25))")
    bench.page.wait_for_function("table.arranged === table.layout")
    assert bench.page.evaluate("table.motion.tiles.size") == 0
    assert bench.at(0, 0) == 960


def test_a_read_only_table_shows_no_tray_and_takes_no_edit(bench):
    bench.open(3, 4)
    bench.page.evaluate("table.readOnly = true; table.arranged = null; table.stage.refresh('all')")
    bench.rest()
    assert bench.page.evaluate("table.tray.area.width") == 0
    bench.drag(bench.where(0, 0), bench.where(1, 1))
    bench.press("r")
    assert bench.told("edit") == []
    bench.page.evaluate("table.readOnly = false; table.arranged = null; table.stage.refresh('all')")


def test_a_table_that_is_done_with_lets_go_of_the_page(bench):
    bench.page.evaluate(
        """async () => { const { Table } = await import("/static/js/table/table.js");
           const canvas = document.createElement("canvas");
           const place = document.createElement("div");
           place.append(canvas);
           document.body.append(place);
           new Table(canvas, {}).destroy();
           place.remove(); }"""
    )
    bench.open(3, 4)
    bench.mouse.move(*bench.where(1, 1))
    bench.press("r")
    assert len(bench.told("edit")) == 1
