"""The server as a whole: the page, its files, and nothing else."""

import re
import shutil

from azulejar.app import server
from azulejar.app.server import WEB


def test_the_page_and_its_files_are_served(client):
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert page.headers["Cache-Control"] == "no-cache"
    named = re.findall('(?:href|src)="(/static/.*?)"', page.text)
    styles = {address.split("/")[-1] for address in named if address.endswith(".css")}
    assert styles == {path.name for path in WEB.glob("*.css")}
    assert any(address.endswith(".js") for address in named)
    for address in named:
        file = client.get(address)
        assert file.content == WEB.joinpath(*address.split("/")[3:]).read_bytes()
        assert "immutable" in file.headers["Cache-Control"]
    assert file.headers["Content-Type"].startswith("text/javascript")


def test_browsers_ask_again_for_files_once_one_has_changed(client, tmp_path, monkeypatch):
    shutil.copytree(WEB, tmp_path / "web")
    monkeypatch.setattr(server, "WEB", tmp_path / "web")
    before = client.get("/").text
    assert client.get("/").text == before
    with (tmp_path / "web" / "js" / "common" / "dom.js").open("a", encoding="utf-8") as script:
        script.write("// changed")
    assert client.get("/").text != before


def test_nothing_is_fetched_from_other_hosts():
    for path in WEB.rglob("*"):
        if path.suffix in (".html", ".css", ".js", ".json"):
            text = path.read_text(encoding="utf-8")
            # A name space is no address, what is typed into a field may lead to this computer, and
            # museum.example stands in a message as an example.
            found = re.findall(r"https?://(?!www\.w3\.org/|localhost|museum\.example/)\S+", text)
            assert found == [], path


def test_the_description_is_there_and_no_page_that_would_need_other_hosts(client):
    described = client.get("/api/openapi.json").json()
    assert described["info"]["title"] == "azulejar"
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404
