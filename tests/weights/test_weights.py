"""Models are found by name or folder, and refused where anything in them is not as it was."""

import json
import os
import shutil

import numpy as np
import pytest

from azulejar import weights
from azulejar.errors import AzulejarError
from azulejar.practice.samples import practice_puzzle
from azulejar.weights import HOME, eight_bit_file, load_model, shipped


@pytest.fixture
def folder(tmp_path, tiny):
    """A copy of the tiny model, to be damaged."""
    return shutil.copytree(tiny, tmp_path / "model")


@pytest.fixture
def home(tmp_path, tiny, monkeypatch):
    """A home of shipped models that holds ``first`` and ``second``, and a folder that is none."""
    for name in ("first", "second"):
        shutil.copytree(tiny, tmp_path / "home" / name)
    (tmp_path / "home" / "__pycache__").mkdir()
    monkeypatch.setattr(weights, "HOME", tmp_path / "home")
    return tmp_path / "home"


def refused(folder, match):
    with pytest.raises(AzulejarError, match=match) as error:
        load_model(str(folder))
    assert str(folder) in error.value.problem
    assert "export" in error.value.remedy


def test_by_folder(tiny):
    model = load_model(str(tiny))
    assert model.folder == tiny
    assert model.card["recipe"] == "best"
    assert set(model.card["files"]) == {"model.safetensors", "encoder.onnx"}


def test_by_name(home):
    assert shipped() == ["first", "second"]
    assert load_model("second").folder == home / "second"


def test_a_name_goes_before_a_folder(home, tmp_path, folder, monkeypatch):
    folder.rename(tmp_path / "first")
    monkeypatch.chdir(tmp_path)
    assert load_model("first").folder == home / "first"
    assert load_model("./first").folder.resolve() == tmp_path / "first"


def test_the_current_folder(home, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert load_model(".").folder.resolve() == folder


@pytest.mark.parametrize("name", ["third", "__pycache__", "no/where"])
def test_an_unknown_name_is_answered_with_those_there_are(home, name):
    with pytest.raises(AzulejarError) as error:
        load_model(name)
    assert error.value.problem == f"There is no model {name!r}."
    assert "first, second" in error.value.remedy
    assert "export" in error.value.remedy


def test_a_folder_without_a_card(folder):
    (folder / "card.json").unlink()
    refused(folder, r"its card\.json is missing or unreadable")


@pytest.mark.parametrize("text", ["", "{", "\udcff"])
def test_an_unreadable_card(folder, text):
    (folder / "card.json").write_text(text, errors="surrogateescape")
    refused(folder, r"its card\.json is missing or unreadable")


@pytest.mark.parametrize(
    "card",
    [[], "card", {}, {"format": "azulejar-model/2", "files": {}}, {"format": weights.FORMAT},
     {"format": weights.FORMAT, "files": ["model.safetensors"]}],
)  # fmt: skip
def test_a_card_of_another_format(folder, card):
    (folder / "card.json").write_text(json.dumps(card))
    refused(folder, "not of the format azulejar-model/1")


@pytest.mark.parametrize("name", ["model.safetensors", "encoder.onnx"])
class TestFiles:
    def test_missing(self, folder, name):
        (folder / name).unlink()
        refused(folder, f"{name} is missing")

    def test_cut_short(self, folder, name):
        os.truncate(folder / name, (folder / name).stat().st_size - 1)
        refused(folder, f"{name} was changed or cut short")

    def test_one_bit_changed(self, folder, name):
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)
        refused(folder, f"{name} was changed or cut short")


def test_models_are_told_apart_by_their_checksum(tiny, paper_model, folder):
    first, other, copy = (load_model(str(each)) for each in (tiny, paper_model, folder))
    assert first.checksum == copy.checksum
    assert first.checksum != other.checksum


def test_other_weights_have_another_checksum(make_run, tiny, tiny_run, tmp_path):
    from azulejar.learning.recipes import Config
    from azulejar.learning.shipping import export

    settings = Config.load(tiny_run / "config.json").settings
    other = export(make_run("best", seed=1, **settings), tmp_path / "other")
    assert load_model(str(other)).checksum != load_model(str(tiny)).checksum


@pytest.mark.parametrize("name", ["best", "light"])
def test_8_bit_arithmetic_agrees_with_exact_on_this_processor(name):
    """Without VNNI instructions, weights of more than 7 bits would overflow."""
    onnxruntime = pytest.importorskip("onnxruntime")
    tiles, _ = practice_puzzle(3, 4, size=50)
    views = tiles.pixels.transpose(0, 3, 1, 2).astype(np.float32) / 255
    found = []
    for file in ("encoder.onnx", eight_bit_file("encoder")):
        session = onnxruntime.InferenceSession(str(HOME / name / file))
        anchor, partner = (
            each.reshape(len(views), -1) for each in session.run(None, {"views": views})
        )
        found.append((anchor @ partner.T).ravel())
    assert np.corrcoef(*found)[0, 1] > 0.99
