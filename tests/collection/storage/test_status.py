"""Size, who is at work, and pictures that are no longer in place."""

import os
import shutil

import pytest

from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.status import check_pictures, find_holders, size_on_disk
from azulejar.errors import AzulejarError


def test_pictures_that_vanished_or_were_changed(add, crate, collection):
    folder = crate("1", "a", "b", "c", "d")
    add(collection, folder)
    told = []
    found = check_pictures(collection, told.append)
    assert (found.vanished, found.changed) == ([], [])
    assert told == [0.25, 0.5, 0.75, 1.0]
    (folder / "a.png").unlink()
    (folder / "b.png").write_bytes(b"another")
    os.utime(folder / "c.png", (1, 1))  # the same picture, copied
    found = check_pictures(collection)
    assert [entry.inventory for entry in found.vanished] == ["a"]
    assert [entry.inventory for entry in found.changed] == ["b"]


def test_altered_paths_in_the_catalogue(add, crate, collection):
    add(collection, crate("1", "a", "b"))
    with collection.database.changing() as db:
        db.execute("UPDATE tiles SET path = 'a' || char(0) WHERE inventory = 'a'")
    assert [entry.inventory for entry in check_pictures(collection).vanished] == ["a"]
    with collection.database.changing() as db:
        db.execute("UPDATE tiles SET path = x'00' WHERE inventory = 'b'")
    with pytest.raises(AzulejarError, match="is damaged: the path of a picture was altered"):
        check_pictures(collection)


def test_pictures_that_were_moved_are_there_once_they_are_added_again(
    add, crate, collection, tmp_path
):
    add(collection, crate("1", "a", "b"))
    shutil.move(tmp_path / "1", tmp_path / "2")
    assert len(check_pictures(collection).vanished) == 2
    assert add(collection, tmp_path / "2") == IntakeReport(known=2, updated=2)
    assert check_pictures(collection).vanished == []


def test_a_vanished_picture_keeps_its_tile(add, crate, collection):
    folder = crate("1", "a", "b")
    add(collection, folder)
    (folder / "a.png").unlink()
    assert add(collection, folder) == IntakeReport(known=1)
    assert collection.entry("a").number == 0
    assert len(collection.pixels) == 2


def test_who_is_at_work(collection):
    assert find_holders(collection) == []
    (collection.folder / "panels").mkdir()
    with locked(collection.folder, "adds tiles"), locked(collection.folder / "panels", "solves"):
        assert [holder.what for holder in find_holders(collection)] == ["adds tiles", "solves"]
    assert find_holders(collection) == []


def test_its_size(add, crate, collection):
    before = size_on_disk(collection)
    add(collection, crate("1", "a", "b"))
    assert size_on_disk(collection) >= before + 2 * (7500 + 12800 + 32)
