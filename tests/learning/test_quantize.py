"""8-bit graphs of a model: near to the exact ones, and named on its card."""

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


def correlation(one, other):
    return np.corrcoef(one.ravel(), other.ravel())[0, 1]


def test_they_describe_and_compare_edges_nearly_as_the_exact_ones_do(exact, quick):
    tiles = as_input(np.random.default_rng(0).integers(0, 256, (6, 50, 50, 3), np.uint8))
    described = encode_edges(Runtime(exact, "cpu"), tiles)
    for one, other in zip(described, encode_edges(Runtime(quick, "cpu"), tiles), strict=True):
        assert 0.95 < correlation(one, other) < 1
    scores = []
    for model in (exact, quick):
        scores.append(np.empty(len(described[0]), np.float32))
        Runtime(model, "cpu").run(
            "pair", len(scores[-1]), lambda part: tuple(x[part] for x in described), (scores[-1],)
        )
    assert 0.95 < correlation(*scores) < 1


def test_weights_have_seven_bits_for_processors_that_add_up_in_sixteen(quick):
    for graph in ("encoder", "pair"):
        stored = onnx.load(quick.folder / eight_bit_file(graph)).graph.initializer
        weights = [
            array for tensor in stored if (array := onnx.numpy_helper.to_array(tensor)).ndim == 4
        ]
        assert weights
        for array in weights:
            assert array.dtype == np.int8
            assert np.abs(array.astype(int)).max() <= 64


def test_the_card_names_them_and_keeps_all_else(exact, quick):
    new = {eight_bit_file("encoder"), eight_bit_file("pair")}
    assert quick.card["files"].keys() == exact.card["files"].keys() | new
    assert quick.card | {"files": None} == exact.card | {"files": None}
    assert eight_bit_file("pair") in (quick.folder / "README.md").read_text(encoding="utf-8")
