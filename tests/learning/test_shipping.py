"""Export: the card, the limits, and all or nothing."""

import json
import shutil
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from azulejar.errors import AzulejarError
from azulejar.learning import shipping
from azulejar.learning.recipes import CONFIG, Config, load_network
from azulejar.learning.shipping import export
from azulejar.learning.storage import pack, unpack
from azulejar.learning.training import HISTORY, WEIGHTS
from azulejar.weights import load_model, sha256

FILES = {
    "best": {"model.safetensors", "encoder.onnx", "card.json", "README.md"},
    "paper": {"model.safetensors", "red.onnx", "green.onnx", "blue.onnx", "rgb.onnx",
              "card.json", "README.md"},
}  # fmt: skip


@pytest.mark.parametrize("recipe", ["best", "paper"])
def test_an_exported_folder_is_a_model(models, recipe):
    folder = models[recipe, "int8"]
    assert {path.name for path in folder.iterdir()} == FILES[recipe]
    card = load_model(str(folder)).card
    assert card["files"].keys() == FILES[recipe] - {"card.json", "README.md"}
    for name, checksum in card["files"].items():
        assert sha256(folder / name) == checksum
    assert card["recipe"] == recipe
    assert card["kind"] == "int8"
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in folder.iterdir())


def test_the_card_tells_what_was_done(models, best_run, tiny):
    card = load_model(str(models["best", "float16"])).card
    config = Config.load(best_run / CONFIG)
    assert card["config"]["settings"] == config.settings
    assert card["config"]["seed"] == 3
    assert card["widths"] == [tiny["depth"], tiny["depth"]]
    weights = load_file(best_run / WEIGHTS)
    running = ("running_mean", "running_var", "num_batches_tracked")
    learnt = [x.numel() for name, x in weights.items() if not name.endswith(running)]
    assert card["parameters"] == sum(learnt)


def test_the_card_has_the_last_figures_of_the_validation(models, best_run):
    lines = [json.loads(line) for line in (best_run / HISTORY).read_text().splitlines()]
    last = [line for line in lines if line["kind"] == "rank_1"][-1]
    card = load_model(str(models["best", "float16"])).card
    assert last["step"] == 6
    assert len(card["rank_1"]) == 6
    for name, value in card["rank_1"].items():
        assert value == round(last[name], 4)
    assert load_model(str(models["paper", "int8"])).card["rank_1"] == {}


def test_the_readme_says_the_same_for_people(models):
    for (_, kind), folder in models.items():
        text = (folder / "README.md").read_text(encoding="utf-8")
        card = load_model(str(folder)).card
        assert text.startswith(f"# Model of the recipe `{card['config']['recipe']}`\n")
        assert f"| parameters | {card['parameters']:,} |" in text
        assert f"| weights kept as | {kind} |" in text
        for name, checksum in card["files"].items():
            assert f"| {name} | `{checksum}` |" in text
        for name, value in card["rank_1"].items():
            assert f"| {name} | {100 * value:.1f} |" in text
        tables = [line for line in text.splitlines() if line.startswith("|")]
        assert all(line.endswith("|") for line in tables)


@pytest.mark.parametrize("kind", ["float16", "int8"])
def test_a_loaded_network_computes_with_the_weights_in_the_file(models, best_run, chance, kind):
    folder = models["best", kind]
    network = load_network(folder, load_model(str(folder)).card)
    assert not network.training
    weights = load_file(best_run / WEIGHTS)
    expected = unpack(pack(weights, kind))
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, expected[name])
    whole = load_network(folder, load_model(str(folder)).card)
    whole.load_state_dict(weights)
    views = chance().unit(3, 3, 50, 50)
    for one, other in zip(network(views), whole(views), strict=True):
        torch.testing.assert_close(one, other, atol=0.05, rtol=0.05)


def test_a_model_of_an_older_version_is_loaded(models):
    """Its card may name settings that the recipe no longer has."""
    folder = models["best", "float16"]
    card = json.loads((folder / "card.json").read_text())
    settings = {"network": card["config"]["settings"]["network"], "a_former_setting": 0.2}
    card["config"] = card["config"] | {"settings": settings}
    assert len(list(load_network(folder, card).parameters())) > 0


def test_what_follows_best_gives_a_model_of_the_same_kind(best_run, tmp_path):
    shutil.copytree(best_run, tmp_path / "run")
    config = Config.load(best_run / CONFIG)
    replace(config, recipe="best-light").save(tmp_path / "run" / CONFIG)
    card = load_model(str(export(tmp_path / "run", tmp_path / "model"))).card
    assert card["recipe"] == "best"
    assert card["config"]["recipe"] == "best-light"


@pytest.mark.parametrize(("kind", "remedy"), [("float16", "kind int8"), ("int8", "smaller")])
def test_too_large_a_model_is_refused(best_run, tmp_path, monkeypatch, kind, remedy):
    monkeypatch.setattr(shipping, "LIMIT", 10_000)
    with pytest.raises(AzulejarError, match=f"MB, more than .*{remedy}"):
        export(best_run, tmp_path / "model", kind=kind)
    assert list(tmp_path.iterdir()) == []


def test_the_paper_s_networks_fit_as_int8_only(paper_run, models, tmp_path):
    size = sum(path.stat().st_size for path in models["paper", "int8"].iterdir())
    assert size < shipping.LIMIT
    with pytest.raises(AzulejarError, match=r"27 MB, more than 20\. Choose the kind int8"):
        export(paper_run, tmp_path / "model", kind="float16")


def test_nothing_is_left_when_a_graph_cannot_be_written(best_run, tmp_path, monkeypatch):
    def broken(graph, packed, weights, path):
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shipping, "write_graph", broken)
    with pytest.raises(AzulejarError, match="No space left"):
        export(best_run, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone_unless_it_may_be_overwritten(best_run, tmp_path):
    folder = export(best_run, tmp_path / "model")
    before = (folder / "card.json").read_text()
    with pytest.raises(AzulejarError, match="allow overwriting"):
        export(best_run, folder, kind="int8")
    assert (folder / "card.json").read_text() == before
    export(best_run, folder, kind="int8", overwrite=True)
    assert load_model(str(folder)).card["kind"] == "int8"


@pytest.mark.parametrize("damage", ["missing", "cut", "other"])
def test_a_run_without_usable_weights_is_refused(best_run, paper_run, tmp_path, damage):
    run = tmp_path / "run"
    Config.load(best_run / CONFIG).save(run / CONFIG)
    if damage == "cut":
        (run / WEIGHTS).write_bytes((best_run / WEIGHTS).read_bytes()[:5000])
    if damage == "other":
        (run / WEIGHTS).write_bytes((paper_run / WEIGHTS).read_bytes())
    with pytest.raises(AzulejarError, match="Train first"):
        export(run, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(AzulejarError, match="no training configuration"):
        export(tmp_path, tmp_path / "model")
