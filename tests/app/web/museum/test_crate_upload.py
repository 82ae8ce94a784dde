"""What the page of a museum asks about files for its crates, and the work that they lead to."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect


def photograph():
    stream = io.BytesIO()
    Image.new("RGB", (1600, 1200), (90, 80, 70)).save(stream, "JPEG")
    return stream.getvalue()


def at_work(route, *, fraction=0.4):
    """Answer that panels are being put together."""
    request = {"kind": "museum_solve", "panels": [], "preset": "fast"}
    job = {"job": 9, "request": request, "state": "running", "step": "panels"}
    job["fraction"] = fraction
    job |= {"generation": None, "confidence": None, "seconds_left": 3600, "notes": []}
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"jobs": [job]})


@pytest.mark.parametrize("locale", ["en-GB", "pt-PT"])
@pytest.mark.parametrize("width", [1440, 390])
def test_no_way_to_treat_the_light_is_cut_off(open_page, museum, cut_off, width, locale):
    size = {"width": width, "height": 844}
    page = open_page(f"{museum}&view=crates", viewport=size, locale=locale)
    file = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photograph()}
    page.locator("input[multiple]").set_input_files([file])
    dialog = page.get_by_role("dialog")
    light = dialog.locator("select")
    expect(dialog).to_be_visible()
    dialog.locator("input[value=photographs]").check()
    for option in ("auto", "chart", "glaze", "off"):
        light.select_option(option)
        assert cut_off(page) == []
    page.keyboard.press("Escape")


def test_files_that_are_refused_are_named_with_their_crate(open_page, museum, tmp_path):
    for crate in ("K 8", "K 9"):
        (tmp_path / crate).mkdir()
        (tmp_path / crate / "broken.jpg").write_bytes(b"no picture")
    page = open_page(f"{museum}&view=crates")
    page.locator("input[webkitdirectory]").set_input_files(tmp_path)
    page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    refused = page.get_by_role("dialog", name="2 of 2 files could not be added")
    expect(refused.locator("small")).to_have_count(2)
    assert set(refused.locator("small").all_inner_texts()) == {"K 8", "K 9"}


def test_messages_and_the_card_of_a_job_do_not_cover_each_other(open_page, museum):
    page = open_page("about:blank", viewport={"width": 390, "height": 844})
    page.route("**/api/museums/museu", at_work)
    page.goto(f"{museum}&view=crates")
    letter = {"name": "letter.txt", "mimeType": "text/plain", "buffer": b"not a picture"}
    page.locator("input[multiple]").set_input_files([letter])
    message = page.locator(".toast").bounding_box()
    assert message["y"] + message["height"] <= page.locator(".job").bounding_box()["y"]


@pytest.mark.parametrize("fraction", [0, 0.4])
def test_a_bar_moves_while_it_is_unknown_how_far_a_job_is(open_page, museum, fraction):
    page = open_page("about:blank")
    page.route("**/api/museums/museu", lambda route: at_work(route, fraction=fraction))
    page.goto(museum)
    bar = page.get_by_role("progressbar", name="Progress of this step")
    shown = bar.evaluate("each => [each.position, getComputedStyle(each).animationName]")
    assert shown == ([0.4, "none"] if fraction else [-1, "passing"])


def test_what_the_card_of_a_job_covers_can_be_scrolled_above_it(open_page, museum):
    page = open_page("about:blank", viewport={"width": 1024, "height": 600}, locale="pt-PT")
    page.route("**/api/museums/museu", at_work)
    page.goto(f"{museum}&view=tiles&tile=1")
    card = page.locator(".job")
    expect(card.get_by_role("heading")).to_have_text("A montar painéis")  # all, not one
    any_side = page.get_by_role("button", name="Qualquer lado")
    expect(any_side).to_be_visible()
    page.locator(".museum-side").evaluate("each => each.scrollTo(0, each.scrollHeight)")
    button = any_side.bounding_box()
    assert button["y"] + button["height"] <= card.bounding_box()["y"]
    any_side.click()  # nothing lies over it
    for view in ("crates", "panels"):
        page.goto(f"{museum}&view={view}")
        shown = page.locator(".museum-list")
        expect(shown.get_by_role("link" if view == "crates" else "button").last).to_be_visible()
        bottom = shown.evaluate(
            """each => { each.scrollTo(0, each.scrollHeight);
               return each.lastElementChild.getBoundingClientRect().bottom; }"""
        )
        assert bottom <= card.bounding_box()["y"]
