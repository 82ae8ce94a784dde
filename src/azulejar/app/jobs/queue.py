"""The queue of jobs: one at a time in a project, as many projects at once as there are cores."""

import asyncio
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from azulejar.app import insight
from azulejar.app.choices import check_settings
from azulejar.app.events import ENDED, Hub
from azulejar.app.jobs import result as results
from azulejar.app.jobs.applying import apply
from azulejar.app.jobs.process import Process, log_of
from azulejar.app.jobs.result import Result, laid_by
from azulejar.app.refusals import Clash, TooMany
from azulejar.app.schemas import Audit, Job, Live, Message, Problem, Solve, Sort, Wish
from azulejar.app.store import Store
from azulejar.app.workspace import Workspace
from azulejar.errors import AzulejarError
from azulejar.system.threads import thread_count

MOST_WAITING = 20  # jobs of one project
SAVED_EVERY = 1.0  # seconds between two notes of a running job in the database
LAST_PATIENCE = 4.0  # seconds that workers have to end when the server does
CRASHED = Problem(
    problem="The work ended unexpectedly; nothing was changed.",
    remedy="Start it again. If it happens often, the computer may be short of memory.",
)
UNKEPT = Problem(
    problem="The result could not be written into the project.",
    remedy="Check that the disk has room, and start it again.",
)
LEFT = Problem(problem="The server was stopped in the middle.", remedy="Start it again.")


@dataclass
class _Running:
    """A job at work: what it told last, and the best assembly that it has shown."""

    project: str
    store: Store
    job: Job
    process: Process
    live: Live | None = None
    saved: float = 0.0

    @property
    def name(self) -> str:
        """Of the thread that follows it."""
        return f"{self.project} {self.job.job}"


