"""Graphs in 8-bit arithmetic, which processors run about four times as fast as the exact ones.

``python -m azulejar.learning.quantize PANELS MODEL`` adds one to an exported model; the program
then runs it wherever there is no GPU. Real panels show which range of numbers occurs between the
layers; nothing is trained, and weights change only by rounding. They are rounded to 7 bits, since
processors without VNNI instructions add up products of 8 bits only as far as 15 bits.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from azulejar.learning.card import write_card
from azulejar.learning.pictures import load_panels, trim_tiles
from azulejar.learning.storage import MODEL
from azulejar.learning.views import edge_views
from azulejar.system.atomic import replacing
from azulejar.weights import CARD, Model, eight_bit_file, load_model, sha256

Inputs = dict[str, NDArray[np.float32]]
TRIMS = (0.03, 0.07)
EDGES = 16  # of each panel and trim, to find the range of numbers between the layers
LIGHT = 0.25  # by which the light of each channel differs at most
SEED = 0


def add_eight_bit_graphs(panels: Path, folder: Path) -> None:
    """Add the 8-bit form of a model's encoder to its folder and its card."""
    model = load_model(str(folder))
    written = folder / eight_bit_file("encoder")
    with tempfile.TemporaryDirectory() as work:
        quantize(simplify(model, "encoder", Path(work)), written, panel_views(panels))
    files = model.card["files"] | {written.name: sha256(written)}
    card = model.card | {"files": dict(sorted(files.items()))}
    with replacing(folder / CARD) as temporary:
        temporary.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    write_card(card, folder / "README.md")


def panel_views(panels: Path) -> Iterator[Inputs]:
    """Yield views of some edges of each panel and trim, as they are and in light of any colour."""
    rng = np.random.default_rng(SEED)
    for trim in TRIMS:
        for panel in load_panels(panels):
            views = edge_views(trim_tiles(panel, trim))
            chosen = rng.choice(len(views), min(EDGES, len(views)), replace=False)
            seen = views[np.sort(chosen)].float().div(255).numpy()
            light = 1 + rng.uniform(-LIGHT, LIGHT, (len(seen), 3, 1, 1)).astype(np.float32)
            yield {"views": np.concatenate([seen, (seen * light).clip(0, 1)])}


def simplify(model: Model, graph: str, work: Path) -> Path:
    """Write a model's graph as onnxruntime simplifies it, with its weights, to ``work``."""
    # The simplified graph still looks for its weights in its own folder.
    (work / MODEL).write_bytes((model.folder / MODEL).read_bytes())
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(work / f"{graph}.onnx")
    onnxruntime.InferenceSession(str(model.folder / f"{graph}.onnx"), options)
    return work / f"{graph}.onnx"


def quantize(exact: Path, path: Path, examples: Iterable[Inputs]) -> None:
    """Write the convolutions of a graph in 8-bit arithmetic, with ranges seen in ``examples``."""
    graph = onnx.load(exact).graph
    given = {output.name for output in graph.output}
    quantize_static(
        exact,
        path,
        _Reader(examples),
        quant_format=QuantFormat.QDQ,
        # Processors multiply unsigned activations fastest.
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["Conv", "Relu", "Add"],
        # What is given at the end keeps its precision.
        nodes_to_exclude=[
            node.name for node in graph.node if node.op_type == "Add" and given & {*node.output}
        ],
    )


class _Reader(CalibrationDataReader):
    """Examples in the form in which onnxruntime wants them."""

    def __init__(self, examples: Iterable[Inputs]) -> None:
        self._examples = iter(examples)

    def get_next(self) -> Inputs | None:
        return next(self._examples, None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("panels", type=Path, help="folder of real panels, NAME__RxC.jpg")
    parser.add_argument("model", type=Path, help="folder of the exported model")
    given = parser.parse_args()
    add_eight_bit_graphs(given.panels, given.model)
