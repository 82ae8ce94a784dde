"""Run one stage of the measurement in a process of its own, so that its memory is known.

python benchmarks/museum/stages.py STAGE MUSEUM FOLDER

FOLDER holds the collection and the results of earlier stages; the stage prints its results as a
line of JSON at the end.
"""

import json
import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import judge
import numpy as np
from numpy.typing import NDArray
from truth import Truth, read_truth

from azulejar.collection.engines import get_engine
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.search.index import unpack_index
from azulejar.collection.search.joint_search import BLOCKS, JOINTS, find_joints
from azulejar.collection.search.joint_search import FOLDER as SEARCH
from azulejar.collection.search.query import find_edge
from azulejar.collection.search.rescoring import ASKED, EdgeTable
from azulejar.collection.solve import SolvedGroup, solve_groups
from azulejar.collection.sort import group_tiles
from azulejar.collection.sort_results import Group
from azulejar.collection.storage.catalogue import Collection

KINDS = ("unseen", "seen", "real")
CROWD_PANELS = 40  # of the crowd, whose assemblies are looked at too
QUESTIONS = 2000  # edges on which the index is compared with an exact one
FINDS = 20
SEED = 1


def add(museum: Path, folder: Path) -> dict:
    """Create the collection and add all crates."""
    where = folder / "collection"
    shutil.rmtree(where, ignore_errors=True)
    with Collection.create(where) as collection, get_engine() as engine:
        added = add_tiles(collection, [museum / "crates"], engine=engine)
    return {"new": added.new, "broken": len(added.broken)}


def index(museum: Path, folder: Path) -> dict:
    """Make keys and lists, and what rescoring needs."""
    shutil.rmtree(folder / "collection" / SEARCH, ignore_errors=True)
    with _open_collection(folder) as collection:
        table, trust = open_edge_table(collection)
    return {"exact": not len(table.lists), "trust": trust._asdict()}


def searching(museum: Path, folder: Path) -> dict:
    """Find the likely joints of all edges."""
    (folder / "collection" / SEARCH / JOINTS).unlink(missing_ok=True)
    shutil.rmtree(folder / "collection" / SEARCH / BLOCKS, ignore_errors=True)
    with _open_collection(folder) as collection, get_engine() as engine:
        return {"joints": len(find_joints(collection, engine).other)}


def recall(museum: Path, folder: Path) -> dict:
    """Return the ranks of the true neighbours, by the search and by the index alone."""
    with _open_collection(folder) as collection, get_engine() as engine:
        truth, table = _truth(museum, collection), find_joints(collection, engine)
        true = truth.assembly.neighbours()
        ranks = judge.neighbour_ranks(true, table.edge, table.other, table.score)
        found: dict = {"search": {}, "index": _against_exact(open_edge_table(collection)[0], true)}
    for kind in KINDS:
        among = (true >= 0) & np.repeat(truth.kind == kind, 4)
        if among.any():
            found["search"][kind] = {"edges": int(among.sum()), **judge.recall(ranks, among)}
    return found


def _against_exact(table: EdgeTable, true: NDArray[np.integer]) -> dict:
    """Compare the index in use with an exact one on a sample of edges.

    Return how many of the exact one's first 10, 32 and 128 it finds, and how often the true
    neighbour is among the 128 that are rescored: in the one in use, in the exact one.
    """
    edges = np.random.default_rng(SEED).permutation(np.flatnonzero(true >= 0))[:QUESTIONS]
    asked = table.keys[edges] * table.signs
    asked[:, -1] = 1
    exact = unpack_index(np.empty(0, np.uint8), table.keys).search(asked, ASKED)[1]
    near = unpack_index(table.lists, table.keys).search(asked, ASKED)[1]
    same = {
        f"first {k}": float(np.mean([len(np.intersect1d(*pair)) / k
                                     for pair in zip(near[:, :k], exact[:, :k], strict=True)]))
        for k in (10, 32, ASKED)
    }  # fmt: skip
    hit = {
        name: float((list_ == true[edges, None]).any(axis=1).mean())
        for name, list_ in (("looked at", near), ("looked at, exact", exact))
    }
    return {"questions": len(edges), **same, **hit}


def find(museum: Path, folder: Path) -> dict:
    """Time which tiles fit one side of a tile; the first call opens the index."""
    seconds = []
    with _open_collection(folder) as collection:
        for tile in np.random.default_rng(SEED).integers(len(collection), size=FINDS + 1):
            started = time.perf_counter()
            find_edge(collection, int(tile), 1)
            seconds.append(time.perf_counter() - started)
    return {"first": seconds[0], "seconds": float(np.median(seconds[1:]))}


