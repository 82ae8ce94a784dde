"""Patterns of a museum: named, and matched with a photographed wall."""

import io
import json
import shutil

import pytest
from PIL import Image
from playwright.sync_api import expect

from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.storage.catalogue import Collection
from azulejar.imaging.picture import write_picture
from azulejar.outputs.collection.stages import list_patterns
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut

CORNERS = [[0, 0], [249, 0], [249, 199], [0, 199]]


@pytest.fixture
def patterns(server, in_turn):
    """The address of the patterns of a museum: rosettes and a trellis."""
    folder = server.folder / "padroes"
    with Collection.create(folder) as museum:
        for design in (DESIGNS[3], DESIGNS[11]):
            for number, tile in enumerate(cut(paint_pattern(design, 3, 4, 50), 3, 4)):
                write_picture(folder / "crates" / design.name / f"{design.name}{number}.png", tile)
        add_tiles(museum, [folder / "crates"], engine=in_turn)
        list_patterns(museum)
    return f"{server.address}/#museum=padroes&view=patterns"


def mark_corners(route):
    """Answer the search for joints, which takes a while, with the corners that are known."""
    request = route.request.post_data_json
    if request["look"]:
        request |= {"corners": CORNERS, "rows": 4, "cols": 5}
    route.continue_(post_data=json.dumps(request))


def test_a_wall_is_matched_and_its_pattern_named(open_page, patterns, server, rules_broken):
    page = open_page(patterns, {"width": 320, "height": 700})
    cards = page.locator("main .panel-card")
    expect(cards).to_have_count(2)
    wall = paint_pattern(DESIGNS[3], 4, 5, 50)
    wall[50:100, 100:150] = 200  # lost
    photograph = io.BytesIO()
    Image.fromarray(wall).save(photograph, "PNG")
    page.route("**/jobs", mark_corners)
    chosen = {"name": "wall.png", "mimeType": "image/png", "buffer": photograph.getvalue()}
    page.locator("main input[type=file]").set_input_files(chosen)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="4 rows × 5 columns")).to_be_visible(timeout=60_000)
    expect(dialog.locator(".corner")).to_have_count(4)
    assert dialog.evaluate("each => each.scrollWidth <= each.clientWidth")  # all fits beside
    page.set_viewport_size({"width": 1280, "height": 800})
    dialog.get_by_role("button", name="Compare").press("Enter")
    expect(dialog.get_by_role("heading", name="1 pattern continues this wall")).to_be_visible()
    expect(dialog.locator(".mend")).to_have_count(1)
    expect(dialog.locator(".seen")).to_have_count(19)
    expect(dialog.get_by_text("1 place to mend · 12 tiles in stock")).to_be_visible()
    assert rules_broken(page) == []
    dialog.get_by_role("button", name="Tiles").click()
    expect(page.locator(".tile-cell")).to_have_count(12)
    expect(page.get_by_role("heading", name="Pattern 1")).to_be_visible()
    page.go_back()

    cards.first.get_by_role("button", name="Name").press("Enter")
    expect(dialog.get_by_label("Code or name")).to_be_focused()
    assert rules_broken(page) == []
    page.keyboard.type("P-17-00101")
    page.keyboard.press("Enter")
    expect(cards.first.locator("strong")).to_have_text("Pattern P-17-00101")
    expect(page.get_by_text("Pattern 1 is now called P-17-00101")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(cards.first.locator("strong")).to_have_text("Pattern 1")
    (name, _) = [each["name"] for each in server.get("/museums/padroes/patterns")]
    assert name == "1"


def test_a_search_that_found_nothing_says_so_and_when(open_page, made_museum, server):
    shutil.copytree(made_museum, server.folder / "sem-padroes")
    page = open_page(f"{server.address}/#museum=sem-padroes&view=patterns")
    expect(page.get_by_text("Nobody has looked for patterns yet.")).to_be_visible()
    page.get_by_role("button", name="Look for patterns").click()
    found = page.get_by_text("None were found: no eight tiles of the museum are alike · just now")
    expect(found).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Look again")).to_be_visible()
