"""Triplets as the paper describes them (section 4.1)."""

from collections import Counter

import numpy as np
import pytest
import torch

from azulejar.learning.dealing import Shares
from azulejar.learning.pictures import trim_tiles
from azulejar.learning.task import Material
from azulejar.learning.triplets import PIECES, AgedTriplets, Deal, Triplets, all_pairs
from azulejar.learning.views import edge_views, grid_partners


@pytest.fixture
def triplets(noise_panel, chance):
    """Of a panel with more than 25 tiles and of one with fewer."""
    panels = [noise_panel(5, 6, 0), noise_panel(3, 4, 1)]
    return Triplets(panels, 0.07, 16, chance(2))


def rim(rows, cols):
    """Edges of an upright panel that have no neighbour."""
    edges = [(r, c, s) for r in range(rows) for c in range(cols) for s in range(4)]
    outside = {0: lambda r, c: r == 0, 1: lambda r, c: c == cols - 1,
               2: lambda r, c: r == rows - 1, 3: lambda r, c: c == 0}  # fmt: skip
    return {4 * (r * cols + c) + s for r, c, s in edges if outside[s](r, c)}


def test_an_epoch_takes_every_inner_edge_of_25_pieces_of_each_panel_once(triplets):
    for _ in range(3):
        anchors = triplets._epoch()[:, 0].tolist()
        assert max(Counter(anchors).values()) == 1
        large = [edge for edge in anchors if edge < 120]
        small = [edge - 120 for edge in anchors if edge >= 120]
        pieces = {edge // 4 for edge in large}
        # All tiles of 5×6 have a neighbour at two sides or more, so none goes unseen.
        assert len(pieces) == PIECES
        assert set(large) == {4 * p + s for p in pieces for s in range(4)} - rim(5, 6)
        assert set(small) == set(range(48)) - rim(3, 4)


def test_epochs_differ_in_pieces_and_order(triplets):
    first, second = triplets._epoch()[:, 0].tolist(), triplets._epoch()[:, 0].tolist()
    assert set(first) != set(second)
    assert first != sorted(first)


def test_the_partner_is_true_and_the_stranger_is_another_of_the_same_panel(triplets):
    true = grid_partners(5, 6).tolist() + [p + 120 if p >= 0 else p for p in grid_partners(3, 4)]
    for anchor, partner, stranger in torch.cat([triplets._epoch() for _ in range(20)]).tolist():
        assert partner == true[anchor]
        assert stranger != partner
        assert stranger // 4 != anchor // 4
        assert (stranger < 120) == (anchor < 120)


def test_strangers_are_any_edges(triplets):
    """Of the small panel, every edge is somebody's stranger before long, those at the rim too."""
    seen = {int(edge) for _ in range(30) for edge in triplets._epoch()[:, 2]}
    assert set(range(120, 168)) <= seen


def test_batches_go_through_one_epoch_after_the_other(noise_panel, chance):
    panels = [noise_panel(3, 4)]
    batched, plain = (Triplets(panels, 0.0, 10, chance(4)) for _ in range(2))
    batches = [batched.next_batch() for _ in range(9)]
    assert all(batch.shape == (10, 3) for batch in batches)
    epochs = torch.cat([plain._epoch() for _ in range(3)])
    assert torch.equal(torch.cat(batches), epochs[:90])


@pytest.mark.parametrize("sizes", [[(3, 4)], [(5, 6)], [(5, 6), (3, 4)], [(2, 20), (9, 9), (1, 3)]])
def test_steps_of_an_epoch_are_its_triplets_by_the_batch(noise_panel, chance, sizes):
    triplets = Triplets([noise_panel(*size) for size in sizes], 0.0, 8, chance())
    counted = np.mean([len(triplets._epoch()) for _ in range(60)]) / 8
    assert triplets.batches_per_epoch() == pytest.approx(counted, rel=0.02)


def still(triplets, monkeypatch, lost=0, down=0, across=0):
    """Draws of degradation and shift, in the order in which a piece gets them."""
    draws = iter([lost, down + 2, across + 2] * 2)
    monkeypatch.setattr(
        triplets.chance, "below", lambda high, count: torch.full((count,), next(draws))
    )


def test_pairs_lie_side_by_side_with_the_anchor_on_the_left(
    triplets, noise_panel, monkeypatch, side_by_side
):
    tiles = trim_tiles(noise_panel(5, 6, 0), 0.07).numpy()
    edge, other = torch.arange(120), torch.arange(120).flip(0)
    still(triplets, monkeypatch)
    pairs = triplets.pairs(edge, other)
    assert pairs.shape == (120, 3, 50, 100)
    for pair, a, b in zip(pairs.numpy(), edge.tolist(), other.tolist(), strict=True):
        np.testing.assert_allclose(pair, side_by_side(tiles, a, b) / 255, atol=1e-6)


def test_across_a_true_joint_the_picture_goes_on(smooth_panel, chance, monkeypatch):
    triplets = Triplets([smooth_panel(4, 5)], 0.0, 16, chance())
    epoch = triplets._epoch()
    still(triplets, monkeypatch)
    near = triplets.pairs(epoch[:, 0], epoch[:, 1])
    still(triplets, monkeypatch)
    far = triplets.pairs(epoch[:, 0], epoch[:, 2])
    step_near, step_far = ((x[..., 49] - x[..., 50]).abs().mean((1, 2)) for x in (near, far))
    assert step_near.max() < 0.03
    assert step_far.mean() > 0.2


@pytest.mark.parametrize("lost", [0, 1, 2])
@pytest.mark.parametrize(("down", "across"), [(0, 0), (-2, 1), (2, 0), (1, -2)])
def test_wear_zeroes_a_frame_and_shifts_fill_with_zeros(triplets, monkeypatch, lost, down, across):
    tiles = triplets.views[:3]
    # The piece moves up and left where the window into it moves down and right.
    still(triplets, monkeypatch, lost, -down, -across)
    worn = triplets._wear(tiles).numpy()
    for y in range(50):
        for x in range(50):
            a, b = y - down, x - across
            kept = lost <= min(a, b) and max(a, b) < 50 - lost
            expected = tiles[:, :, a, b].numpy() / 255 if kept else np.zeros((3, 3))
            np.testing.assert_allclose(worn[:, :, y, x], expected, atol=1e-6)


def test_wear_and_shifts_are_uniform(triplets):
    """On white pieces the frame shows by its width, the shift by where the white begins."""
    white = torch.full((4000, 3, 50, 50), 255, dtype=torch.uint8)
    filled = triplets._wear(white)[:, 0] > 0
    high, wide = filled.any(2).sum(1), filled.any(1).sum(1)
    top, left = filled.any(2).float().argmax(1), filled.any(1).float().argmax(1)
    # A frame of two pixels leaves 46 and hides no shift; narrower ones leave more.
    two = high == 46
    assert torch.equal(two, wide == 46)
    for size, share in ((46, 1 / 3), (47, 1 / 3 * 2 / 5), (50, 1 / 3 * 1 / 5)):
        assert (high == size).float().mean() == pytest.approx(share, abs=0.03)
        assert (wide == size).float().mean() == pytest.approx(share, abs=0.03)
    shifts = torch.bincount(5 * top[two] + left[two], minlength=25) / two.sum()
    np.testing.assert_allclose(shifts, 1 / 25, atol=0.02)


def test_all_pairs_are_every_ordered_pair_once(noise_panel, side_by_side):
    tiles = trim_tiles(noise_panel(1, 2), 0.0)
    blocks = list(all_pairs(edge_views(tiles), 10))
    assert torch.cat([flat for flat, _ in blocks]).tolist() == list(range(64))
    for flat, pairs in blocks:
        for where, pair in zip(flat.tolist(), pairs.numpy(), strict=True):
            expected = side_by_side(tiles.numpy(), where // 8, where % 8)
            np.testing.assert_array_equal(pair, expected)


@pytest.fixture
def aged(chance):
    """Two panels of two parts of 2×2 tiles at a time, of pictures of noise: 32 triplets each."""
    squares = torch.randint(0, 256, (5, 3, 640, 640), dtype=torch.uint8, generator=chance(1).source)
    material = Material(squares, torch.ones(5), [])
    deal = Deal(2, 2, 2, 1.0, Shares(0, 0, 0, 0))
    return lambda: AgedTriplets(material, deal, 12, chance(3), seed=3)


def test_aged_triplets_are_of_one_panel_and_each_edge_is_an_anchor_once(aged):
    triplets = aged()
    partner = grid_partners(2, 2).tolist()
    for _ in range(5):
        triplets._deal()
        anchors, partners, strangers = triplets.waiting.T.tolist()
        assert sorted(anchors) == [16 * part + e for part in range(4) for e in range(16)
                                   if partner[e] >= 0]  # fmt: skip
        for anchor, near, far in zip(anchors, partners, strangers, strict=True):
            assert near == anchor // 16 * 16 + partner[anchor % 16]
            assert far // 32 == anchor // 32
            assert far // 4 != anchor // 4
            assert far != near


def test_aged_pairs_are_the_tiles_as_they_were_dealt(aged, side_by_side):
    triplets = aged()
    anchor, partner, _ = triplets.next_batch().unbind(1)
    tiles = triplets.views[1::4].numpy()  # edge 1 lies to the right in an upright tile
    pairs = triplets.pairs(anchor, partner).numpy()
    for pair, a, b in zip(pairs, anchor.tolist(), partner.tolist(), strict=True):
        np.testing.assert_array_equal(pair, side_by_side(tiles, a, b))


def test_aged_triplets_go_on_where_they_were(aged):
    """The state is taken in the middle of some panels; others are dealt after it."""
    whole = aged()
    whole.next_batch()
    whole.next_batch()
    whole.next_batch()  # the second pair of panels
    state, chance = whole.state(), whole.chance.source.get_state()
    broken = aged()
    broken.chance.source.set_state(chance)
    broken.restore(state)
    for _ in range(4):
        one, other = whole.next_batch(), broken.next_batch()
        assert torch.equal(one, other)
        assert torch.equal(whole.pairs(*one.T[:2]), broken.pairs(*other.T[:2]))
