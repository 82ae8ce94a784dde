"""By keyboard alone, with names for every control, and on a tablet."""

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


def test_every_control_has_a_name(page, visit, server, solved):
    assert page.evaluate(NAMELESS) == []
    visit.open(solved)
    page.get_by_text("Options").click()
    page.get_by_role("button", name="Versions").click()
    assert page.evaluate(NAMELESS) == []
    for name in ("Compare", "Export", "Sort into panels", "Keep this version"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert page.evaluate(NAMELESS) == []
        page.keyboard.press("Escape")


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
