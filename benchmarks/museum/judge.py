"""How close the results of a collection come to the truth of its museum."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from truth import Truth

from azulejar import Assembly

FIRST = (1, 10, 32)


def neighbour_ranks(
    true: NDArray[np.integer],
    edge: NDArray[np.integer],
    other: NDArray[np.integer],
    score: NDArray[np.floating],
) -> NDArray[np.int64]:
    """Return the rank from 1 of each edge's ``true`` partner [4n] in its list; 0: not listed.

    The table names an edge, another and their score, higher is better, in any order.
    """
    order = np.lexsort((-score, edge))
    edge, other = edge[order], other[order]
    starts = np.searchsorted(edge, np.arange(len(true)))
    rank = np.arange(len(edge)) - starts[edge] + 1
    ranks = np.zeros(len(true), np.int64)
    right = other == true[edge]
    ranks[edge[right]] = rank[right]
    return ranks


def recall(ranks: NDArray[np.int64], among: NDArray[np.bool_]) -> dict[str, float]:
    """Return the share of the edges ``among`` whose true partner is within the first 1, 10, 32."""
    chosen = ranks[among]
    return {
        f"first {k}": float(((chosen > 0) & (chosen <= k)).mean()) if len(chosen) else np.nan
        for k in FIRST
    }


def majority(truth: Truth, group: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which tiles lie in a group whose majority is of their panel; -1: no group."""
    found = np.zeros(len(truth), bool)
    order = np.argsort(group, kind="stable")
    order = order[group[order] >= 0]
    for tiles in np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else ():
        _, place, count = np.unique(truth.scene[tiles], return_inverse=True, return_counts=True)
        found[tiles] = place == count.argmax()
    return found


def grouping(truth: Truth, group: NDArray[np.integer], kinds: Iterable[str]) -> dict[str, float]:
    """Return what became of the tiles of panels of some kinds.

    - ``purity``: of those put in a group, the share in one whose majority is of their panel;
    - ``kept``: the same as a share of all, left out or not;
    - ``completeness``: mean over panels of the share of a panel that lies in its best group;
    - ``parts``: groups with two or more tiles of a panel as their majority, per panel.
    """
    right = majority(truth, group)
    own = np.isin(truth.kind, list(kinds))
    scenes = np.unique(truth.scene[own])
    best, parts = [], []
    for scene in scenes:
        tiles = truth.scene == scene
        _, counts = np.unique(group[tiles & right], return_counts=True)
        best.append(counts.max(initial=0) / tiles.sum())
        parts.append(int((counts >= 2).sum()))
    put = own & (group >= 0)
    return {
        "tiles": int(own.sum()),
        "panels": len(scenes),
        "purity": float(right[put].mean()) if put.any() else np.nan,
        "kept": float(right[own].mean()) if own.any() else np.nan,
        "completeness": float(np.mean(best)) if best else np.nan,
        "parts": float(np.mean(parts)) if parts else np.nan,
    }


def completeness(truth: Truth, group: NDArray[np.integer], panel: int) -> dict[str, float]:
    """Return a panel's number of tiles, and the share of them in the group that holds most."""
    tiles = truth.tiles(panel)
    _, counts = np.unique(group[tiles][group[tiles] >= 0], return_counts=True)
    return {"tiles": len(tiles), "completeness": float(counts.max(initial=0) / len(tiles))}


def strays_found(truth: Truth, group: NDArray[np.integer]) -> dict[str, float]:
    """Return the share of strays that were left out, and of left-out tiles that are strays."""
    stray, out = truth.kind == "stray", group < 0
    return {
        "strays": int(stray.sum()),
        "found": float(out[stray].mean()) if stray.any() else np.nan,
        "true": float(stray[out].mean()) if out.any() else np.nan,
    }


def met_edges(n: int, solved: Iterable[tuple[Iterable[int], Assembly]]) -> NDArray[np.int64]:
    """Return for each of the collection's 4n edges the edge it meets in the groups' assemblies."""
    met = np.full(4 * n, -1, np.int64)
    for tiles, assembly in solved:
        edges = (4 * np.asarray(list(tiles))[:, None] + np.arange(4)).ravel()
        local = assembly.neighbours()
        met[edges[local >= 0]] = edges[local[local >= 0]]
    return met


def neighbour_accuracy(
    truth: Truth, true: NDArray[np.integer], met: NDArray[np.integer], panels: Iterable[int]
) -> dict[str, float]:
    """Return the share of each panel's true joints that the assemblies have, by its name."""
    panel = np.repeat(truth.assembly.panel, 4)
    found = {}
    for number in panels:
        joints = (panel == number) & (true >= 0)
        if joints.any():
            found[truth.names[number]] = float((met[joints] == true[joints]).mean())
    return found
