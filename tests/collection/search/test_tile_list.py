"""The list of tiles follows the catalogue and the sort, and is searched by words."""

from types import SimpleNamespace

import numpy as np
import pytest

from azulejar.collection.search import tile_list_cache
from azulejar.collection.search.tile_list import TileList
from azulejar.collection.search.tile_list_cache import Marks
from azulejar.collection.sort_results import FOLDER, MARK, Group, SortResult, save_sort
from azulejar.collection.storage.overrides import remove_tiles, restore_tiles


@pytest.fixture
def tiles(collection):
    found = TileList(collection)
    yield found
    found.close()


def save(collection, groups, strays, probability, duplicates=()):
    (collection.folder / FOLDER).mkdir(exist_ok=True)
    found = SortResult(groups, strays, np.array(probability), list(duplicates))
    save_sort(collection.folder / FOLDER / MARK, found, collection.inventories())


def names(found):
    return [tile.inventory for tile in found[1]]


def test_tiles_are_found_by_the_beginnings_of_words(add, crate, collection, tiles):
    folder = crate("Sala Árabe", "A-0012", "A-0120", "B7")
    lines = ["file;note", "A-0012.png;chipped corner", "B7.png;“two words” OR nothing*"]
    (folder / "tiles.csv").write_text("\n".join(lines), encoding="utf-8")
    add(collection, folder)
    assert names(tiles.find()) == ["A-0012", "A-0120", "B7"]
    assert names(tiles.find("12")) == ["A-0012", "A-0120"]  # zeros need not be typed
    assert names(tiles.find("0012")) == ["A-0012"]
    assert names(tiles.find("a 12 chip")) == ["A-0012"]
    assert names(tiles.find("arabe b")) == ["B7"]  # nor accents
    assert names(tiles.find('“two* OR "')) == ["B7"]
    assert tiles.find("tone") == (0, [])


def test_new_tiles_and_records_are_taken_in(add, crate, collection, tiles):
    folder = crate("1", "a", "b")
    add(collection, folder)
    assert tiles.find("worn")[0] == 0
    (folder / "tiles.csv").write_text("file,note\na.png,worn\n", encoding="utf-8")
    add(collection, folder, crate("2", "c"))
    assert names(tiles.find("worn")) == ["a"]
    assert [(each.crate, each.tiles) for each in tiles.crates()] == [("1", 2), ("2", 1)]
    assert tiles.find(crate="2")[0] == 1
    assert not tiles.refresh()


def test_states_are_those_of_the_last_sort(add, crate, collection, tiles):
    add(collection, crate("1", *"abcdef"))
    none = {"grouped": 0, "new": 0, "stray": 0, "doubtful": 0, "double": 0, "removed": 0}
    assert tiles.states() == none | {"new": 6}
    save(collection, [Group("Stairs", (0, 1, 2))], (3, 4), [0.9, 0.3, 0.8, 0.5, 0.5], [(0, 4)])
    assert tiles.states() == none | {"grouped": 3, "new": 1, "stray": 2, "doubtful": 1, "double": 2}
    assert names(tiles.find(state="grouped")) == ["a", "b", "c"]
    assert names(tiles.find("st", state="doubtful")) == ["b"]  # found by the panel's name
    assert [tile.twin for tile in tiles.find(state="double")[1]] == [4, 0]
    assert names(tiles.find(panel="Stairs", first=1, count=1)) == ["b"]
    assert tiles.panel_crates() == {"Stairs": {"1": 3}}
    assert (tiles.panels_with("a"), tiles.panels_with("d")) == ({"Stairs"}, set())
    save(collection, [], (0, 1, 2, 3, 4, 5), [0.5] * 6)
    assert tiles.states()["stray"] == 6
    assert tiles.find("stairs")[0] == 0


