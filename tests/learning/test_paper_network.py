"""The paper's networks (section 4.2)."""

import numpy as np
import pytest
import torch

from azulejar.learning import paper_network
from azulejar.learning.paper_network import CHANNELS, EdgePairs, PaperNetwork
from azulejar.learning.views import edge_views


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    return PaperNetwork().requires_grad_(False)


def test_four_networks_of_3_4_million_parameters_each(network):
    assert list(network.networks) == ["red", "green", "blue", "rgb"]
    for part in network.networks.values():
        count = sum(p.numel() for p in part.parameters())
        assert round(count / 1e6, 1) == 3.4


def test_no_layer_has_a_bias(network):
    assert all(name.endswith("weight") for name, _ in network.named_parameters())
    nothing = network(torch.zeros(2, 3, 50, 100))
    assert all((score == 0).all() for score in nothing.values())


def test_a_score_for_every_pair(network, chance):
    pairs = chance().unit(3, 3, 50, 100)
    for name, scores in network(pairs).items():
        assert scores.shape == (3,)
        alone = [network.networks[name](pairs[at : at + 1]).item() for at in range(3)]
        assert scores.tolist() == pytest.approx(alone, abs=1e-4)
        assert len(set(alone)) == 3


def test_each_network_sees_its_own_channels_only(network, chance):
    pairs = chance().unit(2, 3, 50, 100)
    before = network(pairs)
    for channel in range(3):
        changed = pairs.clone()
        changed[:, channel] = 1 - changed[:, channel]
        after = network(changed)
        for name, (first, beyond) in CHANNELS.items():
            same = torch.equal(before[name], after[name])
            assert same == (channel not in range(first, beyond))


@pytest.mark.parametrize("name", CHANNELS)
def test_edge_pairs_score_as_the_network_scores_their_pictures(
    network, chance, side_by_side, monkeypatch, name
):
    monkeypatch.setattr(paper_network, "VIEWS", 5)  # of 12 views: two full blocks and a part
    tiles = chance().unit(3, 3, 50, 50)
    edge, other = torch.arange(12).repeat_interleave(12), torch.arange(12).repeat(12)
    pairs = [side_by_side(tiles.numpy(), a, b) for a in range(12) for b in range(12)]
    part = network.networks[name]
    expected = part(torch.from_numpy(np.stack(pairs)))
    score = EdgePairs(part, edge_views(tiles))
    assert expected.std() > 0.01
    torch.testing.assert_close(score(edge, other), expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(score(edge[[77, 3]], other[[77, 3]]), expected[[77, 3]])
