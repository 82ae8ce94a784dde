"""Atlases: every tile in its cell, at every size."""

import threading
import time
from math import ceil

import numpy as np
import pytest
from PIL import Image

from azulejar.app.http.errors import NotFound
from azulejar.app.projects import atlas as atlases
from azulejar.app.projects.atlas import open_atlas, start_atlas, wait_for_page
from azulejar.imaging.picture import read_tile, write_picture


def finished(store):
    """The atlas once it is written."""
    atlas = open_atlas(store)
    end = time.monotonic() + 500
    while not (store.folder / "atlas" / atlas.stamp / atlases.DONE).exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    return atlas


def cell(store, atlas, level, tile):
    """What a page shows of a tile."""
    at = atlas.levels.index(level)
    page, number = divmod(atlas.tiles.index(tile), atlas.per_page[at])
    row, col = divmod(number, atlas.columns[at])
    with Image.open(wait_for_page(store, atlas.stamp, level, page)) as picture:
        pixels = np.asarray(picture)
    return pixels[row * level : (row + 1) * level, col * level : (col + 1) * level]


def test_every_tile_lies_in_its_cell_at_every_level(make_store):
    store = make_store()
    atlas = open_atlas(store)
    assert atlas.levels == [32, 16]
    assert atlas.tiles == [tile.tile for tile in store.tiles()]
    for level in atlas.levels:
        for tile in store.tiles():
            wanted = read_tile(store.folder / "tiles" / tile.file, level).astype(int)
            shown = cell(store, atlas, level, tile.tile).astype(int)
            assert np.abs(shown - wanted).mean() < 8


def test_pages_are_small_enough_and_the_last_one_is_short(make_store, monkeypatch):
    monkeypatch.setattr(atlases, "PAGE", 64)
    store = make_store()
    atlas = finished(store)
    assert atlas.columns == [2, 4]
    assert atlas.per_page == [4, 16]
    pages = sorted(path.name for path in (store.folder / "atlas" / atlas.stamp).glob("*.jpg"))
    assert len(pages) == ceil(20 / 4) + ceil(20 / 16)
    with Image.open(wait_for_page(store, atlas.stamp, 16, 1)) as last:
        assert last.size == (64, 16)
    assert cell(store, atlas, 32, store.tiles()[-1].tile).shape == (32, 32, 3)


def test_the_first_page_comes_before_all_tiles_are_read(make_store, monkeypatch):
    monkeypatch.setattr(atlases, "CELLS", 3)
    store = make_store()
    last, go_on = store.tiles()[-1].file, threading.Event()

    def slow(path, size):
        if path.name == last:
            go_on.wait(60)
        return read_tile(path, size)

    monkeypatch.setattr(atlases, "read_tile", slow)
    try:
        atlas = open_atlas(store)
        assert cell(store, atlas, 32, store.tiles()[8].tile).shape == (32, 32, 3)
        assert not (store.folder / "atlas" / atlas.stamp / atlases.DONE).exists()
    finally:
        go_on.set()
    finished(store)


@pytest.mark.parametrize(("side", "levels"), [(600, 5), (128, 4), (100, 4), (60, 3), (6, 1)])
def test_levels_are_those_that_the_tiles_are_large_enough_for(
    make_store, add_pictures, side, levels
):
    store = make_store(rows=0)
    add_pictures(store, np.zeros((2, side, side, 3), np.uint8))
    assert open_atlas(store).levels == list(atlases.LEVELS[-levels:])


def test_new_tiles_change_the_stamp_and_the_pages_before_stay_for_a_while(
    make_store, add_pictures, painted
):
    store = make_store()
    first = finished(store)
    assert open_atlas(store) == first
    add_pictures(store, painted(1, 2, True, 1)[0], "second")
    second = finished(store)
    assert second.stamp != first.stamp
    assert wait_for_page(store, first.stamp, 16, 0).is_file()
    add_pictures(store, painted(1, 2, True, 2)[0], "third")
    finished(store)
    until = time.monotonic() + 500
    while (store.folder / "atlas" / first.stamp).exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    with pytest.raises(NotFound):
        wait_for_page(store, first.stamp, 16, 0)


def test_a_picture_that_was_replaced_changes_the_stamp(make_store):
    store = make_store()
    first = open_atlas(store)
    path = store.folder / "tiles" / store.tiles()[0].file
    write_picture(path, np.zeros((28, 28, 3), np.uint8))
    assert open_atlas(store).stamp != first.stamp


def test_a_picture_that_is_gone_or_broken_is_grey_and_disturbs_nobody(make_store):
    store = make_store()
    gone, broken, whole = store.tiles()[:3]
    (store.folder / "tiles" / gone.file).unlink()
    (store.folder / "tiles" / broken.file).write_bytes(b"no picture")
    atlas = finished(store)
    for tile in (gone, broken):
        assert np.abs(cell(store, atlas, 32, tile.tile).astype(int) - 128).max() < 40
    assert cell(store, atlas, 32, whole.tile).std() > 10


def test_a_half_tile_lies_amid_an_empty_place(make_store):
    store = make_store()
    half = store.tiles()[0]
    write_picture(store.folder / "tiles" / half.file, np.zeros((14, 28, 3), np.uint8))
    shown = cell(store, finished(store), 32, half.tile).astype(int)
    assert np.abs(shown[[0, 4, -1]] - 128).max() < 40
    assert shown[10:22].max() < 40


def test_what_a_kill_left_half_done_is_made_again(make_store):
    store = make_store()
    atlas = finished(store)
    folder = store.folder / "atlas" / atlas.stamp
    (folder / atlases.DONE).unlink()
    (folder / "16_0.jpg").unlink()
    open_atlas(store)
    assert wait_for_page(store, atlas.stamp, 16, 0).is_file()


def test_while_tiles_come_one_by_one_only_the_latest_atlas_is_made(
    make_store, add_pictures, painted, monkeypatch
):
    made = []
    make = atlases._make
    monkeypatch.setattr(atlases, "_make", lambda each: made.append(each.atlas.stamp) or make(each))
    store = make_store()
    stamps = []
    threads = threading.active_count()
    for number in range(12):
        add_pictures(store, painted(1, 1, True, number % 4)[0], f"new{number}")
        stamps.append(open_atlas(store).stamp)
    atlas = finished(store)
    assert len(set(stamps)) == 12
    assert made[-1] == atlas.stamp == stamps[-1]
    assert threading.active_count() < threads + 10
    assert cell(store, atlas, 32, store.tiles()[-1].tile).std() > 0


@pytest.mark.parametrize(("level", "page"), [(16, 9), (17, 0), (512, 0)])
def test_pages_that_are_not_there_are_refused_at_once(make_store, monkeypatch, level, page):
    monkeypatch.setattr(atlases, "_wait", lambda *_: pytest.fail("waited for it"))
    store = make_store()
    atlas = start_atlas(store)
    with pytest.raises(NotFound):
        wait_for_page(store, atlas.stamp, level, page)


def test_a_project_without_tiles_has_an_empty_atlas(make_store):
    atlas = open_atlas(make_store(rows=0))
    assert atlas.tiles == []
