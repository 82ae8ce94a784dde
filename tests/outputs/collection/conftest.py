"""A small collection of two panels, described by the true network and put together."""

import numpy as np
import pytest
from PIL import Image

from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.solve import solve_groups
from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.collection.panels import write_solved_panel
from azulejar.practice.puzzles import cut

SHAPES = ((4, 5), (3, 4))
TILE = 60


def write_crates(folder):
    """Tiles of both panels in three crates, the first of each panel left out, and one stray."""
    tiles = []
    for seed, (rows, cols) in enumerate(SHAPES):
        rng = np.random.default_rng(seed)
        coarse = rng.integers(0, 256, (3 * rows, 3 * cols, 3), np.uint8)
        picture = Image.fromarray(coarse).resize(
            (cols * TILE, rows * TILE), Image.Resampling.BICUBIC
        )
        tiles += [
            np.rot90(cell, rng.integers(4)) for cell in cut(np.asarray(picture), rows, cols)[1:]
        ]
    tiles.append(np.random.default_rng(9).integers(0, 256, (TILE, TILE, 3), np.uint8))
    for i, tile in enumerate(tiles):
        crate = folder / f"K {i % 3 if i < 19 else 2}"
        crate.mkdir(parents=True, exist_ok=True)
        Image.fromarray(tile).save(crate / f"A{i:02d}.png")


@pytest.fixture(scope="session")
def made(tmp_path_factory, in_turn):
    """The collection, what a sort would find, and its solved panels; tests only read them."""
    folder = tmp_path_factory.mktemp("made")
    write_crates(folder / "crates")
    collection = Collection.create(folder / "museum")
    add_tiles(collection, [folder / "crates"], engine=in_turn)
    number = {name: i for i, name in enumerate(collection.inventories())}
    tiles = [
        tuple(sorted(number[f"A{i:02d}"] for i in some)) for some in (range(19), range(19, 30))
    ]
    groups = [
        Group("1", tiles[0], 0.97, 28, 0.9, 10, "Two joints hold its last row."),
        Group("Stairs <b>", tiles[1], 0.8, 14, 0.7, 5),
    ]
    found = SortResult(
        groups, (number["A30"],), np.full(len(collection), 0.9), [(number["A00"], number["A30"])]
    )
    panels = [
        write_solved_panel(collection, each, "fast", 0)
        for each in solve_groups(collection, groups, in_turn, preset="fast")
    ]
    return collection, found, panels
