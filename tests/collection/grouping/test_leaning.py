import numpy as np
import pytest

from azulejar.collection.grouping import leaning
from azulejar.collection.grouping.leaning import Leanings, settle, weights_to_panels
from azulejar.sorting.groups import STRAY
from azulejar.sorting.links import Links


def some_links(seed=0, n=14, count=60):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4 * n, (2, count))
    panel = rng.integers(-1, 3, n)
    return Links(n, a, b, rng.random(count)), panel


def slow_weights(links, panel):
    weights = {}
    for a, b, weight in zip(links.a.tolist(), links.b.tolist(), links.weight, strict=True):
        for own, other in ((a // 4, b // 4), (b // 4, a // 4)):
            if panel[other] != STRAY:
                key = (own, int(panel[other]))
                weights[key] = weights.get(key, 0) + weight
    return weights


def test_weights_to_panels_equal_a_slow_count():
    links, panel = some_links()
    tile, leads, weight = weights_to_panels(links, panel)
    pairs = zip(tile.tolist(), leads.tolist(), strict=True)
    expected = slow_weights(links, panel)
    assert dict(zip(pairs, weight.tolist(), strict=True)) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_leanings_equal_slow_ones(seed):
    links, panel = some_links(seed)
    weights, nobody = slow_weights(links, panel), 1.2
    found = Leanings.of(links, panel, nobody)
    for tile in range(links.n):
        heaps = {STRAY: nobody} | {p: w for (t, p), w in weights.items() if t == tile}
        odds = {p: np.expm1(leaning.TRUST * w) for p, w in heaps.items()}
        best = max(odds, key=lambda p: odds[p])
        assert found.best[tile] == best
        assert found.probability[tile] == pytest.approx(odds[best] / sum(odds.values()))
        own = odds.get(int(panel[tile]), 0.0)
        assert found.own[tile] == pytest.approx(own / sum(odds.values()))


def ring(panel, *more, weight=1.0):
    """Tiles of a panel that are linked in a ring, and further links (tile, tile, weight)."""
    linked = []
    for number in set(panel) - {STRAY}:
        tiles = [tile for tile, own in enumerate(panel) if own == number]
        linked += [(a, b, weight) for a, b in zip(tiles, tiles[1:] + tiles[:1], strict=True)]
    a, b, weights = zip(*linked, *more, strict=True)
    return Links(len(panel), 4 * np.array(a), 4 * np.array(b), np.array(weights))


def test_a_tile_goes_where_most_of_its_links_lead():
    panel = np.array([0] * 6 + [1] * 5 + [0])
    links = ring([0] * 6 + [1] * 5 + [STRAY], (11, 0, 0.2), (11, 7, 0.9), (11, 8, 0.4))
    settled, probability = settle(links, panel, np.ones(12, bool))
    assert settled.tolist() == [0] * 6 + [1] * 6
    assert probability[11] < probability[:6].min()


def test_a_tile_of_which_something_is_known_stays():
    panel, free = np.array([0] * 6 + [1] * 5 + [0]), np.arange(12) < 11
    links = ring([0] * 6 + [1] * 5 + [STRAY], (11, 7, 0.9), (11, 8, 0.4))
    settled, probability = settle(links, panel, free)
    assert settled.tolist() == panel.tolist()
    assert probability[11] == 0


def test_a_tile_that_hardly_holds_to_its_panel_is_a_stray():
    links = ring([0] * 6 + [STRAY], (6, 0, 0.4))
    settled, _ = settle(links, np.zeros(7, np.int64), np.ones(7, bool))
    assert settled.tolist() == [0] * 6 + [STRAY]


def test_a_stray_that_holds_to_a_panel_joins_it():
    links = ring([0] * 6 + [STRAY], (6, 0, 0.9), (6, 1, 0.6))
    settled, _ = settle(links, np.array([0] * 6 + [STRAY]), np.ones(7, bool))
    assert settled.tolist() == [0] * 7


def test_nothing_is_settled_without_links():
    nothing = np.array([], np.int64)
    links = Links(3, nothing, nothing, np.array([]))
    settled, _ = settle(links, np.array([0, 0, STRAY]), np.ones(3, bool))
    assert settled.tolist() == [STRAY] * 3


def test_among_many_tiles_less_makes_a_tile_no_stray():
    few = ring([0] * 6 + [STRAY], (6, 0, 0.4))
    many = Links(100_000, few.a, few.b, few.weight)
    panel = np.where(np.arange(many.n) < 7, 0, STRAY)
    settled, _ = settle(many, panel, np.ones(many.n, bool))
    assert settled[:7].tolist() == [0] * 7
    assert (settled[7:] == STRAY).all()
