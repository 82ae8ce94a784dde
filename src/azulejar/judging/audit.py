"""Audit: which tiles of an assembly seem to be in the wrong place or turned, and what fits better.

An assembly laid by people is mostly right. The audit makes the exchanges that gain most, one by
one. Each ring of tiles that took one another's places, each chain that ends in an empty place, and
each tile that was turned is a finding. Its strength is how much less likely all joints become if
it is undone. A tile whose joints look like any other's, such as a plain one, cannot be judged and
is not marked.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.judging.exchange import Exchange

THRESHOLD = 0.5  # tiles that are more likely wrong than right are marked

# Coefficients of 1, the gain and the mean of the joints (see probability_wrong) in the log-odds
# that a tile is wrong; fitted by benchmarks/audit.py (docs/results/audit.md).
WEIGHTS = np.array([-6.21, 0.84, 1.24])
MOST_GAIN = 15.0  # a larger gain says no more


@dataclass(frozen=True)
class Finding:
    """Tiles that seem to lie in one another's places, or one that seems turned.

    ``tiles`` are in the order of the ring: each belongs where the next one lies. If there is a
    ``hole``, an empty place, the last one belongs there, and the first one's place becomes empty.
    ``gain`` is the natural logarithm of how much likelier the joints are as proposed.
    """

    tiles: tuple[int, ...]
    gain: float
    probability: float
    hole: Place | None = None

    @property
    def kind(self) -> str:
        """``turned``, ``swapped`` (two tiles) or ``moved`` (more, or into an empty place)."""
        if self.hole is not None:
            return "moved"
        return {1: "turned", 2: "swapped"}.get(len(self.tiles), "moved")


@dataclass(frozen=True)
class Audit:
    """The assembly as ``given``, and as ``proposed`` with all ``findings`` put right.

    Findings are sorted by gain, largest first. Both assemblies count rows and cols from the same
    place, even where the proposal leaves places at the rim empty. ``gain`` [n] is the logarithm of
    what the best exchange of each tile gains, minus infinity for tiles that meet no other;
    ``mean`` is the mean log-probability of all joints.
    """

    given: Assembly
    proposed: Assembly
    findings: tuple[Finding, ...]
    gain: NDArray[np.float64]
    mean: float

    @property
    def wrong(self) -> NDArray[np.float64]:
        """The probability that each tile is misplaced or turned [n]; 0 if it meets no other."""
        return probability_wrong(self.gain, self.mean)

    @property
    def marked(self) -> NDArray[np.int64]:
        """The tiles of all findings, in rising order."""
        return np.array(sorted(tile for found in self.findings for tile in found.tiles), np.int64)


def audit(
    compatibility: Compatibility,
    assembly: Assembly,
    *,
    upright: bool = False,
    threshold: float = THRESHOLD,
) -> Audit:
    """Judge every tile of an assembly.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where they lie now.
        upright: All turns are known to be right.
        threshold: The least probability of a finding.

    Returns:
        The tiles that seem misplaced or turned, and an assembly with them put right.

    Raises:
        AzulejarError: If ``threshold`` is not from 0 to 1, or no tiles meet.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> row, col = truth.row.copy(), truth.col.copy()
        >>> row[[2, 9]], col[[2, 9]] = row[[9, 2]], col[[9, 2]]  # two tiles change places
        >>> found = azulejar.audit(scores, azulejar.Assembly.of(row, col, truth.turn))
        >>> [sorted(finding.tiles) for finding in found.findings]
        [[2, 9]]
    """
    _check(assembly, threshold)
    exchange = Exchange(compatibility, assembly, upright)
    exchange.improve()
    improved = exchange.assembly()
    rings = _rings(exchange)
    gain, mean = _gains(exchange, improved, rings)
    wrong = probability_wrong(gain, mean)
    findings = [
        Finding(r, float(gain[r[0]]), float(wrong[r[0]]), _hole(exchange, r[-1])) for r in rings
    ]
    kept = [found for found in findings if found.probability >= threshold]
    kept.sort(key=lambda found: (-found.gain, found.tiles))
    proposed = assembly
    for found in kept:
        proposed = _put(proposed, improved, found.tiles)
    return Audit(assembly, proposed, tuple(kept), gain, mean)


def probability_wrong(gain: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return how likely tiles are wrong [n], given what the best exchange of each gains [n].

    ``mean`` is the mean log-probability of all joints: where even right joints seem unlikely, a
    gain says less.
    """
    return expit(audit_features(gain, mean) @ WEIGHTS)


