"""The page goes on after a reload, and after the server was away."""

import shutil

from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile


def test_a_reload_in_the_middle_of_a_solve_shows_it_going_on(page, visit, server, until):
    project = server.new_project("Long")
    settings = {"measure": "mgc", "preset": "standard", "runs": 100}
    server.post(f"/projects/{project}/jobs", {"kind": "solve", "settings": settings})
    visit.open(project)
    expect(page.get_by_text("Generation")).to_be_visible(timeout=SOLVED)
    page.reload()
    expect(page.get_by_text("Generation")).to_be_visible()
    page.goto(server.address)
    working = page.locator(f"[data-project={project}] .working")
    expect(working).to_contain_text("Solving")
    visit.open(project)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stopping …")).to_be_disabled()
    expect(page.locator(".job").get_by_text("Stopped; the best so far was kept.")).to_be_visible(
        timeout=30_000
    )
    assert all(each["panel"] == 0 for each in server.board(project)[0].values())


def test_the_start_page_shows_that_a_panel_of_a_museum_is_being_solved(
    open_page, made_museum, own_server
):
    shutil.copytree(made_museum, own_server.folder / "museu")
    page = open_page(own_server.address)
    entry = page.locator("[data-museum=museu]")
    expect(entry).to_contain_text("14 tiles")
    (panel,) = own_server.get("/museums/museu/panels")["panels"]
    table = own_server.post("/museums/museu/table", {"panel": panel["name"]})["project"]
    settings = {"measure": "mgc", "preset": "standard", "runs": 100}
    request = {"kind": "solve", "settings": settings}
    job = own_server.post(f"/projects/{table}/jobs", request)["job"]
    page.reload()
    working = entry.locator(".working")
    expect(working).to_have_text(f"Panel {panel['name']}: Solving")
    own_server.post(f"/projects/{table}/jobs/{job}/stop")
    expect(working).to_have_count(0, timeout=30_000)


def test_a_server_that_comes_back_is_found_again(open_page, own_server, until):
    project = own_server.new_project("Restarted")
    page = open_page(f"{own_server.address}/#project={project}")
    expect(page.get_by_role("tab", name="Tray 20")).to_be_visible()
    own_server.kill()
    lost = page.get_by_text("The connection to the server is lost.")
    expect(lost).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("r")
    unanswered = page.locator(".toast", has_text="The server does not answer.")
    expect(unanswered).to_be_visible()
    own_server.start()
    expect(lost).to_be_hidden(timeout=20_000)
    expect(unanswered).to_be_hidden()
    page.locator(".bar .name").click()
    page.get_by_label("Name of the project").fill("Found again")
    page.keyboard.press("Enter")
    expect(page.locator(".bar .name")).to_have_text("Found again")
    assert own_server.get(f"/projects/{project}")["name"] == "Found again"
