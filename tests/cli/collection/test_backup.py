"""``azulejar collection backup``, ``restore`` and ``repair``, as a person types them."""

import re

import pytest
from collection_fakes import make_older

from azulejar.collection.engines.local import LocalEngine
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import find_damage


@pytest.fixture
def in_this_process(monkeypatch):
    """No worker processes: the few tiles are described here."""
    monkeypatch.setattr(LocalEngine, "map", lambda self, task, blocks: (
        (number, task((), block)) for number, block in enumerate(blocks)))  # fmt: skip


def test_a_backup_comes_back(azulejar, museum):
    told = azulejar("collection", "backup", "museum", "-o", "museum.zip")
    assert re.fullmatch(r"Backup: museum\.zip \(20 tiles, \d+\.\d kB\)\n", told)
    told = azulejar("collection", "restore", "museum.zip", "again")
    assert told.splitlines() == [
        "again has 20 tiles in 2 crates.",
        "Are their pictures there? azulejar collection status again --check",
    ]
    assert azulejar("collection", "status", "again", "--check").endswith(
        "Pictures: all are where they were.\n"
    )


def test_without_a_name_it_has_the_date(azulejar, museum):
    told = azulejar("collection", "backup", "museum")
    assert re.match(r"Backup: museum-\d{4}-\d\d-\d\d\.zip", told)


def test_a_damaged_array_is_rebuilt(azulejar, refused, museum, in_this_process):
    (museum / "descriptions.bin").write_bytes(b"")
    refusal = refused("collection", "find", "museum", "A01")
    assert "museum is damaged: descriptions.bin (20 of 20 tiles)" in refusal
    assert "azulejar collection repair museum" in refusal
    assert azulejar("collection", "repair", "museum") == "20 damaged tiles rebuilt.\n"
    with Collection.open(museum) as collection:
        assert not find_damage(collection)


def test_an_older_collection_gets_checksums(azulejar, museum):
    make_older(museum)
    told = azulejar("collection", "repair", "museum").splitlines()
    assert told == ["Checksums added for 20 tiles of an older version.", "0 damaged tiles rebuilt."]
    assert azulejar("collection", "repair", "museum") == "0 damaged tiles rebuilt.\n"


def test_what_cannot_be_rebuilt_is_named(azulejar, museum, in_this_process):
    (museum / "pixels.bin").unlink()
    for path in (museum.parent / "crates" / "K0").iterdir():
        path.unlink()
    told = azulejar("collection", "repair", "museum").splitlines()
    assert told[0] == "10 damaged tiles rebuilt."
    assert told[1].startswith("10 tiles could not be rebuilt, as the photographs are gone.")
    assert told[2] == f"  A00 (crate K0): {museum.parent / 'crates' / 'K0' / 'A00.png'}"
