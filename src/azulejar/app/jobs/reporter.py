"""The lines of JSON by which a worker reports to the server."""

import time
from pathlib import Path
from typing import Any, TextIO

from azulejar.app.schemas.boards import Pair, Placed
from azulejar.app.schemas.jobs import Intake, Job, JobNote, LiveAssembly
from azulejar.app.schemas.messages import Problem, Schema, json_values
from azulejar.errors import AzulejarError

PAUSE = 0.2  # least seconds between two lines of a kind
MOST_NOTES = 100
ENOUGH = 0.02  # fraction of a step from which the time left can be estimated
MARGIN = 0.3  # part of an estimate at the beginning of a step that is added to it
# Of a project.
FOLDERS = ("work/import/", "photographs/", "panel/", "references/", "tiles/", "work/", "")


class ProgressLine(Schema):
    """One line: the new state of the job, or its best assembly so far."""

    job: Job | None = None
    live: LiveAssembly | None = None


class Reporter:
    """Writes lines to ``out``; ``job`` is the state reported last.

    Errors name files of the project's ``folder`` by their names alone: the page must not know
    where it lies.
    """

    def __init__(self, job: Job, out: TextIO, folder: Path) -> None:
        self.job = job
        self._out, self._folder = out, folder
        self._began = self._step_began = time.monotonic()
        self._step_done = 0.0
        self._reported = self._shown = 0.0
        self._live: list[Placed] | None = None
        self._end: float | None = None  # when the step will be done, as was reported last

    def step(self, name: str, *, edges: int | None = None, done: float = 0.0) -> None:
        """Begin a step that scores this many edges; a fraction of it may be done already."""
        self._step_began, self._step_done = time.monotonic(), done
        self._end = None
        begun = {"step": name, "fraction": done, "generation": None, "seconds_left": None}
        self._report({**begun, "edges": edges, "pairs": []})

    def pairs(self, pairs: list[Pair]) -> None:
        """Report the likeliest pairs of edges so far."""
        self._report({"pairs": pairs})

    def fraction(
        self, done: float, generation: int | None = None, left: float | None = None
    ) -> None:
        """Report the fraction of the step that is done, from 0 to 1.

        ``left``: seconds, where the caller knows them better than by proportion.
        """
        now = time.monotonic()
        if now - self._reported < PAUSE and done < 1:
            return
        more = done - self._step_done
        if left is None and more >= ENOUGH:
            left = (now - self._step_began) * (1 - done) / more
        shown = None if left is None else self._time_left(now, left, done)
        self._report({"fraction": done, "generation": generation, "seconds_left": shown})

    def _time_left(self, now: float, left: float, done: float) -> float | None:
        """Return an estimate that never rises; None if the last one cannot be kept."""
        end = now + left * (1 + MARGIN * (1 - done))
        self._end = end if self._end is None else min(self._end, end)
        return self._end - now if self._end - now >= left / 2 else None

    def note(self, code: str, template: str, **values: Any) -> None:
        """Report a sentence that people should read, as a code, a template and its values."""
        self._add_note(
            JobNote(code=code, values=json_values(values), text=template.format_map(values))
        )

    def note_error(self, error: AzulejarError) -> None:
        """Report an error that does not end the job."""
        error = self._without_paths(error)
        values = json_values(error.values)
        self._add_note(JobNote(code=error.code, values=values, text=str(error)))

    def confidence(self, value: float) -> None:
        """Report the mean confidence of the assembly that was shown last."""
        self._report({"confidence": value})

    def intake(self, intake: Intake) -> None:
        """Say what became of the pictures so far; it is reported with the next fraction."""
        self.job = self.job.model_copy(update={"intake": intake})

    def wants_live(self) -> bool:
        """Whether it is time for another assembly."""
        return time.monotonic() - self._shown >= PAUSE

    def live(self, placed: list[Placed]) -> bool:
        """Show an assembly; return False if it is shown already."""
        if placed == self._live:
            return False
        self._live, self._shown = placed, time.monotonic()
        self._write(ProgressLine(live=LiveAssembly(job=self.job.job, placed=placed)))
        return True

    def failed(self, error: AzulejarError) -> None:
        """Report why there will be no result."""
        self._report({"error": Problem.of(self._without_paths(error))})

    def stopped(self) -> None:
        """Report that the job was stopped before there was anything to keep."""
        self._report({"state": "stopped"})

    def _without_paths(self, error: AzulejarError) -> AzulejarError:
        for home in {self._folder, self._folder.resolve()}:
            for part in FOLDERS:
                error = error.replacing(f"{home}/{part}", "")
        return error

    def _add_note(self, note: JobNote) -> None:
        if len(self.job.notes) < MOST_NOTES:
            self._report({"notes": [*self.job.notes, note]})

    def _report(self, changes: dict[str, object]) -> None:
        self._reported = time.monotonic()
        changes["seconds"] = round(self._reported - self._began, 2)
        self.job = self.job.model_copy(update=changes)
        self._write(ProgressLine(job=self.job))

    def _write(self, line: ProgressLine) -> None:
        self._out.write(line.model_dump_json(exclude_none=True) + "\n")
        self._out.flush()
