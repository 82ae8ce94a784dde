"""Validation against a slow rank-1."""

import math

import numpy as np
import pytest
import torch

from azulejar.learning.pictures import trim_tiles
from azulejar.learning.recipes import RECIPES, Config
from azulejar.learning.validation import Validation, rank_1
from azulejar.learning.views import grid_partners


def slow_rank_1(scores, partners, upright):
    """How often the partner has the highest probability, as seen from both edges together."""
    edges = len(scores)

    def meet(a, b):
        return a // 4 != b // 4 and (not upright or (a + 2) % 4 == b % 4)

    def share(a, b):
        highest = max(scores[a][c] for c in range(edges) if meet(a, c))
        total = sum(math.exp(scores[a][c] - highest) for c in range(edges) if meet(a, c))
        return scores[a][b] - highest - math.log(total)

    right = known = 0
    for edge in range(edges):
        if partners[edge] >= 0:
            allowed = [other for other in range(edges) if meet(edge, other)]
            best = max(allowed, key=lambda other: share(edge, other) + share(other, edge))
            right += best == partners[edge]
            known += 1
    return right / known


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_rank_1_equals_the_slow_one(upright, seed):
    rng = np.random.default_rng(seed)
    partners = grid_partners(2, 3)
    scores = rng.normal(size=(24, 24))
    known = partners >= 0
    scores[np.flatnonzero(known), partners[known]] += 1.5
    found = rank_1(torch.from_numpy(scores), partners, upright)
    expected = slow_rank_1(scores, partners.tolist(), upright)
    assert 0 < expected < 1
    assert found == pytest.approx(expected)


def test_validation_is_the_mean_over_panels_by_measure_variant_and_trim(noise_panel, cpu):
    """Scores are those that the task gives for the trimmed tiles."""
    panels = [noise_panel(2, 3, 0), noise_panel(3, 2, 1)]

    class Fake:
        def scores(self, network, tiles):
            assert not network.training
            assert tiles.shape == (6, 3, 50, 50)
            assert tiles.max() <= 1
            features = network(tiles.flatten(1)).view(24, 4)
            return {"own": features @ features.T, "other": -(features @ features.T)}

    torch.manual_seed(0)
    network = torch.nn.Linear(7500, 16).train()
    found = Validation(panels, (0.0, 0.07), cpu)(Fake(), network)
    names = {f"{m}/{v}/{t}" for m in ("own", "other") for v in ("upright", "turned")
             for t in ("0%", "7%")}  # fmt: skip
    assert found.keys() == names
    expected = []
    for panel in panels:
        tiles = trim_tiles(panel, 0.07).float() / 255
        scores = Fake().scores(network.eval(), tiles)["other"].detach().numpy()
        partners = grid_partners(panel.rows, panel.cols).tolist()
        expected.append(slow_rank_1(scores, partners, True))
    assert found["other/upright/7%"] == pytest.approx(np.mean(expected))


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_can_be_validated(recipe, noise_panel, cpu, tiny):
    torch.manual_seed(0)
    network = Config(
        recipe, settings={"network": tiny} if recipe.startswith("best") else {}
    ).make_network()
    found = Validation([noise_panel(1, 2)], (0.07,), cpu)(RECIPES[recipe].task, network)
    measures = {
        "best": {"twin"},
        "buddies": {"buddies"},
        "paper": {"red", "green", "blue", "rgb", "dlcm-paper"},
    }
    assert {name.split("/")[0] for name in found} == measures[recipe.partition("-")[0]]
    assert all(0 <= value <= 1 for value in found.values())
