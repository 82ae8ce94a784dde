"""From the scores of partners to the probability that two edges are neighbours.

The formula is that of the measure ``dlcm`` (``measures.ensemble``), with sums over likely
partners in place of sums over all edges.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.rescoring import EdgeTable, PartnerScores, rescore_edges
from azulejar.measures.calibration import PowerLaw, fit_power, log_sum_exp, plain_offset
from azulejar.measures.ensemble import weigh_members

# How network and MGC are weighed among all edges of a collection. Fitted on a museum of pictures
# that the network was trained on (benchmarks/museum/calibrate.py gave 0.13, 0.62 and 0.07), with
# somewhat more weight on MGC, which is more reliable on real panels than on that museum's wear.
CALIBRATION = {"mgc": 0.2, "sharpness": 0.6, "nobody": 0.06}
SAMPLE = 2048  # edges on which MGC's power is fitted
SEED = 2
POWERS = (0.05, 64.0)  # range in which MGC's power is sought
HALVINGS = 23


def fit_mgc_law(table: EdgeTable) -> PowerLaw:
    """Fit the scale of MGC to the tiles of a collection.

    As in ``postprocess``, the power is such that the first choice of an edge has the probability
    with which first choices are mutual; here among the partners that the network finds likely.
    """
    total = len(table.keys)
    rng = np.random.default_rng(SEED)
    edges = np.sort(rng.choice(total, min(SAMPLE, total), replace=False))
    first, mgc = _first_choices(table, edges)
    chosen = np.where(first >= 0, first, 0).astype(np.int64)
    mutual = float(((first >= 0) & (_first_choices(table, chosen)[0] == edges)).mean())
    least = mgc.min(axis=1)
    offset = plain_offset(least)
    logs = np.log(mgc[np.isfinite(least)] + offset)
    gap = logs - logs.min(axis=1, keepdims=True)

    def trust(power: float) -> float:
        return (1 / np.exp(-power * gap).sum(axis=1)).mean() if len(gap) else 0.0

    return PowerLaw(offset, fit_power(trust, mutual, POWERS, HALVINGS))


def _first_choices(
    table: EdgeTable, edges: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return MGC's first choice of each edge [b], and all dissimilarities [b, k]."""
    scores = rescore_edges(tuple(table), edges)
    mgc = np.where(scores.other >= 0, scores.mgc, np.inf)
    return scores.other[np.arange(len(edges)), mgc.argmin(axis=1)], mgc


def pair_odds(
    twin: NDArray[np.float32],
    twin_totals: NDArray[np.float32],
    mgc: NDArray[np.float32],
    mgc_totals: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the odds of pairs, up to what else either edge may meet.

    The totals are those of both edges added: over all edges for the network, over the likely
    partners for MGC, which compares only these.
    """
    return np.exp(weigh_members(2 * twin - twin_totals, 2 * mgc - mgc_totals, CALIBRATION))


def partner_probabilities(scores: PartnerScores, scale: PowerLaw) -> NDArray[np.float32]:
    """Return how likely the partners [4n, k] of all edges are neighbours; 0 where there is none.

    Each is the mean of both directions.
    """
    other, norm = scores.other, scores.norm
    mgc = scale.log(np.where(other >= 0, scores.mgc, np.inf))
    mgc_total = log_sum_exp(mgc)
    odds = pair_odds(
        np.where(other >= 0, scores.twin, 0),
        norm[:, None] + norm[other],
        np.where(other >= 0, mgc, 0),
        mgc_total[:, None] + mgc_total[other],
    )
    odds[other < 0] = 0
    no_neighbour = np.float32(CALIBRATION["nobody"])
    total = odds.sum(axis=1) + no_neighbour
    # A partner that does not list the edge in turn has not counted it among what it may meet.
    back = np.maximum(total[other], odds + no_neighbour)
    return odds * (1 / total[:, None] + 1 / back) / 2
