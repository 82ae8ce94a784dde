"""The card of the last job: what went wrong, and the ways on."""

import io

from PIL import Image
from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile
ANSWER = "São todos do mesmo tamanho: continuar"


def test_tiles_of_two_sizes_are_a_question_that_is_asked_once(
    open_page, server, small_tiles, until
):
    larger = io.BytesIO()
    with Image.open(io.BytesIO(small_tiles["t03.png"])) as picture:
        picture.resize((2 * picture.width, 2 * picture.height)).save(larger, "PNG")
    tiles = small_tiles | {"t03.png": larger.getvalue()}
    project = server.new_project("two sizes", tiles)
    page = open_page(f"{server.address}/#project={project}", locale="pt-PT")
    ended = page.locator(".job .ended")
    page.locator(".solve-button").click()
    expect(ended.locator(".failure")).to_contain_text("de dois tamanhos", timeout=SOLVED)
    expect(ended.locator(".failure")).to_contain_text("t03.png")
    with page.expect_request("**/jobs") as again:
        ended.get_by_role("button", name=ANSWER).click()
    assert again.value.post_data_json["settings"]["one_size"] is True
    jobs = f"/projects/{project}/jobs"
    until(lambda: server.get(f"{jobs}/2")["state"] == "done", SOLVED / 1000)
    assert server.get(f"/projects/{project}")["settings"]["one_size"] is True
    expect(page.get_by_role("button", name=ANSWER)).to_have_count(0)
