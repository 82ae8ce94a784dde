"""Records of tiles: changed for one or many, undone, and kept when a new tiles.csv comes."""

import pytest
from pydantic import ValidationError

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import Edit
from azulejar.app.schemas.tiles import NewProjectTile, TileChange
from azulejar.app.uploads.incoming import adopt_tiles


@pytest.fixture
def store(tmp_path):
    """A project of three tiles in the tray."""
    opened = ProjectStore.create(tmp_path / "p", "p")
    opened.add_tiles(NewProjectTile(file=f"{n}.png", number=str(n)) for n in range(1, 4))
    yield opened
    opened.close()


def _change(store, tiles, who="", **values):
    return store.change_tiles(TileChange(tiles=tiles, label="fields", **values), who)


def _field(store, name):
    return [getattr(tile, name) for tile in store.tiles()]


def test_fields_of_one_or_many_tiles_are_one_action(store):
    state = _change(store, [1, 2, 3], crate=" Box 7 ", thickness=11.5)
    assert (state.undo, state.tiles_changed, state.revision) == ("fields", True, 1)
    assert _field(store, "crate") == ["Box 7"] * 3
    _change(store, [2], number="A2", crate="", note="chipped")
    assert (_field(store, "number"), _field(store, "crate")) == (
        ["1", "A2", "3"], ["Box 7", None, "Box 7"],
    )  # fmt: skip
    assert store.undo(1).tiles_changed
    assert (_field(store, "number")[1], _field(store, "note")[1]) == ("2", None)
    store.undo(1)
    assert (_field(store, "crate"), _field(store, "thickness")) == ([None] * 3, [None] * 3)
    store.redo(1)
    store.redo(1)
    assert _field(store, "number") == ["1", "A2", "3"]


def test_outer_sides_are_told_of_tiles_as_they_lie(store):
    lies = {"panel": 0, "row": 0}
    turned = [{"tile": 1, "col": 0, **lies}, {"tile": 2, "col": 1, "turn": 90, **lies}]
    store.edit(Edit(revision=1, label="lay", placed=turned))
    _change(store, [1, 2], outer={"top": True})
    assert _field(store, "outer") == ["top", "left", None]
    _change(store, [1, 2], outer={"left": True, "top": False}, crate="7")
    _change(store, [1], crate="8")
    assert _field(store, "outer") == ["left", "bottom", None]
    _change(store, [1], outer={"right": True})
    assert _field(store, "outer")[0] == "right left"
    for _ in range(4):
        store.undo(2)
    assert _field(store, "outer") == [None] * 3
    with pytest.raises(ValidationError):
        _change(store, [1], outer={"above": True})


def test_a_field_that_somebody_else_has_changed_since_is_not_undone(store):
    _change(store, [1], "Ana", crate="1")
    _change(store, [1], "Rui", crate="2")
    with pytest.raises(Conflict, match="Somebody else"):
        store.undo(1, "Ana")
    assert _field(store, "crate")[0] == "2"


def test_a_number_belongs_to_one_tile(store):
    for tiles, number in (([1], "2"), ([1, 2], "9")):
        with pytest.raises(Conflict, match="inventory number"):
            _change(store, tiles, number=number)
    with pytest.raises(NotFound):
        _change(store, [9], crate="1")
    store.edit(Edit(revision=1, label="remove", remove=[2]))
    _change(store, [1], number="2")
    assert _field(store, "number") == ["2", "3"]


def test_a_new_table_can_be_undone_and_leaves_what_it_does_not_say(store):
    _change(store, [1], crate="7", note="chipped")
    said = NewProjectTile(file="1.png", number="A1", crate="7", note="chipped")
    store.add_tiles([said])
    assert (_field(store, "number")[0], store.state().undo) == ("A1", "csv")
    store.undo(1)
    assert (_field(store, "number")[0], _field(store, "note")[0]) == ("1", "chipped")


def test_a_replaced_picture_comes_back_and_is_never_taken_for_a_new_tile(store, picture):
    for name in ("1.png", "2.png", "3.png", "1-2.png"):
        (store.folder / "tiles" / name).write_bytes(picture())
    store.replace_picture(1, "1-2.png", "cut again")
    assert store.tile_files() == ["1-2.png", "2.png", "3.png"]
    assert store.taken_files() == {"1.png", "1-2.png", "2.png", "3.png"}
    store.undo(1)
    assert store.tile_files() == ["1.png", "2.png", "3.png"]
    adopt_tiles(store)
    assert len(store.tiles()) == 3
