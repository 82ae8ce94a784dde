"""Scores of all pairs against a loop that judges them one by one."""

import pytest
import torch

from azulejar.learning import scoring
from azulejar.learning.edge_network import EdgeNetwork, twin_scores
from azulejar.learning.scoring import describe, edge_scores, pair_scores
from azulejar.learning.views import edge_views, impossible_pairs


@pytest.fixture(scope="module")
def network(tiny):
    """With a pair head whose verdict is no longer nothing, and statistics of its own."""
    torch.manual_seed(0)
    network = EdgeNetwork(**tiny)
    torch.nn.init.normal_(network.pair.verdict[-1].weight)
    for name, buffer in network.named_buffers():
        if name.endswith("running_mean"):
            torch.nn.init.normal_(buffer, std=0.1)
    return network.eval().requires_grad_(False)


@pytest.fixture(scope="module")
def tiles():
    return torch.rand(5, 3, 50, 50, generator=torch.Generator().manual_seed(1))


def test_descriptions_are_those_of_all_views_in_any_blocks(network, tiles, monkeypatch):
    whole = network.encoder(edge_views(tiles))
    monkeypatch.setattr(scoring, "VIEWS", 7)
    for found, expected in zip(describe(network, tiles), whole, strict=True):
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_pair_scores_do_not_depend_on_the_order_of_the_two(network, tiles):
    described = describe(network, tiles)
    edge, other = torch.arange(20), torch.arange(20).roll(7)
    there = pair_scores(network.pair, described, edge, other)
    back = pair_scores(network.pair, described, other, edge)
    torch.testing.assert_close(there, back)
    assert there.std() > 0


def one_by_one(network, tiles):
    """[4n, 4n]: both orders of every pair through the pair head, added."""
    anchor, partner, left, right = network.encoder(edge_views(tiles))
    judged = torch.zeros(len(anchor), len(anchor))
    for a in range(len(anchor)):
        for b in range(len(anchor)):
            one = network.pair(anchor[a : a + 1], partner[b : b + 1],
                               left[a : a + 1], right[b : b + 1])  # fmt: skip
            judged[a, b] = one
    return judged + judged.T


@pytest.mark.parametrize("block", [17, 100_000])
def test_a_shortlist_of_all_judges_every_pair(network, tiles, monkeypatch, block):
    monkeypatch.setattr(scoring, "PAIRS", block)
    twin, cascade = edge_scores(network, tiles, shortlist=1000)
    described = describe(network, tiles)
    torch.testing.assert_close(twin, twin_scores(described[0], described[1]))
    possible = ~impossible_pairs(5, False)
    expected = one_by_one(network, tiles)
    torch.testing.assert_close(cascade[possible], expected[possible], atol=1e-4, rtol=1e-4)
    assert torch.equal(cascade, cascade.T)


def test_a_short_list_is_each_edge_s_favourites_and_the_rest_keeps_the_twin_s_order(network, tiles):
    twin, cascade = edge_scores(network, tiles, shortlist=2)
    expected = one_by_one(network, tiles)
    listed = torch.zeros(20, 20, dtype=torch.bool)
    for edge in range(20):
        ranked = sorted(range(20), key=lambda other: -twin[edge, other])
        for other in [other for other in ranked if other // 4 != edge // 4][:2]:
            listed[edge, other] = listed[other, edge] = True
    torch.testing.assert_close(cascade[listed], expected[listed], atol=1e-4, rtol=1e-4)
    shift = (cascade - twin)[~listed]
    assert shift.max() - shift.min() < 1e-4
    above = torch.triu(listed)
    assert shift[0].item() == pytest.approx((expected - twin)[above].median().item(), abs=1e-4)


def test_turned_tiles_give_the_same_scores_at_their_new_edges(network, tiles):
    """A tile turned by a quarter clockwise shows its side s at side s + 1."""
    scores = edge_scores(network, tiles, shortlist=1000)
    turned = edge_scores(network, tiles.rot90(-1, (2, 3)), shortlist=1000)
    edge = torch.arange(20)
    moved = edge - edge % 4 + (edge + 1) % 4
    for before, after in zip(scores, turned, strict=True):
        torch.testing.assert_close(after[moved][:, moved], before, atol=1e-4, rtol=1e-4)
