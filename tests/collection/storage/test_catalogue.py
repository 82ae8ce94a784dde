"""The catalogue: made, opened, asked, and what is wrong with one told in a sentence."""

import sqlite3

import numpy as np
import pytest
from collection_fakes import make_newer

from azulejar.collection.storage import database
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity
from azulejar.collection.storage.overrides import panel_sizes
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.system.transactions import connect


@pytest.fixture
def museum(add, crate, collection):
    """Five tiles in three crates."""
    add(collection, crate("10", "a1", "a2"), crate("2", "b1", "b2"), crate("attic", "c1"))
    return collection


def test_a_new_one_is_empty(collection):
    assert len(collection) == 0
    assert collection.name == "museum"
    assert collection.entries() == []
    assert collection.crates() == {}
    assert collection.model is None
    assert collection.pixels.shape == (0, 50, 50, 3)
    assert collection.descriptions.shape == (0, 2, 1600)
    assert collection.scales.shape == (0, 2)


def test_it_is_opened_with_all_it_had(museum):
    with Collection.open(museum.folder) as again:
        assert again.entries() == museum.entries()
        assert np.array_equal(again.descriptions, museum.descriptions)
        assert again.descriptions.shape == (20, 2, 1600)


def test_what_is_stored_cannot_be_written_by_mistake(museum):
    assert isinstance(museum.pixels, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        museum.pixels[0] = 0


def test_some_entries_in_the_order_given(museum):
    found = museum.entries([3, 0, 3])
    assert [entry.inventory for entry in found] == ["b2", "a1", "b2"]
    assert museum.entries([]) == []
    assert museum.entries(np.array([4])) == museum.entries()[4:]


def test_many_entries(museum):
    asked = [0, 4] * 600
    assert [entry.number for entry in museum.entries(asked)] == asked


def test_crates_in_natural_order(museum):
    assert list(museum.crates().items()) == [("2", 2), ("10", 2), ("attic", 1)]


def test_a_tile_by_its_number(add, crate, collection):
    add(collection, crate("1", "MNAz-0412", "MNAz-0413", "C-7"))
    assert collection.entry("MNAz-0412").number == 1
    with pytest.raises(AzulejarError, match=r"no tile MNAz-412\. Did you mean MNAz-0412 or MNAz"):
        collection.entry("MNAz-412")
    with pytest.raises(AzulejarError, match="Check its inventory number"):
        collection.entry("quite another")


def test_tiles_go_by_their_inventory_numbers(add, crate, collection):
    folder = crate("1", "a", "b")
    (folder / "tiles.csv").write_text("file,inventory,code\nb,MNAz 12.4,XII\n")
    add(collection, folder)
    tiles = collection.tiles([1, 0])
    assert tiles.files == tiles.numbers == ("MNAz 12.4", "a")
    assert tiles.records[0].code == "XII"
    assert np.array_equal(tiles.pixels, collection.pixels[[1, 0]])
    tiles.pixels[0] = 0  # a copy of its own


def test_statements_stay(collection):
    assert collection.statements == KnownsFile()
    said = KnownsFile(together=[["a", "b"]], apart=[{"tile": "a", "other": "ç"}])
    collection.save_statements(said)
    with Collection.open(collection.folder) as again:
        assert again.statements == said
        again.save_statements(KnownsFile(rows=3))
    assert collection.statements == KnownsFile(rows=3)


def test_readers_keep_what_they_saw_while_one_adds(add, crate, museum):
    with Collection.open(museum.folder) as reader:
        seen = np.array(reader.pixels)
        add(museum, crate("9", "z"))
        assert (len(museum), len(reader)) == (6, 5)
        assert np.array_equal(reader.pixels, seen)
        assert len(reader.entries()) == len(reader.inventories()) == 5
        assert "9" not in reader.crates()
        with pytest.raises(AzulejarError, match="no tile z"):
            reader.entry("z")
        reader.refresh()
        assert reader.entry("z").number == 5
        assert np.array_equal(reader.pixels[:5], seen)


def test_there_is_none(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(AzulejarError, match="There is no collection in"):
            Collection.open(folder)


def test_one_that_is_there_is_not_replaced(museum):
    with pytest.raises(AzulejarError, match=r"There is a collection in .* already"):
        Collection.create(museum.folder)
    assert len(Collection.open(museum.folder)) == 5


def test_other_folders_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    for place in (tmp_path, tmp_path / "thesis.tex"):
        with pytest.raises(AzulejarError, match="holds other things"):
            Collection.create(place)
    with pytest.raises(AzulejarError, match="Choose another place"):
        Collection.create(tmp_path / "thesis.tex" / "inside")
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_empty_folder_is_taken(tmp_path):
    assert len(Collection.create(tmp_path)) == 0


def test_a_newer_format_is_refused(museum):
    make_newer(museum.folder)
    with pytest.raises(AzulejarError, match=r"written by azulejar 9\.1, which is newer") as refusal:
        Collection.open(museum.folder)
    assert refusal.value.remedy.startswith("Install azulejar 9.1 or a later one")


def test_a_newer_format_is_refused_where_it_is_open_already(museum):
    make_newer(museum.folder)
    statements = KnownsFile(apart=[])
    for use in (
        museum.refresh,
        museum.entries,
        museum.database.find_damage,
        lambda: check_integrity(museum),
        lambda: museum.save_statements(statements),
    ):
        with pytest.raises(AzulejarError, match="restart the server") as refusal:
            use()
        assert refusal.value.code == "collection-format-newer"


@pytest.mark.parametrize("found", ["azulejar-collection/0", "azulejar-collection/two", "stamps/1"])
def test_a_format_that_never_was_is_no_newer_one(museum, found):
    museum.database.put_meta("format", found)
    with pytest.raises(AzulejarError, match=f"has the format '{found}'") as refusal:
        Collection.open(museum.folder)
    assert "nstall" not in refusal.value.remedy


def test_a_damaged_database_is_told(museum):
    museum.close()
    path = museum.folder / "collection.db"
    sound = path.read_bytes()
    for damaged in (b"no database at all " * 500, sound[:100] + b"x" * 9000, b""):
        path.write_bytes(damaged)
        with pytest.raises(AzulejarError, match=r"is damaged|could not be read"):
            Collection.open(museum.folder)
    path.write_bytes(sound)
    assert len(Collection.open(museum.folder)) == 5


def test_a_damaged_table_is_told_when_it_is_read(add, crate, collection):
    add(collection, crate("1", *(f"tile {i}" for i in range(300))))
    collection.close()
    path = collection.folder / "collection.db"
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):
        data[4096 * page : 4096 * page + 4000] = b"\xff" * 4000
    path.write_bytes(data)
    with pytest.raises(AzulejarError, match="is damaged"):
        Collection.open(collection.folder).entries()


def test_a_database_of_another_program_is_told(tmp_path):
    connection = sqlite3.connect(tmp_path / "collection.db")
    connection.execute("CREATE TABLE stamps (name TEXT)")
    connection.close()
    with pytest.raises(AzulejarError, match="is damaged: no such table"):
        Collection.open(tmp_path)


def test_arrays_without_a_database_are_no_new_folder(museum):
    museum.close()
    (museum.folder / "collection.db").unlink()
    with pytest.raises(AzulejarError, match="is damaged: the file is missing"):
        Collection.open(museum.folder)


@pytest.mark.parametrize(
    "column, altered", [("record", "the row of a2"), ("path", "the path of a picture")]
)
def test_a_row_that_cannot_be_read_is_told(museum, column, altered):
    with museum.database.changing() as db:
        db.execute(f"UPDATE tiles SET {column} = ? WHERE number = 1", (b"\xff{",))
    with pytest.raises(AzulejarError, match=f"is damaged: {altered} was altered"):
        museum.entries()


def test_statements_that_cannot_be_read_are_told(museum):
    for key, read in (
        ("statements", lambda: museum.statements),
        ("sizes", lambda: panel_sizes(museum)),
    ):
        museum.database.put_meta(key, "[1, 2")
        with pytest.raises(AzulejarError, match="is damaged"):
            read()


def test_a_full_disk_leaves_no_half_collection(tmp_path, monkeypatch):
    def full(path):
        connection = connect(path)
        connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(database, "connect", full)
    with pytest.raises(AzulejarError, match=r"museum.* could not be .*disk is full") as refusal:
        Collection.create(tmp_path / "museum")
    assert refusal.value.code == "collection-not-created"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["pixels", "descriptions", "scales"])
def test_an_array_that_is_too_short_is_told(add, crate, museum, name):
    path = museum.folder / f"{name}.bin"
    path.write_bytes(path.read_bytes()[:-1])
    with Collection.open(museum.folder) as damaged:
        with pytest.raises(AzulejarError, match=f"{name}.bin is damaged: it holds 4 of 5 tiles"):
            getattr(damaged, name)
        with pytest.raises(AzulejarError, match="is damaged"):
            add(damaged, crate("9", "z"))
        path.unlink()
        with pytest.raises(AzulejarError, match="it holds 0 of 5 tiles"):
            getattr(damaged, name)
