import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.measures.loops import loop_support
from azulejar.sorting import links as links_module
from azulejar.sorting.links import NEGLIGIBLE, Links, relax_threshold


def test_every_true_joint_is_a_strong_link(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 4), (3, 5))
    links = Links.of(perfect_scores(truth, other=0.001), upright=False)
    found = {(int(a), int(b)): w for a, b, w in zip(links.a, links.b, links.weight, strict=True)}
    assert all(found[tuple(joint)] > 0.7 for joint in truth.joints().tolist())
    assert (links.a < links.b).all()
    assert links.weight.min() >= NEGLIGIBLE


def test_between_groups_equals_a_slow_count():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 4 * 12, (2, 80))
    links = Links(12, a, b, rng.random(80))
    group = rng.integers(0, 4, 12)
    expected: dict[tuple[int, int], float] = {}
    for one, other, weight in zip(group[a // 4], group[b // 4], links.weight, strict=True):
        if one != other:
            pair = (int(min(one, other)), int(max(one, other)))
            expected[pair] = expected.get(pair, 0) + weight
    one, other, total = links.between(group)
    pairs = zip(one.tolist(), other.tolist(), strict=True)
    found = dict(zip(pairs, total, strict=True))
    assert found.keys() == expected.keys()
    assert all(np.isclose(found[pair], expected[pair]) for pair in found)


def test_nothing_is_linked_to_its_own_group():
    links = Links(2, np.array([0]), np.array([5]), np.array([0.5]))
    found = links.between(np.array([1, 1]))
    assert (len(found.one), len(found.weight)) == (0, 0)


def test_scores_of_another_scale_give_no_links_by_noise(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 4), (3, 5))
    links = Links.of(perfect_scores(truth, other=0.2), upright=False)
    true = truth.neighbours()[links.a] == links.b
    assert links.weight[true].min() > 0.3
    assert links.weight[~true].max(initial=0) < 0.3


def test_bonds_of_tiles_and_of_groups_equal_a_slow_count():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 4 * 12, (2, 90))
    links, group = Links(12, a, b, rng.random(90)), rng.integers(0, 5, 12)
    group = np.array([np.flatnonzero(group == number)[0] for number in group])
    expected = {}
    for one, other, weight in zip(group[a // 4], group[b // 4], links.weight, strict=True):
        if one != other:
            pair = (int(min(one, other)), int(max(one, other)))
            expected[pair] = expected.get(pair, 0) + weight
    found = links.between(np.arange(links.n)).between(group)
    pairs = list(zip(found.one.tolist(), found.other.tolist(), strict=True))
    assert dict(zip(pairs, found.weight.tolist(), strict=True)) == pytest.approx(expected)
    assert pairs == sorted(set(pairs))


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
    for _ in range(links_module.ROUNDS):
        joints = table(n, *((a, b, p) for (a, b), p in now.items()))
        edge = np.repeat(np.arange(4 * n), np.diff(joints.start)).tolist()
        pairs = zip(edge, joints.other.tolist(), strict=True)
        support = dict(zip(pairs, loop_support(joints, links_module.PARTNERS), strict=True))
        raised = {
            pair: prior[pair] * (links_module.WITHOUT_SUPPORT + support[pair]) for pair in prior
        }
        share = {}
        for a, b in prior:
            rest = max(0, 1 - sum(p for (own, _), p in prior.items() if own == a))
            total = sum(value for (own, _), value in raised.items() if own == a)
            alone = links_module.WITHOUT_SUPPORT * (rest + links_module.NO_NEIGHBOUR)
            share[a, b] = raised[a, b] / (total + alone)
        now = {(a, b): (share[a, b] + share[b, a]) / 2 for a, b in share}
    return {(a, b): p for (a, b), p in now.items() if a < b}


def test_weights_equal_slow_ones():
    rng = np.random.default_rng(2)
    chance = np.unique(np.sort(rng.integers(0, 24, (20, 2)), axis=1), axis=0)
    listed = [(int(a), int(b), 0.4) for a, b in SQUARE]
    listed += [(int(a), int(b), 0.1) for a, b in chance if a // 4 != b // 4]
    listed = list({pair[:2]: pair for pair in listed}.values())
    expected = {
        k: v for k, v in slow_weights(6, listed).items() if v >= links_module.NEGLIGIBLE_AMONG_MANY
    }
    assert as_dict(Links.among_many(table(6, *listed))) == pytest.approx(expected, rel=1e-4)


def test_joints_of_a_square_gain_and_one_that_stands_alone_loses():
    listed = [(a, b, 0.3) for a, b in SQUARE] + [(17, 21, 0.3)]
    weight = as_dict(Links.among_many(table(6, *listed)))
    assert min(weight[pair] for pair in SQUARE) > 0.6
    assert weight[17, 21] < 0.3


def test_refused_joints_link_nothing():
    refused = [(int(a), int(b)) for a, b in SQUARE[:1]]
    weight = as_dict(Links.among_many(table(4, *((a, b, 0.5) for a, b in SQUARE)), refused))
    assert weight.keys() == set(SQUARE[1:])


def test_what_is_negligible_says_nothing():
    links = Links.among_many(table(2, (0, 4, links_module.NEGLIGIBLE_AMONG_MANY / 2)))
    assert (links.n, len(links.a)) == (2, 0)


def test_less_is_asked_of_links_the_more_tiles_there_are():
    assert relax_threshold(0.4, 12, 0.1) == relax_threshold(0.4, 1000, 0.1) == 0.4
    asked = [relax_threshold(0.4, n, 0.1) for n in (1000, 3000, 10_000, 100_000)]
    assert asked == sorted(asked, reverse=True)
    assert asked[-1] == pytest.approx(0.4 * 0.01**0.1)
