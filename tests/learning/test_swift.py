"""The swift form of a model: close to what it was made from."""

import numpy as np
import pytest

from azulejar.learning.swift import make_swift
from azulejar.measures.learned import encode_edges
from azulejar.measures.runtime import Runtime
from azulejar.weights import load_model


@pytest.fixture(scope="module")
def swift(models, folders, tmp_path_factory):
    folder = tmp_path_factory.mktemp("swift") / "model"
    return load_model(str(make_swift(folders / "panels", folder, str(models["best", "float16"]))))


def test_it_describes_edges_nearly_as_the_whole_model_does(swift, models):
    tiles = np.random.default_rng(0).integers(0, 256, (6, 3, 50, 50), dtype=np.uint8)
    whole = Runtime(load_model(str(models["best", "float16"])), "cpu")
    exact = encode_edges(whole, tiles)
    found = encode_edges(Runtime(swift, "cpu"), tiles)
    for one, other in zip(found, exact, strict=True):
        assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.95


def test_its_card_says_what_it_was_made_from(swift, models):
    assert swift.card["recipe"] == "swift"
    assert "from the model `best-float16`" in swift.card["notes"]
    assert swift.card["config"] == load_model(str(models["best", "float16"])).card["config"]
    assert (swift.folder / "README.md").is_file()
