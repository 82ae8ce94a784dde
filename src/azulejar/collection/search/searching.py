"""The search for likely joints over the whole collection."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.collection.engines import Engine
from azulejar.collection.search.likelihood import probabilities
from azulejar.collection.search.looking import LOOKED_AT, Looks, Shelf, look_closely
from azulejar.collection.search.shelf import key_of, open_shelf
from azulejar.collection.storage.catalogue import Collection
from azulejar.core.joints import Joints
from azulejar.system.atomic import replacing

FOLDER = "search"
JOINTS = "joints.npz"
BLOCKS = "blocks"
EDGES = 2048  # a block
KEPT = 32  # partners of each edge


@dataclass(frozen=True)
class JointTable:
    """Likely joints of all tiles, each pair in both orders, with their probabilities."""

    joints: Joints

    @property
    def edge(self) -> NDArray[np.int32]:
        """One edge of each pair, in rising order."""
        start = self.joints.start
        return np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))

    @property
    def other(self) -> NDArray[np.int32]:
        """The other edge."""
        return self.joints.other

    @property
    def probability(self) -> NDArray[np.float32]:
        """How likely the two are neighbours."""
        return self.joints.score


def search(
    collection: Collection,
    engine: Engine,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> JointTable:
    """Likely joints of the whole collection; found again if no tile was added since.

    What workers find is kept block by block, so that a search that was stopped goes on.
    """
    folder = collection.folder / FOLDER
    key = key_of(collection)
    table = _kept(folder / JOINTS, key)
    if table is None:
        shelf, trust = open_shelf(collection)
        looks = look_everywhere(
            shelf, engine, folder / BLOCKS / sha256(key.encode()).hexdigest()[:16], on_progress
        )
        table = _table(looks.other, probabilities(looks, trust))
        with replacing(folder / JOINTS) as temporary, temporary.open("wb") as file:
            joints = table.joints
            np.savez(file, start=joints.start, other=joints.other, score=joints.score,
                     key=np.array(key))  # fmt: skip
        shutil.rmtree(folder / BLOCKS, ignore_errors=True)
    on_progress(1.0)
    return table


def is_searched(collection: Collection) -> bool:
    """Whether the joints of all tiles are known."""
    try:
        with np.load(collection.folder / FOLDER / JOINTS, allow_pickle=False) as found:
            return str(found["key"]) == key_of(collection)
    except (OSError, ValueError, KeyError, BadZipFile):
        return False


def look_everywhere(
    shelf: Shelf, engine: Engine, folder: Path, on_progress: Callable[[float], None]
) -> Looks:
    """At the partners of all edges; blocks are kept in ``folder`` until they are all there."""
    edges = len(shelf.keys)
    starts = range(0, edges, EDGES)
    missing = [start for start in starts if not _block(folder, start).exists()]
    shared = [engine.share(array) for array in shelf]
    done = len(starts) - len(missing)
    blocks = (np.arange(start, min(start + EDGES, edges)) for start in missing)
    for number, looks in engine.map(look_closely, blocks, shared):
        with replacing(_block(folder, missing[number])) as temporary, temporary.open("wb") as file:
            np.savez(file, **looks.__dict__)
        done += 1
        on_progress(0.98 * done / len(starts))
    return _gathered(folder, edges)


def _gathered(folder: Path, edges: int) -> Looks:
    width = (edges, LOOKED_AT)
    looks = Looks(
        np.full(width, -1, np.int32),
        np.full(width, -np.inf, np.float32),
        np.full(width, np.inf, np.float32),
        np.empty(edges, np.float32),
    )
    for start in range(0, edges, EDGES):
        with np.load(_block(folder, start)) as found:
            rows = slice(start, start + len(found["norm"]))
            count = found["other"].shape[1]
            for name in ("other", "twin", "mgc"):
                getattr(looks, name)[rows, :count] = found[name]
            looks.norm[rows] = found["norm"]
    return looks


def _table(other: NDArray[np.int32], probability: NDArray[np.float32]) -> JointTable:
    """The best partners of each edge, and every pair in both orders."""
    edges = len(other)
    best = np.argsort(-probability, axis=1, kind="stable")[:, :KEPT]
    other = np.take_along_axis(other, best, 1)
    # Nothing that is listed may vanish from the pattern.
    score = np.maximum(np.take_along_axis(probability, best, 1), np.float32(1e-9))
    edge = np.repeat(np.arange(edges, dtype=np.int32), other.shape[1])
    there = (other >= 0).ravel()
    matrix = csr_array((score.ravel()[there], (edge[there], other.ravel()[there])),
                       shape=(edges, edges))  # fmt: skip
    matrix = matrix.maximum(matrix.T).tocsr()
    matrix.sort_indices()
    return JointTable(Joints(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32),
                             matrix.data))  # fmt: skip


def _kept(path: Path, key: str) -> JointTable | None:
    try:
        with np.load(path, allow_pickle=False) as found:
            if str(found["key"]) == key:
                return JointTable(Joints(found["start"], found["other"], found["score"]))
    except (OSError, ValueError, KeyError, BadZipFile):
        pass  # of an older state, or damaged: it is made again
    return None


def _block(folder: Path, start: int) -> Path:
    return folder / f"{start:010}.npz"
