import numpy as np
import pytest

from azulejar.sorting.groups import (
    NO_PANEL,
    TRUST,
    Groups,
    PanelChoices,
    move_to_best_panels,
    share_of_links,
    weights_to_panels,
)
from azulejar.sorting.links import Links
from azulejar.sorting.partition import LEAST, STRAY, Partition

NO_LINKS = (np.array([], np.int64), np.array([], np.int64), np.array([]))


def test_large_groups_are_panels_by_size_and_the_others_strays():
    n = 2 * LEAST + 4
    partition = Partition(n, [range(3, 3 + LEAST), range(3 + LEAST, n)])
    groups = Groups.of(Links(n, *NO_LINKS), partition)
    assert groups.panel.tolist() == [STRAY] * 3 + [1] * LEAST + [0] * (LEAST + 1)
    assert groups.panels == 2
    assert groups.tiles(STRAY).tolist() == [0, 1, 2]


def test_in_a_small_crate_the_largest_group_is_a_panel():
    groups = Groups.of(Links(5, *NO_LINKS), Partition(5, [(0, 2, 3)]))
    assert groups.panel.tolist() == [0, STRAY, 0, 0, STRAY]


def test_probability_is_the_share_of_links_that_lead_to_the_panel():
    links = Links(3, np.array([0, 0]), np.array([4, 8]), np.array([0.9, 0.6]))
    found = share_of_links(links, np.array([0, 0, 1]))
    whole = 0.9 + 0.6 + NO_PANEL
    assert found == pytest.approx([0.9 / whole, 0.9 / (0.9 + NO_PANEL), 0.0])


def test_links_to_strays_say_nothing():
    links = Links(2, np.array([0]), np.array([4]), np.array([0.9]))
    assert share_of_links(links, np.array([STRAY, STRAY])).tolist() == [1.0, 1.0]


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
def test_choices_equal_slow_ones(seed):
    links, panel = some_links(seed)
    weights, stray_weight = slow_weights(links, panel), 1.2
    found = PanelChoices.of(links, panel, stray_weight)
    for tile in range(links.n):
        heaps = {STRAY: stray_weight} | {p: w for (t, p), w in weights.items() if t == tile}
        odds = {p: np.expm1(TRUST * w) for p, w in heaps.items()}
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
    moved, probability = move_to_best_panels(links, panel, np.ones(12, bool))
    assert moved.tolist() == [0] * 6 + [1] * 6
    assert probability[11] < probability[:6].min()


def test_a_tile_of_which_something_is_known_stays():
    panel, free = np.array([0] * 6 + [1] * 5 + [0]), np.arange(12) < 11
    links = ring([0] * 6 + [1] * 5 + [STRAY], (11, 7, 0.9), (11, 8, 0.4))
    moved, probability = move_to_best_panels(links, panel, free)
    assert moved.tolist() == panel.tolist()
    assert probability[11] == 0


def test_a_tile_that_hardly_holds_to_its_panel_is_a_stray():
    links = ring([0] * 6 + [STRAY], (6, 0, 0.4))
    moved, _ = move_to_best_panels(links, np.zeros(7, np.int64), np.ones(7, bool))
    assert moved.tolist() == [0] * 6 + [STRAY]


def test_a_stray_that_holds_to_a_panel_joins_it():
    links = ring([0] * 6 + [STRAY], (6, 0, 0.9), (6, 1, 0.6))
    moved, _ = move_to_best_panels(links, np.array([0] * 6 + [STRAY]), np.ones(7, bool))
    assert moved.tolist() == [0] * 7


def test_without_links_all_tiles_are_strays():
    nothing = np.array([], np.int64)
    links = Links(3, nothing, nothing, np.array([]))
    moved, _ = move_to_best_panels(links, np.array([0, 0, STRAY]), np.ones(3, bool))
    assert moved.tolist() == [STRAY] * 3


def test_among_many_tiles_less_makes_a_tile_no_stray():
    few = ring([0] * 6 + [STRAY], (6, 0, 0.4))
    many = Links(100_000, few.a, few.b, few.weight)
    panel = np.where(np.arange(many.n) < 7, 0, STRAY)
    moved, _ = move_to_best_panels(many, panel, np.ones(many.n, bool))
    assert moved[:7].tolist() == [0] * 7
    assert (moved[7:] == STRAY).all()


def test_a_few_strongly_linked_tiles_do_not_make_strays_of_the_others():
    """What a tile needs is a share of the median of all tiles, which outliers do not move.

    Tile 6 weighs 0.6 to the panel. The median is 2, so that 0.45 is needed; with the mean, about
    5.7, it would be 1.1.
    """
    strong = [(0, 1, 15.0)]
    links = ring([0] * 6 + [STRAY], (6, 2, 0.6), *strong)
    moved, _ = move_to_best_panels(links, np.zeros(7, np.int64), np.ones(7, bool))
    assert moved.tolist() == [0] * 7
