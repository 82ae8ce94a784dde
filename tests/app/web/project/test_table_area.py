"""Panels on the table: holes, tabs, turns, and changes that came too late."""

from playwright.sync_api import expect

# The heights at which numbers are written on the table.
WATCH_NUMBERS = """() => {
  const own = document.querySelector("canvas.table").getContext("2d");
  const before = own.fillText.bind(own);
  globalThis.written = [];
  own.fillText = (words, x, y) => (written.push(y), before(words, x, y));
}"""


def test_a_hole_shows_what_fits_and_one_click_lays_it(page, visit, server, fresh, until):
    visit.open(fresh)
    eye = visit.eye(fresh)
    number = next(each for each in eye.lies if server.place(eye.lies[each])[1:] == (1, 1))
    page.mouse.click(*eye.of(number))
    page.keyboard.press("Delete")
    until(lambda: server.places(fresh)[number][0] == -1)
    visit.settle()  # the tray opens, and the panel makes room
    page.mouse.click(*visit.eye(fresh).at(1, 1))
    best = page.get_by_role("button", name=f"Lay here: {number}")
    expect(best).to_be_visible()
    best.click()
    until(lambda: server.board(fresh)[0][number] == eye.lies[number])

    visit.settle()
    page.mouse.click(*visit.eye(fresh).at(1, 1))
    page.get_by_label("Also tiles that lie in a panel").check()
    another = page.locator(".fit:enabled", has_text="row").first
    other = another.locator("strong").inner_text()
    another.click()
    until(lambda: server.places(fresh)[other] == server.place(eye.lies[number]))
    assert server.places(fresh)[number][0] == -1


def test_what_fits_is_never_shown_for_another_place(page, visit, server, fresh, until):
    """A click on it would edit a place that is not the one looked at."""
    lies = server.board(fresh)[0]
    lifted = next(each for each in lies if server.place(lies[each])[1:] == (1, 1))
    part(server, fresh, lies[lifted] | {"panel": -1, "row": 0, "col": 0})
    visit.open(fresh)
    eye = visit.eye(fresh)
    fits = page.locator(".candidates")
    here = fits.locator("p.quiet").first
    page.mouse.click(*eye.at(2, 2))
    expect(here).to_have_text("row 3, column 3")
    visit.drag(eye.at(2, 2), eye.at(2, 1))
    expect(here).to_have_text("row 3, column 2")
    before = server.places(fresh)
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("tab", name="Tray").click(),
        lambda: page.get_by_role("button", name="Turn the whole panel").click(),
    ):
        page.mouse.click(*eye.at(1, 1))
        expect(fits.get_by_role("button", name=lifted)).to_be_visible()
        leave()
        expect(fits).to_be_empty()
        page.get_by_role("tab", name="Panel").click()
        visit.settle()
    until(lambda: server.places(fresh) != before)  # the server knows of the turn
    visit.settle()
    eye = visit.eye(fresh)
    hole = next(
        (row, col)
        for row in range(5)
        for col in range(5)
        if (0, row, col) not in server.places(fresh).values()
    )
    page.mouse.click(*eye.at(*hole))
    fits.get_by_role("button", name=lifted).click()
    until(lambda: server.places(fresh)[lifted] == (0, *hole))


def part(server, project, *placed):
    """Lay tiles elsewhere, as another page would."""
    revision = server.get(f"/projects/{project}")["state"]["revision"]
    edit = {"revision": revision, "label": "Parted", "placed": placed}
    server.post(f"/projects/{project}/edits", edit)


