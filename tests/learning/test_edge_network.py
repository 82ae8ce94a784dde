"""EdgeNetwork: shapes, size, and the roles of an edge."""

import pytest
import torch

from azulejar.learning.edge_network import ROWS, EdgeNetwork, twin_scores


@pytest.fixture
def network(tiny):
    torch.manual_seed(0)
    return EdgeNetwork(**tiny).eval()


def test_the_network_that_is_shipped_has_5_16_million_parameters():
    count = sum(p.numel() for p in EdgeNetwork().parameters())
    assert round(count / 1e6, 2) == 5.16


@pytest.mark.parametrize("count", [1, 3])
def test_descriptions_have_25_rows(network, chance, count):
    anchor, partner, left, right = network(chance().unit(count, 3, 50, 50))
    assert anchor.shape == partner.shape == (count, 4, ROWS)
    assert left.shape == right.shape == (count, 8, ROWS)
    assert network.pair(anchor, partner, left, right).shape == (count,)


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
    for change, first_role in zip(changes, (True, False, True, False), strict=True):
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


def test_an_untrained_pair_head_repeats_the_twin(network, chance):
    """Its correction starts at nothing, so that it can only learn to improve on the twin."""
    described = network(chance().unit(5, 3, 50, 50))
    products = (described[0] * described[1]).sum((1, 2))
    torch.testing.assert_close(network.pair(*described), products)
