"""The page as a person uses it: real clicks, drags and keys against a real server."""

import csv
import io
import json

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

expect.set_options(timeout=15_000)
SOLVED = 90_000  # milliseconds; the first solve may compile


class Eye:
    """Finds places on the table as a person does: by what the pointer shows."""

    def __init__(self, page, server, project):
        self.page, self.lies = page, server.board(project)[0]
        box = page.locator("canvas.table").bounding_box()
        middle = box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.5
        across = [(x, middle[1]) for x in np.arange(box["x"] + 5, box["x"] + box["width"] * 0.8, 9)]
        self.col = self._fit(across, 0, "col")
        x = self.col[0] * np.median([each["col"] for each in self.lies.values()]) + self.col[1]
        down = [(x, y) for y in np.arange(box["y"] + 5, box["y"] + box["height"], 9)]
        self.row = self._fit(down, 1, "row")

    def _fit(self, points, axis, name):
        """Pitch and origin of rows or columns on the screen."""
        seen = [(point[axis], self.under(*point)) for point in points]
        seen = [(at, self.lies[number][name]) for at, number in seen if number]
        middles = {k: np.mean([at for at, other in seen if other == k]) for _, k in seen[1:-1]}
        assert len(middles) > 2, "no tiles were found under the pointer"
        return np.polyfit(list(middles), list(middles.values()), 1)

    def under(self, x, y):
        """The number of the laid tile under a point."""
        self.page.mouse.move(float(x), float(y))
        number = self.page.evaluate(
            "document.querySelector('.hover-card:not([hidden]) strong')?.textContent"
        )
        return number if number and self.lies[number]["panel"] == 0 else None

    def at(self, row, col):
        return float(np.polyval(self.col, col)), float(np.polyval(self.row, row))

    def of(self, number):
        return self.at(self.lies[number]["row"], self.lies[number]["col"])


@pytest.fixture(scope="module")
def solved(server):
    """A solved project."""
    project = server.new_project("Solved")
    server.solve(project)
    return project


@pytest.fixture
def fresh(server, solved):
    """The solved project as it was after its solve, whatever tests before have done to it."""
    revision = server.get(f"/projects/{solved}")["state"]["revision"]
    server.post(f"/projects/{solved}/versions/1/restore", {"revision": revision})
    return solved


def opened(page, server, project):
    page.goto(f"{server.address}/#project={project}")
    expect(page.locator("canvas.table")).to_be_visible()
    settled(page)


def settled(page):
    """Wait until the view has come to rest, and so have the tiles."""
    page.wait_for_function(
        """async () => {
           for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
           return !document.querySelector("canvas.table[data-moving]"); }"""
    )


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def test_from_the_demo_to_a_corrected_panel_and_its_files(page, server, until):
    page.get_by_role("button", name="Open the demo").click()
    solve = page.get_by_role("button", name="Solve", exact=True)
    expect(solve).to_be_visible(timeout=SOLVED)
    project = page.url.split("project=")[1]
    page.get_by_text("Options").click()
    page.get_by_label("Search").select_option("fast")
    page.get_by_label("Judge of joints").select_option("mgc")
    solve.click()
    expect(page.get_by_text("Generation")).to_be_visible(timeout=SOLVED)
    expect(page.locator(".job").get_by_text("Put together in")).to_be_visible(timeout=SOLVED)
    settled(page)
    eye = Eye(page, server, project)
    assert len([each for each in eye.lies.values() if each["panel"] == 0]) == 140

    first, second, third = [each for each in eye.lies if eye.lies[each]["row"] == 3][3:6]
    before = eye.lies
    drag(page, eye.of(first), eye.of(second))
    until(lambda: places(server, project)[first] == place(before[second]))
    assert places(server, project)[second] == place(before[first])

    page.mouse.click(*eye.of(third))
    expect(page.get_by_role("heading", name=third)).to_be_visible()
    page.keyboard.press("r")
    until(lambda: server.board(project)[0][third]["turn"] != before[third]["turn"])
    page.keyboard.press("l")
    until(lambda: server.board(project)[1] == {third})
    held = server.board(project)[0][third]
    page.keyboard.press("Control+z")
    until(lambda: server.board(project)[1] == set())
    page.keyboard.press("Control+Shift+z")
    until(lambda: server.board(project)[1] == {third})

    expect(page.get_by_text("1 locked tile")).to_be_visible()
    page.get_by_role("button", name="Solve again").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator(".job").get_by_text("Put together in")).to_be_visible(timeout=SOLVED)
    lies, locked = server.board(project)
    assert lies[third] == held
    assert locked == {third}

    listed = exported(page, "Placement list").decode("utf-8-sig")
    assert len(list(csv.DictReader(io.StringIO(listed)))) == 140
    picture = Image.open(io.BytesIO(exported(page, "Picture")))
    assert picture.format == "PNG"
    assert picture.width > 500


