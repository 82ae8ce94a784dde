import numpy as np

from azulejar.sorting.links import NEGLIGIBLE, Links


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
    pairs, total = links.between(group)
    found = {tuple(pair): weight for pair, weight in zip(pairs.tolist(), total, strict=True)}
    assert found.keys() == expected.keys()
    assert all(np.isclose(found[pair], expected[pair]) for pair in found)


def test_nothing_is_linked_to_its_own_group():
    links = Links(2, np.array([0]), np.array([5]), np.array([0.5]))
    pairs, total = links.between(np.array([1, 1]))
    assert (len(pairs), len(total)) == (0, 0)


def test_scores_of_another_scale_give_no_links_by_noise(mixed_panels, perfect_scores):
    truth = mixed_panels((4, 4), (3, 5))
    links = Links.of(perfect_scores(truth, other=0.2), upright=False)
    true = truth.neighbours()[links.a] == links.b
    assert links.weight[true].min() > 0.3
    assert links.weight[~true].max(initial=0) < 0.3
