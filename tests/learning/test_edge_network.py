"""EdgeNetwork: shapes, size, and the roles of an edge."""

import pytest
import torch

from azulejar.learning import edge_network
from azulejar.learning.edge_network import ROWS, EdgeNetwork, describe, twin_scores
from azulejar.learning.views import edge_views


@pytest.fixture
def network(tiny):
    torch.manual_seed(0)
    return EdgeNetwork(**tiny).eval()


def test_the_network_that_is_shipped_has_4_73_million_parameters():
    count = sum(p.numel() for p in EdgeNetwork().parameters())
    assert round(count / 1e6, 2) == 4.73


@pytest.mark.parametrize("count", [1, 3])
def test_descriptions_have_25_rows(network, chance, count):
    anchor, partner = network(chance().unit(count, 3, 50, 50))
    assert anchor.shape == partner.shape == (count, 4, ROWS)


def test_each_view_is_described_by_itself(network, chance):
    views = chance().unit(4, 3, 50, 50)
    together = network(views)
    for at in range(4):
        for one, all_of_them in zip(network(views[at : at + 1]), together, strict=True):
            torch.testing.assert_close(one[0], all_of_them[at], atol=1e-5, rtol=1e-4)


def test_rows_are_described_in_order_and_backwards_in_the_second_role(network):
    """A stroke at the top of the right rim changes the first rows of one, the last of the other."""
    plain = torch.full((1, 3, 50, 50), 0.5)
    stroke = plain.clone()
    stroke[:, :, 4:6, 40:] = 0.0
    changes = [
        (one - other).abs().sum(1)[0]
        for one, other in zip(network(stroke), network(plain), strict=True)
    ]
    for change, first_role in zip(changes, (True, False), strict=True):
        # Two convolutions of three rows each at every stage reach this far and no farther.
        near, far = (change[:15], change[15:]) if first_role else (change[10:], change[:10])
        assert near.max() > 0
        assert far.max() < 1e-6


def test_twin_scores_are_both_orders_of_every_pair(chance):
    source = chance()
    anchor, partner = source.normal(6, 4, ROWS), source.normal(6, 4, ROWS)
    scores = twin_scores(anchor, partner)
    assert torch.equal(scores, scores.T)
    for a in range(6):
        for b in range(6):
            expected = (anchor[a] * partner[b]).sum() + (anchor[b] * partner[a]).sum()
            assert scores[a, b].item() == pytest.approx(expected.item(), abs=1e-4)


@pytest.fixture
def tiles(chance):
    return chance(1).unit(5, 3, 50, 50)


def test_descriptions_are_those_of_all_views_in_any_blocks(network, tiles, monkeypatch):
    whole = network(edge_views(tiles))
    monkeypatch.setattr(edge_network, "VIEWS", 7)
    for found, expected in zip(describe(network, tiles), whole, strict=True):
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_turned_tiles_give_the_same_scores_at_their_new_edges(network, tiles):
    """A tile turned by a quarter clockwise shows its side s at side s + 1."""
    before = twin_scores(*describe(network, tiles))
    after = twin_scores(*describe(network, tiles.rot90(-1, (2, 3))))
    edge = torch.arange(20)
    moved = edge - edge % 4 + (edge + 1) % 4
    assert before.std() > 0
    torch.testing.assert_close(after[moved][:, moved], before, atol=1e-4, rtol=1e-4)
