"""Uploads: accepted completely, or refused with a sentence and nothing left behind."""

import io
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from azulejar.app.uploads import incoming as uploads


@pytest.fixture
def project(client):
    """The id of an empty project."""
    return client.post("/api/projects", json={"name": "p"}).json()["project"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_pictures_become_tiles_in_the_tray(client, upload, project, folder, picture, kind):
    data = picture(1, kind=kind)
    answer = upload(project, f"A 1.{kind.lower()}", data)
    assert answer.json() == {"taken": [f"A 1.{kind.lower()}"], "passed_over": []}
    whole = client.get(f"/api/projects/{project}").json()
    assert [(tile["file"], tile["number"]) for tile in whole["tiles"]] == [
        (f"A 1.{kind.lower()}", "A 1")
    ]
    assert [each["panel"] for each in whole["state"]["board"]["placed"]] == [-1]
    assert (folder / "tiles" / f"A 1.{kind.lower()}").read_bytes() == data
    assert list((folder / "work").iterdir()) == []


def test_photographs_and_panels_are_kept_apart(client, upload, project, folder, picture):
    wide = picture(1, (60, 20))
    assert upload(project, "table.jpg", wide, "photographs").status_code == 200
    assert upload(project, "wall.png", wide, "panel").status_code == 200
    whole = client.get(f"/api/projects/{project}").json()
    assert (whole["photographs"], whole["tiles"]) == (["table.jpg"], [])
    assert (folder / "panel" / "wall.png").is_file()


def test_the_same_again_is_passed_over_and_another_of_that_name_refused(
    upload, project, refused, picture
):
    for kind in ("tiles", "photographs"):
        upload(project, "1.png", picture(1), kind)
        again = upload(project, "1.png", picture(1), kind)
        assert again.status_code == 200
        assert again.json()["taken"] == []
        assert "here already" in again.json()["passed_over"][0]["problem"]
        assert "which is already here" in refused(409, "1.png", picture(2), kind)
    assert "same name as 1.png" in refused(409, "1.tif", picture(2, kind="TIFF"))
    assert "same name as 1.png" in refused(409, "1.PNG", picture(2))


@pytest.mark.parametrize(
    ("name", "status"),
    [("notes.txt", 415), ("run.exe", 415), ("drawing.svg", 415), ("tile", 415), ("a.pdf", 415)],
)
def test_other_files_are_refused_by_name(refused, picture, name, status):
    assert "no picture" in refused(status, name, picture())


@pytest.mark.parametrize("name", ["../../x.png", "..\\x.png", "a\x00.png", "a\n.png", "con.png"])
def test_names_that_lead_elsewhere_are_refused(refused, picture, name):
    assert "name" in refused(422, name, picture())


def test_pictures_are_checked_by_content(refused, picture):
    assert "broken, or no picture" in refused(422, "1.png", b"<svg onload=alert(1)>")
    assert "broken, or no picture" in refused(422, "1.png", picture(size=(64, 64))[:5000])
    assert "broken" in refused(422, "1.jpg", picture(size=(200, 200), kind="JPEG")[:4000])
    assert "empty" in refused(422, "1.png", b"")
    assert "no square tile" in refused(422, "1.png", picture(size=(60, 20)))
    assert "only 2×2 px" in refused(422, "1.png", picture(size=(2, 2)))


def test_a_picture_of_100_000_pixels_a_side_is_refused_by_its_header(refused, picture):
    """The header alone says so: nothing of that size is ever made."""
    data = bytearray(picture())
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(bytes(data[12:29])).to_bytes(4, "big")
    for kind in ("tiles", "photographs", "panel"):
        assert "million pixels" in refused(422, "1.png", bytes(data), kind)


def test_bytes_are_counted(refused, upload, project, picture, monkeypatch, client):
    monkeypatch.setattr(uploads, "MAX_BYTES", 1500)
    assert "larger than" in refused(413, "1.png", picture(size=(64, 64)))
    assert upload(project, "2.png", picture()[:1] + b"x" * 1499).status_code == 422
    sent = []

    def endless():
        for _ in range(1000):
            sent.append(1)
            yield b"x" * 1000

    answer = client.post(
        f"/api/projects/{project}/uploads?kind=tiles&name=1.png",
        content=endless(),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 413


def test_a_refusal_is_told_once_all_is_sent(client, project):
    """A browser that is still sending would report a closed connection as a failure."""
    sent = []

    def body():
        for _ in range(20):
            sent.append(1)
            yield b"x" * 10**5

    answer = client.post(
        f"/api/projects/{project}/uploads?kind=tiles&name=notes.txt",
        content=body(),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert (answer.status_code, len(sent)) == (415, 20)


def test_files_are_counted(refused, upload, project, picture, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_FILES", 2)
    for number in range(2):
        assert upload(project, f"{number}.png").status_code == 200
    assert "takes 2 files" in refused(413, "3.png", picture(3))
    assert upload(project, "3.png", picture(3), "photographs").status_code == 200


def test_the_same_picture_under_two_names_is_one_tile(upload, project, refused, picture):
    upload(project, "1.png", picture(1))
    assert "2.png is the same file as 1.png" in refused(409, "2.png", picture(1))
    assert upload(project, "photo.png", picture(1), kind="photographs").json()["taken"]
    assert "photo.png" in refused(409, "photo2.png", picture(1), kind="photographs")


def test_the_same_file_from_two_hands_at_once_is_one_tile(client, upload, project, picture):
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: upload(project, "1.png", picture(1)), range(6)))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert sorted(len(answer.json()["taken"]) for answer in answers) == [0] * 5 + [1]
    assert len(client.get(f"/api/projects/{project}").json()["tiles"]) == 1


def test_a_table_comes_before_or_after_its_tiles(client, upload, project, refused, picture):
    first = upload(project, "tiles.csv", b"file;inventory;note\n1;A1;chipped\n9;A9;\n")
    assert first.json()["taken"] == ["tiles.csv"]
    upload(project, "1.png")
    upload(project, "2.png")
    upload(project, "Tiles.CSV", b"file,inventory,crate\n2,B2,Box 3\n")
    tiles = client.get(f"/api/projects/{project}").json()["tiles"]
    assert [(tile["number"], tile["crate"]) for tile in tiles] == [("A1", None), ("B2", "Box 3")]
    assert "no column named file" in refused(422, "tiles.csv", b"a,b\n1,2\n")
    assert "same number B2" in refused(422, "B2.png", picture(7))
    assert "no picture" in refused(415, "tiles.csv", b"file\n1\n", "photographs")
    upload(project, "tiles.csv", b"file;lado exterior\n1;esquerda, cima\n")
    tiles = client.get(f"/api/projects/{project}").json()["tiles"]
    assert [(tile["number"], tile["outer"]) for tile in tiles] == [("A1", "top left"), ("B2", None)]
    wrong = refused(422, "tiles.csv", b"file,outer\n1,above\n")
    assert "row 2: has outer 'above': it names sides, of top, right, bottom, left" in wrong


def test_doubts_of_an_import_outlive_a_new_table(client, upload, project, workspace):
    from azulejar.app.schemas.tiles import NewProjectTile

    upload(project, "1.png")
    workspace.open(project).add_tiles([NewProjectTile(file="1.png", number="1", doubt="blurred")])
    upload(project, "tiles.csv", b"file,crate\n1,Box\n")
    (tile,) = client.get(f"/api/projects/{project}").json()["tiles"]
    assert (tile["crate"], tile["doubt"]) == ("Box", "blurred")


def test_sixteen_bit_and_turned_pictures_are_taken(upload, project):
    deep = io.BytesIO()
    Image.fromarray(np.full((30, 30), 40_000, np.uint16)).save(deep, "TIFF")
    assert upload(project, "deep.tif", deep.getvalue()).status_code == 200


def test_those_who_watch_are_told_once_it_is_there(client, upload, project, monkeypatch):
    told = []
    hub = client.app.state.services.hub
    monkeypatch.setattr(hub, "publish_soon", lambda project, news: told.append((project, *news)))
    upload(project, "1.png")
    upload(project, "1.png")
    upload(project, "photo.png", kind="photographs")
    assert told == [(project, "tiles", "board")]
