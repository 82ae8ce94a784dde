"""DNN-buddies: which pixels the network sees, and what its word does to the scores."""

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import edge_strips
from azulejar.core.tiles import TileSet
from azulejar.measures import buddies, get_measure
from azulejar.measures.buddies import across, by_dnn_buddies, joint_odds
from azulejar.practice.samples import practice_puzzle


@pytest.fixture
def noise():
    """Six tiles of noise, and probabilities of all pairs of their edges, the same both ways."""
    random = np.random.default_rng(4)
    pixels = random.integers(0, 256, (6, 28, 28, 3), np.uint8)
    files = tuple(f"{i}.png" for i in range(6))
    scores = random.random((24, 24)) ** 4
    scores[np.arange(24)[:, None] // 4 == np.arange(24) // 4] = 0
    scores = (scores + scores.T) / 2
    scores /= scores.sum(axis=1).max()
    return TileSet(pixels, files), Compatibility(scores.astype(np.float32), files, "test")


@pytest.fixture
def asked(monkeypatch):
    """The pairs that the network is asked about; it answers with odds that differ."""
    pairs = []

    def answer(pixels, edge, other):
        pairs.extend(zip(edge.tolist(), other.tolist(), strict=True))
        return 4.0 ** np.linspace(-2, 2, len(edge))

    monkeypatch.setattr(buddies, "joint_odds", answer)
    return pairs


def mutual_first_choices(scores):
    first = scores.argmax(axis=1)
    return [(a, int(b)) for a, b in enumerate(first) if first[b] == a and a < b]


def test_best_buddies_are_asked_about_once(noise, asked):
    tiles, compatibility = noise
    by_dnn_buddies(compatibility, tiles, upright=False)
    assert asked == mutual_first_choices(compatibility.scores)
    assert len(asked) > 3


def test_odds_are_multiplied_and_the_others_share_the_rest(noise, asked):
    tiles, compatibility = noise
    before = compatibility.scores.astype(np.float64)
    after = by_dnn_buddies(compatibility, tiles, upright=False).scores
    gain = np.ones(24)
    expected = before.copy()
    odds = np.maximum(4.0 ** np.linspace(-2, 2, len(asked)), 1)  # doubts do not count
    for (a, b), times in zip(asked, odds, strict=True):
        now = times * before[a, b] / (1 - before[a, b])
        expected[a, b] = expected[b, a] = now / (1 + now)
        gain[a] = gain[b] = (1 - expected[a, b]) / (1 - before[a, b])
    for a in range(24):
        for b in range(24):
            if (min(a, b), max(a, b)) not in asked:
                expected[a, b] *= (gain[a] + gain[b]) / 2
    assert after == pytest.approx(expected, rel=1e-5)
    assert after == pytest.approx(after.T)
    assert (gain < 1).sum() >= 4
    assert (gain == 1).sum() >= 4
    assert compatibility.scores == pytest.approx(before)  # the old ones stay as they were


@pytest.mark.parametrize("odds", [1, 0.2])
def test_a_network_that_confirms_nothing_changes_nothing(noise, monkeypatch, odds):
    tiles, compatibility = noise
    monkeypatch.setattr(buddies, "joint_odds", lambda pixels, edge, other: np.full(len(edge), odds))
    after = by_dnn_buddies(compatibility, tiles, upright=False)
    assert after.scores == pytest.approx(compatibility.scores)


def test_certainty_stays_finite(noise, asked):
    tiles, compatibility = noise
    scores = np.zeros((24, 24), np.float32)
    scores[0, 7] = scores[7, 0] = 1
    certain = Compatibility(scores, compatibility.files, "test")
    assert np.isfinite(by_dnn_buddies(certain, tiles, upright=False).scores).all()


def test_the_best_few_scores_change_as_all_of_them(noise, asked):
    tiles, compatibility = noise
    whole = by_dnn_buddies(compatibility, tiles, upright=False)
    index, value = compatibility.best(9)
    few = by_dnn_buddies(
        Compatibility(value, compatibility.files, "test", index), tiles, upright=False
    )
    edge = np.repeat(np.arange(24), 9)
    assert few.scores.ravel() == pytest.approx(whole.pairs(edge, few.index.ravel()), rel=1e-5)
    assert (np.diff(few.scores, axis=1) <= 0).all()


def test_the_network_sees_the_picture_across_the_joint():
    """Four tiles of a picture, joined to the right and downwards, from either side."""
    picture = np.random.default_rng(0).integers(0, 256, (56, 56, 3), np.uint8)
    tiles = picture.reshape(2, 28, 2, 28, 3).swapaxes(1, 2).reshape(4, 28, 28, 3)
    strips = edge_strips(tiles, 2).astype(np.float32)
    right_of_0, left_of_1, bottom_of_0, top_of_2 = 1, 7, 2, 8
    pairs = [(right_of_0, left_of_1), (left_of_1, right_of_0), (bottom_of_0, top_of_2)]
    found = across(strips, *np.array(pairs).T)
    beside = picture[:28, 26:30].transpose(2, 0, 1)
    assert (found[0] == beside).all()
    assert (found[1] == beside[:, ::-1, ::-1]).all()
    below = np.rot90(picture[26:30, :28]).transpose(2, 0, 1)
    assert (found[2] == below).all()


@pytest.mark.parametrize("size", [28, 40])
def test_the_shipped_network_confirms_true_joints_and_hardly_any_rivals(size):
    """On a painted panel; it was trained on photographs."""
    tiles, truth = practice_puzzle(6, 6, size=size, seed=3)
    met = truth.neighbours()
    edge = np.flatnonzero(met > np.arange(len(met)))
    scores = get_measure("ssd").score(tiles, post=()).scores
    scores[edge, met[edge]] = -np.inf
    rival = scores[edge].argmax(axis=1)
    true, false = (joint_odds(tiles.pixels, edge, other) for other in (met[edge], rival))
    assert (true > 1).mean() > 0.2
    assert (false > 1).mean() < 0.1
    assert true.max() <= 99.001
    assert false.min() >= 1 / 99.001
