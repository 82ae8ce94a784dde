"""Uploaded zips: unpacked and flattened, or refused whole."""

import contextlib
import io
import random
import stat
import time
import zipfile

import numpy as np
import pytest

from azulejar.app.uploads import incoming as uploads
from azulejar.app.uploads import zips
from azulejar.errors import AzulejarError

LINK = (stat.S_IFLNK | 0o777) << 16


def _zip(files, **attributes):
    """A zip of (name, data) pairs; attributes are for every entry."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            for attribute, value in attributes.items():
                setattr(entry, attribute, value)
            archive.writestr(entry, data)
    return packed.getvalue()


@pytest.fixture
def project(client):
    """The id of an empty project."""
    return client.post("/api/projects", json={"name": "p"}).json()["project"]


def test_a_zip_is_unpacked_and_flattened(client, upload, project, folder, picture):
    packed = _zip(
        [
            ("tiles/", b""),
            ("tiles/1.png", picture(1)),
            ("tiles/deep/2.jpg", picture(2, kind="JPEG")),
            ("tiles\\3.png", picture(3)),
            ("tiles/tiles.csv", "file,inventory,crate\n1,A1,Box\n"),
            ("__MACOSX/tiles/._1.png", b"x"),
            ("tiles/.DS_Store", b"x"),
            ("tiles/Thumbs.db", b"x"),
        ]
    )
    answer = upload(project, "all.zip", packed)
    assert answer.status_code == 200, answer.text
    assert sorted(answer.json()["taken"]) == ["1.png", "2.jpg", "3.png", "tiles.csv"]
    assert answer.json()["passed_over"] == []
    tiles = client.get(f"/api/projects/{project}").json()["tiles"]
    assert [(tile["number"], tile["crate"]) for tile in tiles] == [
        ("A1", "Box"), ("2", None), ("3", None),
    ]  # fmt: skip
    assert list((folder / "work").iterdir()) == []


def test_of_a_zip_what_cannot_be_taken_is_passed_over(upload, project, picture):
    packed = _zip(
        [
            ("1.png", picture(1)),
            ("a/1.png", picture(2)),
            ("b/1.jpg", picture(2)),
            ("broken.png", picture(3)[:100]),
            ("notes.txt", b"hello"),
            ("inner.zip", _zip([("9.png", picture(9))])),
            ("con.png", picture(4)),
            ("wide.png", picture(5, (90, 30))),
        ]
    )
    answer = upload(project, "all.zip", packed).json()
    assert answer["taken"] == ["1.png"]
    problems = " ".join(each["problem"] for each in answer["passed_over"])
    for name in ("1.png", "1.jpg", "broken.png", "notes.txt", "inner.zip", "con.png", "wide.png"):
        assert name in problems
    assert len(answer["passed_over"]) == 7


@pytest.mark.parametrize(
    "name",
    ["../1.png", "a/../../1.png", "/etc/1.png", "..\\1.png", "C:\\1.png", "C:/1.png"],
)
def test_zip_slip_is_refused_whole(refused, picture, name):
    packed = _zip([("good.png", picture(1)), (name, picture(2))])
    assert "outside" in refused(422, "all.zip", packed)


def test_links_in_a_zip_are_refused(refused, picture):
    packed = _zip([("1.png", "/etc/passwd")], external_attr=LINK)
    assert "links" in refused(422, "all.zip", packed)
    device = _zip([("1.png", b"")], external_attr=(stat.S_IFCHR | 0o666) << 16)
    assert "links" in refused(422, "all.zip", device)


def test_bombs_are_refused_before_they_are_unpacked(refused, picture, monkeypatch):
    zeros = _zip([("1.png", bytes(20 * 10**6))])
    assert len(zeros) < 30_000
    assert "grows too much" in refused(413, "all.zip", zeros)
    monkeypatch.setattr(zips, "MAX_UNPACKED", 5000)
    many = _zip([(f"{n}.png", picture(n)) for n in range(5)])
    assert "GB" in refused(413, "all.zip", many)
    monkeypatch.setattr(uploads, "MAX_FILES", 4)
    assert "more than 4 files" in refused(413, "all.zip", many)


def test_many_small_files_are_a_bomb_too(refused):
    zeros = _zip([(f"{n}.png", bytes(900_000)) for n in range(30)])
    assert "grows too much" in refused(413, "all.zip", zeros)


def test_an_entry_before_the_start_of_the_file_is_broken(upload, project, picture):
    """Its place is said by the directory, which may say anything."""
    data = bytearray(_zip([("1.png", picture(1)), ("2.png", picture(2))]))
    at = data.rindex(b"PK\x01\x02") + 42
    data[at : at + 4] = b"\xff\xff\xff\x7f"
    answer = upload(project, "all.zip", bytes(data))
    assert answer.status_code in (200, 422), answer.text
    moved = _zip([("1.png", picture(1))])
    end = bytearray(moved)
    place = end.rindex(b"PK\x05\x06") + 16
    start = int.from_bytes(end[place : place + 4], "little")
    end[place : place + 4] = (start + 5000).to_bytes(4, "little")  # so that entries lie before 0
    assert upload(project, "all.zip", bytes(end)).status_code in (200, 422)


@pytest.mark.parametrize("kind", ["ZIP_STORED", "ZIP_DEFLATED", "ZIP_BZIP2", "ZIP_LZMA"])
def test_whatever_is_changed_in_a_zip_there_is_an_answer(tmp_path, kind):
    """zipfile and the modules that unpack raise errors of many classes."""
    rng = random.Random(kind)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", getattr(zipfile, kind)) as archive:
        for n in range(3):
            archive.writestr(f"{n}é.png", rng.randbytes(200))
    for _ in range(120):
        data = bytearray(packed.getvalue())
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        (tmp_path / "all.zip").write_bytes(data)
        with (
            contextlib.suppress(AzulejarError),
            zips.extract_zip(tmp_path / "all.zip", tmp_path / "all", 10, 10**6) as (files, passed),
        ):
            assert len(files) + len(passed) <= 3
        assert not (tmp_path / "all").exists()


def test_copies_within_a_zip_are_passed_over(upload, project, picture):
    upload(project, "1.png", picture(1))
    packed = _zip([("3.png", picture(3)), ("4.png", picture(3)), ("5.png", picture(1))])
    answer = upload(project, "all.zip", packed).json()
    assert answer["taken"] == ["3.png"]
    assert [each["values"] for each in answer["passed_over"]] == [
        {"name": "4.png", "other": "3.png"},
        {"name": "5.png", "other": "1.png"},
    ]


def test_a_zip_of_5000_files_is_sorted_out_quickly(client, upload, project):
    """No step is quadratic in the files: only the pictures themselves take time."""
    packed = _zip([(f"{n}.png", b"broken") for n in range(5000)])
    started = time.process_time()
    answer = upload(project, "all.zip", packed).json()
    assert (answer["taken"], len(answer["passed_over"])) == ([], 5000)
    assert time.process_time() - started < 15


def test_a_zip_that_lies_about_its_sizes_is_not_believed(upload, project, picture):
    data = bytearray(_zip([("1.png", bytes(np.arange(3000, dtype=np.uint16)))]))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = (10).to_bytes(4, "little")
    answer = upload(project, "all.zip", bytes(data))
    assert answer.status_code == 200
    assert "broken within the zip" in answer.json()["passed_over"][0]["problem"]


def test_zips_that_cannot_be_read_are_refused(refused, picture):
    good = _zip([("1.png", picture(1))])
    assert "no zip" in refused(422, "all.zip", b"PK\x03\x04 nonsense")
    assert "no zip" in refused(422, "all.zip", good[:-30])
    assert "password" in refused(422, "all.zip", _encrypted(good))
    assert "no pictures" in refused(422, "all.zip", _zip([("a.txt", b"x")]))
    assert "no pictures" in refused(422, "all.zip", _zip([]))


def _encrypted(packed):
    data = bytearray(packed)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)