class Queue:
    """May be called from any thread."""

    def __init__(self, workspace: Workspace, hub: Hub, most: int | None = None) -> None:
        self._workspace, self._hub = workspace, hub
        self._most = most or max(1, thread_count())
        self._lock = threading.RLock()
        self._waiting: list[tuple[str, Store, Job]] = []
        self._running: dict[str, _Running] = {}
        self._threads: set[threading.Thread] = set()
        self._open = True

    async def start(self) -> None:
        """Go on with what an earlier server left."""
        await asyncio.to_thread(self._mend_all)

    async def close(self) -> None:
        """End all workers; what they have is kept, and what waits goes on next time."""
        with self._lock:
            self._open = False
            for running in self._running.values():
                running.process.stop(LAST_PATIENCE)
            threads = list(self._threads)
        for thread in threads:
            await asyncio.to_thread(thread.join)

    def submit(self, project: str, wish: Wish) -> Job:
        """Queue a job; it begins at once if it can."""
        if isinstance(wish, Solve | Sort | Audit):
            check_settings(wish.settings)
        store = self._workspace.open(project)
        with self._lock:
            if sum(each[0] == project for each in self._waiting) >= MOST_WAITING:
                raise TooMany("Too many jobs wait in this project.", "Let some of them finish.")
            if isinstance(wish, Solve | Sort):
                store.put_settings(wish.settings)
            job = store.new_job(wish)
            self._waiting.append((project, store, job))
            self._hub.publish(project, "job", job)
            self._begin()
        return self.job(project, job.job)

    def stop(self, project: str, number: int) -> Job:
        """End a job; one that runs keeps what it has, and ends by itself or by force soon."""
        store = self._workspace.open(project)
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == number:
                running.process.stop()
                return running.job
            for each in self._waiting:
                if each[0] == project and each[2].job == number:
                    self._waiting.remove(each)
                    return self._end(project, store, each[2], {"state": "stopped"})
        job = store.job(number)
        if job.state not in ENDED:
            raise Clash("This job is just beginning.", "Try again.")
        return job

    def drop(self, project: str) -> None:
        """End all work of a project that is going away, and keep nothing of it."""
        with self._lock:
            self._waiting = [each for each in self._waiting if each[0] != project]
            running = self._running.get(project)
            threads = [each for each in self._threads if running and each.name == running.name]
        if running is not None:
            running.process.stop(0.0)
            for thread in threads:
                thread.join()

    def job(self, project: str, number: int) -> Job:
        """A job as it is this moment."""
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == number:
                return running.job
        return self._workspace.open(project).job(number)

    def jobs(self, project: str) -> list[Job]:
        """The latest jobs as they are this moment."""
        jobs = self._workspace.open(project).jobs()
        with self._lock:
            running = self._running.get(project)
        if running is None:
            return jobs
        return [running.job if job.job == running.job.job else job for job in jobs]

    def now(self, project: str) -> list[tuple[str, Message]]:
        """What somebody who begins to watch has to be told."""
        with self._lock:
            running = self._running.get(project)
            told: list[tuple[str, Message]] = []
            if running is not None:
                told.append(("job", running.job))
                if running.live is not None:
                    told.append(("live", running.live))
            told += [("job", job) for name, _, job in self._waiting if name == project]
        return told

    def _mend_all(self) -> None:
        for project in self._workspace.ids():
            with suppress(AzulejarError):  # a damaged project must not keep the others waiting
                with self._workspace.glance(project) as store:
                    left = [job for job in store.jobs() if job.state not in ENDED]
                if not left:
                    continue
                store = self._workspace.open(project)
                for job in left:
                    self._mend(project, store, job)
        with self._lock:
            self._begin()

    def _mend(self, project: str, store: Store, job: Job) -> None:
        """A job that an earlier server left: its result is kept, or it has failed."""
        if job.state == "queued":
            with self._lock:
                self._waiting.append((project, store, job))
        elif job.state == "running":
            log_of(store.folder, job.job).unlink(missing_ok=True)
            result = results.read(store.folder, job.job)
            if result is None:
                self._end(project, store, job, {"state": "failed", "error": LEFT})
            else:
                self._keep(project, store, job, result)

    def _begin(self) -> None:
        """Start what may run now, in the order in which it came."""
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
                process = Process(store.folder, job.job)
            except (OSError, AzulejarError):
                self._end(project, store, job, {"state": "failed", "error": CRASHED})
                continue
            running = self._running[project] = _Running(project, store, job, process)
            self._hub.publish(project, "job", job)
            thread = threading.Thread(target=self._follow, args=(running,), name=running.name)
            self._threads.add(thread)
            thread.start()

    def _follow(self, running: _Running) -> None:
        """The life of one job, in a thread of its own."""
        try:
            running.process.follow(partial(self._on_job, running), partial(self._on_live, running))
            self._finish(running)
        except Exception:  # the queue has to go on whatever happens
            traceback.print_exc()
        finally:
            with self._lock:
                del self._running[running.project]
                self._threads.discard(threading.current_thread())
                self._begin()
        if running.job.wish.kind in ("solve", "sort", "audit"):
            with suppress(AzulejarError):
                insight.warm(running.store)

    def _on_job(self, running: _Running, job: Job) -> None:
        running.job = job.model_copy(update={"state": "running"}) if job.error is None else job
        if job.state == "stopped":
            running.job = job
            return
        self._hub.publish(running.project, "job", running.job)
        if time.monotonic() - running.saved > SAVED_EVERY:
            running.saved = time.monotonic()
            running.store.put_job(running.job)

    def _on_live(self, running: _Running, live: Live) -> None:
        running.live = live
        self._hub.publish(running.project, "live", live)

    def _finish(self, running: _Running) -> None:
        """The process has ended: keep what it has left, or say why there is nothing."""
        project, store, job = running.project, running.store, running.job
        result = results.read(store.folder, job.job)
        if result is None and running.process.stopping and running.live is not None:
            result = _best_shown(store, running.live, job)
        if result is not None:
            self._keep(project, store, job, result)
        elif job.state == "stopped" or running.process.stopping:
            self._end(project, store, job, {"state": "stopped", "error": None})
        else:
            error = job.error or CRASHED
            self._end(project, store, job, {"state": "failed", "error": error})
        if job.error is not None or result is not None:
            running.process.log.unlink(missing_ok=True)

    def _keep(self, project: str, store: Store, job: Job, result: Result) -> None:
        try:
            done = apply(store, project, self._hub, job, result)
        except Exception:
            traceback.print_exc()
            self._end(project, store, job, {"state": "failed", "error": UNKEPT})
        else:
            self._end(project, store, done, {})
        results.path_of(store.folder, job.job).unlink(missing_ok=True)

    def _end(self, project: str, store: Store, job: Job, news: dict[str, object]) -> Job:
        job = job.model_copy(update={"seconds_left": None, **news})
        store.put_job(job)
        with self._lock:
            running = self._running.get(project)
            if running is not None and running.job.job == job.job:
                running.job = job
        self._hub.publish(project, "job", job)
        return job


def _best_shown(store: Store, live: Live, job: Job) -> Result:
    """Of a worker that had to be ended by force: the best assembly that it has told."""
    laid = laid_by(store.tiles(), live.placed)
    return Result(stopped=True, laid=laid, label="solve", source="solve", confidence=job.confidence)
