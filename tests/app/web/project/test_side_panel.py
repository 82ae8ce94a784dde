"""Beside the table: versions, and what an audit found."""

from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile

CLIPPED = "each => getComputedStyle(each).clipPath"
LATER = """async () => {
  const { refreshMoments } = await import(
    new URL("common/texts.js", document.querySelector("script[type=module]").src));
  const [now, ago] = [Date.now, 5 * 60_000];
  Date.now = () => now() + ago;
  refreshMoments();
  Date.now = now;
}"""


def test_versions_are_kept_named_compared_and_gone_back_to(page, visit, server, fresh, until):
    visit.open(fresh)
    eye = visit.eye(fresh)
    first, second = list(eye.lies)[:2]
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Keep this version").click()
    page.get_by_label("Name of the version").fill("Before the swap")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Before the swap")).to_be_visible()
    visit.drag(eye.of(first), eye.of(second))
    until(lambda: server.places(fresh)[first] == server.place(eye.lies[second]))

    page.get_by_role("tab", name="Versions").click()
    row = page.locator(".version", has_text="Before the swap")
    row.get_by_role("button", name="Compare with now").click()
    expect(page.get_by_text("2 tiles lie differently.")).to_be_visible()
    expect(page.locator("dialog canvas")).to_have_count(2)
    page.keyboard.press("Escape")
    now = "now equals it"
    server.post(f"/projects/{fresh}/versions", {"name": now})
    expect(page.locator(".version", has_text=now)).to_be_visible()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("2 tiles lie differently.")).to_be_visible()
    dialog = page.get_by_role("dialog", name="Compare two versions")
    dialog.get_by_label("Show", exact=False).select_option("slider")
    over, share = dialog.locator(".stage.over"), dialog.get_by_role("slider")
    share.fill("30")
    assert over.evaluate(CLIPPED) == "inset(0px 0px 0px 30%)"
    dialog.get_by_label("Show", exact=False).select_option("fade")
    share.press("ArrowRight")
    assert over.evaluate("each => getComputedStyle(each).opacity") == "0.31"
    page.keyboard.press("Escape")
    expect(row.locator("time")).to_have_text("just now")
    page.evaluate(LATER)
    expect(row.locator("time")).to_have_text("5 minutes ago")
    row.get_by_role("button", name="Go back to it").click()
    until(lambda: server.places(fresh)[first] == server.place(eye.lies[first]))
    page.locator("canvas.table").focus()
    page.keyboard.press("Control+z")
    until(lambda: server.places(fresh)[first] == server.place(eye.lies[second]))


def test_an_audit_finds_a_swap_and_mends_it(page, visit, server, fresh, until):
    lies = server.board(fresh)[0]
    first = next(each for each in lies.values() if server.place(each)[1:] == (1, 1))
    second = next(each for each in lies.values() if server.place(each)[1:] == (2, 3))
    swapped = [
        first | {"row": second["row"], "col": second["col"]},
        second | {"row": first["row"], "col": first["col"]},
    ]
    revision = server.get(f"/projects/{fresh}")["state"]["revision"]
    edit = {"revision": revision, "label": "A mistake", "placed": swapped}
    server.post(f"/projects/{fresh}/edits", edit)
    visit.open(fresh)
    page.get_by_role("button", name="Check the panel").click()
    expect(page.get_by_role("tab", name="Findings")).to_be_visible(timeout=SOLVED)
    page.get_by_role("button", name="Apply", exact=True).first.click()
    until(lambda: server.board(fresh)[0] == lies)
    expect(page.get_by_text("Applied").first).to_be_visible()
    job = page.locator(".job")
    expect(job.get_by_text("The panel has been changed since it was checked.")).to_be_visible()
    expect(job.locator(".success")).to_have_count(0)

    def answer(route):
        whole = route.fetch().json()
        whole["jobs"].append(fake | {"revision": whole["state"]["revision"]})
        route.fulfill(json=whole)

    notes = [{"code": "audit-unsure", "values": {"count": 3}, "text": ""}]
    fake = {"job": 99, "request": {"kind": "audit"}, "state": "done", "findings": []}
    fake |= {"notes": notes}
    page.route(f"**/api/projects/{fresh}", answer)
    page.reload()
    expect(job.get_by_text("3 tiles are doubtful")).to_be_visible()
    expect(job.locator(".success")).to_have_count(0)
    seam = [
        {"code": "loose-part", "values": {"tiles": 8}, "text": "A part of 8 tiles holds badly."}
    ]
    fake |= {"notes": seam}
    page.reload()
    expect(job.locator(".failure")).to_contain_text("the panel as a whole is doubtful")
    expect(job.get_by_text("A part of 8 tiles")).to_be_visible()
    fake |= {"request": {"kind": "solve"}, "findings": None, "confidence": 0.99, "seconds": 4}
    page.reload()
    expect(job.locator(".failure")).to_contain_text("confidence 99% by the edges alone")
    expect(job.locator(".success")).to_have_count(0)
    fake |= {"request": {"kind": "audit"}, "findings": []}
    pair = {"tile": first["tile"], "side": 1, "other": second["tile"], "other_side": 2}
    fake |= {"state": "running", "step": "scoring", "fraction": 0.5, "seconds_left": None}
    fake |= {"edges": 80, "pairs": [pair], "generation": None, "confidence": None}
    page.reload()
    expect(job.get_by_text("40 of 80")).to_be_visible()
    tiles = job.locator(".fitting img")
    expect(tiles).to_have_count(2)
    turns = [each.evaluate("each => each.style.transform") for each in tiles.all()]
    assert turns == ["rotate(0deg)", "rotate(90deg)"]


