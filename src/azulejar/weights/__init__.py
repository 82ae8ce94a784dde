"""Shipped models, each a folder with its weights, ONNX graphs and card; uses ``errors`` only."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azulejar.errors import AzulejarError

HOME = Path(__file__).parent
CARD = "card.json"
FORMAT = "azulejar-model/1"
DEFAULT = ("best", "light")  # the models of the default measure


@dataclass(frozen=True)
class Model:
    """A model's folder and its card, every file checked against the card's checksums."""

    folder: Path
    card: dict[str, Any]

    @property
    def checksum(self) -> str:
        """Checksum of all that scores depend on, by which caches tell models apart."""
        what = json.dumps([self.card["files"], self.card.get("calibration")], sort_keys=True)
        return hashlib.sha256(what.encode()).hexdigest()


def load_model(name: str) -> Model:
    """Load a shipped model by name, or one of your own by the path of its folder.

    Raises:
        AzulejarError: If there is no such model, or its files do not match its card.
    """
    folder = HOME / name if name in shipped() else Path(name)
    if not folder.is_dir():
        raise AzulejarError(
            "model-unknown",
            "There is no model {name!r}.",
            "Choose from {names}, or give the folder of an exported model.",
            name=name,
            names=", ".join(shipped()),
        )
    card = _read_card(folder)
    for file, expected in card["files"].items():
        path = folder / file
        if not path.is_file():
            raise AzulejarError(
                "model-file-missing",
                "The model in {folder} cannot be used: {file} is missing.",
                "Install the package again, or export the model again.",
                folder=str(folder),
                file=file,
            )
        if sha256(path) != expected:
            raise AzulejarError(
                "model-file-changed",
                "The model in {folder} cannot be used: {file} was changed or cut short.",
                "Install the package again, or export the model again.",
                folder=str(folder),
                file=file,
            )
    return Model(folder, card)


def eight_bit_file(graph: str) -> str:
    """Return the name of the file that holds a graph in 8-bit arithmetic."""
    return f"{graph}-int8.onnx"


def shipped() -> list[str]:
    """Return the names of the models that come with the package."""
    return sorted(path.parent.name for path in HOME.glob(f"*/{CARD}"))


def weights_mark(*models: str) -> str:
    """Return a short checksum of shipped models, by default of those of the default measure."""
    names = models or DEFAULT
    cards = "".join(Model(HOME / name, _read_card(HOME / name)).checksum for name in names)
    return hashlib.sha256(cards.encode()).hexdigest()[:8]


def sha256(path: Path) -> str:
    """Return the SHA-256 checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise AzulejarError(
            "model-card-unreadable",
            "The model in {folder} cannot be used: its {file} is missing or unreadable.",
            "Install the package again, or export the model again.",
            folder=str(folder),
            file=CARD,
        ) from error
    ours = isinstance(card, dict) and card.get("format") == FORMAT
    if not ours or not isinstance(card.get("files"), dict):
        raise AzulejarError(
            "model-card-wrong-format",
            "The model in {folder} cannot be used: its {file} is not of the format {format}.",
            "Install the package again, or export the model again.",
            folder=str(folder),
            file=CARD,
            format=FORMAT,
        )
    return card
