"""Methods of a benchmark: a solver with a measure, as in ``son@mgc:ratio+symmetric``.

A solver may have settings of its own, as in ``kernel-growth:framed=0.5+whole=0.012@dlcm``. ``*3``
behind the name lets the method search each puzzle three times.
"""

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import cache

from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.evaluation.labelled_measures import LabelledMeasure
from azulejar.evaluation.protocol import KnownPuzzle
from azulejar.measures.learned import LearnedMeasure
from azulejar.measures.postprocess import step_models
from azulejar.solvers import PRESETS, SOLVERS, Solver, get_solver, present_name

DEFAULT = "default"
PRESET = "standard"  # what `azulejar solve` runs by default
# The rows of the paper's table 3, from top to bottom, and ours.
PAPER_METHODS = (
    "gallagher@mgc",
    "sholomon@dlcm",
    "multi-segment@dlcm",
    "kernel-growth@dlcm",
    f"{DEFAULT}@dlcm",
)
# Ours, and a method that others have measured on the same benchmarks, by which to gauge pictures.
GAUGED_METHODS = ("gallagher@mgc", f"{DEFAULT}@dlcm")
SOLVER_NAMES = {
    DEFAULT: "azulejar",
    "gallagher": "Gallagher",
    "sholomon": "Sholomon",
    "multi-segment": "Multi-segment",
    "kernel-growth": "Kernel-growth",
    "guided-growth": "Guided-growth",
    "paikin-tal": "Paikin–Tal",
    "son": "Son",
    "yu": "Yu",
    "psqp": "PSQP",
}


@dataclass(frozen=True)
class Scorer:
    """A labelled measure by its settings, which can be sent to another process.

    ``identity`` differs whenever the scores may.
    """

    label: str
    post: tuple[str, ...]
    device: str
    model: str | None
    identity: str

    @classmethod
    def of(
        cls, label: str, device: str = "auto", model: str | None = None, *, published: bool = False
    ) -> "Scorer":
        """Read NAME or NAME:STEP+STEP; a name by itself takes the steps that solvers are given.

        If ``published``, it takes those with which the measure is published and ranked.
        """
        labelled = LabelledMeasure.parse(label, device, model)
        measure = labelled.measure
        post = labelled.post if published or ":" in label else measure.post
        identity: tuple[object, ...] = (measure.name, post, *step_models(post))
        if isinstance(measure, LearnedMeasure):
            identity += (measure.version, measure.checksum, measure.runtime.device)
        return cls(label, post, device, model, repr(identity))

    def score(self, puzzle: KnownPuzzle) -> Compatibility:
        """Score all pairs of edges."""
        return self.labelled_measure.score(puzzle.tiles, upright=puzzle.upright)

    @property
    def labelled_measure(self) -> LabelledMeasure:
        """The measure itself; its network is loaded once in every process."""
        loaded = _load(self.label, self.device, self.model)
        return LabelledMeasure(self.label, loaded.measure, self.post)


@dataclass(frozen=True)
class Method:
    """A solver, under the name that the user gave it, and the scorer of its puzzles.

    ``runs`` is how often it searches a puzzle, None if that is left to the table.
    """

    label: str
    solver: Solver
    scorer: Scorer
    runs: int | None = None

    @property
    def name(self) -> tuple[str, str]:
        """Names of solver and measure as results hold them."""
        return self.label, self.scorer.label


@dataclass(frozen=True)
class MethodChoice:
    """The user's ``solvers`` and ``measures``, either of them or none.

    A solver is named SOLVER or SOLVER@MEASURE, each with or without *RUNS; SOLVER by itself, or
    with settings as SOLVER:SETTING=NUMBER+SETTING=NUMBER. ``device`` and
    ``model`` are for learned measures.
    """

    solvers: Sequence[str] = ()
    measures: Sequence[str] = ()
    device: str = "auto"
    model: str | None = None

    def methods(self, default: Sequence[str], measure: str) -> list[Method]:
        """Return each method once; a solver by itself runs with each measure.

        Without solvers these are the ``default`` methods, or, if measures are given, the solvers
        of these with those. Without measures it is ``measure``.
        """
        entries = self.solvers or default
        if self.measures and not self.solvers:
            entries = [entry.partition("@")[0] for entry in default]
        named: dict[tuple[str, str], int | None] = {}
        for entry in entries:
            name, star, runs = entry.partition("*")
            solver, at, own = name.partition("@")
            solver = present_name(solver)
            for each in [own] if at else self.measures or [measure]:
                named[solver, each] = _parse_runs(entry, runs) if star else None
        solvers = {solver: find_solver_or_preset(solver) for solver, _ in named}
        scorers = {label: Scorer.of(label, self.device, self.model) for _, label in named}
        return [
            Method(solver, solvers[solver], scorers[label], runs)
            for (solver, label), runs in named.items()
        ]

    def scorers(self, default: Sequence[str]) -> list[Scorer]:
        """Return the measures by themselves, as they are published."""
        return [
            Scorer.of(label, self.device, self.model, published=True)
            for label in self.measures or default
        ]


def find_solver_or_preset(label: str) -> Solver:
    """Return a preset, a solver with its default settings, or the ``default`` preset.

    Settings that the label gives, as in NAME:SETTING=NUMBER+SETTING=NUMBER, replace its own.
    """
    name, colon, settings = label.partition(":")
    if name == DEFAULT:
        solver = PRESETS[PRESET]
    elif name in PRESETS:
        solver = PRESETS[name]
    elif name in SOLVERS:
        solver = get_solver(name)
    else:
        raise AzulejarError(
            "bench-unknown-solver",
            "There is no solver or preset {name!r}.",
            "Choose from {choice}.",
            name=name,
            choice=", ".join([DEFAULT, *PRESETS, *SOLVERS]),
        )
    return _with_settings(solver, settings.split("+")) if colon else solver


def _with_settings(solver: Solver, settings: Sequence[str]) -> Solver:
    own = {field.name: getattr(solver, field.name) for field in _fields(solver)}
    changed: dict[str, float] = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        try:
            changed[name] = type(own[name])(text)
        except (KeyError, TypeError, ValueError) as error:
            raise AzulejarError(
                "bench-solver-setting",
                "{setting!r} is not a setting of {solver}.",
                "Give a number for one of {names}, as in NAME=0.5+NAME=2.",
                setting=setting,
                solver=solver.name,
                names=", ".join(own) or "none",
            ) from error
    return replace(solver, **changed)  # type: ignore[type-var]


def _fields(solver: Solver) -> tuple[Field, ...]:
    return fields(solver) if is_dataclass(solver) else ()


def all_solvers() -> list[str]:
    """Return the names of the default and of every other solver."""
    return [DEFAULT, *(name for name in SOLVERS if name != find_solver_or_preset(DEFAULT).name)]


def method_title(solver: str, measure: str) -> str:
    """Return a method's name on a page, from the labels of its solver and measure."""
    name, _, settings = solver.partition(":")
    own = SOLVER_NAMES.get(name, name)
    scores, _, steps = measure.partition(":")
    return f"{_title(own, settings)} + {_title(scores.upper(), steps)}"


def _title(name: str, options: str) -> str:
    return f"{name} ({options})" if options else name


def _parse_runs(entry: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise AzulejarError(
            "bench-runs-not-a-number",
            "{entry!r} does not tell how often to search.",
            "Give a number of 1 or more, as in *3.",
            entry=entry,
        )
    return int(text)


@cache
def _load(label: str, device: str, model: str | None) -> LabelledMeasure:
    return LabelledMeasure.parse(label, device, model)
