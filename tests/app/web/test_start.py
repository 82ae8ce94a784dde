"""The start page: projects, and one that is not there."""

from playwright.sync_api import expect


def test_projects_are_renamed_and_put_into_the_bin(page, server, until):
    project = server.new_project("Old name")
    page.reload()
    card = page.locator(".project-card", has_text="Old name")
    picture = card.locator("canvas").bounding_box()
    for button in card.get_by_role("button").all():
        assert button.bounding_box()["y"] >= picture["y"] + picture["height"]  # covers none of it
    card.get_by_role("button", name="Rename Old name").click()
    page.get_by_label("Name of the project").fill("New name")
    page.keyboard.press("Enter")
    card = page.locator(".project-card", has_text="New name")
    card.get_by_role("button", name="Delete New name").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(card).to_have_count(0)
    assert project not in [each["project"] for each in server.get("/projects")]


def test_a_solve_that_cannot_be_says_why(page, server, small_tiles):
    project = server.new_project("One tile", {"t00.png": small_tiles["t00.png"]})
    page.goto(f"{server.address}/#project={project}")
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_disabled()
    expect(page.locator(".solve")).to_contain_text("At least two tiles are needed.")


def test_an_unknown_project_is_said_calmly(page, server):
    page.goto(f"{server.address}/#project=nobody")
    expect(page.locator(".toast.error")).to_be_visible()
    expect(page.get_by_role("button", name="Open the demo")).to_be_visible()
