"""Damage of any stored file is noticed; a collection without checksums gets them."""

import sqlite3
from pathlib import Path

import pytest
from collection_fakes import make_older

from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity, find_damage
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.stages import report_collection, sort_collection
from azulejar.version import __version__


@pytest.fixture
def museum(add, crate, collection):
    """Five tiles in two crates, the second added later."""
    add(collection, crate("1", "a", "b", "c"))
    add(collection, crate("2", "d", "e"))
    return collection


def zeroed(path):
    path.write_bytes(bytes(path.stat().st_size))


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def substitute(path, old, new):
    """Change some bytes in table and index alike, which SQLite itself cannot notice."""
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new))


def test_an_intact_one(museum):
    told = []
    damage = find_damage(museum, told.append)
    assert not damage
    assert damage.unchecked == 0
    assert told[-1] == 1.0
    assert told == sorted(told)
    check_integrity(museum)


def test_an_empty_one(collection):
    assert not find_damage(collection)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize(
    ("harm", "tiles"),
    [(zeroed, [0, 1, 2, 3, 4]), (cut, [2, 3, 4]), (flipped, [2]), (Path.unlink, [0, 1, 2, 3, 4])],
)
def test_a_damaged_array(museum, name, harm, tiles):
    file = LAYOUTS[name].file
    harm(museum.folder / file)
    damage = find_damage(museum)
    assert damage.tiles == {name: tiles}
    assert damage.repairable
    with pytest.raises(AzulejarError, match=rf"is damaged: {file} \({len(tiles)} of 5 tiles\)"):
        check_integrity(museum)


@pytest.mark.parametrize(
    "use", [open_edge_table, report_collection, lambda museum: sort_collection(museum, None)]
)
def test_nothing_is_made_of_a_damaged_one(museum, use, monkeypatch):
    monkeypatch.setattr("azulejar.outputs.collection.stages.require_sort", lambda museum: None)
    flipped(museum.folder / "pixels.bin")
    with pytest.raises(AzulejarError, match=r"is damaged: pixels\.bin"):
        use(museum)


def test_a_row_whose_name_is_lost(museum):
    museum.database.put_meta("statements", "{}")
    museum.close()
    with sqlite3.connect(museum.folder / "collection.db") as raw:
        raw.execute("UPDATE meta SET key = NULL WHERE key = 'statements'")
    raw.close()
    with Collection.open(museum.folder) as damaged:
        assert "a row was altered that has lost its name" in find_damage(damaged).database


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"1/b.png", b"1/c.png"), (b"testmodel", b"bestmodel"), (b"in the crate", b"in the trace")],
)
def test_flipped_bytes_of_the_database(add, crate, collection, old, new):
    folder = crate("1", "a", "b")
    (folder / "tiles.csv").write_text("file,note\na,in the crate\n")
    add(collection, folder)
    collection.database.put_meta("statements", '{"testmodel": 1}')
    collection.close()
    substitute(collection.folder / "collection.db", old, new)
    with Collection.open(collection.folder) as damaged:
        damage = find_damage(damaged)
        assert "was altered" in damage.database[0]
        assert not damage.repairable
        with pytest.raises(AzulejarError, match="Restore a backup"):
            check_integrity(damaged)


@pytest.mark.parametrize("column", ["stamp", "sha256", "record", "added"])
def test_a_text_that_became_a_blob_of_the_same_bytes(museum, column):
    with museum.database.changing() as db:
        db.execute(f"UPDATE tiles SET {column} = CAST({column} AS BLOB) WHERE number = 1")
    assert find_damage(museum).database == ["the row of b was altered"]


def test_a_damaged_index_is_told_apart(museum):
    museum.close()
    path = museum.folder / "collection.db"
    with sqlite3.connect(path) as db:
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tiles_by_crate'")
        page = root.fetchone()[0] - 1
    data = bytearray(path.read_bytes())
    at = data.rindex(b"2", 4096 * page, 4096 * (page + 1))
    data[at : at + 1] = b"3"
    path.write_bytes(data)
    with Collection.open(museum.folder) as damaged:
        damage = find_damage(damaged)
        assert damage.repairable
        assert "index" in str(damage)
        with pytest.raises(AzulejarError, match="Repair the collection"):
            check_integrity(damaged)


def test_what_is_intact_is_read_once(museum, monkeypatch):
    check_integrity(museum)
    monkeypatch.setattr("azulejar.collection.storage.integrity.find_damage", None)
    check_integrity(museum)
    museum.refresh()
    with pytest.raises(TypeError):
        check_integrity(museum)


def test_format_1_is_read_and_has_no_checksums(museum):
    before = museum.entries()
    museum.close()
    make_older(museum.folder)
    with Collection.open(museum.folder) as older:
        assert older.entries() == before
        assert find_damage(older).unchecked == 5
        check_integrity(older)
        assert not older.database.has_checksums  # readers change nothing
        cut(older.folder / "scales.bin")
        assert find_damage(older).tiles == {"scales": [2, 3, 4]}


def test_format_1_gets_checksums_with_the_next_tiles(add, crate, museum):
    museum.close()
    make_older(museum.folder)
    with Collection.open(museum.folder) as older:
        add(older, crate("3", "f"))
        damage = find_damage(older)
        assert not damage
        assert damage.unchecked == 0
        flipped(older.folder / "pixels.bin")
        assert find_damage(older).tiles == {"pixels": [3]}


def test_format_1_becomes_2_with_whatever_is_written(museum):
    museum.close()
    make_older(museum.folder)
    with Collection.open(museum.folder) as older, Collection.open(museum.folder) as other:
        other.database.put_meta("sizes", "{}")
        assert not older.database.meta("former")  # another process was quicker
        assert older.database.has_checksums
        older.database.put_meta("sizes", "{}")
        assert find_damage(older).unchecked == 5
    with Collection.open(museum.folder) as again:
        assert again.database.meta("format") == "azulejar-collection/2"
        assert again.database.meta("version") == __version__
        assert not find_damage(again)
