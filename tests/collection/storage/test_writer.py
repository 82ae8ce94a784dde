"""What goes wrong while tiles are written: nothing that was kept before is lost."""

import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import collection_fakes
import numpy as np
import pytest

from azulejar.collection.intake import adding
from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.storage import arrays, writer
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError

ARRAYS = ("pixels.bin", "descriptions.bin", "scales.bin")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(adding, "BLOCK", 3)


@contextmanager
def no_file_larger_than(limit):
    """A disk that is full, as far as one file can tell."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def sizes(collection):
    return [(collection.folder / name).stat().st_size for name in ARRAYS]


def assert_same(collection, other):
    assert collection.inventories() == other.inventories()
    for name in ARRAYS:
        assert (collection.folder / name).read_bytes() == (other.folder / name).read_bytes()


@pytest.fixture
def whole(add, crate, tmp_path):
    """A collection of ten tiles of crate 1 that was added without any trouble."""
    with Collection.create(tmp_path / "whole") as collection:
        add(collection, crate("1", *map(str, range(10))))
        yield collection


@pytest.mark.parametrize("limit", [0, 100, 5000, 20_000, 40_000, 60_000, 90_000, 120_000])
def test_a_full_disk_is_told_and_loses_nothing(add, crate, collection, whole, limit):
    add(collection, crate("0", "first"))
    with no_file_larger_than(limit), pytest.raises(AzulejarError) as refusal:
        add(collection, crate("1"))
    assert "ould not" in refusal.value.problem
    assert "pace" in refusal.value.remedy or "room" in refusal.value.remedy
    assert collection.inventories()[0] == "first"
    with Collection.open(collection.folder) as again:
        assert again.inventories() == collection.inventories()
        assert len(again.descriptions) == 4 * len(again)
        added = add(again, crate("1"))
        assert added == IntakeReport(new=11 - len(collection), known=len(collection) - 1)
        assert again.inventories()[1:] == whole.inventories()
        assert np.array_equal(again.descriptions[4:], whole.descriptions)


def test_arrays_get_their_old_length_back(add, crate, collection):
    add(collection, crate("0", "first"))
    collection.close()  # which empties the log, so that it has room
    before = sizes(collection)
    # So have the pixels of four tiles, but not their descriptions.
    with (
        Collection.open(collection.folder) as again,
        no_file_larger_than(45_000),
        pytest.raises(AzulejarError, match=r"File too large\. What was added before is kept"),
    ):
        add(again, crate("1", *"abc"))
    assert sizes(collection) == before


def test_a_full_database_is_told_and_loses_nothing(add, crate, collection, whole):
    with collection.database.reading() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    collection.database._connection.execute(f"PRAGMA max_page_count = {pages}")
    many = crate("2", *(f"tile of a long name {i}" for i in range(60)))
    with pytest.raises(AzulejarError, match=r"disk is full.*What was added before is kept"):
        add(collection, many)
    kept = len(collection)
    assert kept < 60
    with Collection.open(collection.folder) as again:
        assert len(again) == kept
        assert add(again, many) == IntakeReport(new=60 - kept, known=kept)
        assert sizes(again) == [60 * size // 10 for size in sizes(whole)]


def test_what_a_stopped_run_left_in_the_arrays_is_cut_off(add, crate, collection, whole):
    for name in ARRAYS:
        with (collection.folder / name).open("ab") as file:
            file.write(b"half of a tile")
    with Collection.open(collection.folder) as reader:
        assert len(reader.pixels) == 0
        assert (collection.folder / "pixels.bin").stat().st_size == 14  # readers change nothing
    add(collection, crate("1"))
    assert_same(collection, whole)


def test_arrays_without_their_tiles_do_not_count(add, crate, collection, whole, monkeypatch):
    """Stopped between arrays and database, at the first, third and fifth block."""
    calls = []

    def stopped(*arguments):
        arrays.append_arrays(*arguments)
        calls.append(1)
        if len(calls) % 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(writer, "append_arrays", stopped)
    for kept in (0, 3, 6):
        with pytest.raises(KeyboardInterrupt):
            add(collection, crate("1"))
        assert len(collection) == kept
    monkeypatch.setattr(writer, "append_arrays", arrays.append_arrays)
    add(collection, crate("1"))
    assert_same(collection, whole)


def test_an_error_of_the_database_is_no_half_block(add, crate, collection, whole):
    """One tile of a block cannot be entered: none of them is."""
    add(collection, crate("0", "first"))
    connection = sqlite3.connect(collection.folder / "collection.db")
    connection.execute(
        "CREATE TRIGGER no BEFORE INSERT ON tiles WHEN new.inventory = '5' "
        "BEGIN SELECT raise(ABORT, 'no fives'); END"
    )
    connection.commit()
    with pytest.raises(AzulejarError, match="no fives"):
        add(collection, crate("1"))
    assert collection.inventories() == ["first", "0", "1", "2"]
    connection.execute("DROP TRIGGER no")
    connection.commit()
    connection.close()
    add(collection, crate("1"))
    assert collection.inventories()[1:] == whole.inventories()
    assert np.array_equal(collection.pixels[1:], whole.pixels)


ADDS = """
import sys, time
from pathlib import Path
from collection_fakes import InTurn, describe_bytes
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError

waited = 0
while True:
    try:
        add_tiles(Collection.open(Path("museum")), [Path(sys.argv[1])], engine=InTurn(),
                  encode=describe_bytes, model="test")
        break
    except AzulejarError as error:
        assert "another process" in str(error), error
        waited += 1
        time.sleep(0.05)
print(waited)
"""


def test_processes_that_add_at_once_take_turns(crate, collection, tmp_path):
    """Three at a time; each tries again until the others have ended."""
    environment = os.environ | {"PYTHONPATH": str(Path(collection_fakes.__file__).parent)}
    for name in "abc":
        crate(name, *(f"{name}{i}" for i in range(60)))
    running = [
        subprocess.Popen([sys.executable, "-c", ADDS, name], cwd=tmp_path, env=environment,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name in "abc"
    ]  # fmt: skip
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], ended
    collection.refresh()
    assert collection.crates() == {"a": 60, "b": 60, "c": 60}
    assert sizes(collection)[0] == 180 * 7500
