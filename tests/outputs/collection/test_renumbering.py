"""Another inventory number for a tile: in the catalogue, and in all that goes by it."""

import shutil

import pytest

from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.sort_results import load_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.overrides import (
    drawn_outlines,
    edit_records,
    edited_fields,
    remove_tiles,
    removed_tiles,
    save_outlines,
)
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import JoinedTile, KnownsFile, LockedTile, RefusedPair
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.panels import PANELS, load_panel_solution, read_panels
from azulejar.outputs.collection.renumbering import renumber_tile


@pytest.fixture
def museum(made, tmp_path):
    """A collection of its own, with what a sort found and its panels."""
    shutil.copytree(made[0].folder, tmp_path / "museum")
    with Collection.open(tmp_path / "museum") as collection:
        write_collection_groups(collection, made[1])
        yield collection


def test_results_go_by_the_new_number_and_back(museum, made):
    groups, panels = load_sort(museum).groups, read_panels(museum, made[1].groups)
    for numbers in (("A03", "Z"), ("Z", "Y"), ("Y", "A03")):
        renumber_tile(museum, *numbers)
        found = load_sort(museum)
        assert (found.groups, found.duplicates) == (groups, made[1].duplicates)
        assert read_panels(museum, groups) == panels
        solved = {tile.number for tile in load_panel_solution(museum, "1").tiles}
        assert solved & {*numbers} == {numbers[1]}


def test_what_people_said_goes_by_it(museum):
    refused = RefusedPair(tile="A04", other="A03")
    joined = [JoinedTile(tile=tile, row=0, col=0) for tile in ("A03", "A04")]
    said = KnownsFile(
        locked=[LockedTile(tile="A03", turn=90)],
        joined=[joined],
        apart=[refused],
        together=[["A03", "A05"]],
    )
    museum.save_statements(said)
    save_outlines(museum, {"A03": said})  # so may a panel be called
    edit_records(museum, {"A03": {"note": None}}, {"A03": {"note": "x"}})
    remove_tiles(museum, {"A06": "A03"})
    renumber_tile(museum, "A03", "Z")
    text = said.model_dump_json().replace('"A03"', '"Z"')
    assert museum.statements == KnownsFile.model_validate_json(text)
    assert drawn_outlines(museum) == {"A03": museum.statements}
    assert removed_tiles(museum) == {"A06": "Z"}
    assert museum.entry("Z").record.note == "x"
    with museum.database.reading() as db:
        assert edited_fields(db) == {"Z": {"note": None}}


def test_it_stays_when_the_crate_is_added_again(museum, made, in_turn):
    crates = made[0].folder.parent / "crates"
    renumber_tile(museum, "A03", "Z")
    report = add_tiles(museum, [crates], engine=in_turn)
    assert (report.new, report.renamed) == (0, {})
    assert "Z" in museum.inventories()


def test_a_number_that_is_taken_or_a_museum_that_is_busy_changes_nothing(museum):
    remove_tiles(museum, {"A06": None})
    before = museum.inventories()
    for taken, code in (("A04", "number-taken"), ("A06", "number-of-removed")):
        with pytest.raises(AzulejarError) as refused:
            renumber_tile(museum, "A03", taken)
        assert refused.value.code == code
    solving = "puts panels together"
    with locked(museum.folder / PANELS, solving), pytest.raises(AzulejarError, match=solving):
        renumber_tile(museum, "A03", "Z")
    assert museum.inventories() == before
