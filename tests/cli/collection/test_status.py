"""``azulejar collection status``, as a person types it."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from azulejar.cli.collection import status
from azulejar.collection.search.joint_search import FOLDER, JOINTS
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.outputs.collection.groups_page import write_collection_groups

TO_SORT = "To do so: azulejar collection sort museum"
TO_SOLVE = "To do so: azulejar collection solve museum"


@pytest.fixture
def shown(azulejar, museum):
    """The lines that it shows of the museum."""
    return lambda *options: azulejar("collection", "status", "museum", *options).splitlines()


def test_what_is_done_and_what_is_not(shown):
    first, *stages = shown()
    assert re.fullmatch(r"museum: 20 tiles in 2 crates, \d\.\d MB on disk", first)
    assert stages == [
        f"Searched: not yet. {TO_SORT}",
        "Sorted: 1 likely panel, 1 stray.",
        f"Solved: not yet. {TO_SOLVE}",
    ]


def test_a_new_collection(azulejar_process):
    azulejar_process("collection", "create", "new one")
    assert re.fullmatch(
        r"new one: 0 tiles in 0 crates, \d\d\.\d kB on disk\n",
        azulejar_process("collection", "status", "new one"),
    )


def test_what_is_out_of_date(shown, museum):
    (museum / FOLDER).mkdir(exist_ok=True)
    np.savez(museum / FOLDER / JOINTS, key=np.array("of fewer tiles"))
    with Collection.open(museum) as collection:
        found = status.load_sort(collection)
        before = status.SortResult(found.groups, (), found.probability[:19])
        write_collection_groups(collection, before)
    assert shown()[1:3] == [
        f"Searched: before the last tiles were added. {TO_SORT}",
        f"Sorted: 1 likely panel, 0 strays; 1 tile was added since. {TO_SORT}",
    ]


@pytest.mark.parametrize(
    "outdated, told",
    [
        ([False], "Solved: 1 of 1 likely panel."),
        ([True], f"Solved: 1 of 1 likely panel, 1 of them from other tiles than they have now. "
                 f"{TO_SOLVE}"),
    ],
)  # fmt: skip
def test_what_is_solved(shown, monkeypatch, outdated, told):
    panels = [SimpleNamespace(outdated=each) for each in outdated]
    monkeypatch.setattr(status, "read_panels", lambda collection, groups: panels)
    assert shown()[-1] == told


def test_who_is_at_work(shown, museum):
    with locked(museum, "adds tiles"):
        told = shown()[1]
    assert re.match(r"Another process adds tiles right now: process \d+ on this computer", told)


def test_pictures_are_looked_for(shown, museum):
    crate = museum.parent / "crates" / "K0"
    # Copied with another time, as the fixture does, they are the same pictures.
    assert shown("--check")[-1] == "Pictures: all are where they were."
    (crate / "A04.png").unlink()
    (crate / "A06.png").write_bytes(b"another")
    assert shown("--check")[-4:] == [
        "Pictures: 1 vanished; if they were moved, add them from their new place:",
        f"  A04 (crate K0): {crate / 'A04.png'}",
        "Pictures: 1 changed since they were added; the tiles stay as they were:",
        f"  A06 (crate K0): {crate / 'A06.png'}",
    ]


def test_damage_is_told_with_what_mends_it(invoke, shown, museum):
    assert "Files: all are intact." in shown("--check")
    (museum / "pixels.bin").unlink()
    status, told, _ = invoke("collection", "status", "museum", "--check")
    assert status == 1
    assert "Damaged: pixels.bin (20 of 20 tiles)\n" in told
    assert "To rebuild it: azulejar collection repair museum\n" in told
    assert "Pictures" not in told


def test_damage_of_the_search_is_told(shown, museum):
    (museum / FOLDER).mkdir(exist_ok=True)
    (museum / FOLDER / JOINTS).write_bytes(b"no joints")
    assert shown()[1] == f"Searched: yes, but the result is damaged. {TO_SORT}"


def test_of_many_pictures_some_are_named(shown, museum):
    for path in (museum.parent / "crates").rglob("*.png"):
        path.unlink()
    told = shown("--check")
    assert told[-12].startswith("Pictures: 20 vanished")
    assert told[-1] == "  … and 10 more"
