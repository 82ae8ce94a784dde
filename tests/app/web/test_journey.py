"""From the demo to a corrected panel and its files, as a person gets there."""

import csv
import io
import re

from PIL import Image
from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile


def test_from_the_demo_to_a_corrected_panel_and_its_files(page, visit, server, until):
    page.get_by_role("button", name="Open the demo").click()
    solve = page.get_by_role("button", name="Solve", exact=True)
    expect(solve).to_be_visible(timeout=SOLVED)
    project = page.url.split("project=")[1]
    page.get_by_text("Options").click()
    page.get_by_label("Search").select_option("fast")
    measures = page.get_by_label("Measure of joints")
    offered = " ".join(measures.locator("option").all_inner_texts())
    assert not re.search(r"dlcm|mgc|ssd|l1|twin", offered)
    measures.select_option("mgc")
    solve.click()
    expect(page.get_by_text("Generation")).to_be_visible(timeout=SOLVED)
    expect(page.locator(".job").get_by_text("Put together in")).to_be_visible(timeout=SOLVED)
    visit.settle()
    eye = visit.eye(project)
    assert len([each for each in eye.lies.values() if each["panel"] == 0]) == 140

    first, second, third = [each for each in eye.lies if eye.lies[each]["row"] == 3][3:6]
    before = eye.lies
    visit.drag(eye.of(first), eye.of(second))
    until(lambda: server.places(project)[first] == server.place(before[second]))
    assert server.places(project)[second] == server.place(before[first])

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
    assert b"is part of" in exported(page, "Record")
    assert len(exported(page, "Accepted joints").decode("utf-8-sig").splitlines()) > 140
    picture = Image.open(io.BytesIO(exported(page, "Picture")))
    assert picture.format == "PNG"
    assert picture.width > 500


def exported(page, what):
    """The bytes of a file that the page downloads."""
    page.get_by_role("button", name="Export").click()
    page.get_by_role("dialog").get_by_text(what, exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    return download.value.path().read_bytes()
