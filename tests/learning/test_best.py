"""The recipe best: its answers, losses, gradients and schedules."""

import math

import numpy as np
import pytest
import torch

from azulejar.learning import best
from azulejar.learning.best import (
    BestSettings,
    BestTask,
    CrowdSettings,
    LightSettings,
    MildSettings,
    WornSettings,
)
from azulejar.learning.views import edge_views, grid_partners, impossible_pairs


@pytest.fixture
def task_of(tiny, material, cpu):
    def make(material=material, **settings):
        small = {"network": tiny, "panels": 2, "parts": 2, "grid": 3, "steps": 100}
        return BestTask(BestSettings(**(small | settings)), material, 0, cpu)

    return make


def gradients(task, progress):
    task.network.zero_grad(set_to_none=True)
    loss, right = task.loss(progress)
    loss.backward()
    assert loss.isfinite()
    assert 0 <= right <= 1
    return {name: p.grad for name, p in task.network.named_parameters()}


def reached(found):
    return {name for name, grad in found.items() if grad is not None and grad.abs().max() > 0}


@pytest.mark.parametrize("progress", [0.0, 0.05, 0.5, 1.0])
def test_gradients_are_finite_at_any_time(task_of, progress):
    found = gradients(task_of(grid=2, own_share=0.2, shifted_share=0.2, free_share=0.2), progress)
    assert all(grad.isfinite().all() for grad in found.values())
    # The softmax takes away what a bias adds to all partners alike.
    assert found.keys() - {"head.bias"} <= reached(found)


def test_answers_are_the_true_partners_in_every_part_of_a_panel(task_of):
    task = task_of(parts=3)
    partners = grid_partners(3, 3).tolist()
    expected = {
        36 * part + edge: 36 * part + other
        for part in range(3)
        for edge, other in enumerate(partners)
        if other >= 0
    }
    assert dict(zip(task.edges.tolist(), task.partners.tolist(), strict=True)) == expected
    assert torch.equal(task.barred, impossible_pairs(27, False)[task.edges])


def slow_softmax_loss(scores, answer):
    highest = max(scores)
    return highest + math.log(sum(math.exp(s - highest) for s in scores)) - scores[answer]