def test_tiles_are_dropped_on_the_tab_of_another_panel(page, visit, server, fresh, until):
    lies = server.board(fresh)[0]
    first, second, third = [each for each in lies if lies[each]["row"] == 1][:3]
    part(server, fresh, lies[first] | {"panel": 1})
    held = []
    page.route("**/confidence", lambda route: held.append(route), times=1)
    visit.open(fresh)
    eye = visit.eye(fresh)
    table = page.locator("canvas.table")
    before = table.bounding_box()
    until(lambda: page.wait_for_timeout(20) or held)
    doubt = server.get(f"/projects/{fresh}/confidence") | {"mean": 0.3, "probably_wrong": True}
    held[0].fulfill(json=doubt)
    warning = page.locator(".warning")
    expect(warning).to_contain_text("only about 30% of the tiles")
    assert table.bounding_box() == before  # the warning has not pushed the table down
    height = warning.bounding_box()["height"]
    assert height < 44
    page.evaluate(WATCH_NUMBERS)
    page.mouse.move(*eye.of(third))  # what is under the pointer is drawn anew
    page.wait_for_function("written.length")
    assert min(page.evaluate("written")) > height  # the numbers of columns lie below it
    warning.locator("summary").click()
    expect(warning.get_by_text("in the same light")).to_be_visible()
    upright = warning.get_by_text("taken for upright")
    expect(upright).to_be_visible(visible=server.get(f"/projects/{fresh}")["settings"]["upright"])
    warning.get_by_role("button", name="Close").click()
    expect(warning).to_be_hidden()
    visit.drag(eye.of(second), middle(page.get_by_role("tab", name="Panel 2")))
    row, col = lies[first]["row"], lies[first]["col"]
    until(lambda: server.places(fresh)[second] == (1, row, col + 2))
    expect(page.locator(".toast")).to_contain_text("at the right of that panel")
    visit.settle()
    assert eye.under(*eye.of(third)) == third  # the view has not moved
    visit.drag(eye.of(third), middle(page.get_by_role("tab", name="Tray")))
    until(lambda: server.places(fresh)[third][0] == -1)
    visit.settle()
    eye = visit.eye(fresh)
    other = next(each for each in eye.lies if server.place(eye.lies[each])[:2] == (0, 2))
    visit.drag(eye.of(other), middle(page.get_by_role("button", name="Export")))
    assert server.places(fresh)[other] == server.place(eye.lies[other])


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_every_number_of_a_tile_is_the_same(page, visit, server, fresh):
    """On the table, beside it and among the candidates, which are named by what they show."""
    lies = server.board(fresh)[0]
    first, second = (
        next(each for each in lies.values() if server.place(each)[1:] == place)
        for place in ((2, 1), (2, 2))
    )
    visit.open(fresh)
    expect(page.get_by_role("heading", level=1, name="Solved")).to_be_visible()
    here, beside = page.locator(".fit", has_text="lies here"), page.locator(".tile-part dd").last

    def numbers():
        page.mouse.click(*visit.middle())
        expect(here).to_be_visible()
        over = page.locator(".hover-card span")
        shown = (over, beside, here.locator(".fit-percent"))
        return {each.inner_text() for each in shown}

    (sure,) = numbers()
    part(server, fresh, first | {"col": 2}, second | {"col": 1})
    expect(beside).not_to_have_text(sure)
    page.get_by_label("Also tiles that lie in a panel").check()
    expect(page.locator(".fit").nth(3)).to_be_visible()
    (doubtful,) = numbers()
    assert sure not in (doubtful, "100%")
    shown = [each for each in here.inner_text().split("\n") if each]
    assert shown[0] == "Lay here:"
    expect(page.get_by_role("button", name=" ".join(shown), exact=True)).to_have_count(1)


def test_several_panels_are_tabs(page, visit, server, fresh):
    one, other = server.get(f"/projects/{fresh}")["state"]["board"]["placed"][:2]
    visit.open(fresh)
    expect(page.get_by_role("tab", name="Tray 0")).to_be_visible()
    part(server, fresh, one | {"panel": 1}, other | {"panel": -1, "row": 0, "col": 0})
    expect(page.get_by_role("tab", name="Tray 1")).to_be_visible()
    second = page.get_by_role("tab", name="Panel 2")
    second.click()
    expect(second).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Tray 1")).to_be_focused()
    second.click()
    page.get_by_text("Options").click()
    expect(page.get_by_label("Use the loose tiles of the tray")).not_to_be_checked()
    expect(page.locator(".solve")).to_contain_text("Only this panel; the others and the loose")
    asked = []
    page.route("**/jobs", lambda route: asked.append(route.request.post_data_json) or route.abort())
    page.get_by_role("button", name="Solve Panel 2 again").click()
    page.get_by_label("All panels, each by itself").check()
    page.get_by_role("button", name="Solve all panels again").click()
    expect(page.locator(".toast")).to_be_visible()
    assert [(each["panel"], each["with_tray"]) for each in asked] == [(1, False), (None, False)]


