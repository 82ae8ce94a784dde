"""Audit: which tiles of an assembly seem to be in the wrong place or turned, and what fits better.

A tile is marked if it is more likely wrong than right, by the same confidence as everywhere, and
something speaks against it. What would be better is sought by the exchanges that gain most and,
where tiles stay doubtful, by solving the panel again: each ring of tiles that took one another's
places, each chain that ends in an empty place, and each tile that was turned is a finding. A tile
is a finding too if nothing better was found, but it is very likely wrong, or others have a claim to
its place, or all the panel but a few tiles is sure. A plain tile, whose edges have no likely
partner anywhere, cannot be judged and is not marked; in a doubtful panel, only what gains much is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import candidates_for
from azulejar.judging.confidence import joint_confidence, middle_by_tile, second_by_tile
from azulejar.judging.evidence import Rivals, contests, misfits
from azulejar.judging.exchange import Exchange, laid_like
from azulejar.judging.reassembly import better_parts

THRESHOLD = 0.5  # tiles that are more likely wrong than right are marked
FINE = 0.9  # confidence from which a tile that is not marked is called fine
# Chosen on panels that the confidence was fitted on, none of them of panels/val: of 30 such panels
# at trims up to 5.5 %, disturbed in five ways, 98.1 % of the wrong tiles are marked, and 90.8 % of
# the marks are right; of the 3,328 tiles of the same panels intact, 29 are marked.
SURE = 0.9  # mean confidence of a panel in which any unlikely tile is odd
DOUBTFUL = 0.8  # mean confidence below which a panel is doubtful as a whole
VERY_LIKELY = 0.9  # probability of being wrong from which a tile is odd
TOLD = 0.3  # probability of a partner that tells an edge from plain ones
# Natural logarithms:
GAIN = 8.0  # least gain of a finding
CLEAR_GAIN = 12.0  # the same in a doubtful panel
CLAIM = 3.0  # of others to a place, that speaks against the tile there
SMALL = 0.75  # share of a part's tiles that leave a neighbour, from which a move is proposed


@dataclass(frozen=True)
class Finding:
    """Tiles that seem to lie in one another's places, or one that seems turned or misplaced.

    ``tiles`` are in the order of the ring: each belongs where the next one lies. If there is a
    ``hole``, an empty place, the last one belongs there, and the first one's place becomes empty.
    ``gain`` is the natural logarithm of how much likelier the joints are as proposed; None if
    nothing better was found. ``probability`` is that the tiles do not lie right.
    """

    tiles: tuple[int, ...]
    gain: float | None
    probability: float
    hole: Place | None = None

    @property
    def kind(self) -> str:
        """``turned``, ``swapped`` (two tiles), ``moved`` (more, or into a hole) or ``doubtful``."""
        if self.gain is None:
            return "doubtful"
        if self.hole is not None:
            return "moved"
        return {1: "turned", 2: "swapped"}.get(len(self.tiles), "moved")


@dataclass(frozen=True)
class Audit:
    """The assembly as ``given``, and as ``proposed`` with all ``findings`` put right.

    Findings are sorted by probability, the likeliest first. Both assemblies count rows and cols
    from the same place, even where the proposal leaves places at the rim empty. ``wrong`` [n] is
    the probability that each tile is misplaced or turned; 0 if it meets no other.
    """

    given: Assembly
    proposed: Assembly
    findings: tuple[Finding, ...]
    wrong: NDArray[np.float64]

    @property
    def marked(self) -> NDArray[np.int64]:
        """The tiles of all findings, in rising order."""
        return np.array(sorted(tile for found in self.findings for tile in found.tiles), np.int64)

    @property
    def unsure(self) -> NDArray[np.int64]:
        """The tiles that are not marked, and not likely enough to be called fine."""
        return np.setdiff1d(np.flatnonzero(self.wrong > 1 - FINE), self.marked)

    @property
    def mean_confidence(self) -> float:
        """The share of the tiles that is likely to lie right, of those that meet another."""
        return _mean_confidence(self.given, self.wrong)


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
    rivals = Rivals.of(compatibility)
    wrong, torn = _wrong(compatibility, assembly, rivals)
    exchange = Exchange(compatibility, assembly, upright)
    exchange.improve()
    still = np.maximum(*_wrong(compatibility, exchange.assembly(), rivals))
    stuck = np.flatnonzero(still >= threshold)
    exchange.lay_again(stuck)
    displaced = np.zeros(len(assembly), bool)
    judged = wrong.copy()
    for part in better_parts(exchange, stuck):
        displaced[part.displaced] = True
        judged[part.tiles] = np.maximum(wrong, torn)[part.tiles].max()
        if part.share >= SMALL:
            exchange.lay_as(laid_like(exchange.assembly(), part.better, part.tiles))
    improved = exchange.assembly()
    mean = _mean_confidence(assembly, wrong)
    first = GAIN if mean >= DOUBTFUL else CLEAR_GAIN
    kept: list[Finding] = []
    proposed = assembly
    rings = _rings(exchange)
    # A tile between wrong ones may look right until they are put right, so all are judged twice;
    # what is seen only then, or is torn from its neighbours on two sides, has to gain more.
    for least, seen in ((first, judged), (CLEAR_GAIN, np.maximum(judged, torn))):
        now = np.maximum(seen, _wrong(compatibility, proposed, rivals)[0])
        for ring in [ring for ring in rings if not any(ring == found.tiles for found in kept)]:
            found = _finding(exchange, improved, ring, now, rivals)
            if found.probability >= threshold and (found.gain or 0) >= least:
                kept.append(found)
                proposed = laid_like(proposed, improved, ring)
    moved = {tile for found in kept for tile in found.tiles}
    # A tile beside wrong ones may look wrong, and its place claimed, until they are put right.
    states = (assembly, proposed)
    still_wrong = np.minimum(wrong, _wrong(compatibility, proposed, rivals)[0])
    claims = np.min([contests(rivals, each, each.neighbours()) for each in states], axis=0)
    against = (claims >= CLAIM) | (still_wrong >= VERY_LIKELY) | (mean >= SURE)
    odd = (against & (still_wrong >= threshold)) | (displaced & (judged >= threshold))
    odd &= _can_be_judged(rivals, assembly) & (mean >= DOUBTFUL)
    for tile in np.flatnonzero(odd).tolist():
        if tile not in moved:
            kept.append(Finding((tile,), None, float(judged[tile])))
    kept.sort(key=lambda found: (-found.probability, found.tiles))
    return Audit(assembly, proposed, tuple(kept), wrong)


def _wrong(
    compatibility: Compatibility, assembly: Assembly, rivals: Rivals
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the probability that each tile is misplaced or turned, and that it is torn, [n] each.

    A tile is torn if two of its joints or more are wrong, although it is more likely right than
    wrong: so are the corners of a block that lies in the place of another. For others both are the
    same, and 0 for a tile that meets none.
    """
    joints, sure = joint_confidence(compatibility, assembly, rivals)
    n = len(assembly)
    wrong = np.zeros(n)
    met = np.unique(joints // 4)
    wrong[met] = 1 - middle_by_tile(joints, sure, n)[met]
    return wrong, np.where(wrong < THRESHOLD, second_by_tile(joints, 1 - sure, n), wrong)


def _mean_confidence(assembly: Assembly, wrong: NDArray[np.float64]) -> float:
    return 1 - float(wrong[np.unique(assembly.joints() // 4)].mean())


def _can_be_judged(rivals: Rivals, assembly: Assembly) -> NDArray[np.bool_]:
    """Return which tiles can be judged, unlike plain ones [n].

    Such a tile and one of its neighbours have likely partners, wherever these lie; or it is a
    misfit, less likely than a plain tile.
    """
    best = rivals.value[:, 0]
    met = assembly.neighbours()
    facing = np.where(met >= 0, best[met], -np.inf)
    least = np.minimum(best.reshape(-1, 4).max(axis=1), facing.reshape(-1, 4).max(axis=1))
    return (least >= np.log(TOLD)) | misfits(rivals, assembly.joints())


def _finding(
    exchange: Exchange,
    improved: Assembly,
    ring: tuple[int, ...],
    wrong: NDArray[np.float64],
    rivals: Rivals,
) -> Finding:
    """Make a finding of a ring of tiles.

    Its probability is the mean of the probabilities that its tiles lie wrong. If the ring ends in a
    hole, it is at least the probability that the last tile belongs there.
    """
    gain = exchange.evidence(improved) - exchange.evidence(
        laid_like(improved, exchange.given, ring)
    )
    hole = _hole(exchange, ring[-1])
    lie = [tile for tile in ring if exchange.given.panel[tile] >= 0]
    probability = float(wrong[lie].mean()) if lie else 0.0
    if hole is not None:
        scores, given = exchange.probabilities.compatibility, exchange.given
        ranked, _ = candidates_for(
            scores, given, hole, range(len(given)), upright=exchange.upright, rivals=rivals
        )
        likely = {candidate.tile: candidate.probability for candidate in ranked}
        probability = max(probability, likely.get(ring[-1], 0.0))
    return Finding(ring, gain, probability, hole)


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
