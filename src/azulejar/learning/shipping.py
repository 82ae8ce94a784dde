"""From a run to the shipped form of its model: weights, graphs, card."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from azulejar.errors import AzulejarError
from azulejar.learning.card import write_card
from azulejar.learning.onnx_graph import write_graph
from azulejar.learning.recipes import CONFIG, Config
from azulejar.learning.storage import MODEL, pack
from azulejar.learning.task import Graph
from azulejar.learning.training import HISTORY, WEIGHTS
from azulejar.system.atomic import new_folder
from azulejar.version import __version__
from azulejar.weights import CARD, FORMAT, sha256

NOTES = "notes.md"  # in a run's folder: what else a reader of the card should know
LIMIT = 20_000_000  # bytes of a shipped model
# How sure scores are, fitted on pictures that were held out (benchmarks/calibration.py), and the
# odds of having no neighbour (docs/results/training.md).
CALIBRATION = {"sharpness": 0.6, "nobody": 0.04}


def export(run: Path, folder: Path, *, kind: str = "float16", overwrite: bool = False) -> Path:
    """Write weights, graphs and card of a run to ``folder``."""
    config = Config.load(run / CONFIG)
    task = config.get_recipe().task
    network = config.make_network()
    try:
        network.load_state_dict(load_file(run / WEIGHTS))
    except (OSError, RuntimeError, SafetensorError) as error:
        raise AzulejarError(
            "run-without-weights",
            "{run} holds no finished weights of the recipe {recipe}.",
            "Train first.",
            run=str(run),
            recipe=config.recipe,
        ) from error
    notes = run / NOTES
    packed = pack(network.state_dict(), kind)
    graphs = task.graphs(network)
    with new_folder(folder, CARD, overwrite) as temporary:
        (temporary / MODEL).write_bytes(save(packed))
        for name, graph in graphs.items():
            write_graph(graph, packed, temporary / MODEL, temporary / f"{name}.onnx")
        _check_size(temporary, kind)
        card: dict[str, Any] = {
            "format": FORMAT,
            "recipe": config.recipe.partition("-")[0],
            "kind": kind,
            "azulejar": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "parameters": sum(p.numel() for p in network.parameters()),
            "widths": _described(graphs),
            **({"calibration": CALIBRATION} if "encoder" in graphs else {}),
            "config": asdict(config),
            "rank_1": _last_ranks(run),
            "notes": notes.read_text(encoding="utf-8") if notes.exists() else "",
            "files": {path.name: sha256(path) for path in sorted(temporary.iterdir())},
        }
        (temporary / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        write_card(card, temporary / "README.md")
        for path in temporary.iterdir():
            path.chmod(0o644)
    return folder


def _described(graphs: Mapping[str, Graph]) -> list[int]:
    """Return how many numbers describe each place of an edge, in each of its roles."""
    if "encoder" not in graphs:
        return []
    encoder = graphs["encoder"]
    with torch.inference_mode():
        return [found.shape[1] for found in encoder.module.eval()(*encoder.examples)]


def _check_size(folder: Path, kind: str) -> None:
    size = sum(path.stat().st_size for path in folder.iterdir())
    if size > LIMIT and kind == "int8":
        raise AzulejarError(
            "model-too-large",
            "The model has {size:.0f} MB, more than {limit:.0f}.",
            "Train a smaller network.",
            size=size / 1e6,
            limit=LIMIT / 1e6,
        )
    if size > LIMIT:
        raise AzulejarError(
            "model-too-large-unpacked",
            "The model has {size:.0f} MB, more than {limit:.0f}.",
            "Choose the kind int8.",
            size=size / 1e6,
            limit=LIMIT / 1e6,
        )


def _last_ranks(run: Path) -> dict[str, float]:
    """Return rank-1 on the validation panels as last measured during training."""
    path = run / HISTORY
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    measured = [line for line in map(json.loads, lines) if line["kind"] == "rank_1"]
    if not measured:
        return {}
    return {name: round(v, 4) for name, v in measured[-1].items() if "/" in name}
