"""Files that are added, and what the page asks about them."""

import io
import re
import zipfile

import pytest
from PIL import Image
from playwright.sync_api import expect

SOLVED = 90_000  # milliseconds; the first solve may compile
# Keep what the card of an upload says.
SENT = (
    "new MutationObserver(() => sent.add(document.querySelector('.left .quiet')?.textContent))"
    ".observe(document, { subtree: true, childList: true }); window.sent = new Set()"
)


def test_a_broken_picture_is_refused_with_its_reason_and_the_others_come(
    page, server, small_tiles, tmp_path, until
):
    folder = tmp_path / "crate"
    folder.mkdir()
    for file, picture in small_tiles.items():
        (folder / file).write_bytes(picture)
    (folder / "t05.png").write_bytes(small_tiles["t05.png"][:300])
    (folder / "t20.png").write_bytes(small_tiles["t01.png"])
    (folder / "letter.txt").write_text("not a picture")
    page.evaluate(SENT)
    page.locator("input[webkitdirectory]").set_input_files(folder)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("2 of 21 files could not be added")).to_be_visible()
    size = f"{sum(len(path.read_bytes()) for path in folder.glob('*.png')) / 1e6:.1f} MB"
    assert any(
        " of 21 files · " in (words or "") and words.endswith(f" of {size}")
        for words in page.evaluate("[...sent]")
    )
    expect(dialog.get_by_text("t05.png")).to_be_visible()
    expect(dialog.get_by_text(" is the same file as ")).to_be_visible()
    dialog.get_by_role("button", name="Understood").click()
    expect(page.get_by_role("tab", name="Tray 19")).to_be_visible()
    assert page.locator(".bar .name").inner_text() == "crate"


def test_what_is_refused_is_told_in_portuguese_too(open_page, server, small_tiles):
    page = open_page(server.address, locale="pt-PT")
    good, other = (small_tiles[f"t0{k}.png"] for k in (0, 1))
    given = {"a.png": good, "b.png": other, "c.png": good, "d.png": good[:300]}
    page.locator("input[multiple]").set_input_files(
        [{"name": n, "mimeType": "image/png", "buffer": b} for n, b in given.items()]
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Continuar").click()
    expect(dialog.get_by_text("2 de 4 ficheiros")).to_be_visible()
    expect(dialog.locator(".reasons")).to_contain_text("c.png")
    expect(dialog.locator(".reasons")).to_contain_text("d.png")
    assert not re.search(r"\b(the|is|file)\b", dialog.locator(".reasons").inner_text())


@pytest.mark.parametrize("width", [1440, 390])
def test_no_question_about_photographs_is_cut_off(open_page, server, small_tiles, cut_off, width):
    size = {"width": width, "height": 844}
    page = open_page(server.address, viewport=size, locale="pt-PT")
    file = {"name": "mesa.png", "mimeType": "image/png", "buffer": small_tiles["t00.png"]}
    page.locator("input[multiple]").set_input_files([file])
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Vários azulejos").check()
    for option in ("auto", "chart", "glaze", "off"):
        dialog.locator("select").select_option(option)
        assert cut_off(page) == []
    hint = dialog.locator(".tick small")
    assert hint.bounding_box()["x"] == dialog.locator(".tick span").bounding_box()["x"]
    page.keyboard.press("Escape")


def test_files_go_on_after_a_broken_connection(open_page, server, small_tiles):
    page = open_page(server.address)
    broken = []

    def fail(route):
        broken.append(route.request.url)
        route.abort() if len(broken) <= 3 else route.continue_()

    page.route(re.compile(r"/uploads\?"), fail)
    some = [
        {"name": name, "mimeType": "image/png", "buffer": small_tiles[name]}
        for name in sorted(small_tiles)[:8]
    ]
    page.locator("input[multiple]").set_input_files(some)
    page.get_by_role("dialog").get_by_role("button", name="Continue").click()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    expect(page.get_by_role("tab", name="Tray 8")).to_be_visible()
    assert len(broken) == 8 + 3


def test_a_file_that_is_gone_before_it_is_sent_is_named_and_the_others_come(
    open_page, server, small_tiles, tmp_path
):
    page = open_page(server.address, locale="pt-PT")
    for name in ("t00.png", "t01.png", "t02.png", "t03.png"):
        (tmp_path / name).write_bytes(small_tiles[name])
    page.locator("input[multiple]").set_input_files(sorted(tmp_path.glob("*.png")))
    going_on = page.get_by_role("dialog").get_by_role("button", name="Continuar")
    expect(going_on).to_be_visible()
    (tmp_path / "t02.png").unlink()
    going_on.click()
    expect(page.locator(".reasons")).to_contain_text("t02.png já não se consegue ler.")
    page.get_by_role("dialog").get_by_role("button", name="Compreendi").click()
    expect(page.get_by_role("tab", name="Tabuleiro 3")).to_be_visible()


def test_a_project_of_which_nothing_comes_is_not_kept(page, server, tmp_path):
    with zipfile.ZipFile(tmp_path / "letters.zip", "w") as letters:
        for name in "abcdef":
            letters.writestr(f"{name}.png", "not a picture")
    page.evaluate(SENT)
    page.locator("input[multiple]").set_input_files(tmp_path / "letters.zip")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_text("6 of 6 files could not be added")).to_be_visible()
    assert not any("files" in (words or "") for words in page.evaluate("[...sent]"))  # it is one
    dialog.get_by_role("button", name="Understood").click()
    expect(page.locator("main.start")).to_be_visible()
    assert "letters" not in [each["name"] for each in server.get("/projects") + server.get("/bin")]


