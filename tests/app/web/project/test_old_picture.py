"""The old picture of a panel in the page: given, a guide for solving, laid over the panel."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from azulejar.practice.painting import paint_panel

OVER = "each => each.scrollWidth - each.clientWidth"
SOLVED = 90_000  # milliseconds; the first solve may compile

# How far the corners that were set in the photograph (at a tenth) lie from the panel's, in px:
# the panel is 4 × 5 places, as large as the picture between them.
AWAY = """() => {
  const photograph = document.querySelector(".laid-over");
  const matrix = new DOMMatrix(photograph.style.transform);
  const [width, height] = [photograph.naturalWidth, photograph.naturalHeight];
  const at = (x, y) => {
    const { x: u, y: v, w } = matrix.transformPoint(new DOMPoint(x * width, y * height));
    return [u / w, v / w];
  };
  const [a, b, c, d] = [at(0.1, 0.1), at(0.9, 0.1), at(0.9, 0.9), at(0.1, 0.9)];
  const scale = (b[0] - a[0]) / 4;
  const high = c[1] - b[1] - 5 * scale;
  return [a[1] - b[1], c[0] - b[0], d[0] - a[0], c[1] - d[1], high].map(Math.abs);
}"""


@pytest.fixture(scope="session")
def old_photograph():
    """The panel of the small tiles, grey, with something around it, as an upload."""
    panel = cv2.resize(paint_panel(4, 5, seed=0), (160, 128), interpolation=cv2.INTER_AREA)
    picture = np.full((160, 200), 220, np.uint8)
    picture[16:144, 20:180] = panel.mean(axis=2)
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG")
    return {"name": "1930.png", "mimeType": "image/png", "buffer": stream.getvalue()}


def _references(server, project):
    return server.get(f"/projects/{project}")["state"]["board"]["references"]


def test_old_picture_guides_a_solve_and_lies_over_the_panel(
    page, visit, server, until, rules_broken, old_photograph
):
    project = server.new_project("Old picture")
    visit.open(project)
    white = io.BytesIO()
    Image.new("L", (90, 90), 255).save(white, "PNG")
    large = old_photograph | {"buffer": old_photograph["buffer"] + bytes(2_000_000)}
    page.route("**/references/uploads*", lambda route: None, times=1)  # it never arrives
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add an old picture").click()
    chooser.value.set_files(large)
    coming = page.get_by_role("region", name="Upload in progress")
    expect(coming.get_by_role("heading", name="Uploading the old picture")).to_be_visible()
    expect(coming).to_contain_text(" of 2 MB")
    coming.get_by_role("button", name="Stop").click()
    expect(coming).to_be_hidden()
    for file in (old_photograph | {"buffer": white.getvalue()}, old_photograph):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Add an old picture").click()
        chooser.value.set_files(file)
        if file is not old_photograph:
            expect(page.get_by_text("1930.png is of one colour: it shows nothing.")).to_be_visible()
    card = page.get_by_role("region", name="Old picture")
    expect(card.get_by_text("1930.png")).to_be_visible()
    expect(card.get_by_label("Use the old picture as a guide")).to_be_checked()
    expect(card.get_by_role("button", name="Compare with the old picture")).to_be_disabled()
    for width in (390, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator(".card.solve").evaluate(OVER) == 0
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".success")).to_contain_text("Put together in", timeout=SOLVED)
    told = page.locator(".notes li", has_text="The old picture was believed: it tells")
    expect(told).to_contain_text("Compare the two")
    (found,) = _references(server, project)
    true = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
    np.testing.assert_allclose(found["corners"], true, atol=0.04)

    page.get_by_role("button", name="Compare with the old picture").first.click()
    dialog = page.get_by_role("dialog", name="Compare two versions")
    expect(dialog.get_by_text("The old picture lies over the panel")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.laid-over').style.transform")
    assert max(page.evaluate(AWAY.replace("/ 4", "/ 5").replace("5 * scale", "4 * scale"))) < 20
    assert rules_broken(page) == []
    page.keyboard.press("Escape")

    # Turned with the panel, and still there after a reload.
    page.get_by_role("button", name="Turn the whole panel").click()
    until(lambda: _references(server, project)[0]["corners"][1] == found["corners"][0])
    visit.open(project)
    expect(card.get_by_text("1930.png")).to_be_visible()
    card.get_by_role("button", name="Set the corners").click()
    page.get_by_role("button", name="Top left corner").press("ArrowRight")
    page.get_by_role("button", name="Lay it over the panel").click()
    moved = [found["corners"][3][0] + 0.002, found["corners"][3][1]]
    until(lambda: np.allclose(_references(server, project)[0]["corners"][0], moved))
    card.get_by_role("button", name="Remove the old picture").click()
    until(lambda: not _references(server, project))
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(card.get_by_text("1930.png")).to_be_visible()
    card.get_by_role("button", name="Remove the old picture").click()
    until(lambda: not _references(server, project))

    # Given once more in the comparison, and laid there by hand.
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    dialog.get_by_label("Version").first.select_option("now")
    with page.expect_file_chooser() as chooser:
        dialog.get_by_label("Version").last.select_option("picture")
    chooser.value.set_files(old_photograph)
    page.get_by_role("button", name="Lay it over the panel").click()
    expect(dialog.get_by_text("The old picture lies over the panel")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.laid-over').style.transform")
    assert max(page.evaluate(AWAY)) < 1


def test_who_may_only_look_sees_the_old_picture(
    museum_server, open_page, visiting, until, old_photograph
):
    """It is offered in the comparison, and nothing that changes it."""
    project = museum_server.new_project("Looked at")
    answer = museum_server.calls.post(
        f"/projects/{project}/references/uploads",
        params={"panel": 0, "name": "1930.png", "label": "add"},
        content=old_photograph["buffer"],
        headers={"Content-Type": "application/octet-stream"},
    )
    state = answer.json()
    tiles = [each["tile"] for each in state["board"]["placed"][:4]]
    laid = [{"tile": tile, "panel": 0, "row": 0, "col": col} for col, tile in enumerate(tiles)]
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    reference = {"panel": 0, "file": "1930.png", "corners": corners}
    edit = {"revision": state["revision"], "label": "x", "placed": laid, "references": [reference]}
    museum_server.post(f"/projects/{project}/edits", edit)
    page = open_page(museum_server.address)
    page.get_by_label("Name").fill("Rui")
    page.get_by_label("Password").fill("azul e branco")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Looked at")).to_be_visible()
    visiting(page, museum_server).open(project)
    expect(page.get_by_role("region", name="Old picture")).to_be_hidden()
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Version").last.select_option("picture")
    expect(page.get_by_text("The old picture lies over the panel")).to_be_visible()
    status = page.evaluate(
        """async (path) => (await fetch(path, { method: "POST", body: "x",
             headers: { "Content-Type": "application/octet-stream" } })).status""",
        f"/api/projects/{project}/references/uploads?panel=0&name=a.png&label=x",
    )
    assert status == 403
