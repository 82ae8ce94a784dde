"""The paper's networks (section 4.2)."""

import pytest
import torch

from azulejar.learning.paper_network import CHANNELS, PaperNetwork


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
