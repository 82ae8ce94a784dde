"""Training: stopped and taken up again, averaged, noted, refused."""

import json
import shutil
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from azulejar.errors import AzulejarError
from azulejar.learning import training
from azulejar.learning.run import pick_device, train
from azulejar.learning.storage import MODEL, load_weights
from azulejar.learning.training import CHECKPOINT, HISTORY, WEIGHTS, Training


@pytest.fixture
def configs(best_config, paper_config):
    def aged(**settings):
        small = {"panels": 1, "parts": 1, "grid": 2, "batch": 2} | settings
        return replace(best_config(), recipe="paper-aged", settings=small)

    return {"best": best_config, "paper": paper_config, "paper-aged": aged}


def train_for(monkeypatch, steps, config, run, **options):
    """Train, with a clock that strikes at every step, until so many have been taken."""
    clock = count()
    monkeypatch.setattr(
        training, "time", SimpleNamespace(time=lambda: next(clock), monotonic=lambda: 0)
    )
    try:
        return train(config, run, device="cpu", until=steps - 0.5, **options)
    finally:
        monkeypatch.undo()


def same(one, other):
    assert one.keys() == other.keys()
    return all(torch.equal(one[name], other[name]) for name in one)


def history(run):
    return [json.loads(line) for line in (run / HISTORY).read_text().splitlines()]


@pytest.mark.parametrize(
    ("recipe", "steps", "stops"),
    [("best", 6, ((0, 0), (1, 1), (2, 3))), ("paper", 2, ((1, 1),)), ("paper-aged", 2, ((1, 1),))],
    ids=["best", "paper", "paper-aged"],
)
def test_a_run_that_was_stopped_ends_as_an_unbroken_one(
    configs, tmp_path, monkeypatch, recipe, steps, stops
):
    """Stopped before the first step, and twice on the way; a batch of paper is no whole epoch."""
    config = configs[recipe](steps=steps)
    whole = train(config, tmp_path / "whole", device="cpu")
    for more, reached in stops:
        stopped = train_for(monkeypatch, more, config, tmp_path / "broken")
        assert stopped.step == reached
    resumed = train(config, tmp_path / "broken", device="cpu")
    assert resumed.step == whole.step == config.settings["steps"]
    assert same(whole.task.network.state_dict(), resumed.task.network.state_dict())
    weights = load_file(tmp_path / "whole" / WEIGHTS)
    assert same(weights, load_file(tmp_path / "broken" / WEIGHTS))
    if recipe != "best":  # it takes no average: the last weights count
        assert same(whole.average.state_dict(), whole.task.network.state_dict())
        assert same(weights, whole.task.network.state_dict())


def test_a_finished_run_is_left_as_it_is(best_config, best_run):
    before = load_file(best_run / WEIGHTS)
    again = train(best_config(), best_run, device="cpu")
    assert again.step == 6
    assert same(load_file(best_run / WEIGHTS), before)
    assert len(again.rank_1) == 6


def test_the_seed_decides(best_config, tmp_path):
    config = best_config(steps=2)
    first, again, other = (
        train(replace(config, seed=seed), tmp_path / name, device="cpu").average.state_dict()
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )
    assert same(first, again)
    assert not same(first, other)


def test_a_broken_run_leaves_a_checkpoint(best_config, tmp_path, monkeypatch):
    """Ctrl-C, or a machine that goes away, costs no more than a step."""
    monkeypatch.setattr(training, "REPORT_EVERY", 2)

    def stop(report):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(best_config(), tmp_path, device="cpu", on_report=stop)
    assert torch.load(tmp_path / CHECKPOINT, weights_only=True)["step"] == 2


def test_a_checkpoint_is_written_now_and_then(best_config, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "SAVE_EVERY", -1.0)
    saved = []
    monkeypatch.setattr(Training, "save", lambda self: saved.append(self.step))
    train(best_config(steps=3), tmp_path, device="cpu")
    assert saved == [1, 2, 3, 3]


@pytest.fixture(scope="module")
def short_run(best_config, tmp_path_factory):
    """Folder of a finished run of one step."""
    run = tmp_path_factory.mktemp("runs") / "short"
    train(best_config(steps=1), run, device="cpu")
    return run


