"""Sort, solve and report: whole stages, as a program calls them."""

import shutil

import pytest

from azulejar.collection.sort_results import load_sort, require_sort, select_groups
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.stages import (
    report_collection,
    solve_collection,
    sort_collection,
)


@pytest.fixture
def museum(made, tmp_path):
    shutil.copytree(made[0].folder, tmp_path / "museum")
    with Collection.open(tmp_path / "museum") as collection:
        yield collection


def test_a_collection_without_tiles_is_refused(tmp_path, in_turn):
    with Collection.create(tmp_path / "museum") as empty:
        with pytest.raises(AzulejarError, match="has no tiles yet") as refusal:
            sort_collection(empty, in_turn)
        assert refusal.value.code == "collection-empty"
        for stage in (lambda: solve_collection(empty, in_turn), lambda: report_collection(empty)):
            with pytest.raises(AzulejarError, match="has not been sorted yet"):
                stage()


def test_sort_solve_and_report_write_their_pages(museum, in_turn):
    told = []
    found = sort_collection(
        museum, in_turn, on_progress=told.append, on_searched=lambda: told.append("searched")
    )
    assert told[-2:] == [1.0, "searched"]
    assert [group.tiles for group in require_sort(museum).groups] == [
        group.tiles for group in found.groups
    ]
    groups = select_groups(found, least=2)
    solved = []
    panels = solve_collection(museum, in_turn, groups=groups, preset="fast", on_panel=solved.append)
    assert {panel.name for panel in panels} == {group.name for group in groups}
    assert {panel.name for panel in solved} == {group.name for group in groups}
    again = []
    assert (
        solve_collection(museum, in_turn, groups=groups, preset="fast", on_panel=again.append)
        == panels
    )
    assert again == []
    page = report_collection(museum)
    assert page == museum.folder / "report.html"
    for path in (page, museum.folder / "panels/index.html", museum.folder / "groups/groups.html"):
        assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_panels_that_were_not_found_are_named(museum, in_turn):
    sort_collection(museum, in_turn)
    found = load_sort(museum)
    with pytest.raises(AzulejarError, match=r"found no panel 99\. It found 1"):
        select_groups(found, ["99"])
    assert select_groups(found, ["1", "1"]) == [found.groups[0]]
