"""The recipe buddies: its samples, its network, and that it learns."""

import math

import numpy as np
import pytest
import torch

from azulejar.core.edges import edge_strips
from azulejar.learning.buddies import BuddiesSettings, BuddiesTask, BuddyNetwork
from azulejar.learning.recipes import Config
from azulejar.learning.run import train
from azulejar.learning.shipping import export
from azulejar.learning.task import Material
from azulejar.measures import buddies as step
from azulejar.measures.buddies import across


@pytest.fixture
def task(material, cpu):
    return BuddiesTask(BuddiesSettings(grid=3, puzzles=2), material, 0, cpu)


def test_layers_are_those_of_the_source():
    shapes = [tuple(x.shape) for x in BuddyNetwork().parameters() if x.dim() == 2]
    assert shapes == [(100, 336), (100, 100), (100, 100), (2, 100)]


def test_the_mean_colour_says_nothing():
    network, strips = BuddyNetwork(), torch.rand(5, 3, 28, 4) / 2
    torch.testing.assert_close(
        network(strips), network(strips + torch.tensor([0.1, 0.2, 0.3]).view(3, 1, 1))
    )


def test_samples_are_true_joints_and_their_strongest_rivals(task, monkeypatch):
    random = np.random.default_rng(1)
    tiles = random.integers(0, 256, (9, 28, 28, 3), np.uint8)
    as_tensor = torch.from_numpy(tiles.transpose(0, 3, 1, 2).copy()).float() / 255
    monkeypatch.setattr(task, "_cut", lambda square: as_tensor)
    strips = (edge_strips(tiles, 2) / 255).astype(np.float32)
    partner = {int(e): int(p) for e, p in zip(task.edges, task.partners, strict=True)}
    rivals = {False: [], True: []}
    for upright, edge in [(u, e) for u in rivals for e in partner]:
        distance = {
            other: ((strips[edge, 0] - strips[other, 0, ::-1]) ** 2).sum()
            for other in range(36)
            if other // 4 != edge // 4
            and other != partner[edge]
            and (not upright or (other - edge) % 4 == 2)
        }
        rivals[upright].append(min(distance, key=distance.get))
    seen = set()
    left = np.array(list(partner))
    for _ in range(12):
        true, false = task._samples(torch.zeros(3, 640, 640))
        expected = across(strips, left, np.array(list(partner.values())))
        np.testing.assert_allclose(true, expected, atol=1e-6)
        seen |= {
            upright
            for upright, others in rivals.items()
            if np.allclose(false, across(strips, left, np.array(others)), atol=1e-6)
        }
    assert seen == {False, True}


def test_tiles_are_cut_from_the_picture(task):
    square = torch.arange(640 * 640).view(1, 640, 640).repeat(3, 1, 1) % 251
    tiles = task._cut(square.to(torch.uint8))
    assert tiles.shape == (9, 3, 28, 28)
    rows = torch.cat([torch.cat(list(tiles[3 * row : 3 * row + 3]), 2) for row in range(3)], 1)
    # Joined again they are a part of the picture, in which neighbours differ by the same step.
    assert len({round(255 * x) % 251 for x in rows[0].diff(dim=1).unique().tolist()}) == 1
    assert len({round(255 * x) % 251 for x in rows[0].diff(dim=0).unique().tolist()}) == 1


def test_the_loss_is_that_of_telling_the_two_apart(task, monkeypatch):
    samples = torch.rand(7, 3, 28, 4), torch.rand(7, 3, 28, 4)
    monkeypatch.setattr(task, "_samples", lambda square: samples)
    loss, right = task.loss(0.0)
    near, far = (task.network(each).tolist() for each in samples)
    losses = [math.log1p(math.exp(-x)) for x in near] + [math.log1p(math.exp(x)) for x in far]
    assert loss.item() == pytest.approx(np.mean(losses), rel=1e-4)
    assert right.item() == pytest.approx(np.mean([n > f for n, f in zip(near, far, strict=True)]))


def clouds(seed):
    """Smooth noise [3, 640, 640], in which joints can be told by continuity."""
    source = torch.Generator().manual_seed(seed)
    coarse = torch.rand(1, 3, 60, 60, generator=source)
    fine = torch.nn.functional.interpolate(coarse, (640, 640), mode="bicubic")
    return (255 * fine[0].clamp(0, 1)).to(torch.uint8)


def test_a_few_steps_learn_continuity(cpu, monkeypatch):
    material = Material(torch.stack([clouds(seed) for seed in range(6)]), torch.ones(6), [])
    task = BuddiesTask(BuddiesSettings(grid=8, rate=3e-3), material, 0, cpu)
    optimizer = task.optimizer()
    rights = []
    for _ in range(60):
        loss, right = task.loss(0.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rights.append(right.item())
    assert np.mean(rights[:3]) < 0.75
    assert np.mean(rights[-10:]) > 0.9


def test_an_exported_run_is_what_the_step_asks(folders, tmp_path, monkeypatch):
    config = Config("buddies", 3, (str(folders / "pictures"),), settings={"steps": 2, "grid": 4})
    done = train(config, tmp_path / "run", device="cpu")
    monkeypatch.setattr(step, "MODEL", str(export(tmp_path / "run", tmp_path / "model")))
    pixels = np.random.default_rng(0).integers(0, 256, (3, 28, 28, 3), np.uint8)
    edge, other = np.array([1, 2]), np.array([7, 8])
    strips = torch.from_numpy((edge_strips(pixels, 2) / 255).astype(np.float32))
    both = [done.average(torch.from_numpy(across(strips.numpy(), *pair)))
            for pair in ((edge, other), (other, edge))]  # fmt: skip
    expected = torch.stack(both).mean(0).exp().tolist()
    assert step.joint_odds(pixels, edge, other).tolist() == pytest.approx(expected, rel=1e-3)


def test_a_stopped_run_goes_on_with_the_same_pictures(folders, tmp_path):
    config = Config("buddies", 3, (str(folders / "pictures"),), settings={"steps": 3, "grid": 4})
    whole = train(config, tmp_path / "whole", device="cpu")
    stopped = train(config, tmp_path / "broken", device="cpu", until=0.0)
    stopped._take_step(0.0)
    stopped.save()
    resumed = train(config, tmp_path / "broken", device="cpu")
    for one, other in zip(whole.average.parameters(), resumed.average.parameters(), strict=True):
        assert torch.equal(one, other)
