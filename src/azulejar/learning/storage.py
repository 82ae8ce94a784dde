"""Weights as they are shipped: compact in the file, float32 in use.

Large tensors are stored as integers from -127 to 127 with a scale for each output channel, or in
half precision; safetensors holds them, and ONNX graphs refer to the same bytes.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from azulejar.errors import AzulejarError

MODEL = "model.safetensors"
SCALE = ".scale"
SMALL = 4096  # elements: tensors up to this size stay as they are


def pack(weights: dict[str, Tensor], kind: str) -> dict[str, Tensor]:
    """Convert to ``float16`` or ``int8``; small tensors stay float32."""
    packed: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        tensor = tensor.detach().cpu().contiguous()
        if not tensor.is_floating_point() or tensor.numel() <= SMALL:
            packed[name] = tensor.clone()
        elif kind == "float16":
            packed[name] = tensor.half()
        else:
            scale = tensor.abs().flatten(1).amax(1).clamp(min=1e-12) / 127
            scale = scale.view(-1, *[1] * (tensor.dim() - 1))
            packed[name] = torch.round(tensor / scale).to(torch.int8)
            packed[name + SCALE] = scale
    return packed


def unpack(packed: dict[str, Tensor]) -> dict[str, Tensor]:
    """Convert back to float32."""
    weights = {}
    for name, tensor in packed.items():
        if tensor.dtype == torch.int8:
            weights[name] = tensor.float() * packed[name + SCALE]
        elif not name.endswith(SCALE):
            weights[name] = tensor.float() if tensor.is_floating_point() else tensor
    return weights


def mean_weights(
    weights: Sequence[dict[str, Tensor]], shares: Sequence[float]
) -> dict[str, Tensor]:
    """Return the weighted mean of each tensor; counters are taken from the first.

    ``shares`` need not add up to 1.
    """
    share = torch.tensor(shares) / sum(shares)
    return {
        name: torch.tensordot(share, torch.stack([one[name] for one in weights]), 1)
        if first.is_floating_point()
        else first
        for name, first in weights[0].items()
    }


def load_weights(path: Path) -> dict[str, Tensor]:
    """Return the weights of a run or of a shipped model as float32."""
    try:
        return unpack(load_file(path))
    except SafetensorError as error:
        raise AzulejarError(
            "weights-unreadable",
            "{path} holds no weights, or is damaged.",
            "Train or export the model again.",
            path=str(path),
        ) from error


def byte_ranges(path: Path) -> dict[str, tuple[int, int]]:
    """Return the offset and length in bytes of each tensor in a safetensors file."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    start = 8 + length
    return {
        name: (
            start + entry["data_offsets"][0],
            entry["data_offsets"][1] - entry["data_offsets"][0],
        )
        for name, entry in header.items()
    }
