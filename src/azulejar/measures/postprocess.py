"""Post-processing: steps from dissimilarity to compatibility.

Each row step takes rows of scores [rows, 4n], higher is better, minus infinity where an edge
cannot be a partner, and returns the same. The first step sees negated dissimilarities. Steps on
whole compatibilities follow, in the order in which they are named.

| step | gives | source |
| --- | --- | --- |
| likelihood | D^-p, so that each row adds up to 1; p is fitted to the tiles | ours |
| softmax | the same from a learned score: e^score | |
| ratio | 1 / (1 + (D / D of the best rival)^8) | after Gallagher 2012, section 3.2 |
| minmax | each row from 0 to 1 | paper, section 4.3 |
| mutual | product of both directions, each row adding up to 1 | ours |
| symmetric | mean of both directions | paper, section 4.3 |
| loops | raised where further tiles close squares around the joint | after Son et al. 2014 |
| outer | lowered where outer sides of a painted frame would meet, or its rim break off | ours |
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import BLOCK, Compatibility
from azulejar.core.edges import rotate_edge
from azulejar.core.joints import PARTNERS, Joints
from azulejar.errors import AzulejarError
from azulejar.measures.calibration import PowerLaw, Rows, fit_power, plain_offset, softmax
from azulejar.measures.loops import weigh_by_loops
from azulejar.measures.outer_sides import find_outer_sides

Step = Callable[[Rows], Rows]
Partners = Callable[[NDArray[np.intp]], Rows]

FROM_DISSIMILARITY = ("likelihood", "ratio")
FROM_LEARNED = ("softmax",)
SAMPLE = 512  # edges looked at to fit the power
POWERS = (0.5, 64.0)  # between which that of ``likelihood`` is sought
HALVINGS = 12
RATIO_POWER = 8.0
LOOP_ROUNDS = 5
LOOP_PARTNERS = 32
LEAST_LEFT = 0.2  # share of an edge's partners that outer sides leave at least


def row_steps(names: Sequence[str], partners: Partners, edges: int) -> list[Step]:
    """Return the named steps that work row by row; ``partners`` gives dissimilarities to fit."""
    steps = []
    for name in names:
        if name == "likelihood":
            steps.append(likelihood(partners, edges))
        elif name in ROW_STEPS:
            steps.append(ROW_STEPS[name])
    return steps


def check_steps(names: Sequence[str], learned: bool) -> None:
    """Raise if the steps are unknown, out of order, or not for this kind of measure."""
    first = FROM_DISSIMILARITY + FROM_LEARNED
    known = (*FROM_DISSIMILARITY, *FROM_LEARNED, "minmax", *WHOLE_STEPS, *UPRIGHT_STEPS)
    for name in names:
        if name not in known:
            raise AzulejarError(
                "step-unknown",
                "There is no post-processing step {name!r}.",
                "Choose from {names}.",
                name=name,
                names=", ".join(known),
            )
        if name in first and name != names[0]:
            raise AzulejarError(
                "step-not-first",
                "The step {name!r} takes what the measure gives and cannot follow another step.",
                "Name it first.",
                name=name,
            )
        if name in (FROM_DISSIMILARITY if learned else FROM_LEARNED):
            if learned:
                raise AzulejarError(
                    "step-for-pixel-measures",
                    "The step {name!r} is for pixel measures.",
                    "Use softmax or minmax.",
                    name=name,
                )
            raise AzulejarError(
                "step-for-learned-measures",
                "The step {name!r} is for learned measures.",
                "Use likelihood, ratio or minmax.",
                name=name,
            )


def is_whole_step(name: str) -> bool:
    """Whether the step takes the whole compatibility, not row by row."""
    return name in WHOLE_STEPS or name in UPRIGHT_STEPS


def apply_whole_steps(
    names: Sequence[str], compatibility: Compatibility, upright: bool
) -> Compatibility:
    """Apply the named steps that take the whole compatibility."""
    for name in names:
        if name in UPRIGHT_STEPS:
            compatibility = UPRIGHT_STEPS[name](compatibility, upright)
        elif name in WHOLE_STEPS:
            compatibility = WHOLE_STEPS[name](compatibility)
    return compatibility


def likelihood(partners: Partners, edges: int) -> Step:
    """Return the step to the probability of each partner, in proportion to D^-p.

    p is fitted to the tiles at hand (calibration.py).
    """
    law = fit_power_law(partners, edges)
    return lambda rows: softmax(law.log(-rows))


def fit_power_law(partners: Partners, edges: int) -> PowerLaw:
    """Fit what turns dissimilarities into probabilities to a sample of the edges."""
    sample = np.linspace(0, edges - 1, min(edges, SAMPLE, max(1, BLOCK // edges))).astype(np.intp)
    dissimilarity = partners(sample)
    offset = plain_offset(dissimilarity.min(axis=1))
    choice = dissimilarity.argmin(axis=1)
    mutual = float((partners(choice).argmin(axis=1) == sample).mean())

    def trust(power: float) -> float:
        shares = softmax(PowerLaw(offset, power).log(dissimilarity))
        return float(shares.max(axis=1).mean())

    return PowerLaw(offset, fit_power(trust, mutual, POWERS, HALVINGS))


def ratio(rows: Rows) -> Rows:
    """Compare with the best rival: near 1 where a partner is clear, one half where two tie."""
    dissimilarity = -rows
    if rows.shape[1] < 2:
        return np.isfinite(rows).astype(float)
    two = np.partition(dissimilarity, 1, axis=1)
    rival = np.repeat(two[:, :1], rows.shape[1], axis=1)
    np.put_along_axis(rival, dissimilarity.argmin(axis=1)[:, None], two[:, 1:2], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(dissimilarity == rival, 1.0, dissimilarity / rival)
    score = 1 / (1 + np.minimum(relative, 1e6) ** RATIO_POWER)
    return np.where(np.isfinite(rows), score, -np.inf)


def minmax(rows: Rows) -> Rows:
    """Stretch each row from 0, its worst partner, to 1, its best."""
    partner = np.isfinite(rows)
    low = np.where(partner, rows, np.inf).min(axis=1, keepdims=True)
    high = np.where(partner, rows, -np.inf).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = np.where(high > low, (rows - low) / (high - low), 1.0)
    return np.where(partner, unit, -np.inf)


def symmetric(compatibility: Compatibility) -> Compatibility:
    """Take the mean of both directions; for top-k, of the pairs that are kept."""
    both = _reverse_scores(compatibility)
    both += compatibility.scores
    both *= np.float32(0.5)
    return _with_scores(compatibility, both)


def mutual(compatibility: Compatibility) -> Compatibility:
    """Take the product of both directions, rows adding up to 1; for top-k, of the pairs kept."""
    both = _reverse_scores(compatibility)
    both *= compatibility.scores
    both /= np.maximum(both.sum(axis=1, keepdims=True), np.float32(1e-30))
    return _with_scores(compatibility, both)


def by_loops(compatibility: Compatibility, upright: bool) -> Compatibility:
    """Weigh every joint by the squares of four tiles around it; scores must be at least 0.

    A score is then no longer a matter of two tiles: where others agree, a joint gains; where none
    do, it loses.
    """
    joints = Joints.of(compatibility, upright)
    joints = weigh_by_loops(joints, rounds=LOOP_ROUNDS, partners=LOOP_PARTNERS)
    if compatibility.index is None:
        scores = joints.matrix().toarray()
        return Compatibility(scores, compatibility.files, compatibility.measure)
    partner = joints.best(min(compatibility.scores.shape[1], PARTNERS))
    edge = np.repeat(np.arange(len(partner)), partner.shape[1])
    scores = np.asarray(joints.matrix()[edge, partner.ravel()]).reshape(partner.shape)
    return Compatibility(scores, compatibility.files, compatibility.measure, partner)


def by_outer_sides(compatibility: Compatibility, upright: bool) -> Compatibility:
    """Lower the probability of pairs that outer sides of a frame speak against.

    An outer side meets nothing. Where two tiles meet, an outer side of one beside the joint goes on
    as an outer side of the other. Two corners, alike as they are, do not meet. What such pairs
    lose, the other partners of an edge gain. Without a frame among the tiles, the scores stay as
    they are.
    """
    outer = find_outer_sides(Joints.of(compatibility, upright))
    if outer is None:
        return compatibility
    edge = np.arange(len(outer))
    clockwise, other_way = outer[rotate_edge(edge, 1)], outer[rotate_edge(edge, 3)]
    corner = np.repeat((outer * clockwise).reshape(-1, 4).max(axis=1), 4)
    scores, index = compatibility.scores.copy(), compatibility.index
    left = np.empty(len(outer))
    step = max(1, BLOCK // scores.shape[1])
    for start in range(0, len(outer), step):
        rows = slice(start, start + step)
        other = edge[None] if index is None else index[rows]
        possible = _agree(clockwise[rows, None], other_way[other])
        possible *= _agree(other_way[rows, None], clockwise[other])
        possible *= (1 - outer[other]) * (1 - corner[rows, None] * corner[other])
        total = scores[rows].sum(axis=1)
        scores[rows] *= possible
        left[rows] = 1 - total + scores[rows].sum(axis=1)
        scores[rows] *= 1 - outer[rows, None]
    gain = 1 / np.maximum(left, LEAST_LEFT)
    for start in range(0, len(outer), step):
        rows = slice(start, start + step)
        other = edge[None] if index is None else index[rows]
        scores[rows] *= (gain[rows, None] + gain[other]) / 2
    return _with_scores(compatibility, scores)


def _agree(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that two events, of these probabilities, both happen or neither."""
    return a * b + (1 - a) * (1 - b)


