"""The queue of jobs: one at a time in each project, as many at once as there are cores."""

import asyncio
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from azulejar.app.http.errors import Conflict, InvalidRequest, TooManyRequests
from azulejar.app.http.events import ENDED, Hub
from azulejar.app.jobs.job_result import (
    JobResult,
    ResultTile,
    apply_result,
    lay_by_file,
    load_result,
    result_path,
)
from azulejar.app.jobs.worker_process import PATIENCE, WorkerProcess, worker_log
from azulejar.app.judging import preload_scores
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.jobs import (
    AuditRequest,
    Job,
    JobRequest,
    LiveAssembly,
    SolveRequest,
    SolveSettings,
    SortRequest,
)
from azulejar.app.schemas.messages import Problem, Schema
from azulejar.app.workspace import Workspace
from azulejar.errors import AzulejarError
from azulejar.measures import MEASURES, get_measure
from azulejar.solvers import get_preset
from azulejar.system.threads import thread_count

MOST_WAITING = 20  # jobs of one project
SAVE_EVERY = 1.0  # seconds between two writes of a running job to the database
LAST_PATIENCE = 4.0  # seconds that workers get to end when the server stops
BRIEF = 1.0  # seconds that those get of which nothing would be kept
NOTHING_KEPT = ("museum_sort", "museum_patterns", "museum_match")
CRASHED = AzulejarError(
    "job-crashed",
    "The work ended unexpectedly; nothing was changed.",
    "Start it again. If it happens often, the computer may be short of memory.",
)
UNSAVED = AzulejarError(
    "job-result-unsaved",
    "The result could not be written into the project.",
    "Check that the disk has room, and start it again.",
)
INTERRUPTED = AzulejarError(
    "job-interrupted", "The server was stopped in the middle.", "Start it again."
)


def check_settings(settings: SolveSettings) -> None:
    """Raise for an unknown measure or preset before anything is queued."""
    try:
        if settings.measure not in MEASURES:  # a known one is not loaded here
            get_measure(settings.measure)
        get_preset(settings.preset)
    except AzulejarError as error:
        raise InvalidRequest.of(error, error.values) from error


@dataclass
class _Running:
    """A running job: its state reported last, and the best assembly that it has shown.

    ``seen`` says where the tiles lay when a solve began.
    """

    project: str
    store: ProjectStore
    job: Job
    process: WorkerProcess
    live: LiveAssembly | None = None
    seen: list[ResultTile] = field(default_factory=list)
    saved: float = 0.0
    dropped: bool = False  # its project is being deleted

    @property
    def silent(self) -> bool:
        """Whether its process has not begun to work yet."""
        return self.live is None and not self.saved

    @property
    def name(self) -> str:
        """Name of the thread that follows it."""
        return f"{self.project} {self.job.job}"


