"""The page of a museum, from its search to a panel on the table and back, also on a phone."""

import re
import shutil
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from azulejar.imaging.photographs.import_log import (
    HOME,
    RECORD,
    ImportedPhoto,
    ImportedTile,
    write_record,
)
from azulejar.imaging.picture import write_picture


def call_it_two(route):
    answer = route.fetch()
    page = answer.json()
    page["panels"][0] |= {"apart": 5, "outside": 2}
    route.fulfill(response=answer, json=page)


def call_it_loose(route):
    answer = route.fetch()
    page = answer.json()
    page["panels"][0] |= {"loose": 5, "mirrored": False}
    route.fulfill(response=answer, json=page)


def doubt_some(route):
    answer = route.fetch()
    project = answer.json()
    laid = [each["tile"] for each in project["state"]["board"]["placed"] if each["panel"] == 0]
    route.fulfill(response=answer, json=project | {"part": laid[:5], "seam": "mirrored"})


def test_a_day_in_a_museum(open_page, museum, server, rules_broken, cut_off):
    page = open_page(f"{server.address}/", locale="pt-PT")
    page.get_by_role("link", name="museu 14 azulejos").click()
    cells, count = page.locator(".tile-cell"), page.locator(".count")
    expect(cells).to_have_count(14)
    expect(cells.first.locator("img:not([hidden])")).to_be_visible()  # in place of the small one
    page.keyboard.press("/")
    page.keyboard.type("a1")
    expect(count).to_have_text("4 azulejos")
    page.get_by_role("button", name="Avulsos", exact=True).click()
    expect(cells).to_have_count(2)
    page.get_by_role("searchbox").fill("11")
    expect(cells).to_have_count(1)
    expect(cells).to_have_accessible_name("A11 2× Caixa K 1, avulso")

    cells.first.click()
    side = page.locator(".museum-side")
    expect(side.get_by_role("heading", name="A11")).to_be_visible()
    busy = {"code": "edges-being-prepared", "problem": "Wait.", "remedy": "", "values": {}}
    page.route("**/fits?*", lambda route: route.fulfill(status=503, json=busy), times=1)
    side.get_by_role("button", name="À direita").click()
    expect(side.get_by_text("A tabela das arestas está a ser preparada")).to_be_visible()
    expect(side.get_by_role("progressbar")).to_be_visible()
    fits = side.locator(".fit-card")
    expect(fits.first).to_be_visible()
    assert rules_broken(page, dark=True) == []
    name = fits.first.locator("strong").inner_text()
    fits.first.click()
    expect(side.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.go_back()
    expect(side.get_by_role("heading", name="A11")).to_be_visible()
    edit = side.get_by_role("button", name="Editar")
    edit.press("Enter")
    dialog = page.get_by_role("dialog", name="Editar A11")
    dialog.get_by_label("Nota").fill("lascado")
    thickness = dialog.get_by_label("Espessura (mm)")
    thickness.fill("-1")
    thickness.press("Enter")
    expect(dialog).to_be_visible()
    said = thickness.evaluate("field => field.validationMessage")  # what the browser shows
    assert said == "Um número de 0,1 a 1000."
    assert rules_broken(page) == []
    thickness.fill("11.5")
    thickness.press("Enter")
    expect(side.locator(".facts")).to_contain_text("Espessura (mm)11,5Notalascado")
    expect(edit).to_be_focused()
    expect(cells).to_have_accessible_name("A11 2× Caixa K 1, avulso, lascado")
    edit.press("Enter")  # what an import has noted is told in the language of the page
    dialog.get_by_label("Nota").fill("about 0.8% missing at the corners")
    thickness.press("Enter")
    expect(side.locator(".facts")).to_contain_text("Notafaltam cerca de 0,8% nos cantos")
    expect(cells).to_have_accessible_name(re.compile("faltam cerca de"))
    side.get_by_role("button", name="Fechar").click()
    expect(side).to_be_hidden()

    page.get_by_role("tab", name="Caixas").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    assert rules_broken(page) == []
    page.route("**/panels?*", call_it_loose, times=1)
    page.get_by_role("tab", name="Painéis").click()
    expect(page.locator(".panel-card .badge.warm")).to_have_text("partes mal ligadas")
    expect(page.locator(".panel-card")).to_contain_text("5 dos seus 12 azulejos prendem-se")
    page.get_by_role("tab", name="Azulejos").click()
    page.route("**/panels?*", call_it_two, times=1)
    page.get_by_role("tab", name="Painéis").click()
    expect(page.locator(".panel-card .badge.warm")).to_have_text("talvez dois painéis")
    expect(page.locator(".panel-card")).to_contain_text("e 2 azulejos fora ·")
    page.route("**/api/projects/*", doubt_some, times=1)
    page.get_by_role("button", name="Painel 1").click()
    expect(page.locator("canvas.table")).to_be_visible()
    expect(page.get_by_role("button", name="Verificar o painel")).to_be_visible()
    expect(page.get_by_role("button", name="Juntar imagens")).to_have_count(0)  # unknown there
    page.get_by_role("button", name="Mostre-me a página").click()
    expect(page.locator(".tour")).to_contain_text("Resolva1 de 4")
    page.keyboard.press("Escape")
    card = page.get_by_role("region", name="Talvez sejam dois painéis")
    expect(card).to_contain_text("cujos lados se espelham")
    card.get_by_role("button", name="Selecioná-los").click()
    expect(page.locator(".side")).to_contain_text("5 azulejos")
    assert rules_broken(page) == []
    with page.expect_request("**/splits") as asked:
        page.route("**/splits", lambda route: route.fulfill(json={"panel": "2"}))
        card.get_by_role("button", name="Fazer deles um painel à parte").click()
    assert asked.value.post_data_json == {"project": page.url.split("project=")[1]}
    expect(page.get_by_text("5 azulejos estão agora no novo painel 2.")).to_be_visible()
    page.get_by_role("link", name="Todos os painéis do museu").click()
    expect(page.locator(".panel-card")).to_have_count(1)
    assert rules_broken(page, dark=True) == []
    page.get_by_role("tab", name="Padrões").click()
    with page.expect_request("**/jobs") as asked:
        page.route("**/jobs", lambda route: route.abort())
        page.get_by_role("button", name="Procurar padrões").click()
    assert asked.value.post_data_json == {"kind": "museum_patterns"}
    assert rules_broken(page) == []
    page.get_by_role("tab", name="Relatório").click()
    expect(page.get_by_role("heading", name="Relatório de museu")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})  # nothing is cut off on a phone
    for view in ("Azulejos", "Caixas", "Painéis", "Relatório"):
        page.get_by_role("tab", name=view).click()
        expect(page.locator(".museum-view > *").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert cut_off(page) == []
    tabs = page.locator(".museum-tabs")
    assert tabs.evaluate("each => each.scrollWidth <= each.clientWidth")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert rules_broken(page) == []


def test_a_list_of_panels_that_is_empty_says_why(open_page, museum):
    page = open_page(f"{museum}&view=panels&words=xyz")
    expect(page.get_by_text("No panel matches.")).to_be_visible()


def test_a_tile_is_put_into_another_crate(open_page, museum):
    page = open_page(f"{museum}&view=tiles&tile=3", locale="pt-PT")
    side = page.locator(".museum-side")
    crate = side.locator(".facts div", has_text="Caixa").locator("dd")
    before = crate.inner_text()
    side.get_by_role("button", name="Editar").click()
    field = page.get_by_role("dialog").get_by_label("Caixa")
    expect(field).to_have_value(before)
    field.fill("K 9")
    page.keyboard.press("Enter")
    expect(crate).to_have_text("K 9")
    page.get_by_role("tab", name="Caixas").click()
    expect(page.get_by_role("link", name="K 9", exact=True)).to_be_visible()
    page.get_by_role("button", name="Desfazer").first.click()
    expect(page.get_by_role("link", name="K 9", exact=True)).to_have_count(0)


def test_a_tile_gets_another_inventory_number(open_page, museum):
    page = open_page(f"{museum}&view=tiles&tile=5", locale="pt-PT")
    side = page.locator(".museum-side")
    heading = side.get_by_role("heading", level=2)
    before = heading.inner_text()
    edit = side.get_by_role("button", name="Editar")
    edit.click()
    field = page.get_by_role("dialog").get_by_label("Número de inventário")
    expect(field).to_have_value(before)
    field.fill("A00" if before != "A00" else "A01")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Outro azulejo tem o número de inventário A0")).to_be_visible()
    edit.click()
    field.fill("Q-77")
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Q-77")
    expect(page.locator(".tile-cell", has_text="Q-77")).to_have_count(1)
    words = f"Número de inventário {before} alterado para Q-77"
    page.get_by_role("button", name=f"Desfazer: {words}").click()
    expect(heading).to_have_text(before)


def test_who_may_only_look_sees_what_fits_every_side(open_page, museum):
    page = open_page("about:blank", locale="pt-PT")
    looks = {"role": "look", "name": "Rui", "accounts": True}
    page.route("**/api/session", lambda route: route.fulfill(json=looks))
    page.goto(f"{museum}&view=tiles&tile=1")
    side = page.locator(".museum-side")
    for name in ("Em cima", "À direita", "Em baixo", "À esquerda"):
        side.get_by_role("button", name=name).click()
        expect(side.locator(".fit-pair").first).to_be_visible()
    for name in ("Editar", "Remover", "Outra imagem"):
        expect(side.get_by_role("button", name=name)).to_be_hidden()


def test_tiles_that_are_unlikely_to_fit_are_called_so(open_page, museum):
    def doubt(route):
        answer = route.fetch()
        fits = [fit | {"probability": 0.004} for fit in answer.json()]
        route.fulfill(response=answer, json=fits)

    page = open_page(f"{museum}&view=tiles&tile=1")
    side, words = page.locator(".museum-side"), "None of these is likely to fit"
    side.get_by_role("button", name="Right", exact=True).click()
    expect(side.locator(".fit-card").first).to_be_visible()
    expect(side.get_by_text(words)).to_have_count(0)
    page.route("**/fits?*", doubt)
    side.get_by_role("button", name="Left", exact=True).click()
    expect(side.get_by_text(words)).to_be_visible()


def test_picked_tiles_are_moved_to_a_panel_and_back(open_page, museum, server, rules_broken):
    page = open_page(f"{museum}&view=tiles&state=stray")
    cells, press = page.locator(".tile-cell"), page.keyboard.press
    expect(cells).to_have_count(2)
    cells.first.focus()
    for key in ("Enter", "Escape"):  # the keyboard stays where it was
        press(key)
        expect(page.locator(".museum-side")).to_be_visible(visible=key == "Enter")
    for key in ("End", "Control+Enter", "Home", "Control+Enter", "ArrowRight", "PageUp"):
        press(key)
    expect(cells.first).to_be_focused()
    expect(page.locator(".tile-cell[aria-pressed=true]")).to_have_count(2)
    page.get_by_role("button", name="Edit", exact=True).press("Enter")
    page.get_by_role("dialog", name="Edit 2 tiles").get_by_label("Note").fill("of the stairs")
    page.get_by_role("button", name="Save").press("Enter")
    for cell in cells.all():
        expect(cell).to_have_accessible_name(re.compile("of the stairs"))
    page.get_by_role("button", name="Move to a panel").press("Enter")
    page.get_by_label("Name of the panel").fill("Stairs")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 tiles are in panel Stairs now.")).to_be_visible()
    expect(cells).to_have_count(0)
    expect(page.locator(".chip", has_text="Strays")).to_be_hidden()
    assert server.get("/museums/museu/panels?words=stairs")["total"] == 1
    words = "2 tiles moved to the new panel Stairs"
    expect(page.get_by_role("button", name=f"Undo: {words}")).to_be_enabled()
    page.keyboard.press("Control+z")
    expect(cells).to_have_count(2)
    expect(page.get_by_role("button", name=f"Redo: {words}")).to_be_enabled()
    page.get_by_role("button", name="History").click()
    expect(page.locator("dialog li").first).to_have_text(f"Undone: {words}just now")
    assert rules_broken(page) == []
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)


