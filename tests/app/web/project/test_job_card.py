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


def test_judging_shows_how_many_edges_and_the_surest_pairs(open_page, server, solved):
    tiles = [each["tile"] for each in server.get(f"/projects/{solved}")["tiles"]]
    pair = {"tile": tiles[0], "side": 1, "other": tiles[1], "other_side": 3}
    request = {"kind": "solve", "settings": {}}
    job = {"job": 99, "request": request, "state": "running", "step": "scoring", "notes": []}
    job |= {"edges": 80, "fraction": 0, "pairs": []}
    job |= {"generation": None, "confidence": None, "seconds_left": None}

    def at_work(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"jobs": [job]})

    page = open_page("about:blank")
    page.route(f"**/api/projects/{solved}", at_work)
    page.goto(f"{server.address}/#project={solved}")
    card = page.locator(".job")
    expect(card).to_contain_text("Edges judged0 of 80")
    expect(card.locator(".fitting")).to_have_count(0)
    job |= {"fraction": 0.25, "pairs": [pair, pair | {"side": 0, "other_side": 2}]}
    page.reload()
    expect(card).to_contain_text("Edges judged20 of 80")
    expect(card.locator(".fitting > *")).to_have_count(4)  # two tiles each