class Queue:
    """Jobs that wait or run; its methods may be called from any thread."""

    def __init__(self, workspace: Workspace, hub: Hub, most: int | None = None) -> None:
        self._workspace, self._hub = workspace, hub
        self._most = most or max(1, thread_count())
        self._lock = threading.RLock()
        self._waiting: list[tuple[str, ProjectStore, Job]] = []
        self._running: dict[str, _Running] = {}
        self._threads: set[threading.Thread] = set()
        self._open = True

    async def start(self) -> None:
        """Take over the jobs that an earlier server left."""
        await asyncio.to_thread(self._recover_all)

    async def close(self) -> None:
        """Stop all workers and keep what they have; waiting jobs start with the next server."""
        with self._lock:
            self._open = False
            for running in self._running.values():
                running.process.stop(LAST_PATIENCE)
            threads = list(self._threads)
        for thread in threads:
            await asyncio.to_thread(thread.join)

    def submit(self, project: str, request: JobRequest, who: str = "") -> Job:
        """Queue a job; it starts at once if it can."""
        if isinstance(request, SolveRequest | SortRequest | AuditRequest):
            check_settings(request.settings)
        store = self._workspace.open(project)
        with self._lock:
            if sum(each[0] == project for each in self._waiting) >= MOST_WAITING:
                raise TooManyRequests(
                    "too-many-jobs",
                    "Too many jobs wait in this project.",
                    "Let some of them finish.",
                )
            if isinstance(request, SolveRequest | SortRequest):
                store.put_settings(request.settings)
            job = store.new_job(request, who)
            self._waiting.append((project, store, job))
            self._hub.publish(project, "job", job)
            self._begin()
        return self.job(project, job.job)

    def stop(self, project: str, number: int) -> Job:
        """Stop a job; one that runs keeps what it has and ends soon, by itself or by force."""
        store = self._workspace.open(project)
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == number:
                brief = running.silent or running.job.request.kind in NOTHING_KEPT
                running.process.stop(BRIEF if brief else PATIENCE)
                running.job = running.job.model_copy(update={"stopping": True})
                self._hub.publish(project, "job", running.job)
                return running.job
            for each in self._waiting:
                if each[0] == project and each[2].job == number:
                    self._waiting.remove(each)
                    return self._end(project, store, each[2], {"state": "stopped"})
        job = store.job(number)
        if job.state not in ENDED:
            raise Conflict("job-starting", "This job is just beginning.", "Try again.")
        return job

    def drop(self, project: str) -> None:
        """Stop all jobs of a project that is being deleted, and keep nothing of them."""
        with self._lock:
            self._waiting = [each for each in self._waiting if each[0] != project]
            running = self._running.get(project)
            threads = [each for each in self._threads if running and each.name == running.name]
            if running is not None:
                running.dropped = True
        if running is not None:
            running.process.stop(0.0)
            for thread in threads:
                thread.join()

    def job(self, project: str, number: int) -> Job:
        """Return the present state of a job."""
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == number:
                return running.job
        return self._workspace.open(project).job(number)

    def jobs(self, project: str) -> list[Job]:
        """Return the present state of the latest jobs."""
        jobs = self._workspace.open(project).jobs()
        with self._lock:
            running = self._running.get(project)
        if running is None:
            return jobs
        return [running.job if job.job == running.job.job else job for job in jobs]

    def working(self) -> dict[str, Job]:
        """Return the running or next queued job of each project that has one."""
        with self._lock:
            waiting = {name: job for name, _, job in reversed(self._waiting)}
            return waiting | {name: each.job for name, each in self._running.items()}

    def current(self, project: str) -> list[tuple[str, Schema]]:
        """Return the events that a new subscriber has to receive."""
        with self._lock:
            running = self._running.get(project)
            events: list[tuple[str, Schema]] = []
            if running is not None:
                events.append(("job", running.job))
                if running.live is not None:
                    events.append(("live", running.live))
            events += [("job", job) for name, _, job in self._waiting if name == project]
        return events

    def _recover_all(self) -> None:
        for project in self._workspace.ids():
            with suppress(AzulejarError):  # a damaged project must not block the others
                with self._workspace.glance(project) as store:
                    left = [job for job in store.jobs() if job.state not in ENDED]
                if not left:
                    continue
                store = self._workspace.open(project)
                for job in left:
                    self._recover(project, store, job)
        with self._lock:
            self._begin()

    def _recover(self, project: str, store: ProjectStore, job: Job) -> None:
        """Apply the result of a job that an earlier server left, or mark it as failed."""
        if job.state == "queued":
            with self._lock:
                self._waiting.append((project, store, job))
        elif job.state == "running":
            worker_log(store.folder, job.job).unlink(missing_ok=True)
            result = load_result(store.folder, job.job)
            if result is None:
                self._end(
                    project, store, job, {"state": "failed", "error": Problem.of(INTERRUPTED)}
                )
            else:
                self._keep(project, store, job, result)

    def _begin(self) -> None:
        """Start the jobs that may run now, in the order of their submission."""
        for each in list(self._waiting) if self._open else ():
            project, store, job = each
            if len(self._running) >= self._most:
                return
            if project in self._running:
                continue
            self._waiting.remove(each)
            job = job.model_copy(update={"state": "running"})
            try:
                store.put_job(job)
                process = WorkerProcess(store.folder, job.job)
            except (OSError, AzulejarError):
                self._end(project, store, job, {"state": "failed", "error": Problem.of(CRASHED)})
                continue
            running = self._running[project] = _Running(project, store, job, process)
            self._hub.publish(project, "job", job)
            thread = threading.Thread(target=self._follow, args=(running,), name=running.name)
            self._threads.add(thread)
            thread.start()

    def _follow(self, running: _Running) -> None:
        """Follow one job to its end, in a thread of its own."""
        try:
            if running.job.request.kind == "solve":
                store = running.store
                running.seen = lay_by_file(store.tiles(), store.state().board.placed)
            running.process.follow(partial(self._on_job, running), partial(self._on_live, running))
            self._finish(running)
        except Exception:  # the queue must continue whatever happens
            traceback.print_exc()
        finally:
            with self._lock:
                del self._running[running.project]
                self._begin()
        try:
            judged = running.job.request.kind in ("solve", "sort", "audit")
            if judged and self._open and not running.dropped:
                with suppress(AzulejarError):
                    preload_scores(running.store)
        finally:
            with self._lock:
                self._threads.discard(threading.current_thread())

    def _on_job(self, running: _Running, job: Job) -> None:
        now = {"state": "running", "stopping": running.process.stopping}
        running.job = job.model_copy(update=now) if job.error is None else job
        if job.state == "stopped":
            running.job = job
            return
        self._hub.publish(running.project, "job", running.job)
        # What has come into a museum must be known even if this server is killed right now.
        if job.intake is not None or time.monotonic() - running.saved > SAVE_EVERY:
            running.saved = time.monotonic()
            running.store.put_job(running.job)

    def _on_live(self, running: _Running, live: LiveAssembly) -> None:
        running.live = live
        self._hub.publish(running.project, "live", live)

    def _finish(self, running: _Running) -> None:
        """Apply the result of a process that has ended, or record why there is none."""
        project, store, job = running.project, running.store, running.job
        result = None if running.dropped else load_result(store.folder, job.job)
        shown = None if running.dropped else running.live
        if result is None and running.process.stopping and shown is not None:
            result = _best_shown(running, shown)
        if result is not None:
            self._keep(project, store, job, result)
        elif job.state == "stopped" or running.process.stopping:
            self._end(project, store, job, {"state": "stopped", "error": None})
        else:
            error = job.error or Problem.of(CRASHED)
            self._end(project, store, job, {"state": "failed", "error": error})
            if job.error is None:
                return  # its log says why
        running.process.log.unlink(missing_ok=True)

    def _keep(self, project: str, store: ProjectStore, job: Job, result: JobResult) -> None:
        try:
            done = apply_result(store, project, self._hub, job, result)
        except Exception:
            traceback.print_exc()
            self._end(project, store, job, {"state": "failed", "error": Problem.of(UNSAVED)})
        else:
            self._end(project, store, done, {})
        result_path(store.folder, job.job).unlink(missing_ok=True)

    def _end(self, project: str, store: ProjectStore, job: Job, changes: dict[str, object]) -> Job:
        ended: dict[str, object] = {"seconds_left": None, "stopping": False, "pairs": []}
        job = job.model_copy(update={**ended, **changes})
        store.put_job(job)
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == job.job:
                running.job = job
        self._hub.publish(project, "job", job)
        return job


def _best_shown(running: _Running, live: LiveAssembly) -> JobResult:
    """Return the best assembly shown by a worker that had to be killed, as a result."""
    return JobResult(
        stopped=True,
        laid=lay_by_file(running.store.tiles(), live.placed),
        seen=running.seen,
        label="solve",
        source="solve",
        confidence=running.job.confidence,
    )