def places(server, project):
    return {number: place(each) for number, each in server.board(project)[0].items()}


def place(each):
    return each["panel"], each["row"], each["col"]


def exported(page, what):
    """The bytes of a file that the page downloads."""
    page.get_by_role("button", name="Export").click()
    page.get_by_role("dialog").get_by_text(what, exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    return download.value.path().read_bytes()


def test_a_hole_shows_what_fits_and_one_click_lays_it(page, server, fresh, until):
    opened(page, server, fresh)
    eye = Eye(page, server, fresh)
    number = next(each for each in eye.lies if place(eye.lies[each])[1:] == (1, 1))
    page.mouse.click(*eye.of(number))
    page.keyboard.press("Delete")
    until(lambda: places(server, fresh)[number][0] == -1)
    settled(page)  # the tray opens, and the panel makes room
    page.mouse.click(*Eye(page, server, fresh).at(1, 1))
    best = page.get_by_role("button", name=f"Lay {number} here")
    expect(best).to_be_visible()
    best.click()
    until(lambda: server.board(fresh)[0][number] == eye.lies[number])

    settled(page)
    page.mouse.click(*Eye(page, server, fresh).at(1, 1))
    page.get_by_label("Also tiles that lie in a panel").check()
    another = page.locator(".fit:enabled", has_text="row").first
    other = another.locator("strong").inner_text()
    another.click()
    until(lambda: places(server, fresh)[other] == place(eye.lies[number]))
    assert places(server, fresh)[number][0] == -1


def test_versions_are_kept_named_compared_and_gone_back_to(page, server, fresh, until):
    opened(page, server, fresh)
    eye = Eye(page, server, fresh)
    first, second = list(eye.lies)[:2]
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Keep this version").click()
    page.get_by_label("Name of the version").fill("Before the swap")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Before the swap")).to_be_visible()
    drag(page, eye.of(first), eye.of(second))
    until(lambda: places(server, fresh)[first] == place(eye.lies[second]))

    page.get_by_role("tab", name="Versions").click()
    row = page.locator(".version", has_text="Before the swap")
    row.get_by_role("button", name="Compare with now").click()
    expect(page.get_by_text("2 tiles lie differently.")).to_be_visible()
    expect(page.locator("dialog canvas")).to_have_count(2)
    page.keyboard.press("Escape")
    row.get_by_role("button", name="Go back to it").click()
    until(lambda: places(server, fresh)[first] == place(eye.lies[first]))
    page.locator("canvas.table").focus()
    page.keyboard.press("Control+z")
    until(lambda: places(server, fresh)[first] == place(eye.lies[second]))


def test_an_audit_finds_a_swap_and_mends_it(page, server, fresh, until):
    lies = server.board(fresh)[0]
    first = next(each for each in lies.values() if place(each)[1:] == (1, 1))
    second = next(each for each in lies.values() if place(each)[1:] == (2, 3))
    swapped = [
        first | {"row": second["row"], "col": second["col"]},
        second | {"row": first["row"], "col": first["col"]},
    ]
    revision = server.get(f"/projects/{fresh}")["state"]["revision"]
    edit = {"revision": revision, "label": "A mistake", "placed": swapped}
    server.post(f"/projects/{fresh}/edits", edit)
    opened(page, server, fresh)
    page.get_by_role("button", name="Check the panel").click()
    expect(page.get_by_role("tab", name="Findings")).to_be_visible(timeout=SOLVED)
    page.get_by_role("button", name="Apply", exact=True).first.click()
    until(lambda: server.board(fresh)[0] == lies)
    expect(page.get_by_text("Applied").first).to_be_visible()


def test_several_panels_are_tabs(page, server, fresh):
    whole = server.get(f"/projects/{fresh}")["state"]
    one, other = whole["board"]["placed"][:2]
    placed = [one | {"panel": 1}, other | {"panel": -1, "row": 0, "col": 0}]
    edit = {"revision": whole["revision"], "label": "Parted", "placed": placed}
    opened(page, server, fresh)
    expect(page.get_by_role("tab", name="Tray 0")).to_be_visible()
    server.post(f"/projects/{fresh}/edits", edit)
    expect(page.get_by_role("tab", name="Tray 1")).to_be_visible()
    second = page.get_by_role("tab", name="Panel 2")
    second.click()
    expect(second).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Tray 1")).to_be_focused()


def test_the_whole_panel_turns_with_its_locks(page, server, fresh, until):
    lies = server.board(fresh)[0]
    tile = next(iter(lies.values()))
    revision = server.get(f"/projects/{fresh}")["state"]["revision"]
    edit = {"revision": revision, "label": "Hold", "lock": [tile["tile"]]}
    server.post(f"/projects/{fresh}/edits", edit)
    opened(page, server, fresh)
    for quarter in range(1, 5):
        page.get_by_role("button", name="Turn the whole panel").click()
        turn = (tile["turn"] + 90 * quarter) % 360
        until(lambda turn=turn: next(iter(server.board(fresh)[0].values()))["turn"] == turn)
    after, locked = server.board(fresh)
    assert after == lies
    assert len(locked) == 1


def test_a_broken_picture_is_refused_with_its_reason_and_the_others_come(
    page, server, small_tiles, tmp_path, until
):
    folder = tmp_path / "crate"
    folder.mkdir()
    for file, picture in small_tiles.items():
        (folder / file).write_bytes(picture)
    (folder / "t05.png").write_bytes(small_tiles["t05.png"][:300])
    (folder / "letter.txt").write_text("not a picture")
    page.locator("input[webkitdirectory]").set_input_files(folder)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 file of 20 could not be taken")).to_be_visible()
    expect(dialog.get_by_text("t05.png")).to_be_visible()
    dialog.get_by_role("button", name="Understood").click()
    expect(page.get_by_role("tab", name="Tray 19")).to_be_visible()
    assert page.locator(".bar .name").inner_text() == "crate"


def test_a_project_of_which_nothing_comes_is_not_kept(page, server, tmp_path):
    folder = tmp_path / "letters"
    folder.mkdir()
    for name in "abcdef":
        (folder / f"{name}.png").write_text("not a picture")
    page.locator("input[webkitdirectory]").set_input_files(folder)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("6 of 6 files could not be taken")).to_be_visible()
    dialog.get_by_role("button", name="Understood").click()
    expect(page.locator("main.start")).to_be_visible()
    assert "letters" not in [each["name"] for each in server.get("/projects")]


