"""Scores that a user brings along, fitted to the tiles."""

from pathlib import Path

import numpy as np

from azulejar.cli.console import console
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.measures.postprocess import minmax


def load_scores(path: Path, tiles: TileSet) -> Compatibility:
    """Read scores of these tiles, in their order; other scales are brought to 0..1 per edge."""
    scores = Compatibility.load(path)
    if sorted(scores.files) != sorted(tiles.files):
        odd = sorted(set(scores.files) ^ set(tiles.files))[0]
        raise AzulejarError(
            f"{path} holds scores of other tiles ({odd} is only in one of the two).",
            "Score this folder again: azulejar score.",
        )
    if scores.scores.min() < 0 or scores.scores.max() > 1:
        console.print("  note: scores are not from 0 to 1; min-max was applied per edge.")
        unit = minmax(scores.scores.astype(np.float64)).astype(np.float32)
        scores = Compatibility(unit, scores.files, scores.measure, scores.index)
    return scores.ordered(tiles.files)
