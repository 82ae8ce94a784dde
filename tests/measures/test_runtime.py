"""The runtime: the same numbers on any number of threads, and by torch as by onnxruntime."""

import shutil

import numpy as np
import onnx
import pytest

from azulejar.errors import AzulejarError
from azulejar.measures import runtime
from azulejar.measures.runtime import Runtime
from azulejar.weights import Model, eight_bit_file, load_model

ITEMS = 75  # two full batches and a part


@pytest.fixture
def model(tiny):
    return load_model(str(tiny))


def pictures(items=ITEMS):
    return np.random.default_rng(0).random((items, 3, 50, 50)).astype(np.float32)


def encoded(model, views, **options):
    found = [np.full((len(views), w, 25), np.nan, np.float32) for w in model.card["widths"]]
    Runtime(model, "cpu").run("encoder", len(views), lambda part: (views[part],), found, **options)
    return found


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_threads_change_no_bit(model, monkeypatch, threads):
    monkeypatch.delenv("AZULEJAR_THREADS", raising=False)
    views = pictures()
    expected = encoded(model, views)
    monkeypatch.setenv("AZULEJAR_THREADS", threads)
    for found, array in zip(encoded(model, views), expected, strict=True):
        assert np.isfinite(found).all()
        np.testing.assert_array_equal(found, array)


def test_a_graph_in_8_bits_is_run_where_a_model_has_one(model, tmp_path):
    folder = shutil.copytree(model.folder, tmp_path / "model")
    graph = onnx.load(folder / "encoder.onnx", load_external_data=False)
    outputs = list(graph.graph.output)
    del graph.graph.output[:]
    graph.graph.output.extend(outputs[::-1])
    onnx.save(graph, folder / eight_bit_file("encoder"))
    listed = model.card["files"] | {eight_bit_file("encoder"): ""}
    views = pictures(3)
    exact = encoded(model, views)
    quick = encoded(Model(folder, model.card | {"files": listed}), views)
    np.testing.assert_array_equal(quick[0], exact[1])
    np.testing.assert_array_equal(quick[1], exact[0])


def test_every_item_lands_in_its_place(model):
    views = pictures()
    whole = encoded(model, views)
    for item in (0, 31, 32, 74):
        alone = encoded(model, views[item : item + 1])
        for found, array in zip(alone, whole, strict=True):
            np.testing.assert_allclose(found[0], array[item], rtol=1e-4, atol=1e-5)


def test_torch_agrees_with_onnxruntime(model):
    views = (pictures(8),)
    mine = runtime._onnx_function(model, "encoder", "cpu")(views)
    theirs = runtime._torch_function(model, "encoder", "cpu")(views)
    assert [array.shape for array in mine] == [array.shape for array in theirs]
    for one, other in zip(mine, theirs, strict=True):
        assert one.std() > 1e-3
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("graph", ["red", "green", "blue", "rgb"])
def test_torch_agrees_with_onnxruntime_on_the_paper_s_networks(paper_model, graph):
    model = load_model(str(paper_model))
    pairs = np.random.default_rng(2).random((3, 3, 50, 100)).astype(np.float32)
    (mine,) = runtime._onnx_function(model, graph, "cpu")((pairs,))
    (theirs,) = runtime._torch_function(model, graph, "cpu")((pairs,))
    assert mine.shape == (3,)
    assert mine.std() > 1e-4
    np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)


def test_a_function_may_stand_in_the_place_of_a_graph(model):
    batches = []

    def double(arrays):
        batches.append(len(arrays[0]))
        return (2 * arrays[0],)

    numbers, found = np.arange(25.0), np.empty(25)
    Runtime(model, "cpu").run(double, 25, lambda part: (numbers[part],), (found,), batch=10)
    assert sorted(batches) == [5, 10, 10]
    assert found.tolist() == (2 * numbers).tolist()


def test_progress_rises_to_1(model):
    told = []
    encoded(model, pictures(), on_progress=told.append)
    assert told == pytest.approx([32 / 75, 64 / 75, 1])


