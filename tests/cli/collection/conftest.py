"""A small museum: one panel of 4 × 5 tiles without its first, in two crates, and a stray."""

import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.practice.puzzles import cut

ROWS, COLS, TILE = 4, 5, 60


@pytest.fixture(autouse=True)
def at_once(pool_of_threads):
    """No worker has to start; commands in processes of their own show that workers do."""


@pytest.fixture(scope="session")
def made_museum(tmp_path_factory, in_turn):
    """Folders ``crates`` and ``museum``, sorted as the truth has it."""
    folder = tmp_path_factory.mktemp("made")
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(0, 256, (3 * ROWS, 3 * COLS, 3), np.uint8))
    picture = np.asarray(coarse.resize((COLS * TILE, ROWS * TILE), Image.Resampling.BICUBIC))
    tiles = [*cut(picture, ROWS, COLS)[1:], rng.integers(0, 256, (TILE, TILE, 3), np.uint8)]
    for i, tile in enumerate(tiles):
        crate = folder / "crates" / f"K{i % 2}"
        crate.mkdir(parents=True, exist_ok=True)
        Image.fromarray(tile).save(crate / f"A{i:02d}.png")
    with Collection.create(folder / "museum") as collection:
        add_tiles(collection, [folder / "crates"], engine=in_turn)
        number = {name: i for i, name in enumerate(collection.inventories())}
        own = tuple(sorted(number[f"A{i:02d}"] for i in range(19)))
        found = SortResult([Group("1", own, 0.9, 30, 0.9, 12)], (number["A19"],), np.ones(20))
        write_collection_groups(collection, found)
        open_edge_table(collection)  # so that not every find has to make it
    return folder


@pytest.fixture
def museum(made_museum, tmp_path):
    """One of its own, in the folder ``museum``."""
    shutil.copytree(made_museum, tmp_path, dirs_exist_ok=True)
    return tmp_path / "museum"
