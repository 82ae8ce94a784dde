"""Post-processing: steps from dissimilarity to compatibility.

A row step takes rows of scores [rows, 4n] and returns rows of the same shape. Higher is better;
edges that cannot be partners score minus infinity. The first step is given negated
dissimilarities. Steps that need the whole compatibility follow in the order in which they are
named.

| step | gives | source |
| --- | --- | --- |
| likelihood | D^-p, scaled so that each row adds up to 1; p is fitted to the tiles | ours |
| softmax | e^score of a learned score, scaled likewise | |
| ratio | 1 / (1 + (D / D of the best rival)^8) | after Gallagher 2012, section 3.2 |
| minmax | each row from 0 to 1 | paper, section 4.3 |
| mutual | product of both directions, scaled so that each row adds up to 1 | ours |
| symmetric | mean of both directions | paper, section 4.3 |
| loops | higher where other tiles complete squares around the joint | after Son et al. 2014 |
| outer | lower where outer sides of a painted frame would meet, or its rim end | ours |
| dnn-buddies | higher where a network confirms best buddies | Sholomon et al. 2016 |
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import BLOCK, Compatibility
from azulejar.core.edges import rotate_edge
from azulejar.core.joints import PARTNERS, Joints
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.measures.buddies import MODEL, by_dnn_buddies
from azulejar.measures.calibration import PowerLaw, Rows, fit_power, plain_offset, softmax
from azulejar.measures.loops import weigh_by_loops
from azulejar.measures.outer_sides import find_outer_sides
from azulejar.weights import load_model

Step = Callable[[Rows], Rows]
Partners = Callable[[NDArray[np.intp]], Rows]

FROM_DISSIMILARITY = ("likelihood", "ratio")
FROM_LEARNED = ("softmax",)
SAMPLE = 512  # edges to which the power of ``likelihood`` is fitted
POWERS = (0.5, 64.0)  # lowest and highest such power
HALVINGS = 12
RATIO_POWER = 8.0
LOOP_ROUNDS = 5
LOOP_PARTNERS = 32
LEAST_LEFT = 0.2  # limits the gain of the partners that outer sides leave to an edge


def row_steps(names: Sequence[str], partners: Partners, edges: int) -> list[Step]:
    """Return those of the named steps that work row by row.

    ``partners`` returns rows of dissimilarities, to which ``likelihood`` is fitted.
    """
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
    whole = (*WHOLE_STEPS, *UPRIGHT_STEPS, *PIXEL_STEPS)
    known = (*FROM_DISSIMILARITY, *FROM_LEARNED, "minmax", *whole)
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
    """Return whether the step needs the whole compatibility instead of single rows."""
    return name in WHOLE_STEPS or name in UPRIGHT_STEPS or name in PIXEL_STEPS


def apply_whole_steps(
    names: Sequence[str], compatibility: Compatibility, tiles: TileSet, upright: bool
) -> Compatibility:
    """Apply the named steps that take the whole compatibility of these tiles."""
    for name in names:
        if name in PIXEL_STEPS:
            compatibility = PIXEL_STEPS[name](compatibility, tiles, upright)
        elif name in UPRIGHT_STEPS:
            compatibility = UPRIGHT_STEPS[name](compatibility, upright)
        elif name in WHOLE_STEPS:
            compatibility = WHOLE_STEPS[name](compatibility)
    return compatibility


def step_models(names: Sequence[str]) -> tuple[str, ...]:
    """Return the checksums of the models that the named steps run, on which scores depend."""
    return tuple(load_model(MODEL).checksum for name in names if name in PIXEL_STEPS)


def likelihood(partners: Partners, edges: int) -> Step:
    """Return the step that gives each partner a probability in proportion to D^-p.

    p is fitted to the tiles at hand (calibration.py).
    """
    law = fit_power_law(partners, edges)
    return lambda rows: softmax(law.log(-rows))


def fit_power_law(partners: Partners, edges: int) -> PowerLaw:
    """Fit the power law from dissimilarities to probabilities on a sample of the edges."""
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
    """Compare each partner with its best rival: near 1 for a clear winner, 0.5 for a tie."""
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
    """Scale each row to 0 for its worst partner and 1 for its best."""
    partner = np.isfinite(rows)
    low = np.where(partner, rows, np.inf).min(axis=1, keepdims=True)
    high = np.where(partner, rows, -np.inf).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = np.where(high > low, (rows - low) / (high - low), 1.0)
    return np.where(partner, unit, -np.inf)


def symmetric(compatibility: Compatibility) -> Compatibility:
    """Average both directions; for top-k, of the pairs that are kept."""
    both = _reverse_scores(compatibility)
    both += compatibility.scores
    both *= np.float32(0.5)
    return compatibility.with_scores(both)


def mutual(compatibility: Compatibility) -> Compatibility:
    """Multiply both directions and scale each row to a sum of 1; for top-k, of the pairs kept."""
    both = _reverse_scores(compatibility)
    both *= compatibility.scores
    both /= np.maximum(both.sum(axis=1, keepdims=True), np.float32(1e-30))
    return compatibility.with_scores(both)


def by_loops(compatibility: Compatibility, upright: bool) -> Compatibility:
    """Weigh every joint by the squares of four tiles around it; scores must not be negative.

    A score then depends on more than two tiles: it rises where other tiles complete such squares,
    and falls where none do.
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
    """Lower the probability of pairs that contradict the outer sides of a frame.

    An outer side meets no other side. Where two tiles meet, the outer side of one continues in an
    outer side of the other. Two corner tiles do not meet, though they look alike. What such pairs
    lose, the edge's other partners gain. Scores are not changed if the tiles show no frame.
    """
    outer = find_outer_sides(Joints.of(compatibility, upright))
    return compatibility if outer is None else weigh_by_outer_sides(compatibility, outer)


