"""A backup is the collection as it was at one moment, and comes back whole or not at all."""

import json
import shutil
import sqlite3
import threading
import zipfile
from contextlib import closing

import numpy as np
import pytest

from azulejar.collection.storage import backup
from azulejar.collection.storage.backup import backup_collection, restore_collection
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import find_damage
from azulejar.collection.storage.lock import locked
from azulejar.errors import AzulejarError


@pytest.fixture
def museum(add, crate, collection):
    """Five tiles, and what a sort, a search and a solve leave."""
    add(collection, crate("1", *"abcde"))
    for name in ("groups/groups.json", "panels/panel_0001/solution.json", "panels/lock",
                 "search/joints.npz", "search/shelf/keys.npy", "report.html"):  # fmt: skip
        path = collection.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}")
    return collection


def assert_same(one, other):
    assert one.inventories() == other.inventories()
    for name in ("pixels", "descriptions", "scales"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_there_and_back(museum, tmp_path):
    museum.database.put_meta("sizes", '{"1": [2, 3]}')
    told = []
    path = backup_collection(museum, tmp_path / "museum.zip", on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    back = []
    with restore_collection(path, tmp_path / "other" / "again", on_progress=back.append) as again:
        assert_same(museum, again)
        assert back[-1] == 1.0
        assert again.database.meta("sizes") == '{"1": [2, 3]}'
        assert not find_damage(again)
        assert (again.folder / "groups/groups.json").read_text() == "this is groups/groups.json"
        assert (again.folder / "report.html").exists()
        assert (again.folder / "search/joints.npz").exists()
        assert not (again.folder / "search/shelf").exists()  # is made again
        assert not (again.folder / "panels/lock").exists()
        # The pictures are found where they were, though the folder is another.
        assert [entry.path for entry in again.entries()] == [e.path for e in museum.entries()]
        assert again.database._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_pictures_that_moved_with_the_collection_are_found_there(museum, tmp_path):
    path = backup_collection(museum, tmp_path / "museum.zip")
    shutil.copytree(tmp_path / "1", tmp_path / "usb" / "1")
    with restore_collection(path, tmp_path / "usb" / "museum") as again:
        assert again.entry("a").path == tmp_path / "usb" / "1" / "a.png"


def test_nothing_is_left_in_the_collection(museum, tmp_path):
    backup_collection(museum, tmp_path / "museum.zip")
    assert [path.name for path in (museum.folder / ".backup").iterdir()] == ["lock"]
    assert not list(tmp_path.glob(".museum.zip*"))


def test_others_may_add_meanwhile(museum, add, crate, tmp_path, monkeypatch):
    """Tiles that come in after the database was copied are not in the backup, nor half in it."""
    copy_to = type(museum.database).copy_to

    def copy_and_add(database, path):
        copy_to(database, path)
        with Collection.open(museum.folder) as other:
            add(other, crate("2", "f", "g"))

    before = museum.inventories()
    monkeypatch.setattr(type(museum.database), "copy_to", copy_and_add)
    path = backup_collection(museum, tmp_path / "museum.zip")
    with restore_collection(path, tmp_path / "again") as again:
        assert again.inventories() == before
        assert not find_damage(again)
        assert (again.folder / "pixels.bin").stat().st_size == 5 * 7500


def test_backups_while_another_thread_adds(collection, add, crate, tmp_path):
    crates = [crate(str(i), *(f"{i}-{j}" for j in range(7))) for i in range(12)]

    def add_all():
        for folder in crates:
            with Collection.open(collection.folder) as other:
                add(other, folder)

    thread = threading.Thread(target=add_all)
    thread.start()
    number = 0
    while thread.is_alive():
        number += 1
        path = backup_collection(collection, tmp_path / f"{number}.zip")
        with restore_collection(path, tmp_path / f"again {number}") as again:
            assert not find_damage(again)
    thread.join()
    collection.refresh()
    assert len(collection) == 84


def test_a_folder_that_is_replaced_meanwhile_is_taken_whole(museum, tmp_path, monkeypatch):
    link = backup._link
    replaced = []

    def link_and_replace(source, target):
        link(source, target)
        if source.parent.name == "groups" and not replaced:
            replaced.append(source)
            (source.parent / "groups.csv").write_text("new")
            source.with_suffix(".new").write_text("new")
            source.with_suffix(".new").replace(source)

    monkeypatch.setattr(backup, "_link", link_and_replace)
    monkeypatch.setattr(backup, "PAUSE", 0.0)
    path = backup_collection(museum, tmp_path / "museum.zip")
    with zipfile.ZipFile(path) as archive:
        assert archive.read("groups/groups.json") == archive.read("groups/groups.csv") == b"new"


def test_one_that_never_rests_is_told(museum, tmp_path, monkeypatch):
    turns = iter(range(1000))
    monkeypatch.setattr(backup, "_stamps", lambda folder: {} if folder.name != "groups"
                        else {"groups.json": (next(turns),)})  # fmt: skip
    monkeypatch.setattr(backup, "PAUSE", 0.0)
    with pytest.raises(AzulejarError, match="changed again and again"):
        backup_collection(museum, tmp_path / "museum.zip")
    assert not (tmp_path / "museum.zip").exists()


def test_where_there_are_no_links(museum, tmp_path, monkeypatch):
    def no_links(source, target):
        raise PermissionError

    monkeypatch.setattr("os.link", no_links)
    path = backup_collection(museum, tmp_path / "museum.zip")
    with restore_collection(path, tmp_path / "again") as again:
        assert_same(museum, again)


def test_a_damaged_collection_replaces_no_backup(museum, tmp_path):
    path = backup_collection(museum, tmp_path / "museum.zip")
    good = path.read_bytes()
    (museum.folder / "scales.bin").unlink()
    with pytest.raises(AzulejarError, match=r"museum is damaged: scales.bin \(5 of 5 tiles\)"):
        backup_collection(museum, path, overwrite=True)
    assert path.read_bytes() == good


def test_an_existing_file_is_left(museum, tmp_path):
    (tmp_path / "thesis.zip").write_bytes(b"years of work")
    with pytest.raises(AzulejarError, match="exists already"):
        backup_collection(museum, tmp_path / "thesis.zip")
    assert (tmp_path / "thesis.zip").read_bytes() == b"years of work"


def test_two_at_once(museum, tmp_path):
    (museum.folder / ".backup").mkdir()
    with (
        locked(museum.folder / ".backup", "makes a backup"),
        pytest.raises(AzulejarError, match="another process makes a backup right now"),
    ):
        backup_collection(museum, tmp_path / "museum.zip")


def test_a_folder_with_something_in_it_is_left(museum, tmp_path):
    path = backup_collection(museum, tmp_path / "museum.zip")
    with pytest.raises(AzulejarError, match="There is a collection in"):
        restore_collection(path, museum.folder)
    with pytest.raises(AzulejarError, match="holds other things"):
        restore_collection(path, tmp_path)


@pytest.mark.parametrize("at", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_damaged_backup_restores_nothing(museum, tmp_path, at):
    path = backup_collection(museum, tmp_path / "museum.zip")
    data = bytearray(path.read_bytes())
    data[int(at * len(data))] ^= 1
    path.write_bytes(data)
    with pytest.raises(AzulejarError, match=r"museum.zip (is damaged|cannot be read)"):
        restore_collection(path, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_what_was_altered_and_packed_again_is_not_restored(museum, tmp_path):
    """The zip is sound then, but not what is in it."""
    path = backup_collection(museum, tmp_path / "museum.zip")
    with zipfile.ZipFile(path) as archive:
        files = {name: bytearray(archive.read(name)) for name in archive.namelist()}
    files["pixels.bin"][100] ^= 1
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, bytes(data))
    with pytest.raises(AzulejarError, match="is damaged; nothing was restored"):
        restore_collection(path, tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("content", [b"", b"PK no zip", b"x" * 5000])
def test_another_file_is_no_backup(tmp_path, content):
    (tmp_path / "file.zip").write_bytes(content)
    for path in (tmp_path / "file.zip", tmp_path / "nowhere.zip", tmp_path):
        with pytest.raises(AzulejarError, match="cannot be read as the backup"):
            restore_collection(path, tmp_path / "again")


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"format": "azulejar-collection-backup/2", "version": "9.1"}, r"azulejar 9\.1, which is"),
        ({"format": "stamps/1"}, "cannot be read"),
        ({}, "cannot be read"),
        ([], "cannot be read"),
    ],
)
def test_other_formats_of_a_backup(tmp_path, about, message):
    with zipfile.ZipFile(tmp_path / "museum.zip", "w") as archive:
        archive.writestr("backup.json", json.dumps(about))
    with pytest.raises(AzulejarError, match=message):
        restore_collection(tmp_path / "museum.zip", tmp_path / "again")


