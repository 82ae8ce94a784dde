"""Row: a solver with a measure, named together: ``kernel-growth@dlcm:minmax+symmetric``.

``*3`` behind the name lets it search each puzzle three times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.evaluation.contenders import Contender
from azulejar.evaluation.protocol import Puzzle
from azulejar.measures.learned import LearnedMeasure
from azulejar.solvers import PRESETS, SOLVERS, Solver, get_solver, present_name

DEFAULT = "default"
PRESET = "standard"  # what `azulejar solve` runs by default
# The paper's table 3, from top to bottom, and ours.
PAPER_ROWS = (
    "gallagher@mgc",
    "sholomon@dlcm:minmax+symmetric",
    "multi-segment@dlcm:minmax+symmetric",
    "kernel-growth@dlcm:minmax",
    "kernel-growth@dlcm:minmax+symmetric",
    f"{DEFAULT}@dlcm",
)
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
}
MEASURE_NAMES = {"dlcm:minmax": "plain DLCM", "dlcm:minmax+symmetric": "symmetric DLCM"}


@dataclass(frozen=True)
class Scorer:
    """A measure with its steps, ready to be sent to another process.

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
        """From NAME or NAME:STEP+STEP; without steps those that solvers are given.

        If ``published``, those with which the measure is published and ranked.
        """
        contender = Contender.of(label, device, model)
        measure = contender.measure
        post = contender.post if published or ":" in label else measure.post
        identity: tuple[object, ...] = (measure.name, post)
        if isinstance(measure, LearnedMeasure):
            identity += (measure.version, measure.model.checksum, measure.runtime.device)
        return cls(label, post, device, model, repr(identity))

    def score(self, puzzle: Puzzle) -> Compatibility:
        """Scores of all pairs of edges."""
        return self.contender.score(puzzle.tiles, upright=puzzle.upright)

    @property
    def contender(self) -> Contender:
        """The measure itself; its network is loaded once in every process."""
        loaded = _load(self.label, self.device, self.model)
        return Contender(self.label, loaded.measure, self.post)


@dataclass(frozen=True)
class Row:
    """One row of a table: a solver, under the name the user gave it, and what scores for it.

    ``runs`` is how often it searches a puzzle, None if that is left to the table.
    """

    label: str
    solver: Solver
    scorer: Scorer
    runs: int | None = None

    @property
    def name(self) -> tuple[str, str]:
        """Names of solver and measure as cells hold them."""
        return self.label, self.scorer.label


@dataclass(frozen=True)
class Choice:
    """The user's ``solvers`` and ``measures``, either of them or none.

    A solver is named SOLVER or SOLVER@MEASURE, each with or without *RUNS.

    ``device`` and ``model`` are for learned measures.
    """

    solvers: Sequence[str] = ()
    measures: Sequence[str] = ()
    device: str = "auto"
    model: str | None = None

    def rows(self, default: Sequence[str], measure: str) -> list[Row]:
        """Each row once; a solver by itself runs with each measure.

        Without solvers these are the ``default`` rows, or, if measures are given, the solvers of
        these rows with those. Without measures it is ``measure``.
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
                named[solver, each] = _runs(entry, runs) if star else None
        solvers = {solver: find_solver(solver) for solver, _ in named}
        scorers = {label: Scorer.of(label, self.device, self.model) for _, label in named}
        return [
            Row(solver, solvers[solver], scorers[label], runs)
            for (solver, label), runs in named.items()
        ]

    def scorers(self, default: Sequence[str]) -> list[Scorer]:
        """The measures, by themselves, as they are published."""
        return [
            Scorer.of(label, self.device, self.model, published=True)
            for label in self.measures or default
        ]


def find_solver(name: str) -> Solver:
    """A preset, a solver with its default settings, or the ``default`` of `azulejar solve`."""
    if name == DEFAULT:
        return PRESETS[PRESET]
    if name in PRESETS:
        return PRESETS[name]
    if name in SOLVERS:
        return get_solver(name)
    choice = ", ".join([DEFAULT, *PRESETS, *SOLVERS])
    raise AzulejarError(f"There is no solver or preset {name!r}.", f"Choose from {choice}.")


def _runs(entry: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise AzulejarError(
            f"{entry!r} does not tell how often to search.", "Give a number of 1 or more, as in *3."
        )
    return int(text)


def all_solvers() -> list[str]:
    """The default and every other solver."""
    return [DEFAULT, *(name for name in SOLVERS if name != find_solver(DEFAULT).name)]


def readable(solver: str, measure: str) -> str:
    """A row's name on a page."""
    name, _, steps = measure.partition(":")
    plain = f"{name.upper()} ({steps})" if steps else name.upper()
    return f"{SOLVER_NAMES.get(solver, solver)} + {MEASURE_NAMES.get(measure, plain)}"


@cache
def _load(label: str, device: str, model: str | None) -> Contender:
    return Contender.of(label, device, model)
