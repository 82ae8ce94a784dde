"""Recipes of several stages: run through, stopped anywhere, averaged."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from azulejar.errors import AzulejarError
from azulejar.learning import training
from azulejar.learning.best import BestTask
from azulejar.learning.run import train
from azulejar.learning.shipping import export
from azulejar.learning.training import CHECKPOINT, HISTORY, WEIGHTS, Training
from azulejar.weights import load_model

STAGES = ("strong", "mild")


@pytest.fixture(scope="module")
def staged(best_config):
    """The recipe best, or another, with two steps a stage."""

    def make(recipe="best", **changes):
        return replace(best_config(steps=2), recipe=recipe, **changes)

    return make


@pytest.fixture(scope="module")
def whole(staged, folders, tmp_path_factory):
    """Folder of a run of the recipe best that was never stopped."""
    run = tmp_path_factory.mktemp("runs") / "whole"
    train(staged(validation=str(folders / "panels")), run, device="cpu")
    return run


def same(one, other):
    assert one.keys() == other.keys()
    return all(torch.equal(one[name], other[name]) for name in one)


def history(run):
    return [json.loads(line) for line in (run / HISTORY).read_text().splitlines()]


def kept(run):
    """What the stage before the last one left, and the weights of the run."""
    return [load_file(run / name) for name in ("strong.safetensors", WEIGHTS)]


def test_each_stage_goes_on_from_the_one_before(whole):
    strong, mild = kept(whole)
    assert [(line["stage"], line["step"]) for line in history(whole) if "loss" in line] == [
        (stage, 2) for stage in STAGES
    ]
    assert not same(strong, mild)


def test_every_stage_is_validated(whole):
    stages = [line["stage"] for line in history(whole) if line["kind"] == "rank_1"]
    assert stages == list(STAGES)


def test_every_stage_has_its_own_chance(staged, tmp_path, monkeypatch):
    seeds = []

    class Seeded(BestTask):
        def __init__(self, settings, material, seed, device):
            seeds.append(seed)
            super().__init__(settings, material, seed, device)

    monkeypatch.setattr(
        "azulejar.learning.recipes.RECIPES",
        {"best": replace(staged().get_recipe(), task=Seeded)},
    )
    train(staged(seed=5), tmp_path, device="cpu")
    assert seeds == [5, 6]


def test_stopped_at_every_step_it_ends_as_an_unbroken_one(staged, whole, tmp_path, monkeypatch):
    """Ctrl-C: the checkpoint is written before the program ends."""
    taken, written = [], [0]
    take_step = Training._take_step

    def interrupt(self, progress):
        taken.append(self.stage)
        if len(taken) in stops:
            raise KeyboardInterrupt
        return take_step(self, progress)

    stops = range(1, 9, 2)  # the first step, and whenever one was taken since the last stop
    with monkeypatch.context() as patch:
        patch.setattr(Training, "_take_step", interrupt)
        for stop in stops:
            with pytest.raises(KeyboardInterrupt):
                train(staged(), tmp_path, device="cpu")
            assert len(taken) == stop
            written.append((tmp_path / CHECKPOINT).stat().st_mtime_ns)
    assert taken[::2] == [stage for stage in STAGES for _ in range(2)]
    assert sorted(set(written)) == written
    train(staged(), tmp_path, device="cpu")
    assert all(map(same, kept(tmp_path), kept(whole)))


@pytest.mark.parametrize("call", range(1, 6))
def test_killed_between_two_files_it_ends_as_an_unbroken_one(
    staged, whole, tmp_path, monkeypatch, call
):
    """As a machine that goes away: from one file on, nothing is written any more."""
    files = []
    replacing = training.replacing

    def kill(path):
        files.append(path.name)
        if len(files) >= call:
            raise SystemExit
        return replacing(path)

    with monkeypatch.context() as patch:
        patch.setattr(training, "replacing", kill)
        with pytest.raises(SystemExit):
            train(staged(), tmp_path, device="cpu")
    order = [CHECKPOINT, WEIGHTS, "strong.safetensors", CHECKPOINT, WEIGHTS]
    assert files[:call] == order[:call]
    train(staged(), tmp_path, device="cpu")
    assert all(map(same, kept(tmp_path), kept(whole)))


def test_time_may_be_up_in_any_stage(staged, whole, tmp_path):
    stopped = train(staged(), tmp_path, device="cpu", until=0.0)
    assert (stopped.stage, stopped.step, stopped.finished) == ("strong", 0, False)
    assert not (tmp_path / "strong.safetensors").exists()
    done = train(staged(), tmp_path, device="cpu")
    assert (done.stage, done.step, done.finished) == ("mild", 2, True)
    assert all(map(same, kept(tmp_path), kept(whole)))


def test_a_finished_run_is_left_as_it_is(staged, whole, folders):
    weights, lines = kept(whole), history(whole)
    again = train(staged(validation=str(folders / "panels")), whole, device="cpu")
    assert len(again.rank_1) == 6
    assert all(map(same, kept(whole), weights))
    assert history(whole) == lines


def test_a_run_of_one_stage_that_was_begun_before_there_were_any_goes_on(best_config, tmp_path):
    config = best_config(steps=2)
    train(config, tmp_path, device="cpu", until=0.0)
    state = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    torch.save(
        {k: v for k, v in state.items() if k != "stage"} | {"step": 1}, tmp_path / CHECKPOINT
    )
    train(config, tmp_path, device="cpu")
    assert [line["step"] for line in history(tmp_path)] == [2]


def test_a_model_of_several_stages_names_the_settings_of_each(whole, tmp_path):
    model = load_model(str(export(whole, tmp_path / "model")))
    assert model.card["config"]["settings"].keys() == set(STAGES)
    page = (model.folder / "README.md").read_text(encoding="utf-8")
    for stage in STAGES:
        assert f"| settings, stage {stage} | steps 2, rate " in page


def expected_mean(shares, weights):
    return {
        name: sum(share * one[name].double() for share, one in zip(shares, weights, strict=True))
        for name, first in weights[0].items()
        if first.is_floating_point()
    }


@pytest.mark.parametrize(
    ("recipe", "shares", "files"),
    [
        ("best-crowd", (0.5, 0.5), ("worn.safetensors", "mild.safetensors")),
        ("best-light", (0.15, 0.85), (WEIGHTS, "lit.safetensors")),
    ],
)
def test_the_mean_of_stages_is_what_a_run_gives(
    staged, whole, folders, tmp_path, recipe, shares, files
):
    config = staged(recipe, start=str(whole), validation=str(folders / "panels"))
    done = train(config, tmp_path, device="cpu")
    given = [load_file((whole if name == WEIGHTS else tmp_path) / name) for name in files]
    found = load_file(tmp_path / WEIGHTS)
    for name, mean in expected_mean(shares, given).items():
        torch.testing.assert_close(found[name], mean.float(), rtol=1e-4, atol=1e-6)
        assert torch.equal(found[name], done.average.state_dict()[name])
    assert not same(found, given[0])
    assert not same(found, given[1])
    last = history(tmp_path)[-1]
    assert (last["stage"], last["kind"]) == ("mean", "rank_1")
    train(config, tmp_path, device="cpu")
    assert same(load_file(tmp_path / WEIGHTS), found)


def test_a_mean_with_what_a_run_starts_from_needs_a_start(staged, tmp_path):
    with pytest.raises(AzulejarError, match=r"best-light continues from finished weights\. Name"):
        train(staged("best-light"), tmp_path / "run", device="cpu")
    assert not (tmp_path / "run").exists()
