"""Several people on one server: logging in, working at once, notes, review and links."""

import re

import pytest
from playwright.sync_api import expect

PASSWORD = "azul e branco"


@pytest.fixture(scope="module")
def panel(museum_server):
    """A solved project on that server."""
    project = museum_server.new_project("Santa Clara")
    museum_server.solve(project)
    return project


@pytest.fixture
def log_in(open_page, museum_server):
    """A function that opens the page of a person who logs in, at a project or at the start."""

    def enter(name, project=None, locale="en-GB"):
        address = f"{museum_server.address}/" + (f"#project={project}" if project else "")
        page = open_page(address, locale=locale)
        if name:
            page.locator("input[autocomplete=username]").fill(name)
            page.locator("input[type=password]").fill(PASSWORD)
            page.keyboard.press("Enter")
            expect(page.locator("canvas.table" if project else ".start")).to_be_visible()
        return page

    return enter


def _number(server, project, row, col):
    lies = server.board(project)[0].items()
    return next(number for number, each in lies if server.place(each) == (0, row, col))


def _turn(server, project, number):
    """Turn a tile as another person does it, by a call."""
    whole = server.get(f"/projects/{project}")
    tile = next(each["tile"] for each in whole["tiles"] if each["number"] == number)
    lies = next(each for each in whole["state"]["board"]["placed"] if each["tile"] == tile)
    edit = {"revision": whole["state"]["revision"], "label": "Turn"}
    edit["placed"] = [{**lies, "turn": (lies["turn"] + 90) % 360}]
    server.post(f"/projects/{project}/edits", edit)


def _choose(page, server, number, visiting, project):
    page.mouse.click(*visiting(page, server).eye(project).of(number))
    expect(page.get_by_role("heading", name=number)).to_be_visible()


def test_two_people_work_at_once_and_lose_nothing(log_in, museum_server, panel, until, visiting):
    server = museum_server
    eva = log_in("Eva", panel)
    ana = log_in("Ana Sousa", panel, "pt-PT")
    expect(eva.get_by_role("button", name="Ana Sousa is here")).to_be_visible()
    first, second = _number(server, panel, 1, 1), _number(server, panel, 2, 3)
    _choose(ana, server, first, visiting, panel)
    expect(eva.locator(".cursor-of", has_text="Ana Sousa")).to_be_visible()
    before = server.board(panel)[0]

    # Ana turns a tile in the moment before Eva's change arrives: both are made.
    _choose(eva, server, second, visiting, panel)
    quicker = {"number": first}

    def overtake(route):
        if quicker:
            _turn(server, panel, quicker.pop("number"))
        route.continue_()

    eva.route("**/edits", overtake)
    with eva.expect_response(lambda reply: reply.url.endswith("/edits") and reply.ok):
        eva.keyboard.press("l")
    assert server.board(panel)[1] == {second}
    assert server.board(panel)[0][first]["turn"] == (before[first]["turn"] + 90) % 360

    # Ana turns the same tile: hers stays, and Eva is told so.
    with eva.expect_response("**/edits"):
        eva.keyboard.press("l")
    quicker["number"] = second
    eva.keyboard.press("l")
    expect(eva.get_by_text("Ana Sousa has just changed the same tiles.")).to_be_visible()
    assert server.board(panel)[1] == set()
    eva.unroute_all()

    # Undo takes back one's own.
    expect(eva.get_by_role("button", name="Undo: Unlock")).to_be_visible()
    eva.keyboard.press("Control+z")
    until(lambda: server.board(panel)[1] == {second})
    ana.keyboard.press("Control+z")
    expect(ana.get_by_text("Entretanto outra pessoa")).to_be_visible()
    eva.keyboard.press("Control+z")
    until(lambda: server.board(panel)[1] == set())
    ana.keyboard.press("Control+z")
    ana.keyboard.press("Control+z")
    until(lambda: server.board(panel) == (before, set()))
    eva.get_by_role("tab", name="History").click()
    expect(eva.locator(".history li").first).to_contain_text("Ana Sousa")
    assert eva.locator(".history").evaluate("each => each.scrollHeight <= each.clientHeight")