def test_doubts_of_a_panel_are_listed_until_it_is_changed(page, visit, server, fresh):
    tile = next(iter(server.board(fresh)[0].values()))
    seam = {"code": "loose-part", "values": {"tiles": 8}, "text": "A part of 8 tiles holds badly."}
    turned = {"kind": "turned", "tiles": [tile["tile"]], "probability": 0.9, "proposed": []}
    audit = {"job": 99, "request": {"kind": "audit"}, "state": "done", "findings": [turned]}
    revision = server.get(f"/projects/{fresh}")["state"]["revision"]

    def answer(route):
        whole = route.fetch().json()
        whole["jobs"].append(audit | {"notes": [seam], "revision": revision})
        route.fulfill(json=whole)

    page.route(f"**/api/projects/{fresh}", answer)
    visit.open(fresh)
    page.get_by_role("tab", name="Findings").click()
    doubt = page.locator(".findings").get_by_text("A part of 8 tiles")
    expect(doubt).to_be_visible()
    turn = tile | {"turn": (tile["turn"] + 90) % 360}
    server.post(f"/projects/{fresh}/edits", {"revision": revision, "label": "T", "placed": [turn]})
    expect(doubt).to_have_count(0)


def test_what_is_typed_for_one_tile_is_not_noted_on_another(page, visit, server, fresh, until):
    visit.open(fresh)
    eye = visit.eye(fresh)
    first, second = list(eye.lies)[:2]
    notes, field = f"/projects/{fresh}/notes", page.get_by_label("New note")
    page.mouse.click(*eye.of(first))
    page.get_by_role("tab", name="Tile").click()
    field.fill("chipped")
    page.mouse.click(*eye.of(second))
    expect(field).to_have_value("")
    field.fill("repainted")
    page.get_by_role("button", name="Add a note").click()
    until(lambda: server.get(notes))
    expect(field).to_have_value("")
    page.mouse.click(*eye.of(first))
    expect(field).to_have_value("chipped")
    page.get_by_role("button", name="Add a note").click()
    until(lambda: len(server.get(notes)) == 2)
    told = {note["tile"]: note["text"] for note in server.get(notes)}
    assert told == {
        eye.lies[first]["tile"]: "chipped",
        eye.lies[second]["tile"]: "repainted",
    }


def _tile(server, project, number):
    tiles = server.get(f"/projects/{project}")["tiles"]
    return next(each for each in tiles if each["number"] == number)


def test_fields_are_edited_and_a_removed_tile_comes_back(
    page, visit, server, fresh, until, small_tiles
):
    visit.open(fresh)
    eye = visit.eye(fresh)
    first = next(iter(eye.lies))
    page.mouse.click(*eye.of(first))
    expect(page.get_by_role("button", name="Other picture")).to_be_visible()
    expect(page.get_by_role("button", name="In the photograph")).to_be_hidden()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Crate").fill("Box 7")
    page.get_by_label("Thickness").fill("11.5")
    page.get_by_role("group", name="Outer sides").get_by_label("top").check()
    page.keyboard.press("Enter")
    facts = page.locator(".tile-part .facts")
    expect(facts).to_contain_text("Box 7")
    expect(facts).to_contain_text("Outer sidestop")
    outer = [tile["outer"] for tile in server.get(f"/projects/{fresh}")["tiles"]]
    assert len(outer) - outer.count(None) == 1
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Other picture").click()
    picture = {"name": "better.png", "mimeType": "image/png", "buffer": small_tiles["t00.png"]}
    file = lambda: _tile(server, fresh, first)["file"]  # noqa: E731
    old = file()
    chooser.value.set_files(picture | {"buffer": picture["buffer"] + b"again"})
    until(lambda: file() != old)
    expect(page.get_by_role("button", name=f"Undo: Another picture for {first}")).to_be_enabled()
    page.locator("canvas.table").focus()
    page.keyboard.press("Control+z")
    until(lambda: file() == old)
    page.get_by_role("button", name="Remove", exact=True).click()
    until(lambda: first not in server.board(fresh)[0])
    page.locator(".toast").get_by_role("button", name="Undo").click()
    until(lambda: server.places(fresh).get(first) == server.place(eye.lies[first]))
    page.locator("canvas.table").focus()
    page.keyboard.press("Control+z")
    tiles = lambda: server.get(f"/projects/{fresh}")["tiles"]  # noqa: E731
    until(lambda: all(tile["crate"] is None for tile in tiles()))
