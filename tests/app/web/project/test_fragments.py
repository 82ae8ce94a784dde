"""Joins of fragments on the page: looked at, accepted, refused, and taken back."""

from fragment_fakes import LIKELY, OTHER, SURE, put_fragments
from playwright.sync_api import expect


def start(server, small_tiles):
    """A project with a tile that was imported with seven fragments."""
    project = server.new_project("Broken", dict(list(small_tiles.items())[:1]))
    put_fragments(server.folder / project / "work" / "import")
    return project


def numbers(server, project):
    return {tile["number"] for tile in server.get(f"/projects/{project}")["tiles"]}


def test_joins_are_confirmed_one_after_the_other(page, visit, server, small_tiles, until):
    project = start(server, small_tiles)
    visit.open(project)
    page.get_by_role("tab", name="Fragments").click()
    part = page.get_by_role("tabpanel", name="Fragments")
    expect(part).to_contain_text("7 fragments, 1 tile joined, 2 joins to confirm")
    expect(part.get_by_role("img", name=f"{LIKELY}, joined")).to_be_visible()
    expect(part.get_by_role("img", name="Fragment table_f04")).to_be_visible()
    part.get_by_role("button", name="Later").click()
    expect(part.get_by_role("img", name=f"{OTHER}, joined")).to_be_visible()
    part.get_by_role("button", name="Refuse").click()
    expect(part).to_contain_text("7 fragments, 1 tile joined, 1 join to confirm")
    expect(page.get_by_role("button", name=f"Undo: Refuse the join {OTHER}")).to_be_enabled()
    page.keyboard.press("Control+z")  # wherever the keyboard is
    expect(part).to_contain_text("2 joins to confirm")
    expect(part.get_by_role("heading", name="Refused")).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(part).to_contain_text("1 join to confirm")
    expect(part.get_by_role("button", name="Look for other joins")).to_be_visible()

    part.get_by_role("button", name="Accept").focus()  # from here on by keyboard
    page.keyboard.press("y")
    expect(part).to_contain_text("7 fragments, 2 tiles joined, 0 joins to confirm")
    until(lambda: LIKELY in numbers(server, project))
    page.keyboard.press("Control+z")
    expect(part).to_contain_text("1 join to confirm")
    until(lambda: LIKELY not in numbers(server, project))
    page.keyboard.press("n")
    expect(part).to_contain_text("No join waits for your word.")
    part.get_by_role("button", name=f"Undo: {LIKELY}").click()
    expect(part.get_by_role("img", name=f"{LIKELY}, joined")).to_be_visible()
    part.get_by_role("button", name=f"Take {SURE} apart").click()
    expect(part).to_contain_text("7 fragments, 0 tiles joined, 1 join to confirm")


def test_joins_fit_on_a_phone_in_portuguese(open_page, visiting, server, small_tiles, rules_broken):
    project = start(server, small_tiles)
    page = open_page(server.address, locale="pt-PT", viewport={"width": 390, "height": 844})
    visiting(page).open(project)
    page.get_by_role("button", name="Mostrar ou esconder o painel lateral").click()
    page.get_by_role("tab", name="Fragmentos").click()
    part = page.get_by_role("tabpanel", name="Fragmentos")
    expect(part).to_contain_text("7 fragmentos, 1 azulejo unido, 2 uniões por confirmar")
    accept = part.get_by_role("button", name="Aceitar")
    accept.scroll_into_view_if_needed()
    box = accept.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert rules_broken(page) == []
    accept.click()
    expect(part).to_contain_text("2 azulejos unidos, 1 união por confirmar")
