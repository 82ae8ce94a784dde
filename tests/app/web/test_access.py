"""By keyboard alone, with names for every control, on a tablet and on a phone."""

import re

import pytest
from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile


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
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu").locator(":focus")).to_be_visible()
    while page.evaluate("document.activeElement.textContent") != "Lock":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(lambda: server.board(fresh)[1] == {number})
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    until(lambda: server.board(fresh) == (lies, set()))
    page.keyboard.press("Control+y")
    until(lambda: server.board(fresh)[0] != lies)
    page.get_by_role("button", name="Show doubtful joints").click()
    page.keyboard.press("Control+a")
    expect(page.locator(".tile-part h2")).to_have_text("20 tiles")
    assert page.evaluate("getSelection().toString()") == ""
    page.keyboard.press("Escape")
    tab_to(page, "document.activeElement.matches('canvas.table')")
    page.keyboard.press("Enter")
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


# Tabs and tiles of a museum are gone through with the arrow keys.
NOT_REACHED = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, "
    + "summary, canvas.table")].filter(each => each.checkVisibility() && !each.disabled
    && !each.matches("[role=tab], .tile-cell, [data-reached]")).map(each => each.outerHTML)"""


@pytest.mark.parametrize("view", ["", "project", "tiles&tile=0", "crates", "panels", "report"])
def test_every_control_is_reached_by_the_tab_key(open_page, server, solved, museum, view):
    project = f"{server.address}/#project={solved}"
    address = {"": server.address, "project": project}.get(view, f"{museum}&view={view}")
    page = open_page(address)
    expect(page.locator(".project-card, canvas.table, .museum-view > *").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate("addEventListener('focusin', event => event.target.dataset.reached = '')")
    controls = len(page.evaluate(NOT_REACHED))
    assert controls > 5
    for _ in range(controls + 8):
        page.keyboard.press("Tab")
    assert page.evaluate(NOT_REACHED) == []


def test_no_view_breaks_a_rule_of_accessibility(page, visit, fresh, rules_broken):
    expect(page.locator(".project-card").first).to_be_visible()
    assert rules_broken(page, dark=True) == []
    page.evaluate(
        """document.querySelector("main").append(...["button", "button", "p"].map(name =>
        Object.assign(document.createElement(name), { textContent: name === "p" ? "faint" : "",
        style: "all: unset; padding: 4px; color: #888; background: #999" })))"""
    )
    found = [each.split(":")[0] for each in rules_broken(page, dark=True)]
    assert set(found) == {"button-name", "color-contrast", "target-size"}
    assert found[-1] == "color-contrast"  # in the dark
    visit.open(fresh)
    assert rules_broken(page) == []
    page.get_by_role("button", name="Show me around").click()
    assert rules_broken(page, ".tour") == []
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_text("Options").click()
    page.mouse.click(*visit.middle())
    page.get_by_label("Also tiles that lie in a panel").check()
    expect(page.locator(".fit").nth(1)).to_be_visible()
    assert rules_broken(page, dark=True) == []
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()
    assert rules_broken(page) == []
    page.keyboard.press("Escape")
    for tab in page.locator(".side-tabs [role=tab]:visible").all():
        tab.click()
        assert rules_broken(page, ".side") == []
    page.get_by_role("button", name="Versions").click()
    for name in ("Compare", "Export", "Sort into panels", "Keep this version", "Keys"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert rules_broken(page, "dialog") == []
        page.keyboard.press("Escape")


OVERFLOW = """() => [document.documentElement.scrollWidth - innerWidth,
    document.documentElement.scrollHeight - innerHeight]"""


def press_long(page, at):
    """Rest a finger on a point until the tile is picked up, and leave."""
    hand = page.context.new_cdp_session(page)
    points = [{"x": at[0], "y": at[1]}]
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    page.wait_for_timeout(450)
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("width", "height", "locale"), [(1024, 768, "en-GB"), (768, 1024, "en-GB"), (390, 844, "pt-PT")]
)
def test_nothing_is_cut_off_or_covered_on_smaller_screens(
    open_page, visiting, server, fresh, cut_off, width, height, locale
):
    state = server.get(f"/projects/{fresh}")["state"]
    away = [each | {"panel": 1} for each in state["board"]["placed"] if each["row"] == 0]
    edit = {"revision": state["revision"], "label": "Two panels", "placed": away}
    server.post(f"/projects/{fresh}/edits", edit)
    viewport = {"width": width, "height": height}
    touch = {"has_touch": width < 1024}
    page = open_page(
        f"{server.address}/#project={fresh}", viewport=viewport, locale=locale, **touch
    )
    expect(page.locator(".solve-button")).to_be_in_viewport(ratio=1)
    assert page.evaluate(OVERFLOW) == [0, 0]
    keys = re.search("key L|tecla L", page.locator(".card.solve").inner_text())
    assert bool(keys) != touch["has_touch"]  # fingers have no keys
    page.locator(".options summary").click()
    assert cut_off(page) == []
    page.locator(".options summary").click()
    side = page.locator(".side")
    expect(side).to_be_hidden()
    visit = visiting(page)
    visit.settle()
    page.mouse.click(*visit.middle())
    expect(side).to_be_in_viewport()
    visit.settle()
    table, details = page.locator(".stage").bounding_box(), side.bounding_box()
    apart = table["x"] + table["width"], table["y"] + table["height"]
    assert apart[0] <= details["x"] + 1 or apart[1] <= details["y"] + 1
    assert page.evaluate(OVERFLOW) == [0, 0]
    assert cut_off(page) == []
    if touch["has_touch"]:
        page.keyboard.press("c")  # while an outline is drawn, the table has all the room
        expect(side).to_be_hidden()
        assert page.locator(".stage").bounding_box()["height"] > height / 2
        page.keyboard.press("Escape")
        expect(side).to_be_visible()
        visit.settle()
        press_long(page, visit.middle())
        expect(page.get_by_role("menu")).to_be_visible()
        page.keyboard.press("Escape")
        side.get_by_role("tab", name=re.compile("^Vers")).click()
        page.locator(".versions .button").nth(1).click()
        expect(page.locator("dialog .stage").first).to_be_visible()
        assert cut_off(page) == []
    page.goto(server.address)
    expect(page.locator(".project-card").first).to_be_visible()
    expect(page.locator(".keys-button")).to_be_visible(visible=not touch["has_touch"])
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    picture, row = (
        page.locator(f".project-card {part}").first.bounding_box() for part in ("canvas", ".row")
    )
    assert picture["y"] + picture["height"] <= row["y"]
