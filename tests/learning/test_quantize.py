"""The 8-bit graph of a model: near to the exact one, and named on its card."""

import shutil

import numpy as np
import onnx
import pytest

from azulejar.learning.quantize import add_eight_bit_graphs
from azulejar.measures.learned import as_input, encode_edges
from azulejar.measures.runtime import Runtime
from azulejar.weights import eight_bit_file, load_model


@pytest.fixture(scope="module")
def exact(models):
    return load_model(str(models["best", "float16"]))


@pytest.fixture(scope="module")
def quick(exact, folders, tmp_path_factory):
    folder = shutil.copytree(exact.folder, tmp_path_factory.mktemp("quick") / "model")
    add_eight_bit_graphs(folders / "panels", folder)
    return load_model(str(folder))


def test_it_describes_edges_nearly_as_the_exact_one_does(exact, quick):
    tiles = as_input(np.random.default_rng(0).integers(0, 256, (6, 50, 50, 3), np.uint8))
    seen = (encode_edges(Runtime(model, "cpu"), tiles) for model in (exact, quick))
    for one, other in zip(*seen, strict=True):
        assert 0.95 < np.corrcoef(one.ravel(), other.ravel())[0, 1] < 1


def test_weights_have_seven_bits_for_processors_that_add_up_in_sixteen(quick):
    stored = onnx.load(quick.folder / eight_bit_file("encoder")).graph.initializer
    weights = [
        array for tensor in stored if (array := onnx.numpy_helper.to_array(tensor)).ndim == 4
    ]
    assert weights
    for array in weights:
        assert array.dtype == np.int8
        assert np.abs(array.astype(int)).max() <= 64


def test_the_card_names_it_and_keeps_all_else(exact, quick):
    new = eight_bit_file("encoder")
    assert quick.card["files"].keys() == exact.card["files"].keys() | {new}
    assert quick.card | {"files": None} == exact.card | {"files": None}
    assert new in (quick.folder / "README.md").read_text(encoding="utf-8")
