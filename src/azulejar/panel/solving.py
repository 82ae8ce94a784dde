"""Solve one panel: its patterns, its frame, the search, and an old picture as a guide.

The command line and the page do the same here. Each brings its own search, under a bar or with a
live picture, and puts what comes of it into its own words.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.judging.evidence import Rivals
from azulejar.patterns.finding import Patterns
from azulejar.patterns.frames import lay_frame
from azulejar.patterns.laying import count_copies, is_wall, lay_patterns
from azulejar.reference.following import Followed, follow_reference
from azulejar.solvers import Solver
from azulejar.solvers.runs import Run

Search = Callable[[Compatibility, Knowns], Run]


@dataclass(frozen=True)
class PanelOutcome:
    """How a panel was solved.

    ``run`` has the assembly and ``seconds`` what it took. ``compatibility`` are the scores, as an
    old picture may have changed them; ``followed`` is what came of that picture, None if none was
    used. With ``repeats`` the tiles were laid as their patterns repeat, without a search.
    """

    run: Run
    compatibility: Compatibility
    patterns: Patterns | None
    seconds: float = 0.0
    followed: Followed | None = None
    repeats: bool = False
    framed: bool = False

    @property
    def assembly(self) -> Assembly:
        """Where the tiles lie."""
        return self.run.assembly

    @property
    def is_wall(self) -> bool:
        """Whether the panel is a wall of pattern tiles; those of a repeated frame are none."""
        return bool(self.patterns and not self.framed and is_wall(self.patterns))

    @property
    def copies(self) -> NDArray[np.int64] | None:
        """How many alike tiles could lie in the place of each [n]; None without patterns."""
        return count_copies(self.patterns) if self.patterns else None

    @cached_property
    def rivals(self) -> Rivals:
        """What confidence in the assembly is computed from."""
        return Rivals.of(self.compatibility, self.copies)


class _Stopped(Exception):  # noqa: N818
    """The user does not wait for the picture to be searched."""


def solve_panel(
    tiles: TileSet,
    compatibility: Compatibility,
    knowns: Knowns,
    solver: Solver,
    search: Search,
    *,
    patterns: Patterns | None,
    reference: NDArray[np.uint8] | None = None,
    stop: threading.Event,
    on_look: Callable[[], None] = lambda: None,
) -> PanelOutcome:
    """Solve a panel.

    Args:
        tiles: The n tiles.
        compatibility: Their scores.
        knowns: What is known beforehand.
        solver: The solver that ``search`` uses.
        search: Returns the best assembly for such scores and knowns.
        patterns: The pattern tiles among them. A wall of such tiles is laid as its patterns repeat,
            if nothing else is known of it; a frame of alike tiles tells the size of its panel.
        reference: An old picture [H, W, 3], believed as far as it proves right.
        stop: Ends the search; the best assembly so far is returned.
        on_look: Called before the sure parts are looked for in the picture.
    """
    started = time.perf_counter()
    frame = None if patterns is None else lay_frame(patterns.designs, knowns)
    if frame is not None and not solver.can(frame):
        frame = None
    free = not (knowns.upright or knowns.constrained)
    if frame is None and patterns and is_wall(patterns) and free:
        laid = lay_patterns(patterns, knowns.rows, knowns.cols)
        run = Run(0, laid, compatibility.fitness(laid))
        return PanelOutcome(run, compatibility, patterns, repeats=True)
    wanted = frame or knowns
    run, followed = search(compatibility, wanted), None
    if reference is not None and not stop.is_set():
        on_look()
        followed, run = _follow(tiles, compatibility, reference, wanted, run, search, stop)
    return PanelOutcome(
        run,
        compatibility if followed is None else followed.compatibility,
        patterns,
        time.perf_counter() - started,
        followed,
        framed=frame is not None,
    )


def _follow(
    tiles: TileSet,
    compatibility: Compatibility,
    picture: NDArray[np.uint8],
    knowns: Knowns,
    first: Run,
    search: Search,
    stop: threading.Event,
) -> tuple[Followed | None, Run]:
    """Solve again as far as a picture proves right; a stop keeps the first assembly."""
    last = first

    def again(scores: Compatibility) -> Assembly:
        nonlocal last
        last = search(scores, knowns)
        return last.assembly

    def check() -> None:
        if stop.is_set():
            raise _Stopped

    try:
        found = follow_reference(
            tiles, compatibility, picture, knowns, first.assembly, again, check
        )
    except _Stopped:
        return None, first
    return found, replace(last, assembly=found.assembly) if found.believed else first
