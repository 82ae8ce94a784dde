"""The recipe paper: margin loss, and four networks that do not touch each other."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from azulejar.errors import AzulejarError
from azulejar.learning import paper
from azulejar.learning.paper import PaperSettings, PaperTask
from azulejar.learning.paper_network import CHANNELS
from azulejar.learning.training import Training


@pytest.fixture
def task_of(material, cpu):
    def make(material=material, **settings):
        return PaperTask(PaperSettings(**({"batch": 4, "steps": 3} | settings)), material, 0, cpu)

    return make


@pytest.mark.parametrize("margin", [0.5, 3.0])
def test_the_loss_is_the_paper_s_averaged_over_a_batch(task_of, margin):
    task, again = task_of(margin=margin), task_of(margin=margin)
    loss, right = task.loss(0.0)
    losses, rights = [], []
    triplets = again.triplets.next_batch()
    anchor, partner, stranger = triplets.unbind(1)
    pairs = again.triplets.pairs(torch.cat([anchor, anchor]), torch.cat([partner, stranger]))
    with torch.inference_mode():
        for network in again.network.networks.values():
            near, far = network(pairs[:4]).tolist(), network(pairs[4:]).tolist()
            each = [max(0.0, margin - n + f) for n, f in zip(near, far, strict=True)]
            losses.append(np.mean(each))
            rights += [n > f for n, f in zip(near, far, strict=True)]
    assert loss.item() == pytest.approx(sum(losses), rel=1e-4)
    assert right.item() == pytest.approx(np.mean(rights))


def test_each_network_learns_as_if_it_were_alone(task_of, tmp_path):
    together = Training(task_of(), tmp_path / "together", "paper")
    for step in range(2):
        together._take_step(step / 3)
    for name in ("green", "rgb"):
        task = task_of()
        for other in CHANNELS.keys() - {name}:
            del task.network.networks[other]
        alone = Training(task, tmp_path / name, "paper")
        before = {k: x.clone() for k, x in task.network.state_dict().items()}
        for step in range(2):
            alone._take_step(step / 3)
        shared = together.task.network.state_dict()
        for key, tensor in task.network.state_dict().items():
            assert torch.equal(tensor, shared[key])
            assert not torch.equal(tensor, before[key])


def test_settings_are_the_paper_s():
    settings = PaperSettings()
    assert (settings.rate, settings.batch, settings.margin) == (1e-4, 64, 1.0)
    assert settings.clip == settings.average == 0


def test_adam_at_a_constant_rate(task_of):
    task = task_of()
    assert isinstance(task.optimizer(), torch.optim.Adam)
    assert {task.rate(progress) for progress in (0.0, 0.5, 1.0)} == {1e-4}


def test_without_a_number_of_steps_there_are_850_epochs(task_of, noise_panel, material):
    """A panel of 4×5 has 62 inner edges, one of 3×9 has 84; an epoch takes 25 tiles of each."""
    edges = 62 + 84 * 25 / 27
    assert task_of(steps=0, batch=4).settings.steps == round(850 * edges / 4)
    assert task_of(steps=5).settings.steps == 5


def test_panels_are_needed(task_of, material):
    with pytest.raises(AzulejarError, match="learns from panels"):
        task_of(replace(material, panels=[]))


def test_scores_are_every_network_s_of_every_ordered_pair_and_their_sum(
    chance, side_by_side, monkeypatch
):
    monkeypatch.setattr(paper, "BLOCK", 30)  # of 64 pairs: two full blocks and a part
    tiles = chance().unit(2, 3, 50, 50)
    torch.manual_seed(0)
    network = PaperTask.make_network(PaperSettings()).requires_grad_(False)
    scores = PaperTask.scores(network, tiles)
    assert list(scores) == [*CHANNELS, "dlcm-paper"]
    pairs = [side_by_side(tiles.numpy(), a, b) for a in range(8) for b in range(8)]
    for name, expected in network(torch.from_numpy(np.stack(pairs))).items():
        torch.testing.assert_close(scores[name], expected.view(8, 8), rtol=1e-4, atol=1e-4)
    total = sum(scores[name] for name in CHANNELS)
    torch.testing.assert_close(scores["dlcm-paper"], total)
