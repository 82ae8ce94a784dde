"""Scores of an EdgeNetwork for all pairs of edges, in torch."""

from collections.abc import Callable

import torch
from torch import Tensor

from azulejar.learning.edge_network import EdgeNetwork, twin_scores
from azulejar.learning.task import half_on_gpu
from azulejar.learning.views import edge_views, impossible_pairs

SHORTLIST = 16  # partners of each edge that the pair head scores
VIEWS = 1024  # encoded at a time
PAIRS = 32_768  # scored at a time


def pair_scores(
    judge: Callable[..., Tensor], described: tuple[Tensor, ...], edge: Tensor, other: Tensor
) -> Tensor:
    """Return the pair head's scores [m] of m pairs, both orders added."""
    anchor, partner, left, right = described
    first = torch.cat([edge, other])
    second = torch.cat([other, edge])
    both = judge(anchor[first], partner[second], left[first], right[second])
    there, back = both.chunk(2)
    return there + back


def describe(network: EdgeNetwork, tiles: Tensor) -> tuple[Tensor, ...]:
    """Return descriptions [4n, width, 25] of the edges of tiles [n, 3, 50, 50] from 0 to 1."""
    views = edge_views(tiles)
    with half_on_gpu(tiles.device):
        parts = [
            network.encoder(block.contiguous(memory_format=torch.channels_last))
            for block in views.split(VIEWS)
        ]
    return tuple(torch.cat(described).float() for described in zip(*parts, strict=True))


def edge_scores(
    network: EdgeNetwork, tiles: Tensor, shortlist: int = SHORTLIST
) -> tuple[Tensor, Tensor]:
    """Return the scores of twin and cascade [4n, 4n].

    The cascade replaces the twin's scores by the pair head's for the twin's favourites.
    """
    described = describe(network, tiles)
    twin = twin_scores(described[0], described[1])
    allowed = twin.masked_fill(impossible_pairs(len(tiles), False, tiles.device), -1e9)
    best = allowed.topk(min(shortlist, len(twin) - 4), 1).indices
    listed = torch.zeros_like(twin, dtype=torch.bool).scatter_(1, best, True)
    edge, other = (listed | listed.T).triu().nonzero().unbind(1)
    judged = torch.cat([
        pair_scores(network.pair, described, a, b)
        for a, b in zip(edge.split(PAIRS), other.split(PAIRS), strict=True)
    ])  # fmt: skip
    cascade = twin + (judged - twin[edge, other]).median()
    cascade[edge, other] = cascade[other, edge] = judged
    return twin, cascade
