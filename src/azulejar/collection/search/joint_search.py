"""Search a whole collection for likely joints, block by block."""

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.collection.engines import Engine
from azulejar.collection.search.edge_table import open_edge_table, search_key
from azulejar.collection.search.odds import partner_probabilities
from azulejar.collection.search.rescoring import KEPT, EdgeTable, PartnerScores, rescore_edges
from azulejar.collection.storage.catalogue import Collection
from azulejar.core.joints import Joints
from azulejar.system.array_file import open_arrays
from azulejar.system.atomic import replacing

FOLDER = "search"
JOINTS = "joints.npz"
BLOCKS = "blocks"
EDGES = 2048  # edges of a block
PARTNERS = 32  # partners of each edge in the table


def find_joints(
    collection: Collection,
    engine: Engine,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> Joints:
    """Return the likely joints of a collection with their probabilities.

    They are stored, and computed anew only if tiles were added since. The results of workers are
    stored block by block, so that a search that was stopped goes on where it was.
    """
    folder = collection.folder / FOLDER
    key = search_key(collection)
    joints = _load(folder / JOINTS, key)
    if joints is None:
        table, scale = open_edge_table(collection)
        blocks = folder / BLOCKS / sha256(key.encode()).hexdigest()[:16]
        scores = rescore_all(table, engine, blocks, on_progress)
        joints = _make_table(scores.other, partner_probabilities(scores, scale))
        with replacing(folder / JOINTS) as temporary, temporary.open("wb") as file:
            np.savez(file, start=joints.start, other=joints.other, score=joints.score,
                     key=np.array(key))  # fmt: skip
        shutil.rmtree(folder / BLOCKS, ignore_errors=True)
    on_progress(1.0)
    return joints


def search_state(collection: Collection) -> Literal["done", "outdated", "damaged", "missing"]:
    """Return whether the joints of all tiles are stored."""
    path, key = collection.folder / FOLDER / JOINTS, search_key(collection)
    if not path.exists():
        return "missing"
    if _load(path, key) is not None:
        return "done"
    try:
        with open_arrays(path) as found:
            return "damaged" if str(found.read("key")) == key else "outdated"
    except (OSError, ValueError):
        return "damaged"


def rescore_all(
    table: EdgeTable, engine: Engine, folder: Path, on_progress: Callable[[float], None]
) -> PartnerScores:
    """Score the partners of all edges; blocks are kept in ``folder`` until all are there."""
    edges = len(table.keys)
    starts = range(0, edges, EDGES)
    missing = [start for start in starts if _read_block(folder, start) is None]
    shared = [engine.share(array) for array in table]
    done = len(starts) - len(missing)
    blocks = (np.arange(start, min(start + EDGES, edges)) for start in missing)
    for number, scores in engine.map(rescore_edges, blocks, shared):
        with replacing(_block(folder, missing[number])) as temporary, temporary.open("wb") as file:
            np.savez(file, **scores.__dict__)
        done += 1
        on_progress(0.98 * done / len(starts))
    return _gather_blocks(folder, edges)


def _gather_blocks(folder: Path, edges: int) -> PartnerScores:
    width = (edges, KEPT)
    scores = PartnerScores(
        np.full(width, -1, np.int32),
        np.full(width, -np.inf, np.float32),
        np.full(width, np.inf, np.float32),
        np.empty(edges, np.float32),
    )
    for start in range(0, edges, EDGES):
        found = _read_block(folder, start)
        assert found is not None  # this process has just written or read it
        rows = slice(start, start + len(found["norm"]))
        count = found["other"].shape[1]
        for name in ("other", "twin", "mgc"):
            getattr(scores, name)[rows, :count] = found[name]
        scores.norm[rows] = found["norm"]
    return scores


def _read_block(folder: Path, start: int) -> dict[str, NDArray] | None:
    """Return the arrays of a block; None if there is none, or it is damaged."""
    try:
        with open_arrays(_block(folder, start)) as found:
            return {name: found.read(name) for name in ("other", "twin", "mgc", "norm")}
    except (OSError, ValueError):
        return None


def _make_table(other: NDArray[np.int32], probability: NDArray[np.float32]) -> Joints:
    """Return the best partners of each edge, with every pair in both orders."""
    edges = len(other)
    best = np.argsort(-probability, axis=1, kind="stable")[:, :PARTNERS]
    other = np.take_along_axis(other, best, 1)
    # A score of exactly 0 would vanish from the sparse matrix.
    score = np.maximum(np.take_along_axis(probability, best, 1), np.float32(1e-9))
    edge = np.repeat(np.arange(edges, dtype=np.int32), other.shape[1])
    there = (other >= 0).ravel()
    matrix = csr_array((score.ravel()[there], (edge[there], other.ravel()[there])),
                       shape=(edges, edges))  # fmt: skip
    matrix = matrix.maximum(matrix.T).tocsr()
    matrix.sort_indices()
    start, partner = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    return Joints(start, partner, matrix.data)


def _load(path: Path, key: str) -> Joints | None:
    """Return the stored joints; None if there are none, or they are outdated or damaged."""
    try:
        with open_arrays(path) as found:
            if str(found.read("key")) == key:
                return Joints(*(found.read(name) for name in ("start", "other", "score")))
    except (OSError, ValueError):
        pass
    return None


def _block(folder: Path, start: int) -> Path:
    return folder / f"{start:010}.npz"