def test_doubtful_joints_are_reviewed_and_a_colleague_looks(
    log_in, museum_server, panel, until, rules_broken
):
    server = museum_server
    number = _number(server, panel, 1, 2)
    _turn(server, panel, number)
    page = log_in("Eva", panel)
    page.get_by_role("tab", name="Review").click()
    for each in (page, log_in("Eva", panel, "pt-PT")):
        each.get_by_role("tab", name=re.compile("Review|Revisão")).click()
        answers = each.locator(".review-task button")
        expect(answers).to_have_count(3)
        assert len({answer.bounding_box()["y"] for answer in answers.all()}) == 1  # in one line
    count = page.locator(".review-progress small")
    expect(count).to_have_text(re.compile("^0 of"))
    doubtful = int(count.inner_text().split()[2])
    assert doubtful >= 4  # all joints of the turned tile
    assert rules_broken(page, dark=True) == []
    shown = page.locator(".review-task strong")
    first = shown.inner_text()
    page.get_by_role("button", name="Later").click()
    expect(shown).not_to_have_text(first)
    page.get_by_role("button", name="Accept").click()
    expect(count).to_have_text(f"1 of {doubtful} joints judged")
    until(lambda: len(server.board(panel)[1]) == 2)
    page.get_by_role("button", name="Refuse").click()
    expect(count).to_have_text(f"2 of {doubtful} joints judged")
    page.get_by_role("button", name="sure tiles").click()
    until(lambda: len(server.board(panel)[1]) > 5)
    state = server.get(f"/projects/{panel}")["state"]["board"]
    assert (len(state["accepted"]), len(state["forbidden"])) == (1, 1)

    page.get_by_role("tab", name="Tile").click()
    page.get_by_label("New note").fill("chipped")
    page.get_by_role("button", name="Add a note").click()
    expect(page.locator(".note", has_text="chipped")).to_contain_text("Eva")
    page.get_by_role("button", name="Remove the note").click()
    expect(page.locator(".note")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".note", has_text="chipped")).to_be_visible()

    page.get_by_role("button", name="Share").click()
    page.get_by_label("For whom").fill("Lisbon")
    page.keyboard.press("Enter")
    address = page.get_by_label("Address of the link").input_value()
    assert rules_broken(page, "dialog") == []
    guest = log_in(None)
    guest.goto(address)
    expect(page.locator(".share")).to_contain_text("sees the panel “Santa Clara”")  # the only one
    expect(guest.get_by_role("heading", name="Santa Clara", exact=True)).to_be_visible()
    assert guest.url.endswith("#shared")
    assert rules_broken(guest) == []
    page.get_by_role("button", name="Withdraw the link for Lisbon").click()
    expect(page.locator(".share .people li")).to_have_count(0)
    expect(page.get_by_label("Address of the link")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    guest.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as after a while
    expect(guest.get_by_text("does not lead to a panel")).to_be_visible()


def test_only_managers_are_offered_to_delete(log_in, panel):
    for name, offered in (("Eva", 0), ("Ana Sousa", 1)):
        card = log_in(name).locator(f"[data-project={panel}]")
        expect(card.get_by_role("button", name="Rename")).to_have_count(1)
        expect(card.get_by_role("button", name="Delete")).to_have_count(offered)


def _said(field):
    """What the browser says of a field that is filled in wrongly."""
    return field.evaluate("field => field.validationMessage")


def test_who_may_only_look_is_offered_no_change(log_in, museum_server, panel, visiting):
    before = museum_server.board(panel)
    page = log_in("Rui", panel)
    page.set_viewport_size({"width": 1024, "height": 768})
    visit = visiting(page, museum_server)
    visit.settle()
    page.mouse.click(*visit.middle())
    lies = page.locator(".fit", has_text="lies here")
    expect(lies).to_be_visible()  # what fits can be looked at
    expect(page.locator(".fit:enabled")).to_have_count(0)
    expect(page.get_by_role("button", name="Turn the whole panel")).to_have_count(0)
    assert page.locator("main.middle").bounding_box()["x"] == 0  # nothing is kept free beside it
    visit.settle()
    x, y = visit.middle()
    visit.drag((x, y), (x - 60, y - 60))
    expect(page.locator(".toast")).to_have_count(0)  # who drags looks elsewhere
    page.keyboard.press("r")
    expect(page.locator(".toast")).to_contain_text("but not change it")
    assert museum_server.board(panel) == before


def test_people_log_in_and_managers_keep_the_accounts(log_in, museum_server, panel, rules_broken):
    page = log_in(None, locale="pt-PT")
    password = page.get_by_label("Senha")
    page.get_by_label("Nome").fill("Rui")
    page.keyboard.press("Enter")
    assert _said(password) == "Preencha este campo."  # in the page's language, not the browser's
    password.fill("not the password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("O nome ou a senha")
    assert rules_broken(page) == []
    looks = log_in("Rui", panel)
    for name in ("Solve", "Share", "Export", "Undo"):
        expect(looks.get_by_role("button", name=name)).to_have_count(0)
    manager = log_in("Ana Sousa")
    manager.get_by_role("button", name="Account of Ana Sousa").click()
    manager.get_by_role("button", name="People").click()
    manager.get_by_label("Name", exact=True).fill("Gil")
    password = manager.locator("dialog input[type=password]")
    password.press_sequentially("azul")
    password.press("Enter")
    assert _said(password) == "At least 10 characters."
    password.fill(PASSWORD)
    manager.get_by_role("button", name="Add", exact=True).click()
    expect(manager.get_by_label("What Gil may do")).to_have_value("work")
    assert rules_broken(manager, "dialog") == []
    manager.get_by_label("What Gil may do").select_option("look")
    names = [each["name"] for each in museum_server.get("/people")]
    assert names == ["Ana Sousa", "Eva", "Gil", "Rui"]
    manager.get_by_role("button", name="Remove Rui").click()
    manager.get_by_role("button", name="Remove", exact=True).click()
    expect(manager.get_by_label("What Rui may do")).to_have_count(0)
    expect(looks.get_by_role("button", name="Log in")).to_be_visible()  # within a moment
