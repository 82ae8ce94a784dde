"""Shipped models: each a folder with its weights, ONNX graphs and card."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azulejar.errors import AzulejarError

HOME = Path(__file__).parent
CARD = "card.json"
FORMAT = "azulejar-model/1"


@dataclass(frozen=True)
class Model:
    """A model's folder and its card, every file checked against the card's checksums."""

    folder: Path
    card: dict[str, Any]

    @property
    def checksum(self) -> str:
        """Of all that scores depend on; what another model computed is told apart by it."""
        what = json.dumps([self.card["files"], self.card.get("calibration")], sort_keys=True)
        return hashlib.sha256(what.encode()).hexdigest()


def load_model(name: str) -> Model:
    """A shipped model by name, or one of your own by the path of its folder."""
    folder = HOME / name if name in shipped() else Path(name)
    if not folder.is_dir():
        raise AzulejarError(
            f"There is no model {name!r}.",
            f"Choose from {', '.join(shipped())}, or give the folder that azulejar export wrote.",
        )
    card = _read_card(folder)
    for file, expected in card["files"].items():
        path = folder / file
        if not path.is_file():
            raise _damaged(folder, f"{file} is missing")
        if sha256(path) != expected:
            raise _damaged(folder, f"{file} was changed or cut short")
    return Model(folder, card)


def shipped() -> list[str]:
    """Names of the models that come with the package."""
    return sorted(path.parent.name for path in HOME.glob(f"*/{CARD}"))


def sha256(path: Path) -> str:
    """Checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(folder, f"its {CARD} is missing or unreadable") from error
    ours = isinstance(card, dict) and card.get("format") == FORMAT
    if not ours or not isinstance(card.get("files"), dict):
        raise _damaged(folder, f"its {CARD} is not of the format {FORMAT}")
    return card


def _damaged(folder: Path, what: str) -> AzulejarError:
    return AzulejarError(
        f"The model in {folder} cannot be used: {what}.",
        "Install azulejar again, or export the model again with azulejar export.",
    )
