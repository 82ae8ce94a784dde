"""Language, and light or dark."""

import json
import re

from playwright.sync_api import expect


def test_the_language_is_the_browsers_until_it_is_chosen(open_page, page, visit, server, fresh):
    portuguese = open_page(server.address, locale="pt-PT")
    expect(portuguese.get_by_role("button", name="Abrir a demonstração")).to_be_visible()
    assert portuguese.locator("html").get_attribute("lang") == "pt-PT"
    visit.open(fresh)
    page.locator("canvas.table").focus()
    page.keyboard.press("r")
    undo = page.locator(".undo button").first
    expect(undo).to_have_attribute("title", re.compile(r"^Undo: Turn t\d\d$"))
    page.get_by_role("button", name="PT", exact=True).click()
    expect(page.get_by_role("button", name="Resolver de novo")).to_be_visible()
    expect(undo).to_have_attribute("title", re.compile(r"^Desfazer: Rodar t\d\d$"))
    page.route("**/jobs", lambda route: route.abort())
    for what in ("Lista de lugares", "Relatório"):
        page.get_by_role("button", name="Exportar").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text(what, exact=True).click()
        with page.expect_request("**/jobs") as asked:
            dialog.get_by_role("button", name="Descarregar").click()
        assert asked.value.post_data_json["language"] == "pt"
        page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("button", name="Resolver de novo")).to_be_visible()


def test_light_and_dark(open_page, server):
    page = open_page(server.address, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    light = page.evaluate(ground)
    assert sum(json.loads(f"[{dark[4:-1]}]")) < 200 < 600 < sum(json.loads(f"[{light[4:-1]}]"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) == light


def test_errors_are_told_in_the_language_of_the_page(open_page, server, until):
    project = server.new_project("Três linhas")
    size = {"rows": 3, "cols": 5}
    request = {"kind": "solve", "settings": {"measure": "mgc", "preset": "fast", **size}}
    job = server.post(f"/projects/{project}/jobs", request)["job"]
    until(lambda: server.get(f"/projects/{project}/jobs/{job}")["state"] == "failed", 60)
    page = open_page(f"{server.address}/#project={project}", locale="pt-PT")
    failure = page.locator(".job")
    expect(failure).to_contain_text("3 linhas × 5 colunas são 15 lugares, mas há 20 azulejos.")
    expect(failure).to_contain_text("não indique linhas nem colunas.")
    # The language changes at once: nothing has to be fetched, and no message comes too early.
    page.route("**/texts/*.json", lambda route: route.abort())
    page.get_by_role("button", name="EN", exact=True).click()
    expect(failure).to_contain_text("3 rows × 5 cols are 15 places")
    page.get_by_role("button", name="PT", exact=True).click()
    page.goto(f"{server.address}/#project=nobody")
    expect(page.locator(".toast.error")).to_contain_text("Esse projeto não existe.")
