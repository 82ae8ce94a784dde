"""``azulejar export``: from a run to a model that measures use."""

import json
import shutil
import sys

import pytest

pytest.importorskip("torch")

FILES = ["README.md", "card.json", "encoder.onnx", "model.safetensors"]
WITHOUT = "import sys; sys.modules['torch'] = None; from azulejar.cli import main; main.run()"


@pytest.fixture
def run(tmp_path, tiny_run):
    """The folder ``run`` in ``tmp_path``, a finished run."""
    return shutil.copytree(tiny_run, tmp_path / "run")


def names_in(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_a_model_that_measures_take(azulejar, tmp_path, run, noise_tiles):
    shown = azulejar("export", "run", "-o", "model")
    assert "Model of 0." in shown
    assert shown.endswith(" MB: model\n")
    assert names_in(tmp_path / "model") == FILES
    page = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Model of the recipe `best`\n")
    tiles = noise_tiles(3)
    azulejar("score", tiles, "-o", "s.npz", "-m", "twin", "--model", "model")
    assert (tmp_path / "s.npz").stat().st_size > 500


def test_without_a_folder_it_lies_in_the_run(azulejar_process, tmp_path, run):
    azulejar_process("export", "run", "--kind", "int8")
    assert names_in(run / "model") == FILES
    card = json.loads((run / "model" / "card.json").read_text(encoding="utf-8"))
    assert (card["kind"], card["recipe"]) == ("int8", "best")


def test_a_model_is_replaced_only_when_told(azulejar, refused, tmp_path, run):
    azulejar("export", "run", "-o", "model")
    assert "model exists already" in refused("export", "run", "-o", "model", "--kind", "int8")
    azulejar("export", "run", "-o", "model", "--kind", "int8", "--overwrite")
    card = json.loads((tmp_path / "model" / "card.json").read_text(encoding="utf-8"))
    assert card["kind"] == "int8"


class TestRefused:
    def test_a_run_without_weights(self, refused, run):
        (run / "weights.safetensors").unlink()
        message = refused("export", "run", "-o", "model")
        assert "run holds no finished weights of the recipe best." in message
        assert "azulejar train" in message

    def test_weights_of_another_shape(self, refused, run):
        config = json.loads((run / "config.json").read_text(encoding="utf-8"))
        config["settings"]["mild"]["network"]["depth"] = 2
        (run / "config.json").write_text(json.dumps(config))
        message = refused("export", "run", "-o", "model")
        assert "run holds no finished weights of the recipe best." in message

    @pytest.mark.parametrize("name", ["empty", "nowhere"])
    def test_a_folder_that_is_no_run(self, refused, tmp_path, name):
        (tmp_path / "empty").mkdir()
        message = refused("export", name, "-o", "model")
        assert f"{name}/config.json is no training configuration." in message

    def test_a_folder_of_others(self, refused, tmp_path, run):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "thesis.doc").write_text("years of work")
        message = refused("export", "run", "-o", "mine", "--overwrite")
        assert "it has no card.json" in message

    def test_without_the_extra(self, refused_process, run):
        program = (sys.executable, "-c", WITHOUT)
        message = refused_process("export", "run", "-o", "model", program=program)
        assert "Training needs torch, which is not installed." in message
        assert "pip install 'azulejar[train]'" in message