def test_what_a_sort_has_left_over_is_used_only_if_asked(page, visit, server, fresh):
    (one,) = server.get(f"/projects/{fresh}")["state"]["board"]["placed"][:1]
    part(server, fresh, one | {"panel": -1, "row": 0, "col": 0})

    def call_it_sorted(route):
        answer = route.fetch()
        project = answer.json()
        project["versions"][-1]["source"] = "sort"
        route.fulfill(response=answer, json=project)

    loose = page.get_by_label("Use the loose tiles of the tray")
    visit.open(fresh)
    page.get_by_text("Options").click()
    expect(loose).to_be_checked()
    page.route(f"**/api/projects/{fresh}", call_it_sorted)
    page.reload()
    page.get_by_text("Options").click()
    expect(loose).not_to_be_checked()
    expect(page.locator(".solve")).to_contain_text("The loose tiles stay as they are.")


def test_the_whole_panel_turns_with_its_locks(page, visit, server, fresh, until):
    lies = server.board(fresh)[0]
    tile = next(iter(lies.values()))
    revision = server.get(f"/projects/{fresh}")["state"]["revision"]
    edit = {"revision": revision, "label": "Hold", "lock": [tile["tile"]]}
    server.post(f"/projects/{fresh}/edits", edit)
    visit.open(fresh)
    for quarter in range(1, 5):
        page.get_by_role("button", name="Turn the whole panel").click()
        turn = (tile["turn"] + 90 * quarter) % 360
        until(lambda turn=turn: next(iter(server.board(fresh)[0].values()))["turn"] == turn)
    after, locked = server.board(fresh)
    assert after == lies
    assert len(locked) == 1


def test_a_change_that_came_too_late_is_taken_back(page, visit, server, fresh):
    visit.open(fresh)
    eye = visit.eye(fresh)
    late = {"problem": "The panel has changed meanwhile.", "remedy": "Look at it and do it again."}
    late |= {"code": "board-changed", "values": {}}
    page.route("**/edits", lambda route: route.fulfill(status=409, json=late))
    first, second = list(eye.lies)[:2]
    visit.drag(eye.of(first), eye.of(second))
    expect(page.locator(".toast").get_by_text(late["problem"])).to_be_visible()
    visit.settle()
    assert eye.under(*eye.of(first)) == first
    assert server.board(fresh)[0] == eye.lies


def test_zoom_map_menu_dark_room_and_print(page, visit, server, fresh, until):
    lies = server.board(fresh)[0]
    first = next(iter(lies))
    part(server, fresh, lies[first] | {"panel": 1})
    visit.open(fresh)
    seen, small = page.locator(".seen"), page.locator(".minimap")
    expect(small).to_be_hidden()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in (+)").click()
    visit.settle()
    expect(small).to_be_visible()
    before, map_box = seen.bounding_box(), small.bounding_box()
    page.mouse.click(map_box["x"] + map_box["width"] / 2, map_box["y"] + 12)
    assert seen.bounding_box()["y"] < before["y"]
    for _ in range(3):
        page.get_by_role("button", name="Zoom out (−)").click()
    visit.settle()
    page.get_by_role("button", name="Show everything (0)").click()
    expect(small).to_be_hidden()
    tabs = page.get_by_role("tablist", name="Panels")
    tabs.get_by_role("tab", name="Tray").click()
    visit.settle()
    tabs.get_by_role("tab", name="Panel 1").click()
    visit.settle()
    expect(small).to_be_hidden()  # the whole panel is in sight again

    visit.settle()
    page.mouse.click(*visit.middle(), button="right")
    menu = page.get_by_role("menu")
    number = page.locator(".tile-part h2").inner_text()
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("menuitem", name="Move to Panel 2")).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: server.places(fresh)[number][0] == 1)
    expect(menu).to_have_count(0)
    expect(page.locator("canvas.table")).to_be_focused()

    page.keyboard.press("d")
    expect(page.locator(".bar")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"
    page.keyboard.press("d")
    expect(page.locator(".bar")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("canvas.table")).to_be_visible()
    for shown in (".left", ".view-buttons", ".glass-tools", ".undo"):
        expect(page.locator(shown)).to_be_hidden()
    page.emulate_media(media="screen")
