import pytest

from azulejar.collection.search.tile_list import TileList
from azulejar.collection.storage.integrity import find_damage
from azulejar.collection.storage.overrides import (
    add_statements,
    edit_records,
    panel_sizes,
    save_panel_size,
    statements_among,
    turn_panel,
)
from azulejar.collection.storage.writer import Picture, open_writer
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import JoinedTile, KnownsFile, LockedTile, RefusedPair


class Kept:
    """As much of a collection as statements need."""

    def __init__(self, *names):
        self.names, self.statements = names, KnownsFile()
        self.database, self.kept = self, {}

    def meta(self, key):
        return self.kept.get(key)

    def put_meta(self, key, value):
        self.kept[key] = value

    def inventories(self):
        return list(self.names)

    def entry(self, name):
        raise AzulejarError(
            "tile-not-in-collection",
            "{collection} has no tile {tile}.",
            "Check its inventory number.",
            collection="museum",
            tile=name,
        )

    def save_statements(self, statements):
        self.statements = statements


def lock(tile, turn):
    return LockedTile(tile=tile, turn=turn)


def test_what_is_stated_adds_up_and_of_a_tile_the_last_counts():
    museum = Kept("a", "b", "c")
    apart = RefusedPair(tile="a", other="b")
    add_statements(museum, KnownsFile(locked=[lock("a", 0), lock("b", 90)], apart=[apart]))
    add_statements(
        museum, KnownsFile(locked=[lock("a", 180)], apart=[apart], together=[["a", "c"]])
    )
    assert museum.statements.locked == [lock("b", 90), lock("a", 180)]
    assert museum.statements.apart == [apart]
    assert museum.statements.together == [["a", "c"]]


@pytest.mark.parametrize("stated", [{"rows": 3}, {"cols": 3}, {"empty": [{"row": 0, "col": 0}]}])
def test_what_is_of_one_panel_is_refused(stated):
    with pytest.raises(AzulejarError, match="of one panel"):
        add_statements(Kept("a"), KnownsFile.model_validate(stated))


@pytest.mark.parametrize(
    "stated",
    [
        {"locked": [{"tile": "x", "turn": 0}]},
        {"apart": [{"tile": "a", "other": "x"}]},
        {"joined": [[{"tile": "x", "row": 0, "col": 0}]]},
        {"together": [["a", "x"]]},
    ],
)
def test_unknown_tiles_are_refused_and_nothing_is_kept(stated):
    museum = Kept("a")
    with pytest.raises(AzulejarError, match="no tile x"):
        add_statements(museum, KnownsFile.model_validate(stated))
    assert museum.statements == KnownsFile()


def test_a_group_gets_only_the_statements_on_its_own_tiles():
    held = [JoinedTile(tile=name, row=0, col=i) for i, name in enumerate("abx")]
    stated = KnownsFile(
        locked=[lock("a", 0), lock("x", 0)],
        joined=[held, held[1:]],
        apart=[RefusedPair(tile="a", other="x"), RefusedPair(tile="a", other="b")],
        together=[["a", "x"]],
    )
    own = statements_among(stated, {"a", "b"})
    assert own.locked == [lock("a", 0)]
    assert own.joined == [held[:2]]
    assert own.apart == [RefusedPair(tile="a", other="b")]
    assert own.together == []


def solved(confidence=(0.2, 0.9)):
    """Tiles a and b side by side, b turned by 90."""
    assembly = Assembly.of([0, 0], [0, 1], [0, 1])
    return Solution.of(assembly, ("a", "b"), confidence)


def test_a_panel_is_turned_by_its_surest_tile():
    museum = Kept("a", "b", "c")
    turn_panel(museum, "1", solved(), 3)
    assert museum.statements.locked == [lock("b", 0)]
    turn_panel(museum, "1", solved(), 1)
    assert museum.statements.locked == [lock("b", 90)]


def test_what_is_known_of_its_tiles_turns_with_it():
    museum = Kept("a", "b", "c")
    add_statements(museum, KnownsFile(locked=[lock("a", 270), lock("c", 0)]))
    save_panel_size(museum, "1", 1, 2)
    save_panel_size(museum, "2", 3, 4)
    turn_panel(museum, "1", solved(), 1)
    assert museum.statements.locked == [lock("c", 0), lock("a", 0)]
    assert panel_sizes(museum) == {"1": (2, 1), "2": (3, 4)}


@pytest.mark.parametrize(
    "stated", [{"upright": True}, {"locked": [{"tile": "a", "row": 0, "col": 0}]}]
)
def test_a_panel_whose_places_are_known_is_not_turned(stated):
    museum = Kept("a", "b")
    add_statements(museum, KnownsFile.model_validate(stated))
    with pytest.raises(AzulejarError, match="cannot be turned"):
        turn_panel(museum, "1", solved(), 1)


def test_an_edited_record_outlives_the_next_reading_of_tiles_csv(add, crate, collection):
    folder = crate("1", "a", "b")

    def say(*lines):
        text = "\n".join(("file;note;thickness;code", *lines))
        (folder / "tiles.csv").write_text(text, encoding="utf-8")
        return add(collection, folder).updated

    def stored():
        record = collection.entry("a").record
        return record.note, record.thickness, record.code

    say("a.png;worn;11;")
    was, now = {"note": "worn", "code": None}, {"note": "chipped", "code": "XII"}
    assert edit_records(collection, {"a": was}, {"a": now})
    assert not find_damage(collection)
    assert not edit_records(collection, {"a": was}, {"a": {"note": "lost", "code": ""}})
    assert say("a.png;worn;11;") == 0
    assert say("a.png;worn;12;") == 1  # what nobody has edited follows the file
    assert stored() == ("chipped", 12.0, "XII")
    listed = TileList(collection)
    assert [tile.thickness for tile in listed.find("chip xii")[1]] == [12.0]
    assert listed.find("worn")[0] == 0
    listed.close()
    assert edit_records(collection, {"a": now}, {"a": was})  # as before, it follows the file again
    assert say("a.png;new;12;") == 1
    assert stored() == ("new", 12.0, None)


def test_a_tile_stays_in_the_crate_that_people_put_it_in(add, crate, collection):
    folder = crate("1", "a", "b")
    add(collection, folder)
    assert edit_records(collection, {"a": {"crate": "1"}}, {"a": {"crate": "9"}})
    assert not find_damage(collection)
    assert not edit_records(collection, {"a": {"crate": "1"}}, {"a": {"crate": "7"}})
    assert add(collection, folder).updated == 0
    assert collection.crates() == {"1": 1, "9": 1}
    (folder / "tiles.csv").write_text("file;crate;note\na.png;2;worn\n", encoding="utf-8")
    assert add(collection, folder).updated == 1  # what nobody has edited follows the file
    entry = collection.entry("a")
    assert (entry.crate, entry.record.note) == ("9", "worn")
    assert edit_records(collection, {"a": {"crate": "9"}}, {"a": {"crate": "1"}})
    assert add(collection, folder).updated == 1  # as before, it follows the file again
    assert collection.entry("a").crate == "2"


def test_an_edit_while_the_crate_is_being_added_stays(add, crate, collection):
    add(collection, crate("1", "a"))
    with open_writer(collection, "test") as writer:
        row = writer.at("../1/a.png")
        new = Picture(row["path"], row["stamp"], "2", Record(note="of the file", mark="X"))
        writer.update(row["number"], new)
        assert edit_records(collection, {"a": {"note": None}}, {"a": {"note": "mine"}})
    entry = collection.entry("a")
    assert (entry.crate, entry.record.note, entry.record.mark) == ("2", "mine", "X")
