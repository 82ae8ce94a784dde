"""Tiles are added once, in order, and whatever is odd about a picture is told."""

import shutil
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from azulejar.collection.intake import adding, deduplicate
from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError


def files_of(collection):
    return {
        name: (collection.folder / name).read_bytes()
        for name in ("pixels.bin", "descriptions.bin", "scales.bin")
    }


def rows_of(collection):
    return [(each.number, each.inventory, each.crate, each.sha256) for each in collection.entries()]


def test_tiles_are_there_with_all_that_is_known(add, crate, collection, described, tmp_path):
    folder = crate("7", "b2", "b10")
    (folder / "tiles.csv").write_text("file,crate,panel,turn\nb10,8,Hunt,90\n")
    added = add(collection, folder)
    assert added == IntakeReport(new=2)
    first, second = collection.entries()
    assert (first.number, first.inventory, first.crate) == (0, "b2", "7")
    assert (second.number, second.inventory, second.crate) == (1, "b10", "8")
    assert (second.record.panel, second.record.turn) == ("Hunt", 1)
    assert first.path == folder / "b2.png"
    for entry in (first, second):
        pixels, descriptions, scales = described(entry.path.read_bytes())
        edges = slice(4 * entry.number, 4 * entry.number + 4)
        assert np.array_equal(collection.pixels[entry.number], pixels[0])
        assert np.array_equal(collection.descriptions[edges], descriptions)
        assert np.array_equal(collection.scales[edges], scales)
    assert collection.model == "test"


def test_what_is_there_already_is_passed_over(add, crate, collection):
    add(collection, crate("1", "a", "b"))
    before = rows_of(collection), files_of(collection)
    assert add(collection, crate("1")) == IntakeReport(known=2)
    assert (rows_of(collection), files_of(collection)) == before
    assert add(collection, crate("1", "c")) == IntakeReport(new=1, known=2)


def test_known_files_are_not_read_again(add, crate, collection, monkeypatch):
    folder = crate("1", "a", "b")
    add(collection, folder)
    monkeypatch.setattr(deduplicate, "sha256", None)
    assert add(collection, folder) == IntakeReport(known=2)


def test_the_crate_given_goes_before_others(add, crate, collection):
    folder = crate("1", "a", "b")
    (folder / "tiles.csv").write_text("file,crate\na,2\n")
    add(collection, folder, crate="attic")
    assert collection.crates() == {"attic": 2}


def test_the_same_picture_twice_is_told(add, crate, collection):
    one = crate("1", a=b"x")
    other = crate("2", b=b"x", c=b"y", d=b"y")
    added = add(collection, one, other)
    assert added.new == 2
    assert added.twice == {other / "b.png": one / "a.png", other / "d.png": other / "c.png"}
    again = add(collection, other)
    assert again.known == 1
    assert again.twice == added.twice


def test_a_number_that_is_taken_gets_the_crate_before_it(add, crate, collection):
    one, other = crate("1", "a"), crate("2", "a")
    added = add(collection, one, other)
    assert added == IntakeReport(new=2, renamed={other / "a.png": "2-a"})
    assert [each.inventory for each in collection.entries()] == ["a", "2-a"]
    assert add(collection, one, other) == IntakeReport(known=2)


def test_a_number_that_is_taken_twice_is_refused(add, crate, collection, tmp_path):
    one = crate("1", "a", "2-a")
    other = crate("2", "a", "b")
    added = add(collection, one, other)
    assert added.new == 3
    assert "other tiles are a and 2-a already" in added.refused[other / "a.png"]
    assert collection.inventories() == ["2-a", "a", "b"]
    assert add(collection, one, other).refused == added.refused


def test_broken_pictures_are_told_and_passed_over(add, crate, collection, monkeypatch):
    monkeypatch.setattr(adding, "BLOCK", 2)
    folder = crate("1", "a", "e", b=b"broken", c=b"broken too", d=b"broken as well")
    added = add(collection, folder)
    assert added.new == 2
    assert list(added.broken) == [folder / f"{name}.png" for name in "bcd"]
    assert collection.inventories() == ["a", "e"]
    assert (collection.folder / "pixels.bin").stat().st_size == 2 * 7500
    (folder / "c.png").write_bytes(b"mended")
    assert add(collection, folder).new == 1


def test_a_broken_picture_does_not_take_a_number(add, crate, collection):
    one, other = crate("1", a=b"broken"), crate("2", a=b"fine")
    assert add(collection, one, other).renamed == {}
    assert collection.inventories() == ["a"]


def test_a_picture_that_was_changed_is_refused(add, crate, collection):
    folder = crate("1", "a", "b")
    add(collection, folder)
    before = rows_of(collection)
    (folder / "a.png").write_bytes(b"retouched")
    added = add(collection, folder)
    assert added.known == 1
    assert "shows something else than when tile a was added" in added.refused[folder / "a.png"]
    assert rows_of(collection) == before