def test_tab_leads_to_the_tiles_in_sight_wherever_the_list_is(open_page, museum):
    page = open_page(f"{museum}&view=tiles")
    page.set_viewport_size({"width": 390, "height": 400})
    first = page.locator(".tile-cell[data-index='0']")
    expect(first).to_have_attribute("tabindex", "0")
    page.locator(".tile-grid").evaluate("grid => grid.scrollTo(0, grid.scrollHeight)")
    expect(first).to_have_count(0)  # cells far out of sight are not kept
    stop = page.locator(".tile-cell[tabindex='0']")
    expect(stop).to_have_count(1)
    expect(stop).to_be_in_viewport()
    stop.focus()
    index = int(stop.get_attribute("data-index"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tile-cell:focus")).to_have_attribute("data-index", str(index - 1))


def test_tiles_are_removed_merged_and_restored(open_page, museum, rules_broken):
    page = open_page(f"{museum}&view=tiles", locale="pt-PT")
    cells, side = page.locator(".tile-cell"), page.locator(".museum-side")
    search = page.get_by_role("searchbox")
    expect(cells).to_have_count(14)
    search.focus()
    expect(page.locator(".search-help")).to_contain_text("duvidoso, avulso")
    for tab in page.get_by_role("tab").all():
        tab.click(trial=True)  # the help does not lie over it
    assert rules_broken(page) == []
    cells.nth(1).focus()
    for key in ("Control+Enter", "ArrowRight", "Control+Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Remover").press("Enter")
    expect(page.locator(".toast")).to_contain_text("Remover 2 azulejos")
    expect(cells).to_have_count(12)
    page.get_by_role("button", name="Removidos 2").click()
    expect(cells).to_have_count(2)
    cells.first.click()
    expect(side).to_contain_text("Estadoremovido")
    assert rules_broken(page) == []
    side.get_by_role("button", name="Recuperar").press("Enter")
    expect(side).to_be_hidden()
    expect(cells).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("Recuperar A02")
    page.keyboard.press("Control+z")
    expect(cells).to_have_count(2)
    expect(page.locator(".toast")).to_have_count(0)  # it would undo something else now
    cells.first.click(modifiers=["Control"])
    page.get_by_role("button", name="Recuperar", exact=True).click()
    expect(cells).to_have_count(1)
    page.get_by_role("button", name="Todos 13").click()
    search.fill("removido")
    expect(cells).to_have_count(1)
    search.fill("duplic")  # A00 and A11 are likely one tile
    expect(cells).to_have_count(2)
    cells.last.click()
    side.get_by_role("button", name="Mesmo azulejo").press("Enter")
    dialog = page.get_by_role("dialog", name="Duas imagens do mesmo azulejo?")
    assert rules_broken(page) == []
    dialog.get_by_role("button", name="Ficar com A11").press("Enter")
    expect(side.get_by_role("heading", name="A11")).to_be_visible()
    expect(side.locator(".facts")).to_contain_text("PainelPainel 1")  # in place of the other
    expect(cells).to_have_count(0)
    page.get_by_role("button", name="Histórico").click()
    expect(page.locator("dialog li").first).to_contain_text("que é A11")
    page.keyboard.press("Escape")
    for left in (2, 0, 2):
        page.keyboard.press("Control+z" if left else "Control+Shift+z")
        expect(cells).to_have_count(left)


def test_a_tile_is_cut_again_in_its_photograph(open_page, museum, server, rules_broken, painted):
    home = server.folder / "museu"
    corners = [[60.0, 40.0], [100.0, 40.0], [100.0, 80.0], [60.0, 80.0]]
    tile = ImportedTile("A03.png", "", 0, 0, 0, 1, corners, False)
    write_picture(
        home / "photographs" / "K 1" / "A.png", np.tile(painted(4, 4, True, 0)[0][5], (6, 8, 1))
    )
    (home / "crates" / "K 1" / HOME).mkdir()
    write_record(home / "crates" / "K 1" / HOME, ImportedPhoto("A.png", "", {}, (tile,)))
    (home / "crates" / "K 1" / HOME / RECORD).rename(home / "crates" / "K 1" / HOME / "A.json")
    page = open_page(f"{museum}&view=tiles&words=A03", locale="pt-PT")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".tile-cell").click()
    side = page.locator(".museum-side")
    picture = side.locator(".tile-large")
    expect(side.get_by_role("button", name="Outra imagem")).to_be_visible()
    before = picture.get_attribute("src")
    side.get_by_role("button", name="Na fotografia").press("Enter")
    dialog = page.get_by_role("dialog", name="A03 em A.png")
    expect(dialog.locator(".corner")).to_have_count(4)
    assert dialog.locator(".near").bounding_box()["width"] > 200
    assert rules_broken(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    dialog.locator(".corner").first.press("ArrowRight")
    dialog.get_by_role("button", name="Cortar outra vez").click()
    expect(picture).not_to_have_attribute("src", before)
    expect(page.locator(".tile-cell img")).to_have_attribute("src", re.compile(r"stamp="))
    expect(page.locator(".toast")).to_contain_text("Cortar A03 outra vez")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Histórico").click()
    expect(page.locator("dialog li").first).to_contain_text("Cortar A03 outra vez")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    expect(picture).to_have_attribute("src", before)


def test_states_are_counted_only_while_the_whole_museum_is_shown(open_page, museum):
    page = open_page(museum)
    states = page.get_by_role("group", name="State of the tiles")
    whole = states.get_by_role("button", name=re.compile("^All"))
    expect(whole).to_have_text(re.compile(r"^All 1\d$"))
    page.get_by_role("searchbox").fill("a01")
    expect(page.get_by_text("1 tile", exact=True)).to_be_visible()
    expect(whole).to_have_text("All")
    page.get_by_role("searchbox").fill("")
    expect(whole).to_have_text(re.compile(r"^All 1\d$"))


def test_a_museum_is_archived_and_taken_back(open_page, museum, server, rules_broken):
    page = open_page(f"{server.address}/", locale="pt-PT")
    binned = {"entry": "1", "name": "velho", "tiles": 4, "deleted": "2026-01-01T00:00:00+00:00"}
    page.route("**/api/bin", lambda route: route.fulfill(json=[binned]))
    link = page.get_by_role("link", name=re.compile(r"^museu \d+ azulejos"))
    page.get_by_role("button", name="Arquivar museu").press("Enter")
    expect(link).to_be_hidden()
    page.reload()
    expect(page.locator(".start > .put-away")).to_contain_text("velho")  # not among the museums
    page.get_by_text("Arquivo: 1 museu").click()
    expect(link).to_be_visible()
    assert rules_broken(page) == []
    page.get_by_role("button", name="Retirar museu do arquivo").press("Enter")
    expect(page.get_by_text("Arquivo: 1 museu")).to_have_count(0)
    expect(link).to_be_visible()


def test_a_museum_is_renamed_deleted_and_taken_back(
    open_page, made_museum, own_server, rules_broken
):
    shutil.copytree(made_museum, own_server.folder / "museu")
    page = open_page(own_server.address)
    table = own_server.post("/museums/museu/table", {"panel": "1"})["project"]
    page.get_by_role("button", name="Rename museu").click()
    page.keyboard.type("Depósito")  # in place of the name that is there
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name=re.compile(r"^Depósito \d+ tiles"))
    expect(link).to_be_visible()
    other = open_page(f"{own_server.address}/#project={table}")
    expect(other.get_by_role("heading", name="Depósito · 1")).to_be_visible()
    page.get_by_role("button", name="Delete Depósito").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(link).to_have_count(0)
    expect(other.get_by_text("There is no such project.")).to_be_visible()
    expect(other.locator("main.start")).to_be_visible()  # nobody works on what is gone
    page.get_by_text("Deleted (1)").click()
    binned = page.locator(".put-away li", has_text="Depósito")
    expect(binned).to_contain_text("14 tiles")
    assert rules_broken(page) == []
    binned.get_by_role("button", name="Restore").click()
    expect(link).to_be_visible()
    expect(page.get_by_text("Deleted (1)")).to_have_count(0)


def test_the_server_of_one_museum_begins_with_it(open_page, museum, server):
    page = open_page("about:blank")
    offers = {**server.get("/about"), "museum": "museu"}
    page.route("**/api/about", lambda route: route.fulfill(json=offers))
    page.goto(server.address)
    expect(page.get_by_role("heading", name="museu", exact=True)).to_be_visible()


def test_an_import_that_was_cut_short_tells_what_came_in_and_goes_on(open_page, museum):
    request = {"kind": "museum_add", "crates": ["K 9"], "photographs": False, "colour": "auto"}
    cut = {"code": "job-interrupted", "problem": "Stopped in the middle.", "remedy": ""}
    intake = {"new": 64, "known": 2, "updated": 1, "twice": [["b.png", "a.png"]], "doubtful": []}
    job = {"job": 9, "request": request, "state": "running", "step": "adding", "notes": []}
    job |= {"fraction": 0.5, "intake": intake | {"renamed": [], "broken": [], "refused": []}}
    job["intake"] |= {"photographs": 2, "found": 65}

    def with_job(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"jobs": [job]})

    page = open_page("about:blank")
    page.route("**/api/museums/museu", with_job)
    page.goto(f"{museum}&view=crates")
    card = page.locator(".intake")
    expect(card.get_by_role("heading")).to_have_text("Being added: K 9")
    job |= {"state": "failed", "error": cut}
    page.reload()
    expect(card.get_by_role("heading")).to_have_text("Added last: K 9")
    expect(card).to_contain_text("Stopped in the middle. Not all files were added.")
    expect(card).to_contain_text("Tiles found in the 2 photographs: 65.")
    expect(card).to_contain_text("64 new tiles, 2 already known.")
    expect(card).to_contain_text("1 known tile was brought up to date.")
    card.get_by_text("1 picture is a duplicate").click()
    expect(card.get_by_text("b.png is the same picture as a.png")).to_be_visible()
    page.route("**/jobs", lambda route: route.abort())
    with page.expect_request("**/jobs") as asked:
        card.get_by_role("button", name="Add the rest").click()
    assert asked.value.post_data_json == request


