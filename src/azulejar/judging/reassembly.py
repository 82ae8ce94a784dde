"""Solve a panel again, and find the parts that clearly fit better in the new assembly.

Exchanges of single tiles do not mend what was moved as a whole, such as a block of tiles that lies
one place further or a border in the middle; another search does.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from azulejar.core.alignment import ANY_TURN, motion_between
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.judging.evidence import UNFIT
from azulejar.judging.exchange import LEAST_GAIN, Exchange, laid_like, places_of
from azulejar.solvers import solve

# Chosen on panels that are not of panels/val (docs/results/audit.md).
PART_GAIN = 20.0  # least gain of a part, in natural logarithms
LIKELIER_JOINTS = 2  # at which a displaced tile meets a likelier neighbour, at least
MOST_PLACES = 1.25  # for one tile, of a panel that is solved again in its own size


@dataclass(frozen=True)
class Part:
    """Tiles that together fit better where the assembly ``better`` has them.

    ``share`` is the fraction of them that change neighbours: nearly all tiles of a small block, few
    of a large one, whose inner tiles keep theirs. ``displaced`` are those that meet likelier
    neighbours at half of their joints or more, at least two.
    """

    tiles: NDArray[np.int64]
    better: Assembly
    displaced: NDArray[np.int64]
    share: float


def better_parts(exchange: Exchange, doubtful: NDArray[np.int64]) -> list[Part]:
    """Solve panels with ``doubtful`` tiles again; return the parts that gain ``PART_GAIN`` or more.

    A part are tiles that lie otherwise in the new assembly and are linked: they are neighbours, or
    one takes the other's place. It is judged by itself, with all other tiles as they are. Places
    are those of the assembly as it is now, but a part may reach beyond its rim.
    """
    now = exchange.assembly()
    solved = _solved_again(exchange, now, doubtful)
    parts = []
    for tiles in _linked(now, solved):
        better = laid_like(now, solved, tiles)
        if exchange.evidence(better) >= exchange.evidence(now) + PART_GAIN:
            parts.append(_part(exchange, now, better, tiles))
    return parts


def _solved_again(exchange: Exchange, laid: Assembly, doubtful: NDArray[np.int64]) -> Assembly:
    """Solve each panel with doubtful tiles again at its size, aligned with the old assembly."""
    compatibility = exchange.probabilities.compatibility
    for panel in np.unique(laid.panel[doubtful]).tolist():
        tiles = np.flatnonzero(laid.panel == panel)
        here = Assembly(laid.row[tiles], laid.col[tiles], laid.turn[tiles], laid.panel[tiles])
        rows, cols = laid.box(panel)
        if rows * cols > MOST_PLACES * len(tiles) or (exchange.upright and here.turn.any()):
            continue
        knowns = Knowns(rows=rows, cols=cols, upright=exchange.upright)
        solved = solve(compatibility.take(tiles), knowns, preset="fast")
        moved = motion_between(solved, here, (0,) if exchange.upright else ANY_TURN)(solved)
        row, col, turn = laid.row.copy(), laid.col.copy(), laid.turn.copy()
        row[tiles], col[tiles], turn[tiles] = moved.row, moved.col, moved.turn
        laid = replace(laid, row=row, col=col, turn=turn)
    return laid


def _linked(now: Assembly, solved: Assembly) -> list[NDArray[np.int64]]:
    """Group the tiles whose places or turns differ between two assemblies into linked sets."""
    changed = np.zeros(len(now), bool)
    for name in ("row", "col", "turn"):
        changed |= getattr(now, name) != getattr(solved, name)
    taken = {place: tile for tile, place in enumerate(places_of(now))}
    takes = [(tile, taken.get(place, tile)) for tile, place in enumerate(places_of(solved))]
    joints = now.joints()
    kept = joints[solved.neighbours()[joints[:, 0]] == joints[:, 1]]
    links = np.concatenate([takes, kept // 4])
    links = links[changed[links].all(axis=1)]
    graph = coo_array((np.ones(len(links)), links.T), (len(now), len(now)))
    _, number = connected_components(graph, directed=False)
    return [np.flatnonzero(number == each) for each in np.unique(number[changed])]


def _part(exchange: Exchange, now: Assembly, better: Assembly, tiles: NDArray[np.int64]) -> Part:
    joints = now.joints()
    opened = joints[better.neighbours()[joints[:, 0]] != joints[:, 1]]
    likelier = joints[_is_likelier(exchange, joints, better)]
    all_of, opened_of, likelier_of = (
        np.bincount(some.ravel() // 4, minlength=len(now))[tiles]
        for some in (joints, opened, likelier)
    )
    displaced = (likelier_of >= LIKELIER_JOINTS) & (2 * likelier_of >= all_of)
    return Part(tiles, better, tiles[displaced], float((opened_of > 0).mean()))


def _is_likelier(
    exchange: Exchange, joints: NDArray[np.int32], better: Assembly
) -> NDArray[np.bool_]:
    """Return at which joints [m, 2] an edge has a likelier partner in ``better``.

    Beyond the rim it meets nothing, which counts as ``UNFIT``. Plain edges gain nothing by meeting
    other plain ones.
    """
    met = better.neighbours()[joints]
    edges = joints.astype(np.int64)
    there = exchange.probabilities.log(edges, np.where(met >= 0, met, 0))
    there = np.where(met >= 0, there, np.log(UNFIT)).max(axis=1)
    return there >= exchange.probabilities.log(joints[:, 0], joints[:, 1]) + LEAST_GAIN