def weigh_by_outer_sides(
    compatibility: Compatibility, outer: NDArray[np.float64], frame: bool = True
) -> Compatibility:
    """Lower the probability of pairs, given that each edge is an outer side by ``outer`` [4n].

    Outer sides that are no ``frame`` need not continue on the next tile: the outline may be stepped
    or curved.
    """
    edge = np.arange(len(outer))
    clockwise, other_way = outer[rotate_edge(edge, 1)], outer[rotate_edge(edge, 3)]
    corner = np.repeat((outer * clockwise).reshape(-1, 4).max(axis=1), 4)
    scores, index = compatibility.scores.copy(), compatibility.index
    left = np.empty(len(outer))
    step = max(1, BLOCK // scores.shape[1])
    for start in range(0, len(outer), step):
        rows = slice(start, start + step)
        other = edge[None] if index is None else index[rows]
        possible = 1 - outer[other]
        if frame:
            possible = possible * _agree(clockwise[rows, None], other_way[other])
            possible *= _agree(other_way[rows, None], clockwise[other])
            possible *= 1 - corner[rows, None] * corner[other]
        total = scores[rows].sum(axis=1)
        scores[rows] *= possible
        left[rows] = 1 - (total - scores[rows].sum(axis=1)) / np.maximum(total, 1)
        scores[rows] *= 1 - outer[rows, None]
    gain = 1 / np.maximum(left, LEAST_LEFT)
    for start in range(0, len(outer), step):
        rows = slice(start, start + step)
        other = edge[None] if index is None else index[rows]
        scores[rows] *= (gain[rows, None] + gain[other]) / 2
    return compatibility.with_scores(scores)


def _agree(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that both of two independent events happen, or neither of them."""
    return a * b + (1 - a) * (1 - b)


def _reverse_scores(compatibility: Compatibility) -> NDArray[np.float32]:
    """Return, for each score, that of the same pair in the other direction."""
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


ROW_STEPS: dict[str, Step] = {"softmax": softmax, "ratio": ratio, "minmax": minmax}
WHOLE_STEPS = {"mutual": mutual, "symmetric": symmetric}
UPRIGHT_STEPS = {"loops": by_loops, "outer": by_outer_sides}
PIXEL_STEPS = {"dnn-buddies": by_dnn_buddies}
