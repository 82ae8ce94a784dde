"""The swift model: the encoder's twin half in 8-bit arithmetic, four to five times as fast.

``python -m azulejar.learning.swift PANELS -o MODEL`` makes it from the shipped model ``best``, or
from your own with ``--model``. Real panels show which range of numbers occurs between the layers;
nothing is trained, and weights change only by rounding.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
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
from azulejar.system.atomic import new_folder
from azulejar.version import __version__
from azulejar.weights import CARD, FORMAT, HOME, Model, load_model, sha256

OUTPUTS = ("anchor", "partner")
TRIMS = (0.03, 0.07)
EDGES = 32  # of each panel and trim, to find the range of numbers between the layers
SEED = 0
# For the twin and MGC among all edges of a collection; fitted on a museum of pictures that the
# network was trained on (benchmarks/museum/calibrate.py gave 0.13, 0.62 and 0.07), with somewhat
# more weight on MGC, which is more reliable on real panels than on that museum's wear.
CALIBRATION = {"mgc": 0.2, "sharpness": 0.6, "nobody": 0.06}


def make_swift(panels: Path, folder: Path, model: str = "best", *, overwrite: bool = False) -> Path:
    """Write the swift form of a model, given by name or folder, to ``folder``."""
    whole = load_model(model)
    with new_folder(folder, CARD, overwrite) as temporary, tempfile.TemporaryDirectory() as work:
        exact = Path(work) / "exact.onnx"
        _write_twin_half(whole, exact)
        quantize_static(
            exact,
            temporary / "encoder.onnx",
            _Views(panels),
            quant_format=QuantFormat.QDQ,
            # Processors multiply unsigned activations fastest.
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
        )
        card = whole.card | {
            "format": FORMAT,
            "recipe": "swift",
            "kind": "int8",
            "azulejar": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "widths": whole.card["widths"][: len(OUTPUTS)],
            "calibration": CALIBRATION,
            "notes": _notes(whole),
            "rank_1": {},
            "files": {"encoder.onnx": sha256(temporary / "encoder.onnx")},
        }
        (temporary / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        write_card(card, temporary / "README.md")
    return folder


def _notes(model: Model) -> str:
    """Return what the model was made from, with that model's own notes unless it is shipped too."""
    made = (
        f"Made from the model `{model.folder.name}` of azulejar {model.card['azulejar']} with "
        "`python -m azulejar.learning.swift`; the settings are those of its training."
    )
    return made if model.folder.parent == HOME else f"{made}\n\n{model.card['notes']}"


def _write_twin_half(model: Model, path: Path) -> None:
    """Write the encoder as simplified by onnxruntime, without the outputs for the pair head."""
    simplified = path.with_name("simplified.onnx")
    # The simplified graph still looks for its weights in its own folder.
    (path.parent / MODEL).write_bytes((model.folder / MODEL).read_bytes())
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(simplified)
    onnxruntime.InferenceSession(str(model.folder / "encoder.onnx"), options)
    onnx.utils.extract_model(str(simplified), str(path), ["views"], list(OUTPUTS))


class _Views(CalibrationDataReader):
    """Edges of real panels, as the encoder sees them."""

    def __init__(self, panels: Path) -> None:
        self._batches = _batches(panels)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"views": batch}


def _batches(folder: Path) -> Iterator[NDArray[np.float32]]:
    rng = np.random.default_rng(SEED)
    for trim in TRIMS:
        for panel in load_panels(folder):
            views = edge_views(trim_tiles(panel, trim))
            chosen = rng.choice(len(views), min(EDGES, len(views)), replace=False)
            yield views[np.sort(chosen)].float().div(255).numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("panels", type=Path, help="folder of real panels, NAME__RxC.jpg")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--model", default="best", help="name or folder of the model to begin with")
    parser.add_argument("--overwrite", action="store_true")
    given = parser.parse_args()
    make_swift(given.panels, given.output, given.model, overwrite=given.overwrite)
