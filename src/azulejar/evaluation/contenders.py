"""Measures and their post-processing, named together: ``mgc`` or ``mgc:likelihood+symmetric``."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from azulejar.compatibility import Compatibility
from azulejar.measures import get_measure
from azulejar.measures.base import Measure
from azulejar.measures.postprocess import row_steps
from azulejar.tiles import TileSet


@dataclass(frozen=True)
class Contender:
    """A measure with its post-processing steps, under the name the user gave the two."""

    label: str
    measure: Measure
    post: tuple[str, ...]

    @classmethod
    def of(cls, label: str) -> "Contender":
        """From NAME or NAME:STEP+STEP; ``none`` stands for no step.

        Without steps, those with which the measure is published.
        """
        name, colon, steps = label.partition(":")
        measure = get_measure(name)
        if not colon:
            return cls(label, measure, tuple(getattr(measure, "rank_post", ())))
        post = () if steps == "none" else tuple(steps.split("+"))
        # Otherwise a wrong step would be told only when its turn has come.
        row_steps(post, lambda rows: np.ones((len(rows), 8)), 8)
        return cls(label, measure, post)

    def score(
        self, tiles: TileSet, *, upright: bool, on_progress: Callable[[float], None] | None = None
    ) -> Compatibility:
        """Scores of all pairs of edges, higher is better."""
        return self.measure.score(tiles, upright=upright, post=self.post, on_progress=on_progress)


def parse_measures(text: str) -> list[Contender]:
    """Measures from their comma-separated names, each once."""
    labels = [label.strip() for label in text.split(",")]
    return [Contender.of(label) for label in dict.fromkeys(labels)]