def audit_features(gain: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return the features of each tile: 1, its gain, and the mean [n, 3]."""
    return np.stack([np.ones_like(gain), np.minimum(gain, MOST_GAIN), np.full_like(gain, mean)], 1)


def _gains(
    exchange: Exchange, improved: Assembly, rings: list[tuple[int, ...]]
) -> tuple[NDArray[np.float64], float]:
    """Return the best gain of each tile [n], and the mean log-probability of the joints.

    The gain of a tile that the exchanges moved is what undoing its finding would lose; that of a
    tile which meets no other is minus infinity.
    """
    lies = exchange.tile < exchange.n
    gain = np.full(exchange.n, -np.inf)
    gain[exchange.tile[lies]] = exchange.gains().max(axis=1)[lies]
    evidence = exchange.evidence(improved)
    for ring in rings:
        gain[list(ring)] = evidence - exchange.evidence(_put(improved, exchange.given, ring))
    met = np.concatenate([a.joints().ravel() // 4 for a in (exchange.given, improved)])
    gain[np.setdiff1d(np.arange(exchange.n), met)] = -np.inf
    return gain, float(exchange.joint_logs(improved).mean())


def _check(assembly: Assembly, threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise AzulejarError(
            "audit-threshold",
            "{threshold} is not a threshold for a probability.",
            "Give more than 0, at most 1.",
            threshold=threshold,
        )
    if not len(assembly.joints()):
        raise AzulejarError(
            "assembly-without-joints",
            "No two tiles of this assembly meet.",
            "Give an assembly of two tiles or more.",
        )


def _rings(exchange: Exchange) -> list[tuple[int, ...]]:
    """Return the rings and chains of tiles that do not lie as given.

    Each tile belongs where the next one lay. A tile whose place is left empty begins a chain,
    which ends in an empty place.
    """
    place = _place_of_each(exchange)
    turned = exchange.turn[place] != exchange.given.turn
    seen = (place == np.arange(exchange.n)) & ~turned
    left_empty = exchange.tile[: exchange.n] == exchange.n
    rings = []
    for first in np.argsort(~left_empty, kind="stable").tolist():
        ring = []
        tile = first
        while tile < exchange.n and not seen[tile]:
            seen[tile] = True
            ring.append(tile)
            tile = int(place[tile])
        if ring:
            rings.append(tuple(ring))
    return rings


def _hole(exchange: Exchange, tile: int) -> Place | None:
    """Return the place where a tile lies now if it was empty before."""
    place = int(_place_of_each(exchange)[tile])
    return exchange.places[place] if place >= exchange.n else None


def _place_of_each(exchange: Exchange) -> NDArray[np.int64]:
    """Return the number of the place where each tile lies now [n]; see Exchange for numbers."""
    place = np.empty(exchange.n + 1, np.int64)
    place[exchange.tile] = np.arange(len(exchange.tile))
    return place[: exchange.n]


def _put(onto: Assembly, like: Assembly, tiles: tuple[int, ...]) -> Assembly:
    """Return an assembly in which ``tiles`` lie as in another."""
    at = list(tiles)
    changed = {}
    for name in ("row", "col", "turn", "panel"):
        changed[name] = getattr(onto, name).copy()
        changed[name][at] = getattr(like, name)[at]
    return replace(onto, **changed)