def test_nothing_to_do(model):
    assert all(found.shape == (0, 4, 25) for found in encoded(model, pictures(0)))


def test_an_error_in_a_batch_is_not_lost_and_ends_the_work(model, monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    begun = []

    def inputs(part):
        begun.append(part.start)
        if part.start == 32:
            raise RuntimeError("the second batch")
        return (np.zeros((part.stop - part.start, 3, 50, 50), np.float32),)

    found = [np.empty((640, w, 25), np.float32) for w in model.card["widths"]]
    told = []
    with pytest.raises(RuntimeError, match="the second batch"):
        Runtime(model, "cpu").run("encoder", 640, inputs, found, told.append)
    assert max(told) < 1
    assert len(begun) < 20


def test_outputs_that_do_not_match_the_graph_are_an_error(model):
    with pytest.raises(ValueError, match="zip"):
        Runtime(model, "cpu").run(
            "encoder", 1, lambda part: (pictures(1),), [np.empty((1, 4, 25), np.float32)]
        )


class TestDevices:
    @pytest.fixture
    def without_cuda(self, monkeypatch):
        monkeypatch.setattr(runtime, "_onnxruntime_has_cuda", lambda: False)
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: False)

    def test_an_unknown_one(self, model):
        with pytest.raises(AzulejarError, match="no device 'gpu'") as refused:
            Runtime(model, "gpu")
        assert refused.value.remedy == "Choose auto, cpu or cuda."

    def test_cuda_where_there_is_none(self, model, without_cuda):
        with pytest.raises(AzulejarError, match="finds a CUDA device") as refused:
            Runtime(model, "cuda")
        assert "device cpu" in refused.value.remedy

    @pytest.mark.parametrize("device", ["auto", "cpu"])
    def test_the_cpu_is_always_there(self, model, without_cuda, device):
        assert Runtime(model, device).device == "cpu"

    @pytest.mark.parametrize("driver", [True, False])
    def test_auto_needs_a_driver_and_a_library(self, model, without_cuda, monkeypatch, driver):
        monkeypatch.setattr(runtime.Path, "exists", lambda path: driver)
        assert Runtime(model, "auto").device == "cpu"
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: True)
        assert Runtime(model, "auto").device == ("cuda" if driver else "cpu")
        assert Runtime(model, "cuda").device == "cuda"

    @pytest.mark.parametrize("has_cuda", [True, False])
    def test_cuda_is_onnxruntime_s_where_it_can_and_torch_s_else(
        self, model, monkeypatch, has_cuda
    ):
        monkeypatch.setattr(runtime, "_onnxruntime_has_cuda", lambda: has_cuda)
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: True)
        for name in ("_onnx_function", "_torch_function"):
            answer = name, "cuda"
            monkeypatch.setattr(runtime, name, lambda m, graph, device, a=answer: (a, device))
        made = Runtime(model, "cuda")._function("encoder")
        expected = "_onnx_function" if has_cuda else "_torch_function"
        assert made == ((expected, "cuda"), "cuda")

    @pytest.mark.parametrize("has_cuda", [True, False])
    def test_torch_has_a_gpu_if_it_finds_one_and_the_device_is_one(
        self, model, without_cuda, monkeypatch, has_cuda
    ):
        monkeypatch.setattr(runtime, "_onnxruntime_has_cuda", lambda: True)
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: has_cuda)
        assert Runtime(model, "cuda").torch_has_gpu == has_cuda
        assert not Runtime(model, "cpu").torch_has_gpu

    @pytest.mark.parametrize("missing", ["torch", "safetensors"])
    def test_torch_that_is_not_installed_has_no_cuda(self, monkeypatch, missing):
        """Nor has torch without safetensors, with which it reads weights."""
        torch = pytest.importorskip("torch")
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        assert runtime._torch_has_cuda()
        find = runtime.importlib.util.find_spec
        monkeypatch.setattr(
            runtime.importlib.util,
            "find_spec",
            lambda name: None if name == missing else find(name),
        )
        assert not runtime._torch_has_cuda()