def group(museum: Path, folder: Path) -> dict:
    """Cut the joints into likely panels."""
    with _open_collection(folder) as collection, get_engine() as engine:
        table = find_joints(collection, engine)
        started = time.perf_counter()
        groups = group_tiles(collection, table)
        seconds = time.perf_counter() - started
    np.save(folder / "groups.npy", np.asarray(groups.panel))
    return {"seconds": seconds, "groups": int(groups.panels)}


def grouping(museum: Path, folder: Path) -> dict:
    """Return how good the groups are."""
    with _open_collection(folder) as collection:
        truth = _truth(museum, collection)
    panel = np.load(folder / "groups.npy")
    kinds = [kind for kind in KINDS if (truth.kind == kind).any()]
    return {
        **{kind: judge.grouping(truth, panel, (kind,)) for kind in kinds},
        "strays": judge.strays_found(truth, panel),
        "groups": int(panel.max(initial=-1)) + 1,
        "panels": {
            truth.names[number]: judge.completeness(truth, panel, number)
            for number in truth.panels("real")
        },
    }


def solve(museum: Path, folder: Path) -> dict:
    """Assemble the groups with two or more tiles of a judged panel."""
    with _open_collection(folder) as collection:
        truth = _truth(museum, collection)
        panel = np.load(folder / "groups.npy")
        judged = np.isin(truth.assembly.panel, _judged_panels(truth))
        pairs = np.stack([panel, truth.assembly.panel])[:, judged & (panel >= 0)]
        both, count = np.unique(pairs, axis=1, return_counts=True)
        chosen = np.unique(both[0, count >= 2])
        groups = [np.flatnonzero(panel == number) for number in chosen]
        seconds = _assemble(collection, groups, folder / "museum.npy")
    part = np.isin(panel, chosen).sum() / max(1, (panel >= 0).sum())
    found = {"seconds": seconds / part, "groups": len(groups)}
    if part < 1:
        found["note"] = (
            f"{part:.0%} of the tiles in groups were solved, and the time is scaled to all."
        )
    return found


def alone(museum: Path, folder: Path) -> dict:
    """Assemble the tiles of each judged panel, without the rest of the museum."""
    with _open_collection(folder) as collection:
        truth = _truth(museum, collection)
        panels = [truth.tiles(number) for number in _judged_panels(truth)]
        _assemble(collection, panels, folder / "alone.npy")
    return {"panels": len(panels)}


def accuracy(museum: Path, folder: Path) -> dict:
    """Return the neighbour accuracy of all judged panels, in the museum and alone."""
    with _open_collection(folder) as collection:
        truth = _truth(museum, collection)
    true = truth.assembly.neighbours()
    met = {name: np.load(folder / f"{name}.npy") for name in ("museum", "alone")}
    found: dict = {"panels": {}}
    for kind in KINDS:
        panels = [number for number in _judged_panels(truth) if number in truth.panels(kind)]
        shares = {
            name: judge.neighbour_accuracy(truth, true, edges, panels)
            for name, edges in met.items()
        }
        if panels:
            means = {name: float(np.mean(list(share.values()))) for name, share in shares.items()}
            found[kind] = {"panels": len(panels), **means}
            for name in shares["alone"]:
                found["panels"][name] = {which: share[name] for which, share in shares.items()}
    return found


def _judged_panels(truth: Truth) -> list[int]:
    """Return all panels of unseen pictures, all real ones, and a few of the crowd."""
    crowd = np.random.default_rng(SEED).permutation(truth.panels("seen"))
    some = crowd if len(truth.panels("unseen")) == 0 else crowd[:CROWD_PANELS]
    return truth.panels("unseen", "real") + some.tolist()


def _assemble(collection: Collection, groups: Iterable[NDArray], path: Path) -> float:
    """Solve groups and save which edge of the collection meets which; return the seconds."""
    named = [Group(str(i), tuple(tiles.tolist())) for i, tiles in enumerate(groups)]
    started = time.perf_counter()
    solved = []
    with get_engine() as engine:
        for result in solve_groups(collection, named, engine):
            if not isinstance(result, SolvedGroup):
                raise result.why
            solved.append((result.group.tiles, result.assembly))
            print(f"{len(solved)} of {len(named)}", flush=True)
    np.save(path, judge.met_edges(len(collection), solved))
    return time.perf_counter() - started


def _open_collection(folder: Path) -> Collection:
    return Collection.open(folder / "collection")


def _truth(museum: Path, collection: Collection) -> Truth:
    return read_truth(museum, collection.inventories())


STAGES = {
    "add": add,
    "index": index,
    "search": searching,
    "recall": recall,
    "find": find,
    "group": group,
    "grouping": grouping,
    "solve": solve,
    "alone": alone,
    "accuracy": accuracy,
}

if __name__ == "__main__":
    answer = STAGES[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
    print(json.dumps(answer))
