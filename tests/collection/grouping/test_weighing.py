import numpy as np
import pytest

from azulejar.collection.grouping import weighing
from azulejar.collection.grouping.weighing import diluted, weighed_links
from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.measures.loops import loop_support


def table(n, *listed):
    """Joints of n tiles, each (edge, edge, probability) in both orders."""
    scores = np.zeros((4 * n, 4 * n), np.float32)
    for a, b, probability in listed:
        scores[a, b] = scores[b, a] = probability
    start = np.concatenate([[0], np.cumsum((scores > 0).sum(axis=1))]).astype(np.int32)
    return Joints(start, np.nonzero(scores)[1].astype(np.int32), scores[scores > 0])


def as_dict(links):
    pairs = zip(links.a.tolist(), links.b.tolist(), strict=True)
    return dict(zip(pairs, links.weight.tolist(), strict=True))


SQUARE = [tuple(pair) for pair in Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3]).joints()]


def slow_weights(n, listed):
    """The same from the definition, each round from the joints' own probabilities."""
    prior = {pair: p for a, b, p in listed for pair in ((a, b), (b, a))}
    now = dict(prior)
    for _ in range(weighing.ROUNDS):
        joints = table(n, *((a, b, p) for (a, b), p in now.items()))
        edge = np.repeat(np.arange(4 * n), np.diff(joints.start)).tolist()
        pairs = zip(edge, joints.other.tolist(), strict=True)
        support = dict(zip(pairs, loop_support(joints, weighing.PARTNERS), strict=True))
        raised = {pair: prior[pair] * (weighing.WITHOUT_SUPPORT + support[pair]) for pair in prior}
        share = {}
        for a, b in prior:
            rest = max(0, 1 - sum(p for (own, _), p in prior.items() if own == a))
            total = sum(value for (own, _), value in raised.items() if own == a)
            nobody = weighing.WITHOUT_SUPPORT * (rest + weighing.NOBODY)
            share[a, b] = raised[a, b] / (total + nobody)
        now = {(a, b): (share[a, b] + share[b, a]) / 2 for a, b in share}
    return {(a, b): p for (a, b), p in now.items() if a < b}


def test_weights_equal_slow_ones():
    rng = np.random.default_rng(2)
    chance = np.unique(np.sort(rng.integers(0, 24, (20, 2)), axis=1), axis=0)
    listed = [(int(a), int(b), 0.4) for a, b in SQUARE]
    listed += [(int(a), int(b), 0.1) for a, b in chance if a // 4 != b // 4]
    listed = list({pair[:2]: pair for pair in listed}.values())
    expected = {k: v for k, v in slow_weights(6, listed).items() if v >= weighing.NEGLIGIBLE}
    assert as_dict(weighed_links(table(6, *listed))) == pytest.approx(expected, rel=1e-4)


def test_joints_of_a_square_gain_and_one_that_stands_alone_loses():
    listed = [(a, b, 0.3) for a, b in SQUARE] + [(17, 21, 0.3)]
    weight = as_dict(weighed_links(table(6, *listed)))
    assert min(weight[pair] for pair in SQUARE) > 0.6
    assert weight[17, 21] < 0.3


def test_refused_joints_link_nothing():
    refused = [(int(a), int(b)) for a, b in SQUARE[:1]]
    weight = as_dict(weighed_links(table(4, *((a, b, 0.5) for a, b in SQUARE)), refused))
    assert weight.keys() == set(SQUARE[1:])


def test_what_is_negligible_says_nothing():
    links = weighed_links(table(2, (0, 4, weighing.NEGLIGIBLE / 2)))
    assert (links.n, len(links.a)) == (2, 0)


def test_less_is_asked_of_links_the_more_tiles_there_are():
    assert diluted(0.4, 12, 0.1) == diluted(0.4, 1000, 0.1) == 0.4
    asked = [diluted(0.4, n, 0.1) for n in (1000, 3000, 10_000, 100_000)]
    assert asked == sorted(asked, reverse=True)
    assert asked[-1] == pytest.approx(0.4 * 0.01**0.1)
