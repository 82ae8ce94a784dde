"""Measures with their post-processing, named together: ``mgc`` or ``mgc:likelihood+symmetric``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.measures import MEASURES, get_measure
from azulejar.measures.learned import LearnedMeasure
from azulejar.measures.measure import Measure
from azulejar.measures.postprocess import check_steps
from azulejar.weights import DEFAULT


@dataclass(frozen=True)
class LabelledMeasure:
    """A measure with its post-processing steps, under the label that the user gave the two."""

    label: str
    measure: Measure
    post: tuple[str, ...]

    @classmethod
    def parse(cls, label: str, device: str = "auto", model: str | None = None) -> "LabelledMeasure":
        """Read NAME or NAME:STEP+STEP, where the step ``none`` stands for no step.

        A name by itself takes the steps with which the measure is published. ``device`` and
        ``model`` are for learned measures.
        """
        name, colon, steps = label.partition(":")
        learned = name in MEASURES and MEASURES[name].learned
        measure = get_measure(name, device=device, model=model) if learned else get_measure(name)
        if not colon:
            return cls(label, measure, measure.rank_post)
        post = () if steps == "none" else tuple(steps.split("+"))
        # Checked here, or a wrong step would come to light only after the measures before it.
        check_steps(post, measure.learned)
        return cls(label, measure, post)

    def score(
        self, tiles: TileSet, *, upright: bool, on_progress: Callable[[float], None] | None = None
    ) -> Compatibility:
        """Score all pairs of edges, higher is better."""
        return self.measure.score(tiles, upright=upright, post=self.post, on_progress=on_progress)


def any_learned(labels: Iterable[str]) -> bool:
    """Return whether any of the labels names a learned measure."""
    return any(measure.learned for measure in _measures(labels))


def sole_model(labels: Iterable[str]) -> str | None:
    """Return the shipped model that all learned measures run, unless the default measure does."""
    measures = _measures(labels)
    models = {each.model_name for each in measures if issubclass(each, LearnedMeasure)}
    return models.pop() if len(models) == 1 and models.isdisjoint(DEFAULT) else None


def parse_measures(
    text: str, device: str = "auto", model: str | None = None
) -> list[LabelledMeasure]:
    """Read measures from their comma-separated labels, each once."""
    labels = [label.strip() for label in text.split(",")]
    return [LabelledMeasure.parse(label, device, model) for label in dict.fromkeys(labels)]


def _measures(labels: Iterable[str]) -> list[type[Measure]]:
    names = {label.partition(":")[0] for label in labels}
    return [MEASURES[name] for name in names if name in MEASURES]
