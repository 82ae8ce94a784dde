"""Which folders and pictures are meant by what was given."""

import os

import pytest
from PIL import Image

from azulejar.collection.intake.crates import find_crates, find_half_tiles
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError


def names(crates):
    return [(crate.folder.name, crate.files) for crate in crates]


def test_a_folder_of_pictures_is_a_crate(crate):
    assert names(find_crates([crate("1", "a10", "a9")])) == [("1", ("a9.png", "a10.png"))]


def test_a_folder_of_crates(crate, tmp_path):
    for name in ("all/10", "all/9", "all/room/1"):
        crate(name, "a")
    (tmp_path / "all" / "empty").mkdir()
    (tmp_path / "all" / "notes.txt").touch()
    found = find_crates([tmp_path / "all"])
    assert [each.folder.name for each in found] == ["9", "10", "1"]


def test_folders_beside_tiles_are_none(crate):
    """The review of an import, for example."""
    folder = crate("1", "a")
    crate("1/review", "b")
    assert names(find_crates([folder])) == [("1", ("a.png",))]


def test_pictures_by_their_own_names(crate):
    one, other = crate("1", "a", "b", "c"), crate("2", "d")
    (one / "tiles.csv").write_text("file,code\nb,XII\nnone,I\n")
    found = find_crates([one / "b.png", other / "d.png", one / "a.png"])
    assert names(found) == [("1", ("a.png", "b.png")), ("2", ("d.png",))]
    assert [record.code for record in found[0].records] == [None, "XII"]


def test_each_once(crate, tmp_path, monkeypatch):
    folder = crate("all/1", "a", "b")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(folder)
    given = [folder / "a.png", tmp_path / "all", folder, tmp_path / "link", folder / "b.png"]
    assert names(find_crates(given)) == [("1", ("a.png", "b.png"))]
    assert names(find_crates([type(folder)("all")])) == [("1", ("a.png", "b.png"))]


def test_links_that_lead_in_circles(crate, tmp_path):
    crate("all/1", "a")
    (tmp_path / "all" / "again").symlink_to(tmp_path / "all")
    assert names(find_crates([tmp_path / "all"])) == [("1", ("a.png",))]


def test_a_collection_s_own_pictures_are_none(crate, tmp_path):
    crate("all/1", "a")
    Collection.create(tmp_path / "all" / "museum").close()
    crate("all/museum/panels/3", "panel")
    assert names(find_crates([tmp_path / "all"])) == [("1", ("a.png",))]


def test_what_was_passed_over_is_told(crate):
    folder = crate("1", "a")
    (folder / "notes.txt").touch()
    assert find_crates([folder])[0].notes == ("1: Passed over what is no picture: notes.txt.",)


def test_refusals(crate, tmp_path):
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty" / "inside").mkdir(parents=True)
    (tmp_path / "phone" / "1").mkdir(parents=True)
    (tmp_path / "phone" / "1" / "a.heic").touch()
    for name, problem in {
        "nowhere": "There is no folder",
        "notes.txt": "is not a picture",
        "empty": "has no tile pictures, nor have the folders in it",
        "phone": "a.heic is a HEIC picture",
        "phone/1/a.heic": "a.heic is a HEIC picture",
    }.items():
        with pytest.raises(AzulejarError, match=problem):
            find_crates([crate("1", "a"), tmp_path / name])


def test_half_and_quarter_tiles_are_told_by_pictures_and_list(crate):
    folder = crate("1", "broken")
    for name, size in (("a", (60, 60)), ("b", (60, 30)), ("c", (58, 60)), ("d", (30, 30))):
        Image.new("RGB", size).save(folder / f"{name}.png")
    (found,) = find_crates([folder])
    assert find_half_tiles(found) == {"b.png", "d.png"}
    whole = found.without({"b.png", "d.png"})
    assert whole.files == ("a.png", "broken.png", "c.png")
    assert find_half_tiles(whole) == set()
    (folder / "tiles.csv").write_text("file,half\nc,width\n")
    (listed,) = find_crates([folder])
    assert "c.png" in find_half_tiles(listed)
    assert listed.without({"a.png"}).records[2].half == "width"


def test_folders_whose_names_are_no_text(crate, tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    crate("1", "a").rename(folder)
    with pytest.raises(AzulejarError, match="is not UTF-8"):
        find_crates([folder])
