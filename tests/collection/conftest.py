"""Collections of made-up pictures, described by no network."""

import numpy as np
import pytest
from collection_fakes import Jumbled, describe_bytes

from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.storage.catalogue import Collection
from azulejar.core.assembly import Assembly
from azulejar.imaging.picture import write_picture
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle


@pytest.fixture(scope="session")
def described():
    """What is stored of a picture with this content: pixels, descriptions and scales."""

    def describe(content):
        encoded = describe_bytes((), [("", content)])
        return encoded.pixels, encoded.descriptions, encoded.scales

    return describe


@pytest.fixture(scope="session")
def jumbled():
    return Jumbled


@pytest.fixture
def collection(tmp_path):
    """A new one."""
    with Collection.create(tmp_path / "museum") as new:
        yield new


@pytest.fixture(scope="session")
def add(in_turn):
    """Add folders to a collection, without a network."""

    def add(collection, *sources, engine=None, model="test", **options):
        return add_tiles(
            collection, sources, engine=engine or in_turn, encode=describe_bytes, model=model,
            **options,
        )  # fmt: skip

    return add


@pytest.fixture
def crate(tmp_path):
    """Write a folder of files: of each its content, by default its own name in the crate."""

    def write(name, *files, **contents):
        folder = tmp_path / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            (folder / f"{file}.png").write_bytes(f"{name} {file}".encode())
        for file, content in contents.items():
            (folder / f"{file}.png").write_bytes(content)
        return folder

    return write


@pytest.fixture(scope="session")
def encode():
    """A function that describes pictures without a network."""
    return describe_bytes


@pytest.fixture(scope="session")
def painted_museum(tmp_path_factory, in_turn):
    """A collection of two painted panels, turned and mixed, as the true network describes them.

    With it the truth: an assembly of two panels, in the order of the collection.
    """
    home = tmp_path_factory.mktemp("painted")
    parts, truths = [], []
    for panel, (rows, cols) in enumerate([(5, 6), (4, 5)]):
        picture = paint_panel(rows, cols, seed=panel)
        cells = cut(picture, rows, cols, trim=0.03, tile_size=50)
        tiles, truth = make_puzzle(cells, rows, cols, turned=True, seed=panel)
        parts.append(tiles)
        truths.append(truth)
    tiles = np.concatenate(parts)
    order = np.random.default_rng(0).permutation(len(tiles))
    for number, tile in enumerate(tiles[order]):
        write_picture(home / "crates" / f"{number % 2}" / f"t{number:03}.png", tile)
    collection = Collection.create(home / "museum")
    add_tiles(collection, [home / "crates"], engine=in_turn)
    collection.refresh()
    listed = [int(number[1:]) for number in collection.inventories()]
    row, col, turn, panel = (
        np.concatenate([getattr(truth, name) + (k if name == "panel" else 0)
                        for k, truth in enumerate(truths)])[order][listed]
        for name in ("row", "col", "turn", "panel")
    )  # fmt: skip
    yield collection, Assembly.of(row, col, turn, panel)
    collection.close()
