"""Dealing: which pictures and panels a step gets, and how they are to be cut."""

from collections import Counter

import pytest
import torch

from azulejar.learning import dealing
from azulejar.learning.dealing import Dealer, Shares
from azulejar.learning.task import Material

NONE = Shares(0, 0, 0, 0)


@pytest.fixture
def numbered():
    """Squares that hold their own number; weights as of pictures with so many squares each."""

    def make(*counts, panels=()):
        numbers = torch.arange(sum(counts), dtype=torch.uint8)[:, None, None, None]
        weights = torch.cat([torch.full((count,), 1 / count) for count in counts])
        return Material(numbers.expand(-1, 3, 640, 640), weights, panels)

    return make


def numbers(squares):
    return squares[..., 0, 0, 0].tolist()


def test_pictures_come_equally_often_however_many_squares_they_have(numbered):
    dealer = Dealer(numbered(1, 3, 2), 1, 3, NONE, seed=0)
    drawn = Counter(n for _ in range(60) for (n,) in numbers(dealer.deal(10, False).squares))
    for square, share in enumerate([1 / 3, *[1 / 9] * 3, *[1 / 6] * 2]):
        assert drawn[square] / 600 == pytest.approx(share, abs=0.06)


def test_the_parts_of_a_panel_come_from_different_pictures(numbered):
    dealer = Dealer(numbered(*[2] * 20), 4, 3, NONE, seed=0)
    panels = numbers(dealer.deal(50, False).squares)
    assert all(len({square // 2 for square in parts}) == 4 for parts in panels)


def test_half_the_panels_come_from_pictures_that_follow_one_another(numbered):
    dealer = Dealer(numbered(*[1] * 200), 4, 3, NONE, seed=0)
    panels = numbers(dealer.deal(100, False).squares)
    near = [max(parts) - min(parts) < dealing.SERIES for parts in panels]
    assert 30 < sum(near) < 70


def test_few_pictures_are_repeated(numbered):
    dealer = Dealer(numbered(1, 1), 5, 3, NONE, seed=0)
    assert all(set(parts) == {0, 1} for parts in numbers(dealer.deal(3, False).squares))


@pytest.mark.parametrize(
    ("shares", "loose", "painted"),
    [
        (Shares(1, 0, 0, 0), False, False),
        (Shares(0, 1, 0, 0), False, False),
        (Shares(0, 0, 1, 0), True, False),
        (Shares(0, 0, 1, 1), True, True),
        (Shares(1, 0, 0, 1), False, True),
    ],
)
def test_each_kind_is_cut_and_painted_in_its_way(numbered, noise_panel, shares, loose, painted):
    material = numbered(1, 1, panels=[noise_panel(3, 4), noise_panel(4, 4, 1)])
    raw = Dealer(material, 2, 3, shares, seed=0).deal(3, True)
    assert raw.squares.shape == (3, 2, 3, 640, 640)
    assert raw.drawn.tolist() == [False] * 3
    assert raw.loose.tolist() == [loose] * 3
    assert raw.painted.tolist() == [painted] * 3
    assert (raw.squares.float().std((2, 3, 4)) > 10).all()
    pictures = Dealer(material, 2, 3, shares, seed=0).deal(3, False)
    for flags in (pictures.drawn, pictures.loose, pictures.painted):
        assert flags.all()
    assert {n for parts in numbers(pictures.squares) for n in parts} == {0, 1}


def test_kinds_come_by_their_shares(numbered, noise_panel):
    dealer = Dealer(numbered(1, panels=[noise_panel(3, 3)]), 1, 3, Shares(0.1, 0.2, 0.3, 0), seed=0)
    kinds = Counter(dealer._kind() for _ in range(2000))
    for kind, share in {"own": 0.1, "shifted": 0.2, "free": 0.3, "picture": 0.4}.items():
        assert kinds[kind] / 2000 == pytest.approx(share, abs=0.04)


def test_where_real_panels_are_too_few_pictures_fill_up(numbered, noise_panel):
    material = numbered(1, 1, 1, panels=[noise_panel(3, 3)])
    raw = Dealer(material, 3, 3, Shares(1, 0, 0, 0), seed=0).deal(2, True)
    for parts in raw.squares.float():
        noisy = parts.std((1, 2, 3)) > 10
        assert noisy.tolist() == [True, False, False]


def test_without_panels_of_that_kind_nothing_is_real(numbered, noise_panel):
    material = numbered(1, panels=[noise_panel(2, 2)])
    assert Dealer(material, 1, 3, Shares(0.5, 0.5, 0, 0), seed=0).deal(5, True).drawn.all()
    assert Dealer(numbered(1), 1, 3, Shares(0, 0, 1, 0), seed=0).deal(5, True).drawn.all()