def test_pictures_that_cannot_be_read_are_told(add, crate, collection, monkeypatch):
    folder = crate("1", "a", "b", c=b"x" * 100)
    monkeypatch.setattr(deduplicate, "LARGEST", 99)
    (folder / "a.png").unlink()
    (folder / "a.png").symlink_to(folder / "b.png")
    read = type(folder).read_bytes

    def vanish(path):
        if path.name == "b.png":
            raise OSError(5, "Input/output error")
        return read(path)

    monkeypatch.setattr(type(folder), "read_bytes", vanish)
    added = add(collection, folder)
    assert added.new == 1
    assert added.broken[folder / "b.png"].endswith("b.png: Input/output error.")
    assert "c.png is larger than" in added.broken[folder / "c.png"]


def test_pictures_that_were_moved_are_found_again(add, crate, collection, tmp_path):
    add(collection, crate("1", "a", "b"))
    shutil.move(tmp_path / "1", tmp_path / "2")
    assert add(collection, tmp_path / "2") == IntakeReport(known=2, updated=2)
    assert [each.path for each in collection.entries()] == [
        tmp_path / "2" / "a.png",
        tmp_path / "2" / "b.png",
    ]
    assert collection.crates() == {"2": 2}


def test_two_pictures_that_swapped_names_keep_their_tiles(add, crate, collection, tmp_path):
    folder = crate("1", a=b"one", b=b"another")
    add(collection, folder)
    (folder / "a.png").rename(folder / "c")
    (folder / "b.png").rename(folder / "a.png")
    (folder / "c").rename(folder / "b.png")
    add(collection, folder)
    assert [each.path.name for each in collection.entries()] == ["b.png", "a.png"]
    assert [each.inventory for each in collection.entries()] == ["a", "b"]


def test_what_tiles_csv_says_now_is_taken_over(add, crate, collection):
    folder = crate("1", "a", "b")
    add(collection, folder, crate="attic")
    (folder / "tiles.csv").write_text("file,panel,crate\na,Hunt,\nb,,cellar\n")
    assert add(collection, folder) == IntakeReport(known=2, updated=2)
    a, b = collection.entries()
    assert (a.record.panel, a.crate) == ("Hunt", "attic")
    assert b.crate == "cellar"
    assert add(collection, folder) == IntakeReport(known=2)


def test_a_collection_and_its_crates_may_move_together(add, crate, collection, tmp_path):
    add(collection, crate("crates/1", "a"))
    collection.close()
    (tmp_path / "elsewhere").mkdir()
    for name in ("museum", "crates"):
        shutil.move(tmp_path / name, tmp_path / "elsewhere" / name)
    with Collection.open(tmp_path / "elsewhere" / "museum") as moved:
        assert moved.entry("a").path.read_bytes() == b"crates/1 a"
        assert add(moved, tmp_path / "elsewhere" / "crates") == IntakeReport(known=1)


def test_tiles_of_another_network_are_refused(add, crate, collection):
    add(collection, crate("1", "a"))
    with pytest.raises(AzulejarError, match="described by another network"):
        add(collection, crate("2", "b"), model="newer")
    assert len(collection) == 1


def test_what_is_under_way_is_finished_when_it_is_to_stop(add, crate, collection, monkeypatch):
    monkeypatch.setattr(adding, "BLOCK", 2)
    folder = crate("1", *map(str, range(9)))
    stop, told = threading.Event(), []

    def on_progress(fraction):
        told.append(fraction)
        if fraction > 0.4:
            stop.set()

    assert add(collection, folder, stop=stop, on_progress=on_progress).new == 4
    assert told == sorted(told)
    told.clear()
    stop.clear()
    added = add(collection, folder, on_progress=told.append)
    assert (added.new, added.known) == (5, 4)
    assert told[-1] == 1.0


def test_large_pictures_come_in_smaller_blocks(add, crate, collection, monkeypatch):
    monkeypatch.setattr(adding, "BLOCK_BYTES", 100)
    folder = crate("1", **{str(i): bytes([65 + i]) * 40 for i in range(7)})
    blocks = []

    class Counting:
        def map(self, task, given):
            for number, block in enumerate(given):
                blocks.append(len(block))
                yield number, task((), block)

    add(collection, folder, engine=Counting())
    assert blocks == [3, 3, 1]


