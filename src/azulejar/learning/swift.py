"""The swift model: the encoder's twin half in 8-bit arithmetic, without the exact weights.

``python -m azulejar.learning.swift PANELS -o MODEL`` makes it from the shipped model ``best``, or
from your own with ``--model``.
"""

import argparse
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import onnx

from azulejar.learning.card import write_card
from azulejar.learning.quantize import panel_views, quantize, simplify
from azulejar.system.atomic import new_folder
from azulejar.version import __version__
from azulejar.weights import CARD, FORMAT, HOME, Model, load_model, sha256

OUTPUTS = ("anchor", "partner")
# For the twin and MGC among all edges of a collection; fitted on a museum of pictures that the
# network was trained on (benchmarks/museum/calibrate.py gave 0.13, 0.62 and 0.07), with somewhat
# more weight on MGC, which is more reliable on real panels than on that museum's wear.
CALIBRATION = {"mgc": 0.2, "sharpness": 0.6, "nobody": 0.06}


def make_swift(panels: Path, folder: Path, model: str = "best", *, overwrite: bool = False) -> Path:
    """Write the swift form of a model, given by name or folder, to ``folder``."""
    whole = load_model(model)
    with new_folder(folder, CARD, overwrite) as temporary, tempfile.TemporaryDirectory() as work:
        exact = Path(work) / "exact.onnx"
        simplified = simplify(whole, "encoder", Path(work))
        onnx.utils.extract_model(str(simplified), str(exact), ["views"], list(OUTPUTS))
        quantize(exact, temporary / "encoder.onnx", panel_views(panels))
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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("panels", type=Path, help="folder of real panels, NAME__RxC.jpg")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--model", default="best", help="name or folder of the model to begin with")
    parser.add_argument("--overwrite", action="store_true")
    given = parser.parse_args()
    make_swift(given.panels, given.output, given.model, overwrite=given.overwrite)