def test_the_page_asks_what_it_cannot_know(page, small_tiles):
    """One picture may be anything: three choices, with the likeliest chosen."""
    transfer = page.evaluate_handle(
        """bytes => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "wall.png", {type: "image/png"}));
            return transfer;
        }""",
        list(small_tiles["t00.png"]),
    )
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio")).to_have_count(3)
    expect(dialog.get_by_role("radio", name="A laid panel")).to_be_checked()
    assert dialog.get_by_label("Name of the project").input_value() == "wall"
    page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("radio", name="Several tiles")).to_be_checked()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_wall_whose_joints_are_not_seen_is_cut_by_its_corners(page, server, wall, tmp_path):
    picture = tmp_path / "wall.png"
    picture.write_bytes(wall)
    page.locator("input[multiple]").set_input_files(picture)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Show the corners").click(timeout=3 * SOLVED)
    photograph = dialog.locator("img").bounding_box()
    margins = {"Top left": (0.2, 0.2), "Top right": (0.8, 0.2)}
    margins |= {"Bottom left": (0.2, 0.8), "Bottom right": (0.8, 0.8)}
    for name, (x, y) in margins.items():
        corner = dialog.get_by_role("button", name=f"{name} corner").bounding_box()
        start = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
        end = (
            photograph["x"] + photograph["width"] * x,
            photograph["y"] + photograph["height"] * y,
        )
        drag(page, start, end)
    dialog.get_by_label("Rows").fill("4")
    dialog.get_by_label("Columns").fill("5")
    dialog.get_by_role("button", name="Cut").click()
    expect(page.get_by_text("The panel has been cut into its tiles.").first).to_be_visible(
        timeout=SOLVED
    )
    lies = server.board(page.url.split("project=")[1])[0]
    assert len({place(each) for each in lies.values() if each["panel"] == 0}) == 20