def test_tiles_are_found_by_their_status_in_words(add, crate, collection, tiles):
    add(collection, crate("1", *"abcdef"))
    save(collection, [Group("X", (0, 1, 2))], (3, 4), [0.95, 0.3, 0.8, 0.5, 0.5], [(0, 4)])
    tiles.mark(Marks(locked={2}, hole={0, 1, 2}))
    remove_tiles(collection, {"e": "a"})
    add(collection, crate("2", "g"))  # marks stay when tiles are taken in
    wanted = {
        "sure segur": "a", "doubt": "b", "duvidoso": "b", "stray": "d", "avulsos": "d",
        "new": "fg", "novo": "fg", "locked": "c", "fixo": "c", "hole": "abc", "lacuna x": "abc",
        "removed": "e", "removido": "e", "remo e": "e", "e": "", "rem": "e", "": "abcdfg",
        "twice": "", "1": "abcdf",
    }  # fmt: skip
    assert {words: "".join(names(tiles.find(words))) for words in wanted} == wanted
    assert names(tiles.find(state="removed")) == names(tiles.find("e", state="removed")) == ["e"]
    assert [tile.twin for tile in tiles.find("removed")[1]] == [0]
    assert names(tiles.find(crate="1")) == [*"abcdf"]
    assert tiles.states()["removed"] == 1
    assert [(each.tiles, each.removed) for each in tiles.crates()] == [(5, 1), (1, 0)]
    restore_tiles(collection, ["e"])
    tiles.mark(Marks(hole={2}))
    assert names(tiles.find("stray")) == ["d", "e"]
    assert names(tiles.find("twice")) == ["a", "e"]
    assert (names(tiles.find("locked")), names(tiles.find("hole"))) == ([], ["c"])


def test_a_tile_whose_place_is_doubtful_is_found_as_such(add, crate, collection, tiles):
    add(collection, crate("1", *"abcd"))
    save(collection, [Group("X", (0, 1, 2))], (3,), [0.95, 0.3, 0.95, 0.5])
    assert names(tiles.find("sure")) == ["a", "c"]
    tiles.mark(Marks(doubted={2}))
    assert names(tiles.find("sure")) == ["a"]
    assert names(tiles.find("doubtful")) == names(tiles.find(state="doubtful")) == ["b", "c"]
    assert [each.doubtful for each in tiles.crates()] == [2]
    tiles.mark(Marks())
    assert names(tiles.find("sure")) == ["a", "c"]


def test_panels_and_crates_are_found_as_the_page_calls_them(add, crate, collection, tiles):
    add(collection, crate("06", "a3", "b"), crate("Sala 16", "c", "d"))
    save(collection, [Group("3", (1, 2)), Group("13", (3,))], (0,), [0.9] * 4)
    wanted = {
        "3": ["a3", "b", "c"], "panel 3": ["b", "c"], "Painel 3": ["b", "c"], "panel 1": [],
        "crate 06": ["a3", "b"], "caixa sala": ["c", "d"], "crate 16 panel 13": ["d"], "panel": [],
    }  # fmt: skip
    assert {words: names(tiles.find(words)) for words in wanted} == wanted
    assert tiles.panels_with("panel 3") == {"3"}


def test_notes_that_speak_of_a_panel_are_found_by_their_words(add, crate, collection, tiles):
    folder = crate("1", *"abc")
    lines = "file;note\na.png;from the panel with a ship\nb.png;painel central\n"
    (folder / "tiles.csv").write_text(lines, encoding="utf-8")
    add(collection, folder)
    assert names(tiles.find("panel with ship")) == ["a"]
    assert names(tiles.find("painel centr")) == ["b"]


def test_tiles_are_found_by_their_pattern(add, crate, collection, tiles, monkeypatch):
    add(collection, crate("1", *"abc"))
    save(collection, [Group("1", (0,))], (1,), [0.9, 0.5])
    known = SimpleNamespace(by_tile=lambda: {0: "P-17", 2: "P-17"})
    monkeypatch.setattr(tile_list_cache, "load_patterns", lambda *_, **__: known)
    assert names(tiles.find("p 17")) == ["a", "c"]  # the second came after the sort
    assert [tile.state for tile in tiles.find("p-17")[1]] == ["grouped", "new"]


def test_a_damaged_list_is_made_again(add, crate, collection, tiles):
    add(collection, crate("1", "a"))
    tiles.refresh()
    tiles.close()
    (collection.folder / "search" / "tiles.db").write_bytes(b"no database at all" * 100)
    again = TileList(collection)
    assert names(again.find("a")) == ["a"]
    again.close()
