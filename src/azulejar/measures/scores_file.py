"""Scores from a file, in the place of a measure."""

import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.measures.postprocess import minmax


def load_scores(
    path: str | os.PathLike[str],
    tiles: TileSet,
    *,
    on_note: Callable[[str], None] | None = None,
) -> Compatibility:
    """Read a ``scores.npz`` of these tiles and put it in their order.

    Scores that are not from 0 to 1 are brought there edge by edge (min-max).

    Args:
        path: The file, ours or a researcher's own.
        tiles: The tiles that were scored.
        on_note: Called with a remark where the scores were changed.

    Raises:
        AzulejarError: The file cannot be read, or holds scores of other tiles.

    Examples:
        >>> import tempfile
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     azulejar.get_measure("ssd").score(tiles).save(f"{folder}/scores.npz")
        ...     azulejar.load_scores(f"{folder}/scores.npz", tiles).measure
        'ssd'
    """
    scores = Compatibility.load(path, tiles.files)
    if scores.scores.min() < 0 or scores.scores.max() > 1:
        if on_note is not None:
            on_note("scores are not from 0 to 1; min-max was applied per edge.")
        unit = minmax(scores.scores.astype(np.float64)).astype(np.float32)
        scores = replace(scores, scores=unit)
    return scores.ordered(tiles.files)