def test_a_reload_in_the_middle_of_a_solve_shows_it_going_on(page, server, until):
    project = server.new_project("Long")
    settings = {"measure": "mgc", "preset": "standard", "runs": 100}
    server.post(f"/projects/{project}/jobs", {"kind": "solve", "settings": settings})
    opened(page, server, project)
    expect(page.get_by_text("Generation")).to_be_visible(timeout=SOLVED)
    page.reload()
    expect(page.get_by_text("Generation")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".job").get_by_text("Stopped; the best so far was kept.")).to_be_visible(
        timeout=30_000
    )
    assert all(each["panel"] == 0 for each in server.board(project)[0].values())


def test_a_server_that_comes_back_is_found_again(open_page, own_server, until):
    project = own_server.new_project("Restarted")
    page = open_page(f"{own_server.address}/#project={project}")
    expect(page.get_by_role("tab", name="Tray 20")).to_be_visible()
    own_server.kill()
    lost = page.get_by_text("The connection to the server is lost.")
    expect(lost).to_be_visible()
    own_server.start()
    expect(lost).to_be_hidden(timeout=20_000)
    page.locator(".bar .name").click()
    page.get_by_label("Name of the project").fill("Found again")
    page.keyboard.press("Enter")
    expect(page.locator(".bar .name")).to_have_text("Found again")
    assert own_server.get(f"/projects/{project}")["name"] == "Found again"


def test_a_change_that_came_too_late_is_taken_back(page, server, fresh):
    opened(page, server, fresh)
    eye = Eye(page, server, fresh)
    late = {"problem": "The panel has changed meanwhile.", "remedy": "Look at it and do it again."}
    late |= {"code": "board-changed", "values": {}}
    page.route("**/edits", lambda route: route.fulfill(status=409, json=late), times=1)
    first, second = list(eye.lies)[:2]
    drag(page, eye.of(first), eye.of(second))
    expect(page.locator(".toast").get_by_text(late["problem"])).to_be_visible()
    settled(page)
    assert eye.under(*eye.of(first)) == first
    assert server.board(fresh)[0] == eye.lies


def test_with_the_keyboard_alone(page, server, fresh, until):
    lies = server.board(fresh)[0]
    page.reload()
    tab_to(page, f"document.activeElement.hash === '#project={fresh}'")
    page.keyboard.press("Enter")
    tab_to(page, "document.activeElement.matches('canvas.table')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    heading = page.locator(".tile-part h2")
    expect(heading).to_be_visible()
    number = heading.inner_text()
    page.keyboard.press("r")
    until(lambda: server.board(fresh)[0][number]["turn"] == (lies[number]["turn"] + 90) % 360)
    page.keyboard.press("l")
    until(lambda: server.board(fresh)[1] == {number})
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    until(lambda: server.board(fresh) == (lies, set()))
    page.keyboard.press("Control+y")
    until(lambda: server.board(fresh)[0] != lies)
    turn = page.get_by_role("button", name="Turn", exact=True)
    turn.focus()
    for quarters in (2, 3):
        page.keyboard.press("Enter")
        wanted = (lies[number]["turn"] + 90 * quarters) % 360
        until(lambda wanted=wanted: server.board(fresh)[0][number]["turn"] == wanted)
        expect(turn).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".job").get_by_text("Put together in")).to_be_visible(timeout=SOLVED)


