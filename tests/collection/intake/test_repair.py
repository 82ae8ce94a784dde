"""What is damaged is rebuilt from the photographs, and what cannot be is told."""

import sqlite3

import numpy as np
import pytest

from azulejar.collection.intake.encoding import Encoded
from azulejar.collection.intake.repair import repair_collection
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import find_damage
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_tile


@pytest.fixture
def museum(add, crate, collection):
    add(collection, crate("1", *"abcde"))
    return collection


@pytest.fixture
def repair(in_turn, encode):
    """Repair with made-up descriptions."""

    def run(collection, **options):
        chosen = {"engine": in_turn, "encode": encode, "model": "test"}
        return repair_collection(collection, **chosen | options)

    return run


def stored(museum):
    return {name: (museum.folder / LAYOUTS[name].file).read_bytes() for name in LAYOUTS}


def test_nothing_to_do(museum, repair):
    before = stored(museum)
    report = repair(museum)
    assert (report.rebuilt, report.lost, report.indexes, report.sealed) == (0, [], False, 0)
    assert stored(museum) == before


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_missing_file_is_rebuilt_from_the_photographs(museum, repair, name):
    before = stored(museum)
    (museum.folder / LAYOUTS[name].file).unlink()
    told = []
    report = repair(museum, on_progress=told.append)
    assert (report.rebuilt, report.lost) == (5, [])
    assert told[-1] == 1.0
    assert stored(museum) == before
    assert not find_damage(museum)


def test_zeroed_and_cut_files_are_rebuilt(museum, repair):
    before = stored(museum)
    for name, content in before.items():
        path = museum.folder / LAYOUTS[name].file
        path.write_bytes(content[: len(content) // 2] if name == "scales" else bytes(len(content)))
    assert repair(museum).rebuilt == 5
    assert stored(museum) == before


def test_a_stop_in_the_middle_is_seen_and_finished(museum, repair, monkeypatch):
    before = stored(museum)
    (museum.folder / "pixels.bin").write_bytes(bytes(5 * 7500))
    with monkeypatch.context() as patch:
        patch.setattr("azulejar.collection.intake.repair.seal_tiles", None)
        with pytest.raises(TypeError):
            repair(museum)
    assert repair(museum).rebuilt <= 5
    assert stored(museum) == before
    assert not find_damage(museum)


def test_photographs_that_are_gone_or_changed_are_told(museum, repair, tmp_path):
    (museum.folder / "pixels.bin").unlink()
    (tmp_path / "1" / "b.png").unlink()
    (tmp_path / "1" / "d.png").write_bytes(b"another")
    report = repair(museum)
    assert report.rebuilt == 3
    assert [entry.inventory for entry in report.lost] == ["b", "d"]
    assert find_damage(museum).tiles == {"pixels": [1, 3]}


def test_photographs_that_are_added_again_help_the_next_repair(add, museum, repair, tmp_path):
    before = stored(museum)
    (museum.folder / "descriptions.bin").unlink()
    (museum.folder / "pixels.bin").unlink()
    (tmp_path / "1").rename(tmp_path / "attic")
    assert len(repair(museum).lost) == 5
    add(museum, tmp_path / "attic")
    assert repair(museum).rebuilt == 5
    assert stored(museum) == before


def test_an_intact_small_copy_is_described_where_the_photograph_is_gone(museum, repair, tmp_path):
    seen = []

    def encode(shared, block):
        pixels = np.stack([read_tile(name, 50, content=content) for name, content in block])
        seen.extend(pixels)
        return Encoded(pixels, np.ones((4 * len(block), 2, 1600), np.int8),
                       np.ones((4 * len(block), 2), np.float32))  # fmt: skip

    copies = np.array(museum.pixels)
    (museum.folder / "scales.bin").unlink()
    for name in "abcde":
        (tmp_path / "1" / f"{name}.png").unlink()
    assert repair(museum, encode=encode).rebuilt == 5
    assert np.array_equal(seen, copies)
    assert not find_damage(museum)
    assert np.all(museum.scales == 1)


class TestAnotherNetwork:
    @pytest.fixture
    def by_number(self):
        """Describe each tile by its mean colour, as another network would."""

        def encode(shared, block):
            pixels = np.stack([read_tile(name, 50, content=content) for name, content in block])
            said = np.repeat(pixels.mean((1, 2, 3)).astype(np.int8), 4)
            descriptions = np.broadcast_to(said[:, None, None], (len(said), 2, 1600))
            return Encoded(pixels, descriptions, np.full((len(said), 2), 0.5, np.float32))

        return encode

    def test_all_tiles_are_described_anew_from_their_small_copies(
        self, museum, repair, by_number, tmp_path
    ):
        copies = np.array(museum.pixels)
        (tmp_path / "1").rename(tmp_path / "attic")
        report = repair(museum, model="another", encode=by_number)
        assert (report.described, report.lost) == (5, [])
        assert museum.model == "another"
        said = copies.mean((1, 2, 3)).astype(np.int8)
        np.testing.assert_array_equal(museum.descriptions[::4, 0, 0], said)
        assert (museum.scales == 0.5).all()
        np.testing.assert_array_equal(museum.pixels, copies)
        assert not find_damage(museum)
        assert repair(museum, model="another").described == 0

    def test_half_done_it_is_of_no_use_and_is_done_again(self, museum, repair, by_number):
        def broken(shared, block):
            raise OSError("stopped")

        with pytest.raises(OSError):
            repair(museum, model="another", encode=broken)
        museum.refresh()
        with pytest.raises(AzulejarError, match=r"being described anew.*repair the collection"):
            museum.descriptions.mean()
        assert repair(museum, model="another", encode=by_number).described == 5
        assert (museum.scales == 0.5).all()

    def test_tiles_that_could_not_be_described_keep_it_unfinished(
        self, museum, repair, by_number, tmp_path
    ):
        (museum.folder / "pixels.bin").unlink()
        for file in (tmp_path / "1").iterdir():
            file.unlink()
        assert len(repair(museum, model="another", encode=by_number).lost) == 5
        assert museum.model not in ("test", "another")

    def test_more_tiles_are_refused_until_then(self, museum, add, crate):
        with pytest.raises(AzulejarError, match=r"by another network\. Repair the collection"):
            add(museum, crate("2", "z"), model="another")


def test_indexes_are_made_anew(museum, repair):
    museum.close()
    path = museum.folder / "collection.db"
    with sqlite3.connect(path) as db:
        found = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tiles_by_crate'")
        page = found.fetchone()[0] - 1
    db.close()
    data = bytearray(path.read_bytes())
    at = data.rindex(b"1", 4096 * page, 4096 * (page + 1))
    data[at : at + 1] = b"7"
    path.write_bytes(data)
    with Collection.open(museum.folder) as damaged:
        assert repair(damaged).indexes
        assert not find_damage(damaged)
        assert damaged.crates() == {"1": 5}


def test_an_altered_row_is_not_made_up(museum, repair):
    with museum.database.changing() as db:
        db.execute("UPDATE tiles SET inventory = 'z' WHERE number = 2")
    with pytest.raises(AzulejarError, match=r"the row of z was altered\. Restore a backup"):
        repair(museum)
