"""From what the two voices say of pairs to the probability that their edges are neighbours."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.intake.encoding import MODEL
from azulejar.collection.search.looking import Looks, Shelf, look_closely
from azulejar.weights import load_model

SAMPLE = 2048  # edges that show how far MGC can be trusted
SEED = 2
PLAIN = 0.02  # of the typical least dissimilarity, added so that plain edges don't pass for certain
POWERS = (0.05, 64.0)  # between which MGC's is sought
HALVINGS = 24


class Trust(NamedTuple):
    """MGC's voice is −``power`` · log(dissimilarity + ``offset``)."""

    offset: float
    power: float

    def voice(self, mgc: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of dissimilarities; minus infinity for nobody."""
        return np.float32(-self.power) * np.log(mgc + np.float32(self.offset))


@cache
def calibration() -> dict[str, float]:
    """How the voices are weighed: on the model's card."""
    return dict(load_model(MODEL).card["calibration"])


def trust_in_mgc(shelf: Shelf) -> Trust:
    """How far MGC can be trusted on these tiles, which show it themselves.

    As in the step ``likelihood``, its first choices are given the mean probability with which they
    are mutual; here among the partners that the twin finds likely.
    """
    everybody = len(shelf.keys)
    rng = np.random.default_rng(SEED)
    edges = np.sort(rng.choice(everybody, min(SAMPLE, everybody), replace=False))
    first, mgc = _first_choices(shelf, edges)
    chosen = np.where(first >= 0, first, 0).astype(np.int64)
    mutual = float(((first >= 0) & (_first_choices(shelf, chosen)[0] == edges)).mean())
    least = mgc.min(axis=1)
    typical = np.median(least[np.isfinite(least)]) if np.isfinite(least).any() else 0.0
    offset = float(PLAIN * typical + 1e-6)
    logs = np.log(mgc[np.isfinite(least)] + offset)
    gap = logs - logs.min(axis=1, keepdims=True)
    low, high = POWERS
    for _ in range(HALVINGS):
        power = float(np.sqrt(low * high))
        trust = (1 / np.exp(-power * gap).sum(axis=1)).mean() if len(gap) else 0.0
        low, high = (power, high) if trust < mutual else (low, power)
    return Trust(offset, power)


def _first_choices(
    shelf: Shelf, edges: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    looks = look_closely(tuple(shelf), edges)
    mgc = np.where(looks.other >= 0, looks.mgc, np.inf)
    return looks.other[np.arange(len(edges)), mgc.argmin(axis=1)], mgc


def shares(voice: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log of what a voice [b, k] gives all partners of an edge together: [b]."""
    highest = voice.max(axis=1, keepdims=True)
    highest[~np.isfinite(highest)] = 0
    return (highest[:, 0] + np.log(np.exp(voice - highest).sum(axis=1) + 1e-30)).astype(np.float32)


def odds_of(
    twin: NDArray[np.float32],
    twin_norms: NDArray[np.float32],
    mgc: NDArray[np.float32],
    mgc_norms: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Odds of pairs, up to what else either edge may meet.

    The norms are those of both edges added: over all edges for the twin, over the likely partners
    for MGC, which only compares these.
    """
    numbers = calibration()
    logs = 2 * twin - twin_norms + np.float32(numbers["mgc"]) * (2 * mgc - mgc_norms)
    return np.exp(np.float32(numbers["sharpness"]) * logs)


def probabilities(looks: Looks, trust: Trust) -> NDArray[np.float32]:
    """Of the partners [4n, k] of all edges, 0 for nobody; the mean of both directions."""
    other, norm = looks.other, looks.norm
    voice = trust.voice(np.where(other >= 0, looks.mgc, np.inf))
    share = shares(voice)
    odds = odds_of(
        np.where(other >= 0, looks.twin, 0),
        norm[:, None] + norm[other],
        np.where(other >= 0, voice, 0),
        share[:, None] + share[other],
    )
    odds[other < 0] = 0
    nobody = np.float32(calibration()["nobody"])
    total = odds.sum(axis=1) + nobody
    # A partner that does not list the edge in turn has not counted it among what it may meet.
    back = np.maximum(total[other], odds + nobody)
    return odds * (1 / total[:, None] + 1 / back) / 2
