"""Which tiles of the whole collection fit an edge, or a hole."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.likelihood import Trust, calibration, odds_of, shares
from azulejar.collection.search.looking import Shelf, look_closely, mgc_of, twin_of
from azulejar.collection.search.shelf import open_shelf
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.edges import edge_towards, opposite, turn_towards
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import UNFIT
from azulejar.measures.probability import FLOOR

AROUND = 24  # likely partners of each side that are tried in a hole


@dataclass(frozen=True)
class Candidate:
    """A tile that may fit, and how it would lie.

    ``side`` is that of the asked tile at which it lies, or the direction in which the surest of its
    neighbours lies from a hole; ``turn`` counts clockwise quarters, where the asked tile lies as
    its file shows it.
    """

    entry: Entry
    side: int
    turn: int
    probability: float


def find_edge(
    collection: Collection, tile: int, side: int | None = None, *, count: int = 12
) -> list[Candidate]:
    """Tiles that fit a side of a tile, or any, best first."""
    _check_size(collection)
    shelf, trust = open_shelf(collection)
    found = []
    for own in range(4) if side is None else (side,):
        edge = 4 * tile + own
        others = _partners(shelf, edge)
        for other, likely in zip(others, _likely(shelf, trust, edge, others), strict=True):
            found.append((float(likely), int(other), own))
    found.sort(key=lambda one: (-one[0], one[1]))
    entries = collection.entries([other // 4 for _, other, _ in found[:count]])
    return [
        Candidate(entry, own, turn_towards(other, opposite(own)), likely)
        for entry, (likely, other, own) in zip(entries, found, strict=False)
    ]


def find_hole(
    collection: Collection, neighbours: Mapping[int, tuple[int, int]], *, count: int = 12
) -> list[Candidate]:
    """Tiles that fit a hole, best first, all its sides taken together.

    ``neighbours`` are the tiles beside it, by the direction in which they lie, each with the side
    that faces the hole. As in ``candidates``, each joint multiplies the odds of a tile by its
    probability over ``UNFIT``; those of no tile stay as they are.
    """
    _check_size(collection)
    shelf, trust = open_shelf(collection)
    facing = {direction: 4 * tile + side for direction, (tile, side) in neighbours.items()}
    lying = {tile for tile, _ in neighbours.values()}
    ways = sorted(
        {
            (int(other) // 4, turn_towards(int(other), direction))
            for direction, edge in facing.items()
            for other in _partners(shelf, edge)[:AROUND]
            if int(other) // 4 not in lying
        }
    )
    if not ways:
        return []
    logs = np.zeros((len(facing), len(ways)))
    for row, (direction, edge) in zip(logs, facing.items(), strict=True):
        others = np.array([edge_towards(tile, turn, direction) for tile, turn in ways], np.int32)
        row[:] = np.log(_likely(shelf, trust, edge, others) + FLOOR) - np.log(UNFIT)
    evidence = logs.sum(axis=0)
    highest = max(0.0, float(evidence.max()))
    odds = np.exp(evidence - highest)
    best = np.argsort(-odds, kind="stable")[:count]
    entries = collection.entries([ways[i][0] for i in best])
    directions = list(facing)
    total = odds.sum() + np.exp(-highest)
    return [
        Candidate(entry, directions[logs[:, i].argmax()], ways[i][1], float(odds[i] / total))
        for entry, i in zip(entries, best, strict=True)
    ]


def _partners(shelf: Shelf, edge: int) -> NDArray[np.int32]:
    """Likely partners of an edge."""
    other = look_closely(tuple(shelf), np.array([edge])).other[0]
    return other[other >= 0]


def _likely(
    shelf: Shelf, trust: Trust, edge: int, others: NDArray[np.int32]
) -> NDArray[np.float32]:
    """How likely each of ``others`` is the neighbour of an edge, among all there are."""
    partners = _partners(shelf, edge)
    met = np.concatenate([partners, others])
    looks = look_closely(tuple(shelf), np.array([edge, *met]))
    share = shares(trust.voice(np.where(looks.other >= 0, looks.mgc, np.inf)))
    asked = np.array([edge])
    odds = odds_of(
        twin_of(shelf, asked, met[None])[0],
        looks.norm[0] + looks.norm[1:],
        trust.voice(mgc_of(shelf, asked, met[None])[0]),
        share[0] + share[1:],
    )
    nobody = calibration()["nobody"]
    asked_odds = odds[len(partners) :]
    # What is not among the likely partners was not counted with them.
    return asked_odds / np.maximum(odds[: len(partners)].sum() + nobody, asked_odds + nobody)


def _check_size(collection: Collection) -> None:
    if len(collection) < 2:
        raise AzulejarError(
            f"{collection.name} has fewer than two tiles.", "Add some: azulejar collection add."
        )
