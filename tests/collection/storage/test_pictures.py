"""Pictures of tiles that are replaced and put back."""

import numpy as np
import pytest
from collection_fakes import describe_bytes

from azulejar.collection.intake import replacing
from azulejar.collection.search.edge_table import open_edge_table, search_key
from azulejar.collection.storage import pictures
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity, find_damage
from azulejar.collection.storage.pictures import (
    exchange_picture,
    recover_exchange,
    replaced_pictures,
    stored_picture,
)
from azulejar.errors import AzulejarError


@pytest.fixture
def museum(collection, add, crate):
    add(collection, crate("K1", "a", "b", "c"))
    return collection


@pytest.fixture
def described_as(museum, tmp_path):
    def describe(content):
        path = tmp_path / "new.png"
        path.write_bytes(content)
        return replacing.describe_picture(museum, path, encode=describe_bytes, model="test")

    return describe


def test_a_picture_is_replaced_with_all_that_is_stored_of_it(
    museum, described_as, described, add, crate
):
    key, old = search_key(museum), stored_picture(museum, "b")
    before = np.array(museum.descriptions)
    new = described_as(b"better")
    assert exchange_picture(museum, "b", old, new)
    museum.refresh()
    check_integrity(museum)
    pixels, descriptions, scales = described(b"better")
    assert (museum.pixels[1] == pixels[0]).all()
    assert (museum.descriptions[4:8] == descriptions).all()
    assert (museum.scales[4:8] == scales).all()
    assert (museum.descriptions[:4] == before[:4]).all()
    assert museum.entry("b").path.read_bytes() == b"better"
    assert replaced_pictures(museum) == {1: new.sha256}
    assert search_key(museum) != key
    # The crate holds the old picture, which is no new tile; what its list says is still read.
    again = crate("K1")
    (again / "tiles.csv").write_text("file,note\nb.png,chipped\n")
    report = add(museum, again)
    assert (report.new, report.known, len(museum)) == (0, 3, 3)
    assert museum.entry("b").record.note == "chipped"
    assert museum.entry("b").sha256 == new.sha256
    # Back to where it was.
    assert not exchange_picture(museum, "b", old, new)
    assert exchange_picture(museum, "b", new, old, undone=True)
    museum.refresh()
    check_integrity(museum)
    assert (museum.descriptions == before).all()
    assert (search_key(museum), replaced_pictures(museum)) == (key, {})
    assert exchange_picture(museum, "b", old, new)
    assert replaced_pictures(museum) == {1: new.sha256}


def test_a_kill_in_the_middle_leaves_the_old_picture(museum, described_as, monkeypatch):
    before = np.array(museum.descriptions)
    new = described_as(b"better")

    def killed(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pictures, "seal_tiles", killed)
        with pytest.raises(KeyboardInterrupt):
            exchange_picture(museum, "b", stored_picture(museum, "b"), new)
    assert find_damage(museum)
    with Collection.open(museum.folder) as again:
        recover_exchange(again)
        check_integrity(again)
        assert (again.descriptions == before).all()
        assert replaced_pictures(again) == {}


def test_the_picture_of_another_tile_is_refused(museum, described_as):
    with pytest.raises(AzulejarError, match="picture of tile a"):
        described_as(b"K1 a")
    with pytest.raises(AzulejarError, match="could not be read"):
        described_as(b"broken")


def test_a_picture_that_another_tile_has_by_now_is_not_put_back(museum, described_as):
    old, new = stored_picture(museum, "b"), described_as(b"better")
    assert exchange_picture(museum, "b", old, new)
    assert exchange_picture(museum, "c", stored_picture(museum, "c"), described_as(b"K1 b"))
    assert not exchange_picture(museum, "b", new, old, undone=True)
    museum.refresh()
    check_integrity(museum)


def test_a_table_of_edges_takes_in_the_new_picture(museum, described_as, monkeypatch):
    monkeypatch.setattr("azulejar.collection.search.edge_table.EXTENDED_FROM", 2)
    monkeypatch.setattr("azulejar.collection.search.edge_table.MOST_ADDED", 1)
    open_edge_table(museum)
    exchange_picture(museum, "b", stored_picture(museum, "b"), described_as(b"better"))
    museum.refresh()
    extended = open_edge_table(museum, extended=True)[0]
    extended = {name: np.array(getattr(extended, name)) for name in ("outer", "mean", "inverse")}
    anew = open_edge_table(museum)[0]
    for name, array in extended.items():
        assert (array == getattr(anew, name)).all(), name
