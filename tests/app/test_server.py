"""The server as a whole: the page, its files, and nothing else."""

import re

from azulejar.app.server import WEB


def test_the_page_and_its_files_are_served(client):
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert page.text == (WEB / "index.html").read_text(encoding="utf-8")
    script = client.get("/static/js/main.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert script.headers["Cache-Control"] == "no-cache"
    seen = {"If-None-Match": script.headers["ETag"]}
    assert client.get("/static/js/main.js", headers=seen).status_code == 304


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
