"""ONNX graphs that take their weights from a safetensors file beside them."""

import tempfile
import warnings
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, helper
from torch import Tensor

from azulejar.learning.storage import SCALE, byte_ranges
from azulejar.learning.task import Graph

OPSET = 17
TYPES = {torch.float32: TensorProto.FLOAT, torch.float16: TensorProto.FLOAT16,
         torch.int8: TensorProto.INT8}  # fmt: skip


def write_graph(graph: Graph, packed: dict[str, Tensor], weights: Path, path: Path) -> None:
    """Write the graph to ``path``; the file ``weights`` holds its tensors ``packed``."""
    model = _trace(graph)
    where = byte_ranges(weights)
    stored, casts = [], []
    for initializer in model.graph.initializer:
        name = graph.prefix + initializer.name
        if name not in packed:
            stored.append(initializer)
            continue
        target, source = initializer.name, f"{name}.packed"
        stored.append(_external_tensor(source, packed[name], where[name], weights.name))
        if packed[name].dtype == torch.int8:
            stored.append(_external_tensor(name + SCALE, packed[name + SCALE], where[name + SCALE],
                                   weights.name))  # fmt: skip
            casts.append(helper.make_node("Cast", [source], [target + ".whole"], to=1))
            casts.append(helper.make_node("Mul", [target + ".whole", name + SCALE], [target]))
        else:
            casts.append(helper.make_node("Cast", [source], [target], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(stored)
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def _trace(graph: Graph) -> onnx.ModelProto:
    free = {name: {0: "count"} for name in (*graph.inputs, *graph.outputs)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        path = Path(folder) / "traced.onnx"
        warnings.simplefilter("ignore")
        # Weights keep their names only if nothing is folded; onnxruntime folds when it loads.
        torch.onnx.export(
            graph.module.eval(), graph.examples, path, dynamo=False, opset_version=OPSET,
            input_names=list(graph.inputs), output_names=list(graph.outputs), dynamic_axes=free,
            do_constant_folding=False, training=torch.onnx.TrainingMode.PRESERVE,
        )  # fmt: skip
        return onnx.load(path)


def _external_tensor(name: str, tensor: Tensor, place: tuple[int, int], file: str) -> TensorProto:
    proto = TensorProto(name=name, dims=tensor.shape, data_type=TYPES[tensor.dtype])
    proto.data_location = TensorProto.EXTERNAL
    for key, value in (("location", file), ("offset", place[0]), ("length", place[1])):
        proto.external_data.add(key=key, value=str(value))
    return proto