def test_an_error_of_the_engine_keeps_what_was_finished(add, crate, collection, monkeypatch):
    monkeypatch.setattr(adding, "BLOCK", 2)
    folder = crate("1", *"abcde")

    class Failing:
        def map(self, task, blocks):
            blocks = enumerate(blocks)
            number, block = next(blocks)
            yield number, task((), block)
            raise AzulejarError("worker-died", "The worker died three times.", "Look into it.")

    with pytest.raises(AzulejarError, match="three times"):
        add(collection, folder, engine=Failing())
    assert collection.inventories() == ["a", "b"]
    assert add(collection, folder) == IntakeReport(new=3, known=2)


@settings(max_examples=12)  # each writes through to the disk a dozen times
@given(
    splits=st.lists(st.integers(0, 12), max_size=4),
    block=st.integers(1, 5),
    seed=st.integers(0, 99),
    with_broken=st.booleans(),
)
def test_any_engine_blocks_and_splits_give_the_same_files(
    tmp_path_factory, add, jumbled, splits, block, seed, with_broken
):
    """Added all at once or in parts, in one process or many: the same numbers, byte for byte."""
    home = tmp_path_factory.mktemp("splits")
    (home / "crate").mkdir()
    contents = [str(i % 10).encode() for i in range(12)]  # two pictures are there twice
    if with_broken:
        contents[3] = b"broken"
    paths = [home / "crate" / f"{i}.png" for i in range(12)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    with (
        pytest.MonkeyPatch.context() as patch,
        Collection.create(home / "whole") as whole,
        Collection.create(home / "parts") as parts,
    ):
        add(whole, home / "crate")
        patch.setattr(adding, "BLOCK", block)
        bounds = [0, *sorted(splits), 12]
        for first, stop in pairwise(bounds):
            if paths[first:stop]:
                add(parts, *paths[first:stop], engine=jumbled(seed))
        assert rows_of(parts) == rows_of(whole)
        assert files_of(parts) == files_of(whole)


@settings(max_examples=12)
@given(order=st.permutations(range(8)), splits=st.lists(st.integers(0, 8), max_size=3))
def test_any_order_gives_the_same_set(tmp_path_factory, add, described, order, splits):
    home = tmp_path_factory.mktemp("order")
    (home / "crate").mkdir()
    contents = [b"a", b"b", b"c", b"a", b"broken", b"d", b"b", b"e"]
    paths = [home / "crate" / f"{i}.png" for i in range(8)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    with Collection.create(home / "museum") as collection:
        bounds = [0, *sorted(splits), 8]
        for first, stop in pairwise(bounds):
            if order[first:stop]:
                add(collection, *(paths[i] for i in order[first:stop]))
        found = {entry.path.read_bytes(): entry.number for entry in collection.entries()}
        assert set(found) == {b"a", b"b", b"c", b"d", b"e"}
        assert len(collection) == 5
        for content, number in found.items():
            assert np.array_equal(collection.pixels[number], described(content)[0][0])


def test_half_tiles_and_photographs_of_tables_are_refused_unless_they_are_meant(
    add, crate, collection, tmp_path
):
    folder = crate("7", "a")
    Image.new("RGB", (40, 20)).save(folder / "half.png")
    Image.new("RGB", (800, 600)).save(folder / "table.png")
    added = add(collection, folder)
    assert added.new == 1
    assert sorted(path.name for path in added.refused) == ["half.png", "table.png"]
    assert "import it if it is a photograph of tiles" in added.refused[folder / "table.png"]
    assert add(collection, folder, any_shape=True).new == 2


def test_half_and_quarter_tiles_are_left_out(add, crate, collection):
    folder = crate("7")
    for name, size in {"a": (20, 20), "b": (21, 20), "half": (20, 10), "quarter": (10, 10)}.items():
        Image.new("RGB", size).save(folder / f"{name}.png")
    told = []
    added = add(collection, folder, on_progress=told.append)
    assert (added.new, added.refused) == (2, {})
    assert added.halves == [folder / "half.png", folder / "quarter.png"]
    assert (added.pictures, told[-1]) == (4, 1)
    again = add(collection, folder)
    assert (again.new, again.known, len(again.halves)) == (0, 2, 2)


def test_a_crate_of_two_sizes_is_refused_unless_it_is_meant(add, crate, collection):
    folder = crate("7", "a")
    for size in (20, 40):
        Image.new("RGB", (size, size)).save(folder / f"{size}.png")
    with pytest.raises(AzulejarError, match="tiles of two sizes"):
        add(collection, folder)
    assert len(collection) == 0
    assert add(collection, folder, any_shape=True).new == 3


def test_sizes_in_different_photographs_are_not_compared(add, crate, collection):
    folder = crate("7")
    for size in (20, 40):
        Image.new("RGB", (size, size)).save(folder / f"{size}.png")
    (folder / "tiles.csv").write_text("file,photo\n20,far\n40,near\n", encoding="utf-8")
    assert add(collection, folder).new == 2
