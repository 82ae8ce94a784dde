"""What a worker tells the server: how far it is, and the best assembly so far."""

import time
from typing import TextIO

from azulejar.app.jobs.result import Line
from azulejar.app.schemas import Job, Live, Placed, Problem

PAUSE = 0.2  # least seconds between two lines of a kind
MOST_NOTES = 100
SURE = 0.02  # fraction of a step from which the time left can be told


class Teller:
    """Writes lines of JSON to ``out``; ``job`` is what was told so far."""

    def __init__(self, job: Job, out: TextIO) -> None:
        self.job = job
        self._out = out
        self._began = self._step_began = time.monotonic()
        self._told = self._shown = 0.0
        self._live: list[Placed] | None = None

    def step(self, name: str) -> None:
        """Begin a step."""
        self._step_began = time.monotonic()
        self._tell({"step": name, "fraction": 0.0, "generation": None, "seconds_left": None})

    def fraction(
        self, done: float, generation: int | None = None, left: float | None = None
    ) -> None:
        """How much of the step is done, from 0 to 1; seconds ``left``, if they are known better."""
        now = time.monotonic()
        if now - self._told < PAUSE and done < 1:
            return
        if left is None and done >= SURE:
            left = (now - self._step_began) * (1 - done) / done
        self._tell({"fraction": done, "generation": generation, "seconds_left": left})

    def note(self, text: str) -> None:
        """Something that people should read."""
        if len(self.job.notes) < MOST_NOTES:
            self._tell({"notes": [*self.job.notes, text]})

    def confidence(self, value: float) -> None:
        """Mean confidence of the assembly that was told last."""
        self._tell({"confidence": value})

    def wants_live(self) -> bool:
        """Whether it is time for another assembly."""
        return time.monotonic() - self._shown >= PAUSE

    def live(self, placed: list[Placed]) -> bool:
        """Show an assembly; gives False for one that is shown already."""
        if placed == self._live:
            return False
        self._live, self._shown = placed, time.monotonic()
        self._write(Line(live=Live(job=self.job.job, placed=placed)))
        return True

    def failed(self, problem: str, remedy: str) -> None:
        """Why there will be no result."""
        self._tell({"error": Problem(problem=problem, remedy=remedy)})

    def stopped(self) -> None:
        """It was stopped before there was anything to keep."""
        self._tell({"state": "stopped"})

    def _tell(self, news: dict[str, object]) -> None:
        self._told = time.monotonic()
        news["seconds"] = round(self._told - self._began, 2)
        self.job = self.job.model_copy(update=news)
        self._write(Line(job=self.job))

    def _write(self, line: Line) -> None:
        self._out.write(line.model_dump_json(exclude_none=True) + "\n")
        self._out.flush()
