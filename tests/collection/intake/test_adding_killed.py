"""kill -9 while tiles are added loses at most what is under way, and the collection opens.

The children are forked by a program of its own, which has imported everything once.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import collection_fakes
import pytest

from azulejar.collection.storage.catalogue import Collection

KILLS = 14
TILES = 1500
BLOCK = 4
ARRAYS = ("pixels.bin", "descriptions.bin", "scales.bin")

# Each child adds the same crates and tells how many tiles are kept; it is killed at a moment that
# nobody has chosen. Whatever it told must be there, and belong to the picture that it stands for.
NURSERY = """
import json, os, random, signal, sqlite3, sys, time
from pathlib import Path
import collection_fakes as fakes
import numpy as np
from azulejar.collection.intake import adding
from azulejar.collection.storage import writer
from azulejar.collection.storage.catalogue import Collection

museum, crates, kills = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
chance = random.Random(int(sys.argv[4]))
adding.BLOCK = int(sys.argv[5])

def live(say):
    class Telling(adding.Writer):
        def add(self, *block):
            super().add(*block)
            os.write(say, b"%d\\n" % self._tiles)
    writer.Writer = Telling
    adding.add_tiles(Collection.open(museum), [crates], engine=fakes.Jumbled(chance.randrange(99)),
                     encode=fakes.describe_bytes, model="test")
    os._exit(0)

def checked():
    '''How many tiles a sound collection has.'''
    db = sqlite3.connect(museum / "collection.db")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
    with Collection.open(museum) as collection:
        entries = collection.entries()
        for entry in entries[-30:]:
            alone = fakes.describe_bytes((), [("", entry.path.read_bytes())])
            edges = slice(4 * entry.number, 4 * entry.number + 4)
            assert np.array_equal(collection.pixels[entry.number], alone.pixels[0])
            assert np.array_equal(collection.descriptions[edges], alone.descriptions)
            assert np.array_equal(collection.scales[edges], alone.scales)
        return len(entries)

lives = []
for _ in range(kills):
    listen, say = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(listen)
        live(say)
    os.close(say)
    with os.fdopen(listen, "rb") as told:
        # Most have begun to add before their hour comes.
        first = [told.readline() for _ in range(chance.choice([0, 1, 10]))]
        time.sleep(chance.choice([0, 0.01, 0.05]) * chance.random())
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        lines = (b"".join(first) + told.read()).splitlines(keepends=True)
        kept = [int(line) for line in lines if line.endswith(b"\\n")]
    lives.append((max(kept, default=0), checked()))
print(json.dumps(lives))
"""


@pytest.fixture
def crates(tmp_path):
    """Crates of 50 pictures, with a few that are broken or there twice."""
    for i in range(TILES):
        path = tmp_path / "crates" / str(i // 50) / f"{i}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"broken" if i % 97 == 5 else b"%d" % (i - i % 89 // 88))
    return tmp_path / "crates"


def kill_often(folder, crates, kills, seed=0):
    """Of each life, how many tiles were told as added in all, and how many are there."""
    ended = subprocess.run(
        [sys.executable, "-c", NURSERY, folder, crates, str(kills), str(seed), str(BLOCK)],
        env=os.environ | {"PYTHONPATH": str(Path(collection_fakes.__file__).parent)},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_what_was_told_as_added_is_there_after_a_kill(tmp_path, add, crates):
    Collection.create(tmp_path / "museum").close()
    lives = kill_often(tmp_path / "museum", crates, KILLS)
    assert len(lives) == KILLS
    last = 0
    for told, found in lives:
        assert 0 <= found - (told or last) <= BLOCK  # kept, but killed before it was told
        last = found
    # Most were killed at work, and none had ended: otherwise this would say little.
    assert sum(bool(told) for told, _ in lives) > KILLS / 2
    assert last < TILES * 0.9, "raise TILES: this machine adds too fast to be killed at work"

    with (
        Collection.open(tmp_path / "museum") as killed,
        Collection.create(tmp_path / "whole") as whole,
    ):
        resumed, added = add(killed, crates), add(whole, crates)
        assert resumed.known + resumed.new == added.new
        assert list(resumed.broken) == list(added.broken)
        assert resumed.twice == added.twice
        for name in ARRAYS:
            assert (killed.folder / name).read_bytes() == (whole.folder / name).read_bytes()
        assert [entry.inventory for entry in killed.entries()] == whole.inventories()
