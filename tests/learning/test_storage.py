"""Packed weights: what is lost, and where the bytes lie."""

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from azulejar.errors import AzulejarError
from azulejar.learning.storage import SCALE, byte_ranges, load_weights, mean_weights, pack, unpack


@pytest.fixture
def weights():
    source = torch.Generator().manual_seed(0)
    wide = torch.randn(32, 16, 3, 3, generator=source)
    return {
        "wide": wide,
        "wide_again": (wide * torch.logspace(-3, 3, 32).view(-1, 1, 1, 1)),
        "last.laid.out.otherwise": wide.contiguous(memory_format=torch.channels_last),
        "linear": torch.randn(64, 65, generator=source),
        "empty_channel": torch.cat([torch.zeros(1, 5000), torch.ones(1, 5000)]),
        "small": torch.randn(4096, generator=source),
        "count": torch.tensor(7),
    }


def test_small_tensors_and_counts_stay_as_they_are(weights):
    for kind in ("float16", "int8"):
        packed = pack(weights, kind)
        for name in ("small", "count"):
            assert packed[name].dtype == weights[name].dtype
            assert torch.equal(unpack(packed)[name], weights[name])


def test_half_precision_keeps_eleven_bits(weights):
    packed = pack(weights, "float16")
    assert packed["wide"].dtype == torch.float16
    for name, tensor in unpack(packed).items():
        assert tensor.dtype == weights[name].dtype
        error = (tensor - weights[name]).abs()
        assert (error <= weights[name].abs() * 2**-11 + 2**-25).all()


def test_int8_is_at_most_half_a_step_off_in_every_output_channel(weights):
    packed = pack(weights, "int8")
    assert packed["wide"].dtype == torch.int8
    assert packed["wide" + SCALE].shape == (32, 1, 1, 1)
    unpacked = unpack(packed)
    assert unpacked.keys() == weights.keys()
    for name, tensor in unpacked.items():
        if tensor.numel() <= 4096:
            continue
        error = (tensor - weights[name]).abs().flatten(1).amax(1)
        step = weights[name].abs().flatten(1).amax(1) / 127
        assert (error <= step * 0.5001).all()


@pytest.mark.parametrize("kind", ["float16", "int8"])
def test_a_file_gives_back_what_was_packed(weights, tmp_path, kind):
    path = tmp_path / "model.safetensors"
    save_file(pack(weights, kind), path)
    expected = unpack(pack(weights, kind))
    found = load_weights(path)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in found)


@pytest.mark.parametrize("content", [b"", b"no weights at all"])
def test_files_without_weights_are_refused(tmp_path, content):
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(AzulejarError, match="holds no weights"):
        load_weights(tmp_path / "model.safetensors")


@pytest.mark.parametrize("kind", ["float16", "int8"])
def test_places_point_to_the_bytes_of_each_tensor(weights, tmp_path, kind):
    path = tmp_path / "model.safetensors"
    packed = pack(weights, kind)
    save_file(packed, path)
    content = path.read_bytes()
    where = byte_ranges(path)
    assert where.keys() == packed.keys()
    for name, (start, length) in where.items():
        tensor = packed[name].numpy()
        stored = np.frombuffer(content[start : start + length], tensor.dtype)
        np.testing.assert_array_equal(stored.reshape(tensor.shape), tensor)
    assert sum(length for _, length in where.values()) + min(where.values())[0] == len(content)


def test_the_mean_of_weights_leaves_counters_alone():
    first = {"a": torch.tensor([1.0, 3.0]), "n": torch.tensor(5)}
    second = {"a": torch.tensor([2.0, 5.0]), "n": torch.tensor(9)}
    found = mean_weights([first, second], [1.0, 1.0])
    assert found["a"].tolist() == [1.5, 4.0]
    assert found["n"].item() == 5
    assert mean_weights([first, second], [3.0, 1.0])["a"].tolist() == [1.25, 3.5]