def test_an_import_that_fails_has_a_way_out(open_page, server):
    """In the language of the page, without paths, each reason once."""
    grey = io.BytesIO()
    Image.new("RGB", (180, 120), (90, 90, 90)).save(grey, "PNG")
    project = server.post("/projects", {"name": "Table"})["project"]
    page = open_page(f"{server.address}/#project={project}", locale="pt-PT")
    page.locator("input[multiple]").first.set_input_files(
        [
            {
                "name": f"mesa-{k}.png",
                "mimeType": "image/png",
                "buffer": grey.getvalue() + b"%d" % k,
            }
            for k in (1, 2)
        ]
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Vários azulejos").check()
    dialog.get_by_label("Procurar também meios azulejos").check()
    dialog.get_by_label("Lado de um azulejo inteiro em cm").fill("14.2")
    with page.expect_request("**/jobs") as asked:
        dialog.get_by_role("button", name="Continuar").click()
    said = {"colour": "auto", "half_tiles": True, "side": 14.2}
    assert asked.value.post_data_json == {"kind": "import"} | said
    card = page.locator(".job .ended")
    expect(card.locator(".failure")).to_have_text(
        "Nenhuma das 2 fotografias pôde ser importada.", timeout=SOLVED
    )
    assert card.get_by_text("mesa-1").count() == card.get_by_text("mesa-2").count() == 1
    assert str(server.folder) not in card.inner_text()
    assert not re.search(r"\b(the|tile|light)\b", card.inner_text())
    card.get_by_role("button", name="Continuar sem estas 2 fotografias").click()
    expect(card.locator(".failure")).to_contain_text("fotografias", timeout=SOLVED)
    expect(card.get_by_text("mesa-1")).to_have_count(0)


def test_the_page_asks_what_it_cannot_know(page, small_tiles):
    """One picture may be anything: three choices, with the likeliest chosen."""
    transfer = page.evaluate_handle(
        """bytes => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "wall.png", {type: "image/png"}));
            return transfer;
        }""",
        list(small_tiles["t00.png"]),
    )
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio")).to_have_count(3)
    expect(dialog.get_by_role("radio", name="A laid panel")).to_be_checked()
    assert dialog.get_by_label("Name of the project").input_value() == "wall"
    page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("radio", name="Several tiles")).to_be_checked()
    dialog.get_by_label("Look for half and quarter tiles too").check()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_wall_whose_joints_are_not_seen_is_cut_by_its_corners(
    page, visit, server, wall, tmp_path
):
    picture = tmp_path / "wall.png"
    picture.write_bytes(wall)
    page.locator("input[multiple]").set_input_files(picture)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Show the corners").click(timeout=3 * SOLVED)
    photograph = dialog.locator("img").bounding_box()
    margins = {"Top left": (0.2, 0.2), "Top right": (0.8, 0.2)}
    margins |= {"Bottom left": (0.2, 0.8), "Bottom right": (0.8, 0.8)}
    for name, (x, y) in margins.items():
        corner = dialog.get_by_role("button", name=f"{name} corner").bounding_box()
        start = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
        end = (
            photograph["x"] + photograph["width"] * x,
            photograph["y"] + photograph["height"] * y,
        )
        visit.drag(start, end)
    dialog.get_by_label("Rows").fill("4")
    dialog.get_by_label("Columns").fill("5")
    dialog.get_by_role("button", name="Find the joints").click()
    expect(dialog.get_by_role("heading", name="4 rows × 5 columns")).to_be_visible(timeout=SOLVED)
    expect(dialog.locator("polyline")).to_have_count(5 + 6)
    dialog.get_by_label("Rows").fill("3")
    expect(dialog.get_by_role("button", name="Cut")).to_be_disabled()
    dialog.get_by_label("Rows").fill("4")
    dialog.get_by_role("button", name="Cut").click()
    expect(page.get_by_text("The panel has been cut into its tiles.").first).to_be_visible(
        timeout=SOLVED
    )
    lies = server.board(page.url.split("project=")[1])[0]
    assert len({server.place(each) for each in lies.values() if each["panel"] == 0}) == 20