def test_the_loss_is_a_softmax_over_all_edges_of_the_panel(task_of, monkeypatch):
    task = task_of()
    task.network.eval()
    tiles = task._tiles(0.0)
    monkeypatch.setattr(task, "_tiles", lambda progress: tiles)
    loss, right = task.loss(0.0)
    losses, rights = [], []
    for panel in tiles:
        anchor, partner = task.network(edge_views(panel))
        for edge, true in zip(task.edges.tolist(), task.partners.tolist(), strict=True):
            others = [o for o in range(72) if o // 4 != edge // 4]
            scores = [
                ((anchor[edge] * partner[o]).sum() + (anchor[o] * partner[edge]).sum()).item()
                for o in others
            ]
            losses.append(slow_softmax_loss(scores, others.index(true)))
            rights.append(others[int(np.argmax(scores))] == true)
    assert loss.item() == pytest.approx(np.mean(losses), rel=0.01)
    assert right.item() == pytest.approx(np.mean(rights), abs=0.05)


def test_in_a_crowd_the_edges_of_all_panels_are_rivals(task_of, monkeypatch):
    task = task_of(grid=2, crowd=0.3)
    task.network.eval()
    tiles = task._tiles(0.0)
    monkeypatch.setattr(task, "_tiles", lambda progress: tiles)
    anchor, partner = task.network(edge_views(tiles.flatten(0, 1)))
    within, among = [], []
    for panel in range(2):
        for edge, true in zip(task.edges + 32 * panel, task.partners + 32 * panel, strict=True):
            scores = {
                o: ((anchor[edge] * partner[o]).sum() + (anchor[o] * partner[edge]).sum()).item()
                for o in range(64)
                if o // 4 != edge // 4
            }
            own = {o: score for o, score in scores.items() if o // 32 == panel}
            for losses, rivals in ((within, own), (among, scores)):
                place = list(rivals).index(int(true))
                losses.append(slow_softmax_loss(list(rivals.values()), place))
    expected = 0.7 * np.mean(within) + 0.3 * np.mean(among)
    assert task.loss(0.0)[0].item() == pytest.approx(expected, rel=0.01)
    assert np.mean(among) > np.mean(within) + 0.1


def test_the_rate_rises_stays_and_then_falls_like_a_cosine(task_of):
    task = task_of(steps=1000, warm_up=100, rate=2e-3, flat=0.6)
    for step in (0, 1, 50, 99, 100, 500, 600, 700, 999):
        warm = min(1, (step + 1) / 100)
        fallen = max(0, step - 600) / 400
        expected = 2e-3 * warm * (1 + math.cos(math.pi * fallen)) / 2
        assert task.rate(step / 1000) == pytest.approx(expected, abs=2e-6)
    assert task_of(steps=10, warm_up=0, rate=1.0).rate(0.0) == pytest.approx(1.0, abs=1e-5)


@pytest.fixture
def asked(monkeypatch):
    """What ageing is asked for: panels, their strength, range of trim and level of light."""
    calls = []

    def record(raw, grid, strength, chance, trim, light):
        calls.append((raw, strength, trim, light))
        panels, parts = raw.squares.shape[:2]
        return torch.zeros(panels, parts * grid * grid, 3, 50, 50)

    monkeypatch.setattr(best, "age_panels", record)
    return calls


def test_wear_is_drawn_for_each_panel_from_its_range(task_of, asked):
    task_of(panels=40, weakest=0.2, strongest=0.7)._tiles(0.0)
    strength = asked[0][1]
    assert strength.shape == (40,)
    assert 0.2 <= strength.min() < 0.3
    assert 0.6 < strength.max() <= 0.7


def test_real_panels_come_late(task_of, asked):
    shares = {"own_share": 0.2, "shifted_share": 0.2, "free_share": 0.2}
    task = task_of(panels=40, parts=1, grid=2, real_from=0.5, **shares)
    for progress in (0.0, 0.49, 0.5, 0.9):
        task._tiles(progress)
    real = [1 - raw.drawn.float().mean().item() for raw, *_ in asked]
    assert real[:2] == [0, 0]
    assert real[2:] == pytest.approx([0.6, 0.6], abs=0.25)


def test_light_is_drawn_for_each_panel_and_some_are_photographed_whole(task_of, asked):
    task_of(panels=400, parts=1, grid=2, light=1.5, unlit=0.25)._tiles(0.0)
    light = asked[0][3]
    assert light.shape == (400,)
    assert (light == 0).float().mean().item() == pytest.approx(0.25, abs=0.07)
    lit = light[light > 0]
    assert lit.min() < 0.1
    assert 1.4 < lit.max() <= 1.5
    assert lit.mean().item() == pytest.approx(0.75, abs=0.1)


def test_light_may_have_a_least_level(task_of, asked):
    task_of(panels=400, parts=1, grid=2, light=1.6, light_least=0.3, unlit=0.1)._tiles(0.0)
    light = asked[0][3]
    assert (light == 0).float().mean().item() == pytest.approx(0.1, abs=0.05)
    assert 0.3 <= light[light > 0].min() < 0.4
    assert 1.5 < light.max() <= 1.6


def test_only_the_recipe_for_light_changes_the_light(task_of, asked):
    task_of()._tiles(0.0)
    assert asked[0][3] is None
    for kind in (MildSettings, CrowdSettings, WornSettings):
        assert kind().light == 0
    assert LightSettings().light > 1


def test_the_heaviest_trim_can_be_set(task_of, asked):
    task_of()._tiles(0.0)
    task_of(trim_most=0.13)._tiles(0.0)
    assert [trim for _, _, trim, _ in asked] == [(0.02, 0.10), (0.02, 0.13)]


def test_muon_takes_the_kernels_between_the_first_layer_and_the_head(task_of):
    task = task_of(muon=True, rate=0.01, grid=2)
    matrices, others = (group["params"] for group in task.optimizer().param_groups)
    names = {id(each): name for name, each in task.network.named_parameters()}
    assert len(matrices) + len(others) == len(names)
    kernels = {names[id(each)] for each in matrices}
    assert kernels == {
        name
        for name, each in task.network.named_parameters()
        if name.startswith("body.") and each.ndim == 4 and each.shape[1] != 3
    }
    first, _ = task.loss(0.0)
    optimizer = task.optimizer()
    first.backward()
    optimizer.step()
    assert task.loss(0.0)[0].isfinite()
