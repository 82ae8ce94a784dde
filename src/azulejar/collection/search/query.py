"""Find the tiles of a whole collection that fit an edge, or a hole."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.search.odds import CALIBRATION, pair_odds
from azulejar.collection.search.rescoring import (
    EdgeTable,
    PartnerScores,
    rescore_edges,
    score_mgc,
    score_twin,
)
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.overrides import removed_numbers
from azulejar.core.edges import edge_towards, opposite, turn_towards
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import weigh_fits
from azulejar.measures.calibration import PowerLaw, log_sum_exp
from azulejar.measures.probability import FLOOR

OpenTable = tuple[EdgeTable, PowerLaw]
PER_SIDE = 24  # likely partners of each side that are tried in a hole


@dataclass(frozen=True)
class Match:
    """A tile of the collection that may fit, and how it would lie.

    ``side`` is the side of the given tile at which it lies, or, for a hole, the direction of its
    surest neighbour; ``turn`` counts clockwise quarters, where the given tile lies as its file
    shows it.
    """

    entry: Entry
    side: int
    turn: int
    probability: float


def find_edge(
    collection: Collection,
    tile: int,
    side: int | None = None,
    *,
    count: int = 12,
    opened: OpenTable | None = None,
) -> list[Match]:
    """Return the tiles that fit a side of a tile, best first; without ``side``, any of the four.

    Args:
        collection: Where to search.
        tile: Its number in the collection (``collection.entry(inventory).number``).
        side: 0 top, 1 right, 2 bottom, 3 left.
        count: The most tiles to return.
        opened: What ``open_edge_table`` returned, where it is kept open for many questions.

    Raises:
        AzulejarError: If the collection has too few tiles.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     tile = museum.entry("03").number
        ...     matches = azulejar.find_edge(museum, tile, side=1, count=3)
        >>> [match.entry.crate for match in matches]
        ['crate', 'crate', 'crate']
    """
    _check_size(collection)
    search = _Search(*(opened or open_edge_table(collection)), removed_numbers(collection))
    found = []
    for own in range(4) if side is None else (side,):
        edge = 4 * tile + own
        others = search.partners(edge)
        for other, likely in zip(others, search.probabilities(edge, others), strict=True):
            found.append((float(likely), int(other), own))
    found.sort(key=lambda one: (-one[0], one[1]))
    entries = collection.entries([other // 4 for _, other, _ in found[:count]])
    return [
        Match(entry, own, turn_towards(other, opposite(own)), likely)
        for entry, (likely, other, own) in zip(entries, found, strict=False)
    ]


def find_hole(
    collection: Collection,
    neighbours: Mapping[int, tuple[int, int]],
    *,
    without: Iterable[int] = (),
    count: int = 12,
    opened: OpenTable | None = None,
) -> list[Match]:
    """Return the tiles that fit a hole, best first, all its sides taken together.

    They are weighed as in ``candidates_for``.

    Args:
        collection: Where to search.
        neighbours: By the direction in which they lie (0 above, 1 right, 2 below, 3 left), the
            tiles beside the hole, each with the side that faces it.
        without: Tiles that are passed over, such as all that lie in the same panel.
        count: The most tiles to return.
        opened: What ``open_edge_table`` returned, where it is kept open for many questions.

    Raises:
        AzulejarError: If the collection has too few tiles.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     left = museum.entry("03").number  # lies left of the hole, its right side towards it
        ...     above = museum.entry("07").number
        ...     matches = azulejar.find_hole(museum, {3: (left, 1), 0: (above, 2)}, count=3)
        >>> len(matches) <= 3
        True
    """
    _check_size(collection)
    search = _Search(*(opened or open_edge_table(collection)), removed_numbers(collection))
    facing = {direction: 4 * tile + side for direction, (tile, side) in neighbours.items()}
    lying = {tile for tile, _ in neighbours.values()} | set(without)
    ways = sorted(
        {
            (int(other) // 4, turn_towards(int(other), direction))
            for direction, edge in facing.items()
            for other in search.partners(edge)[:PER_SIDE]
            if int(other) // 4 not in lying
        }
    )
    if not ways:
        return []
    logs = np.zeros((len(ways), len(facing)))
    for column, (direction, edge) in enumerate(facing.items()):
        others = np.array([edge_towards(tile, turn, direction) for tile, turn in ways], np.int32)
        logs[:, column] = np.log(search.probabilities(edge, others) + FLOOR)
    probability, _ = weigh_fits(logs)
    best = np.argsort(-probability, kind="stable")[:count]
    entries = collection.entries([ways[i][0] for i in best])
    directions = list(facing)
    return [
        Match(entry, directions[logs[i].argmax()], ways[i][1], float(probability[i]))
        for entry, i in zip(entries, best, strict=True)
    ]


@dataclass(frozen=True)
class _Search:
    """The edges of a collection, the scale of MGC, and the tiles that people have removed."""

    table: EdgeTable
    scale: PowerLaw
    removed: Sequence[int]

    def partners(self, edge: int) -> NDArray[np.int32]:
        """Return the likely partners of an edge."""
        other = self._rescored(np.array([edge])).other[0]
        return other[other >= 0]

    def probabilities(self, edge: int, others: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return how likely each of ``others`` is the neighbour of an edge, among all tiles."""
        partners = self.partners(edge)
        met = np.concatenate([partners, others])
        scores = self._rescored(np.array([edge, *met]))
        log = self.scale.log
        mgc_total = log_sum_exp(log(np.where(scores.other >= 0, scores.mgc, np.inf)))
        own = np.array([edge])
        odds = pair_odds(
            score_twin(self.table, own, met[None])[0],
            scores.norm[0] + scores.norm[1:],
            log(score_mgc(self.table, own, met[None])[0]),
            mgc_total[0] + mgc_total[1:],
        )
        no_neighbour = CALIBRATION["nobody"]
        odds_of_others = odds[len(partners) :]
        # An edge that is not among the likely partners was not counted with them.
        total = odds[: len(partners)].sum() + no_neighbour
        return odds_of_others / np.maximum(total, odds_of_others + no_neighbour)

    def _rescored(self, edges: NDArray[np.int64]) -> PartnerScores:
        scores = rescore_edges(tuple(self.table), edges)
        scores.other[np.isin(scores.other // 4, self.removed)] = -1
        return scores


def _check_size(collection: Collection) -> None:
    if len(collection) < 2:
        raise AzulejarError(
            "collection-too-small",
            "{name} has fewer than two tiles.",
            "Add some tiles.",
            name=collection.name,
        )