def damage(path, how):
    content = path.read_bytes()
    state = torch.load(path, weights_only=True)
    if how == "empty":
        path.write_bytes(b"")
    elif how == "words":
        path.write_bytes(b"this is no checkpoint")
    elif how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "list":
        torch.save([1, 2], path)
    elif how == "other network":
        torch.save(state | {"network": {"a": torch.zeros(1)}}, path)
    else:
        torch.save({name: value for name, value in state.items() if name != how}, path)


@pytest.mark.parametrize(
    "how",
    ["empty", "words", "cut", "list", "other network", "network", "optimizer", "chance", "step"],
)
def test_a_damaged_checkpoint_is_refused(best_config, short_run, tmp_path, how):
    run = shutil.copytree(short_run, tmp_path / "run")
    damage(run / CHECKPOINT, how)
    with pytest.raises(AzulejarError, match=r"checkpoint.pt is no checkpoint .*start again"):
        train(best_config(steps=1), run, device="cpu")


def test_other_settings_in_the_same_folder_are_refused(best_config, best_run):
    before = (best_run / WEIGHTS).read_bytes()
    for config in (best_config(steps=7), replace(best_config(), seed=4)):
        with pytest.raises(AzulejarError, match="other settings"):
            train(config, best_run, device="cpu")
    assert (best_run / WEIGHTS).read_bytes() == before


def test_moved_pictures_may_be_named_anew(best_config, best_run, folders, tmp_path):
    (tmp_path / "pictures").symlink_to(folders / "pictures")
    moved = replace(best_config(), pictures=(str(tmp_path / "pictures"),))
    assert train(moved, best_run, device="cpu").step == 6


@pytest.mark.parametrize(
    "wrong", [{"pictures": ("nowhere",)}, {"panels": "nowhere"}, {"start": "nowhere"}]
)
def test_what_cannot_begin_leaves_nothing(best_config, tmp_path, wrong):
    with pytest.raises(AzulejarError):
        train(replace(best_config(), **wrong), tmp_path / "run", device="cpu")
    assert not (tmp_path / "run").exists()


def test_a_full_disk_is_told(best_config, tmp_path, monkeypatch):
    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "write_bytes", full)
    with pytest.raises(AzulejarError, match="No space left"):
        train(best_config(steps=1), tmp_path / "run", device="cpu")
    assert not (tmp_path / "run" / WEIGHTS).exists()


@pytest.mark.parametrize("source", ["run", "float16", "int8"])
def test_a_run_starts_from_another_s_weights(
    best_config, best_run, models, tmp_path, monkeypatch, source
):
    start = best_run if source == "run" else models["best", source]
    expected = load_file(start / WEIGHTS) if source == "run" else load_weights(start / MODEL)
    config = replace(best_config(), start=str(start))
    begun = train_for(monkeypatch, 0, config, tmp_path)
    assert same(begun.task.network.state_dict(), expected)
    assert same(begun.average.state_dict(), expected)
    went_on = train_for(monkeypatch, 2, config, tmp_path)
    assert went_on.step == 2
    assert not same(went_on.task.network.state_dict(), expected)


@pytest.mark.parametrize("other", ["sizes", "recipe"])
def test_weights_of_another_shape_are_refused(
    best_config, best_run, paper_run, tmp_path, tiny, other
):
    config = best_config(network=tiny | {"depth": 8}) if other == "sizes" else best_config()
    start = best_run if other == "sizes" else paper_run
    with pytest.raises(AzulejarError, match=r"another shape\. Use the recipe"):
        train(replace(config, start=str(start)), tmp_path, device="cpu")


def test_a_start_that_is_not_there_is_refused(best_config, tmp_path):
    with pytest.raises(AzulejarError, match="no model 'nowhere'"):
        train(replace(best_config(), start="nowhere"), tmp_path, device="cpu")


def test_the_average_follows_the_weights(best_config, best_run, tmp_path, monkeypatch):
    config = replace(best_config(average=0.2, steps=20), start=str(best_run))
    begun = train_for(monkeypatch, 0, config, tmp_path)
    expected = {name: x.double() for name, x in begun.average.state_dict().items()}
    for step in range(1, 6):
        begun._take_step(step / 20)
        keep = min(0.2, (step + 1) / (step + 20))
        for name, x in begun.task.network.state_dict().items():
            expected[name] = keep * expected[name] + (1 - keep) * x.double()
    for name, x in begun.average.state_dict().items():
        if x.is_floating_point():
            np.testing.assert_allclose(x, expected[name], rtol=1e-4, atol=1e-5)