def test_a_small_zip_does_not_fill_memory_or_disk(tmp_path, npz_bomb):
    path = tmp_path / "museum.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", json.dumps({"format": "azulejar-collection-backup/1"}))
        archive.writestr("pixels.bin", bytes(1 << 24))
    with npz_bomb.little_memory(), pytest.raises(AzulejarError, match="is damaged; nothing was"):
        restore_collection(path, tmp_path / "again")
    assert not (tmp_path / "again").exists()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", b" " * (1 << 24) + b"{}")
    with npz_bomb.little_memory(), pytest.raises(AzulejarError, match="cannot be read"):
        restore_collection(path, tmp_path / "again")


@pytest.mark.parametrize("name", ["../out.txt", "/tmp/out.txt", "a\\..\\..\\out.txt"])
def test_a_zip_writes_nowhere_else(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "museum.zip", "w") as archive:
        archive.writestr("backup.json", json.dumps({"format": "azulejar-collection-backup/1"}))
        archive.writestr(name, "out")
    with pytest.raises(AzulejarError, match="is damaged"):
        restore_collection(tmp_path / "museum.zip", tmp_path / "home" / "again")
    assert not list(tmp_path.rglob("out.txt"))


def test_what_people_laid_in_the_page_is_kept(add, crate, collection, tmp_path):
    add(collection, crate("1", "a"))
    table = collection.folder / "tables" / "panel_0001"
    (table / "tiles").mkdir(parents=True)
    (table / "tiles" / "a.png").write_bytes(b"a link to the picture")
    (table / "references").mkdir()
    (table / "references" / "1930.jpg").write_bytes(b"an old picture")
    with closing(sqlite3.connect(table / "project.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE board (laid TEXT)")
        db.execute("INSERT INTO board VALUES ('by hand')")
        db.commit()  # into the log, which is not yet in the file
        backup_collection(collection, tmp_path / "kept.zip")
    with restore_collection(tmp_path / "kept.zip", tmp_path / "restored") as restored:
        there = restored.folder / "tables" / "panel_0001"
        kept = sorted(path.relative_to(there).as_posix() for path in there.rglob("*.*"))
        assert kept == ["project.db", "references/1930.jpg"]
        with closing(sqlite3.connect(there / "project.db")) as db:
            assert db.execute("SELECT laid FROM board").fetchall() == [("by hand",)]


def test_a_collection_within_the_collection_is_no_other_process(museum, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "PAUSE", 0)
    inner = museum.folder / "before"
    restore_collection(backup_collection(museum, tmp_path / "one.zip"), inner).close()
    path = backup_collection(museum, tmp_path / "two.zip")
    with (
        restore_collection(path, tmp_path / "again") as again,
        closing(sqlite3.connect(again.folder / "before" / "collection.db")) as db,
    ):
        assert db.execute("SELECT count(*) FROM tiles").fetchone() == (5,)
