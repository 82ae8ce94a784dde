"""What collections are tested with, also in processes of their own: engines, an encoder."""

import sqlite3
from hashlib import sha256

import numpy as np

from azulejar.collection.intake.encoding import Encoded
from azulejar.collection.storage.arrays import LAYOUTS


class InTurn:
    """An engine that does one block after the other, right here."""

    name, workers = "in turn", 1

    def share(self, array):
        return array

    def map(self, task, blocks, shared=(), on_done=None):
        for number, block in enumerate(blocks):
            yield number, task(tuple(shared), block)


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


def make_older(folder):
    """Take from a collection, which nobody has open, what format 1 did not have."""
    with sqlite3.connect(folder / "collection.db") as db:
        for column in ("checksum", *LAYOUTS):
            db.execute(f"ALTER TABLE tiles DROP COLUMN {column}")
        db.execute("ALTER TABLE meta DROP COLUMN checksum")
        db.execute("UPDATE meta SET value = 'azulejar-collection/1' WHERE key = 'format'")
    db.close()


def make_newer(folder):
    """Write to a collection as a later azulejar might, whose checksums cover one column more."""
    with sqlite3.connect(folder / "collection.db") as db:
        db.execute("ALTER TABLE tiles ADD COLUMN glaze TEXT")
        db.execute("UPDATE tiles SET checksum = checksum + 1")
        db.execute("UPDATE meta SET value = 'azulejar-collection/3' WHERE key = 'format'")
        db.execute("UPDATE meta SET value = '9.1' WHERE key = 'version'")
    db.close()