def test_crates_that_were_shown_stay_when_the_lists_change(open_page, museum, server):
    zero = dict.fromkeys(("tiles", "new", "strays", "doubtful", "doubles"), 0)
    crates = [zero | {"crate": f"K {i}", "added": "2026-01-01T00:00:00Z"} for i in range(150)]

    def many(route):
        asked = parse_qs(urlsplit(route.request.url).query)
        first, count = int(asked["first"][0]), int(asked["count"][0])
        shown = {"total": 150, "first": first, "crates": crates[first : first + count]}
        route.fulfill(json=shown)

    page = open_page("about:blank")
    page.route("**/crates?*", many)
    page.goto(f"{museum}&view=crates")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show 50 more").click()
    expect(rows).to_have_count(150)
    with page.expect_request("**/crates?*"):
        change = {"tiles": [1], "note": "lascado"}
        server.calls.patch("/museums/museu/tiles", json=change).raise_for_status()
    expect(rows).to_have_count(150)


@pytest.mark.parametrize("view", ["panels", "patterns"])
def test_an_empty_museum_says_what_to_do_first(open_page, server, view):
    empty = server.post("/museums", {"name": "vazio"})["museum"]
    page = open_page(f"{server.address}/#museum={empty}&view={view}", locale="pt-PT")
    expect(page.get_by_text("Ainda não há azulejos. Acrescente primeiro caixas.")).to_be_visible()
    grey = page.locator(".list-head button:disabled").first
    expect(grey).to_have_attribute("title", re.compile("Acrescente primeiro caixas"))
