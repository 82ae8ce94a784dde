"""ONNX graphs, as they lie in an exported folder, against torch."""

import json

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from azulejar.learning.recipes import load_graph

CASES = [
    ("best", "float16", "encoder"), ("best", "int8", "encoder"),
    ("paper", "int8", "red"), ("paper", "int8", "green"),
    ("paper", "int8", "blue"), ("paper", "int8", "rgb"),
]  # fmt: skip


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(("recipe", "kind", "name"), CASES)
def test_onnx_agrees_with_torch_for_any_number_at_a_time(models, chance, recipe, kind, name):
    folder = models[recipe, kind]
    module = load_graph(folder, json.loads((folder / "card.json").read_text()), name)
    session = session_of(folder / f"{name}.onnx")
    source = chance(1)
    for count in (1, 2, 7):
        shapes = [(count, *given.shape[1:]) for given in session.get_inputs()]
        values = [source.unit(*shape) for shape in shapes]
        with torch.inference_mode():
            expected = module(*values)
        expected = expected if isinstance(expected, tuple) else (expected,)
        names = [given.name for given in session.get_inputs()]
        feed = dict(zip(names, [value.numpy() for value in values], strict=True))
        found = session.run(None, feed)
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, atol=1e-4, rtol=1e-4)
        assert np.std(np.concatenate([x.ravel() for x in found])) > 0 or count == 1


def test_names_and_shapes_of_what_goes_in_and_out(models):
    encoder = session_of(models["best", "int8"] / "encoder.onnx")
    assert [x.name for x in encoder.get_inputs()] == ["views"]
    assert encoder.get_inputs()[0].shape == ["count", 3, 50, 50]
    assert [x.name for x in encoder.get_outputs()] == ["anchor", "partner"]
    red = session_of(models["paper", "int8"] / "red.onnx")
    assert [(x.name, x.shape) for x in red.get_inputs()] == [("pairs", ["count", 3, 50, 100])]
    assert [x.name for x in red.get_outputs()] == ["score"]


@pytest.mark.parametrize("recipe", ["best", "paper"])
def test_graphs_hold_no_weights_themselves(models, recipe):
    for path in models[recipe, "int8"].glob("*.onnx"):
        model = onnx.load(path, load_external_data=False)
        inside = [x for x in model.graph.initializer if not x.external_data]
        assert sum(int(np.prod(x.dims)) for x in inside) < 100
        outside = [x for x in model.graph.initializer if x.external_data]
        files = {
            entry.value for x in outside for entry in x.external_data if entry.key == "location"
        }
        assert files == {"model.safetensors"}
