"""Panels on the table: holes, tabs, turns, and changes that came too late."""

from playwright.sync_api import expect


def test_a_hole_shows_what_fits_and_one_click_lays_it(page, visit, server, fresh, until):
    visit.open(fresh)
    eye = visit.eye(fresh)
    number = next(each for each in eye.lies if server.place(eye.lies[each])[1:] == (1, 1))
    page.mouse.click(*eye.of(number))
    page.keyboard.press("Delete")
    until(lambda: server.places(fresh)[number][0] == -1)
    visit.settle()  # the tray opens, and the panel makes room
    page.mouse.click(*visit.eye(fresh).at(1, 1))
    best = page.get_by_role("button", name=f"Lay {number} here")
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


def test_several_panels_are_tabs(page, visit, server, fresh):
    whole = server.get(f"/projects/{fresh}")["state"]
    one, other = whole["board"]["placed"][:2]
    placed = [one | {"panel": 1}, other | {"panel": -1, "row": 0, "col": 0}]
    edit = {"revision": whole["revision"], "label": "Parted", "placed": placed}
    visit.open(fresh)
    expect(page.get_by_role("tab", name="Tray 0")).to_be_visible()
    server.post(f"/projects/{fresh}/edits", edit)
    expect(page.get_by_role("tab", name="Tray 1")).to_be_visible()
    second = page.get_by_role("tab", name="Panel 2")
    second.click()
    expect(second).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Tray 1")).to_be_focused()


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
    page.route("**/edits", lambda route: route.fulfill(status=409, json=late), times=1)
    first, second = list(eye.lies)[:2]
    visit.drag(eye.of(first), eye.of(second))
    expect(page.locator(".toast").get_by_text(late["problem"])).to_be_visible()
    visit.settle()
    assert eye.under(*eye.of(first)) == first
    assert server.board(fresh)[0] == eye.lies