def tab_to(page, condition):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(condition):
            return
    raise AssertionError("the Tab key does not lead there")


NAMELESS = """() => [...document.querySelectorAll("button, input, select, a, canvas")]
    .filter(each => each.checkVisibility() && !each.getAttribute("aria-hidden"))
    .filter(each => !(each.getAttribute("aria-label") || each.textContent.trim()
        || [...(each.labels ?? [])].map(label => label.textContent.trim()).join("")))
    .map(each => each.outerHTML)"""


def test_every_control_has_a_name(page, server, solved):
    assert page.evaluate(NAMELESS) == []
    opened(page, server, solved)
    page.get_by_text("Options").click()
    page.get_by_role("button", name="Versions").click()
    assert page.evaluate(NAMELESS) == []
    for name in ("Compare", "Export", "Sort into panels", "Keep this version"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert page.evaluate(NAMELESS) == []
        page.keyboard.press("Escape")


def test_the_language_is_the_browsers_until_it_is_chosen(open_page, page, server, solved):
    portuguese = open_page(server.address, locale="pt-PT")
    expect(portuguese.get_by_role("button", name="Abrir a demonstração")).to_be_visible()
    assert portuguese.locator("html").get_attribute("lang") == "pt-PT"
    opened(page, server, solved)
    page.get_by_role("button", name="PT", exact=True).click()
    expect(page.get_by_role("button", name="Resolver de novo")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Resolver de novo")).to_be_visible()


def test_light_and_dark(open_page, server):
    page = open_page(server.address, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    light = page.evaluate(ground)
    assert sum(json.loads(f"[{dark[4:-1]}]")) < 200 < 600 < sum(json.loads(f"[{light[4:-1]}]"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) == light


def test_on_a_tablet_details_come_over_the_table(open_page, server, solved):
    viewport = {"width": 768, "height": 1024}
    page = open_page(f"{server.address}/#project={solved}", viewport=viewport, has_touch=True)
    solve = page.get_by_role("button", name="Solve again")
    expect(solve).to_be_in_viewport()
    side = page.get_by_role("complementary", name="Details")
    expect(side).to_be_hidden()
    page.get_by_role("button", name="Versions").click()
    expect(side).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 768


def test_projects_are_renamed_and_put_into_the_bin(page, server, until):
    project = server.new_project("Old name")
    page.reload()
    card = page.locator(".project-card", has_text="Old name")
    card.get_by_role("button", name="Rename Old name").click()
    page.get_by_label("Name of the project").fill("New name")
    page.keyboard.press("Enter")
    card = page.locator(".project-card", has_text="New name")
    card.get_by_role("button", name="Delete New name").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(card).to_have_count(0)
    assert project not in [each["project"] for each in server.get("/projects")]


def test_an_unknown_project_is_said_calmly(page, server):
    page.goto(f"{server.address}/#project=nobody")
    expect(page.locator(".toast.error")).to_be_visible()
    expect(page.get_by_role("button", name="Open the demo")).to_be_visible()


def test_errors_are_told_in_the_language_of_the_page(open_page, server, until):
    project = server.new_project("Três linhas")
    size = {"rows": 3, "cols": 5}
    request = {"kind": "solve", "settings": {"measure": "mgc", "preset": "fast", **size}}
    job = server.post(f"/projects/{project}/jobs", request)["job"]
    until(lambda: server.get(f"/projects/{project}/jobs/{job}")["state"] == "failed", 60)
    page = open_page(f"{server.address}/#project={project}", locale="pt-PT")
    failure = page.locator(".job")
    expect(failure).to_contain_text("3 linhas × 5 colunas são 15 lugares, mas há 20 azulejos.")
    expect(failure).to_contain_text("não indique linhas nem colunas.")
    page.get_by_role("button", name="EN", exact=True).click()
    expect(failure).to_contain_text("3 rows × 5 cols are 15 places")
    page.get_by_role("button", name="PT", exact=True).click()
    page.goto(f"{server.address}/#project=nobody")
    expect(page.locator(".toast.error")).to_contain_text("Esse projeto não existe.")
