"""Measures and their post-processing, named together: ``mgc`` or ``mgc:likelihood+symmetric``."""

from collections.abc import Callable
from dataclasses import dataclass

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.measures import MEASURES, get_measure
from azulejar.measures.measure import Measure
from azulejar.measures.postprocess import check_steps


@dataclass(frozen=True)
class Contender:
    """A measure with its post-processing steps, under the name the user gave the two."""

    label: str
    measure: Measure
    post: tuple[str, ...]

    @classmethod
    def of(cls, label: str, device: str = "auto", model: str | None = None) -> "Contender":
        """From NAME or NAME:STEP+STEP; ``none`` stands for no step.

        Without steps, those with which the measure is published.
        """
        name, colon, steps = label.partition(":")
        learned = name in MEASURES and MEASURES[name].learned
        measure = get_measure(name, device=device, model=model) if learned else get_measure(name)
        if not colon:
            return cls(label, measure, measure.rank_post)
        post = () if steps == "none" else tuple(steps.split("+"))
        # Otherwise a wrong step would be told only when its turn has come.
        check_steps(post, measure.learned)
        return cls(label, measure, post)

    def score(
        self, tiles: TileSet, *, upright: bool, on_progress: Callable[[float], None] | None = None
    ) -> Compatibility:
        """Scores of all pairs of edges, higher is better."""
        return self.measure.score(tiles, upright=upright, post=self.post, on_progress=on_progress)


def parse_measures(text: str, device: str = "auto", model: str | None = None) -> list[Contender]:
    """Measures from their comma-separated names, each once; the settings are for learned ones."""
    labels = [label.strip() for label in text.split(",")]
    return [Contender.of(label, device, model) for label in dict.fromkeys(labels)]