def _reverse_scores(compatibility: Compatibility) -> NDArray[np.float32]:
    """Return, for each score, that of the same pair seen from the other edge."""
    scores, index = compatibility.scores, compatibility.index
    if index is None:
        return scores.T.copy()
    back = np.empty_like(scores)
    step = max(1, BLOCK // scores.shape[1] ** 2)
    for start in range(0, len(scores), step):
        rows = slice(start, start + step)
        edge = np.broadcast_to(np.arange(len(scores))[rows, None], index[rows].shape)
        back[rows] = compatibility.pairs(index[rows], edge)
    return back


def _with_scores(compatibility: Compatibility, both: NDArray[np.float32]) -> Compatibility:
    """Return the compatibility with other scores; top-k ones are sorted again, best first."""
    index = compatibility.index
    if index is None:
        return Compatibility(both, compatibility.files, compatibility.measure)
    order = np.argsort(-both, axis=1, kind="stable")
    return Compatibility(
        np.take_along_axis(both, order, 1),
        compatibility.files,
        compatibility.measure,
        np.take_along_axis(index, order, 1),
    )


ROW_STEPS: dict[str, Step] = {"softmax": softmax, "ratio": ratio, "minmax": minmax}
WHOLE_STEPS = {"mutual": mutual, "symmetric": symmetric}
UPRIGHT_STEPS = {"loops": by_loops, "outer": by_outer_sides}
