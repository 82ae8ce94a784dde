"""Collections of made-up pictures, described by no network."""

from hashlib import sha256

import numpy as np
import pytest

from azulejar.collection.adding import add_tiles
from azulejar.collection.catalogue import Collection
from azulejar.collection.encoding import Encoded


def describe_bytes(shared, block):
    """In the place of the network: numbers that depend on what a file holds, and on nothing else.

    Files that begin with "broken" are no pictures.
    """
    count = len(block)
    pixels = np.zeros((count, 50, 50, 3), np.uint8)
    descriptions = np.zeros((count, 4 * 2 * 1600), np.int8)
    scales = np.zeros((count, 8), np.float32)
    broken = {}
    for i, (name, content) in enumerate(block):
        if content.startswith(b"broken"):
            broken[i] = f"{name} is broken."
            continue
        rng = np.random.default_rng(np.frombuffer(sha256(content).digest(), np.uint8))
        pixels[i] = rng.integers(0, 256, (50, 50, 3), np.uint8)
        descriptions[i] = rng.integers(-127, 128, 4 * 2 * 1600, np.int8)
        scales[i] = rng.random(8)
    return Encoded(pixels, descriptions.reshape(-1, 2, 1600), scales.reshape(-1, 2), broken)


class InTurn:
    """An engine that does one block after the other, right here."""

    name, workers = "in turn", 1

    def map(self, task, blocks, shared=(), on_done=None):
        for number, block in enumerate(blocks):
            yield number, task((), block)


class Jumbled:
    """An engine whose blocks end in any order, a few of them under way at a time."""

    name, workers = "jumbled", 3

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def map(self, task, blocks, shared=(), on_done=None):
        under_way = []
        for number, block in enumerate(blocks):
            under_way.append((number, task((), block)))
            if len(under_way) > self.rng.integers(1, 6):
                yield under_way.pop(self.rng.integers(len(under_way)))
        while under_way:
            yield under_way.pop(self.rng.integers(len(under_way)))


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
def add():
    """Add folders to a collection, without a network."""

    def add(collection, *sources, engine=None, model="test", **options):
        return add_tiles(
            collection, sources, engine=engine or InTurn(), encode=describe_bytes, model=model,
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