def test_over_the_tail_every_step_weighs_the_same(best_config, tmp_path, monkeypatch):
    """The running mean as it was counts for the steps that it spans."""
    span = 1 / (1 - 0.3)
    begun = train_for(monkeypatch, 0, best_config(average=0.3, tail=0.5, steps=16), tmp_path)
    before = {name: x.double() for name, x in begun.average.state_dict().items()}
    taken = []
    begun.step = 8
    for step in range(8, 16):
        begun._take_step(step / 16)
        taken.append({n: x.double() for n, x in begun.task.network.state_dict().items()})
    for name, mean in begun.average.state_dict().items():
        if mean.is_floating_point():
            expected = (span * before[name] + sum(state[name] for state in taken)) / (span + 8)
            np.testing.assert_allclose(mean, expected, rtol=1e-3, atol=1e-5)


def test_the_history_has_a_line_for_every_report_and_validation(best_run):
    lines = history(best_run)
    assert [(line["kind"], line["step"]) for line in lines] == [
        ("rank_1", 3),
        ("train", 6),
        ("rank_1", 6),
    ]
    assert lines[1].keys() == {"stage", "step", "time", "kind", "loss", "right"}
    assert 0 < lines[1]["loss"] < 20
    assert 0 <= lines[1]["right"] <= 1
    names = {f"twin/{variant}/{t}%" for variant in ("upright", "turned") for t in (3, 5, 7)}
    assert lines[2].keys() == {"stage", "step", "time", "kind"} | names
    assert all(0 <= lines[2][name] <= 1 for name in names)


def test_reports_are_means_since_the_last(best_config, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "REPORT_EVERY", 2)
    steps = iter([(4.0, 0.0), (2.0, 1.0), (1.0, 0.5), (3.0, 0.5), (8.0, 0.25)])

    def take_step(self, progress):
        self.step += 1
        return tuple(map(torch.tensor, next(steps)))

    monkeypatch.setattr(Training, "_take_step", take_step)
    reports = []
    train(best_config(steps=5), tmp_path, device="cpu", on_report=reports.append)
    found = [(r.step, r.steps, r.loss, r.right) for r in reports]
    assert found == [(2, 5, 3.0, 0.5), (4, 5, 2.0, 0.5), (5, 5, 8.0, 0.25)]
    assert {report.stage for report in reports} == {"mild"}
    assert [(line["loss"], line["right"]) for line in history(tmp_path)] == [
        (3.0, 0.5), (2.0, 0.5), (8.0, 0.25)]  # fmt: skip


def test_curves_have_the_figures_of_the_history(best_run):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    curves = accumulator.EventAccumulator(str(best_run / "curves" / "mild"))
    curves.Reload()
    last = history(best_run)[-1]
    (_, point) = curves.Scalars("rank_1/twin/upright/3%")
    assert point.step == 6
    assert point.value == pytest.approx(last["twin/upright/3%"])


def test_the_rate_of_each_step_is_the_task_s(best_config, tmp_path, monkeypatch):
    done = train_for(monkeypatch, 3, best_config(), tmp_path)
    assert done.optimizer.param_groups[0]["lr"] == done.task.rate(2 / 6)


def test_clipping_bounds_the_gradient(best_config, tmp_path, monkeypatch):
    begun = train_for(monkeypatch, 0, best_config(clip=0.01), tmp_path)
    begun._take_step(0.0)
    gradients = [p.grad for p in begun.task.network.parameters() if p.grad is not None]
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    assert norm == pytest.approx(0.01, rel=0.01)


def test_no_pictures_are_refused_where_the_recipe_needs_them(best_config, paper_config, tmp_path):
    with pytest.raises(AzulejarError, match="learns from pictures"):
        train(replace(best_config(), pictures=()), tmp_path / "best", device="cpu")
    with pytest.raises(AzulejarError, match="learns from panels"):
        train(replace(paper_config(), panels=None), tmp_path / "paper", device="cpu")


def test_pictures_are_read_with_progress(best_config, tmp_path):
    heard = []
    train(best_config(steps=1), tmp_path, device="cpu", on_load=heard.append)
    assert heard == [0.5, 1.0]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_other_devices_are_refused():
    with pytest.raises(AzulejarError, match="no device 'tpu'"):
        pick_device("tpu")


def test_without_a_gpu_auto_is_the_cpu_and_cuda_is_refused():
    assert pick_device("auto") == torch.device("cpu")
    with pytest.raises(AzulejarError, match="Use the device cpu"):
        pick_device("cuda")
