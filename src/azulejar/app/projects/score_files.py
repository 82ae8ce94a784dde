"""The files of scores in a project, and what is stored beside each in a JSON file of its name."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import Board
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.core.compatibility import Compatibility
from azulejar.system.atomic import replacing

UPRIGHT = "upright"
TURNED = "turned"
GUIDED = "guided"  # begins the names of scores that an old picture has changed
MUSEUM = "museum"  # stands for the measure in the names of scores that a museum has made


def scores_path(folder: Path, settings: SolveSettings) -> Path:
    """Return the path of the scores for these settings."""
    return folder / "scores" / f"{settings.measure}_{UPRIGHT if settings.upright else TURNED}.npz"


def guided_path(path: Path, panel: int) -> Path:
    """Return the path of the scores of a panel that an old picture has changed, beside the others.

    They hold the panel's tiles only.
    """
    return path.with_name(f"{GUIDED}{panel}_{path.name}")


def read_stamp(path: Path) -> str | None:
    """Return the stamp of the tiles that were scored, which is stored beside the scores."""
    try:
        return str(json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["stamp"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_guided(path: Path, panel: int, scores: Compatibility) -> None:
    """Write the scores of a panel that an old picture has changed."""
    guided = guided_path(path, panel)
    scores.save(guided)
    with replacing(guided.with_suffix(".json")) as temporary:
        temporary.write_text(json.dumps({"stamp": read_stamp(path)}), encoding="utf-8")


def guides_of(path: Path, board: Board) -> list[Path]:
    """Return the scores that the old pictures which the board believes have changed."""
    paths = [guided_path(path, each.panel) for each in board.references if each.believed]
    stamp = read_stamp(path) if paths else None
    return [each for each in paths if each.is_file() and read_stamp(each) == stamp]


def with_guides(scores: Compatibility, guides: Sequence[Path]) -> Compatibility:
    """Return scores as old pictures have changed them."""
    for guided in guides:
        scores = scores.with_part(Compatibility.load(guided))
    return scores


def read_copies(path: Path, n: int) -> NDArray[np.int64] | None:
    """Return how many of n scored tiles are alike to each, which is stored beside the scores."""
    try:
        about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        copies = np.array(about["copies"], np.int64)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return copies if copies.shape == (n,) and (copies > 0).all() else None


def latest_scores(store: ProjectStore) -> Path | None:
    """Return the path of scores for the project's settings, or else of the newest scores."""
    chosen = scores_path(store.folder, store.settings())
    if chosen.is_file():
        return chosen
    found = [
        path for path in (store.folder / "scores").glob("*.npz") if not path.name.startswith(GUIDED)
    ]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)
