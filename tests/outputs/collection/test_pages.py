"""The pages on a collection: groups, panels and the director's report."""

import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from azulejar.collection.sort_results import Group, SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.director_report import write_director_report
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.overview import write_overview
from azulejar.outputs.collection.panels import count_shares, read_panels


@pytest.fixture
def museum(made, tmp_path):
    """A collection of its own, with what a sort found and its panels."""
    shutil.copytree(made[0].folder, tmp_path / "museum")
    collection = Collection.open(tmp_path / "museum")
    write_collection_groups(collection, made[1])
    return collection, made[1], read_panels(collection, made[1].groups)


def is_free_of_strangers(page):
    """Nothing is loaded from elsewhere, and no name of a panel is taken for HTML."""
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "Stairs <b>" not in page


def test_groups_come_back_as_they_were_saved(museum):
    collection, found, _ = museum
    loaded = load_sort(collection)
    assert loaded.groups == found.groups
    assert (loaded.strays, loaded.duplicates) == (found.strays, found.duplicates)
    np.testing.assert_array_equal(loaded.probability, found.probability)


def test_groups_csv_has_a_line_for_each_tile(museum):
    collection, _, _ = museum
    with (collection.folder / "groups" / "groups.csv").open(encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    assert [line["inventory"] for line in lines] == collection.inventories()
    panels = [line["panel"] for line in lines]
    assert (panels.count("1"), panels.count("Stairs <b>"), panels.count("")) == (19, 11, 1)


def test_groups_of_another_collection_are_refused_and_forgiven(museum):
    collection, _, _ = museum
    path = collection.folder / "groups" / "groups.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"A00"', '"B00"'), encoding="utf-8")
    with pytest.raises(AzulejarError, match="another collection"):
        load_sort(collection)
    assert load_sort(collection, ignore_damage=True) is None
    path.unlink()
    assert load_sort(collection) is None


def test_the_groups_page_has_a_card_and_a_picture_a_group(museum):
    collection, _, _ = museum
    folder = collection.folder / "groups"
    page = (folder / "groups.html").read_text(encoding="utf-8")
    is_free_of_strangers(page)
    assert page.count("<article") == 2
    sources = re.findall(r'src="(pictures/[^"]+)"', page)
    assert len(sources) == 2 and all((folder / source).is_file() for source in sources)
    assert "28 likely joints" in page and "Two joints hold its last row." in page
    assert "Strays: 1" in page and "Taken twice: 1" in page


def test_pictures_of_earlier_groups_go(museum):
    collection, found, _ = museum
    write_collection_groups(
        collection, SortResult(found.groups[:1], found.strays, found.probability)
    )
    assert len(list((collection.folder / "groups" / "pictures").iterdir())) == 1


def test_a_thousand_groups_make_a_light_page(made, tmp_path):
    shutil.copytree(made[0].folder, tmp_path / "museum")
    collection = Collection.open(tmp_path / "museum")
    groups = [Group(str(i), (i % 30, (i + 1) % 30), 0.5, 2, 0.5) for i in range(1, 1001)]
    write_collection_groups(collection, SortResult(groups, (), np.ones(len(collection))))
    assert (collection.folder / "groups" / "groups.html").stat().st_size < 1_500_000


def test_the_overview_shows_every_panel_best_first(museum):
    collection, found, panels = museum
    numbers = collection.inventories()
    inventory = {group.name: [numbers[tile] for tile in group.tiles] for group in found.groups}
    write_overview(collection.folder / "panels", "My <museum>", panels, inventory)
    page = (collection.folder / "panels" / "index.html").read_text(encoding="utf-8")
    is_free_of_strangers(page)
    assert "My &lt;museum&gt;" in page and "My <museum>" not in page
    names = re.findall(r'data-name="([^"]+)"', page)
    assert names == [panel.name.replace("<b>", "&lt;b&gt;") for panel in panels]
    for link in re.findall(r'(?:href|src)="([^"]+)"', page):
        assert (collection.folder / "panels" / link).is_file(), link
    assert all(number in page for number in inventory["1"])


def test_the_overview_and_the_report_do_not_trust_a_panel_with_a_loose_part(museum):
    collection, found, panels = museum
    loose = [replace(panel, confidence=0.98, loose=5) for panel in panels]
    write_overview(collection.folder / "panels", "Museum", loose, {})
    page = (collection.folder / "panels" / "index.html").read_text(encoding="utf-8")
    assert page.count("a part of 5 tiles is connected to the rest by mostly doubtful joints") == 2
    write_overview(collection.folder / "panels", "Museum", [replace(loose[0], mirrored=True)], {})
    page = (collection.folder / "panels" / "index.html").read_text(encoding="utf-8")
    assert "may be two panels: 5 tiles meet the rest along a seam" in page
    report = write_director_report(collection, found, loose).read_text(encoding="utf-8")
    assert "none of them are likely right in the main" in report


def test_an_overview_without_panels_is_a_page_all_the_same(tmp_path):
    write_overview(tmp_path, "Museum", [], {})
    assert "<h1>Museum</h1>" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_report_tells_what_there_is(museum):
    collection, found, panels = museum
    path = write_director_report(collection, found, panels)
    page = path.read_text(encoding="utf-8")
    is_free_of_strangers(page)
    text = re.sub(r"<[^>]+>", "", page)
    assert "Of 31 tiles in 3 crates, 30 (97 %) belong to 2 likely panels." in text
    assert "2 panels have been put together" in text
    assert "1 tile fits no panel well enough" in text
    assert "1 pair is likely one tile each, photographed twice" in text
    assert re.search(r"Crates K \d, K \d and K \d hold 100 % of panel 1", text)
    assert page.count("data:image/webp") == 2
    for link in re.findall(r'href="([^"#]+)"', page):
        if link != "panels/index.html":
            assert (collection.folder / link).is_file(), link


def test_panels_that_may_hold_two_are_named_first(museum):
    collection, found, panels = museum
    groups = [replace(found.groups[0], apart=12), *found.groups[1:]]
    page = write_director_report(collection, replace(found, groups=groups), panels)
    assert "1 panel may hold two, since" in page.read_text(encoding="utf-8")
    write_collection_groups(collection, replace(found, groups=groups))
    said = (collection.folder / "groups" / "groups.html").read_text(encoding="utf-8")
    assert said.count("It may hold two panels, one of 12 tiles.") == 1


def test_a_report_before_anything_is_solved(museum, tmp_path):
    collection, found, _ = museum
    page = write_director_report(collection, found, []).read_text(encoding="utf-8")
    assert "None has been put together yet." in page
    assert "2 groups are not put together yet: 30 tiles." in page


def test_tiles_that_came_since_are_not_put_together_yet(museum):
    collection, found, panels = museum
    (stairs, *rest), by_name = panels, {group.name: group for group in found.groups}
    grown = by_name[stairs.name]
    assert stairs.tiles == len(grown.tiles)
    before = replace(grown, tiles=grown.tiles[2:])  # as two of its tiles came later
    groups = [before if each is grown else each for each in found.groups]
    shares = count_shares(31, groups, panels, 1)
    named = ("waiting", "new", "rest")
    assert [*map(shares.get, named), sum(shares.values())] == [0, 2, 1, 31]
    page = write_director_report(collection, replace(found, groups=groups), panels)
    assert "<b>2</b> not sorted yet" in page.read_text(encoding="utf-8")
    assert rest


def test_groups_json_is_one_tile_a_line(museum):
    text = Path(museum[0].folder / "groups" / "groups.json").read_text(encoding="utf-8")
    assert json.loads(text)["format"] == "azulejar-collection-groups/1"
    assert len(re.findall(r'^  \{"tile": ', text, re.MULTILINE)) == 31
