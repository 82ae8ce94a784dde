"""Jobs in processes of their own: order, stop, crash and restart."""

import asyncio
import os
import signal
import time
from contextlib import contextmanager

import pytest

from azulejar.app.jobs import process, result
from azulejar.app.jobs.process import Process
from azulejar.app.jobs.queue import CRASHED, LEFT, Queue
from azulejar.app.jobs.result import Laid, Result
from azulejar.app.refusals import Refused, TooMany
from azulejar.app.schemas import LOOSE, Export, Live, Settings, Solve
from azulejar.app.workspace import Workspace

SECONDS = 120  # the first solve may have to compile
SOON = 10
QUICK = Settings(measure="mgc", preset="fast")
ENDLESS = Solve(settings=Settings(measure="mgc", preset="standard", runs=100))
LIST = Export(what="placement")


class Recorder:
    """A hub that only remembers."""

    def __init__(self):
        self.told = []

    def publish(self, project, event, payload):
        self.told.append((project, event, payload))

    def lives(self):
        return [payload for _, event, payload in self.told if event == "live"]


@pytest.fixture
def bench(tmp_path, painted, bring):
    """A workspace with the projects p and q, of 20 painted tiles each, and a queue for it."""
    workspace = Workspace(tmp_path / "workspace")
    projects = []
    for name in ("p", "q"):
        project, store = workspace.create(name)
        bring(store, painted(4, 5, True, 0)[0])
        projects.append(project)
    with opened(workspace) as queue:
        queue.projects = projects
        yield queue
    workspace.close()


@contextmanager
def opened(workspace, most=2):
    hub = Recorder()
    queue = Queue(workspace, hub, most)
    queue.hub, queue.workspace = hub, workspace
    try:
        yield queue
    finally:
        asyncio.run(queue.close())


def until(condition, seconds=SECONDS):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
    return found


def wait(queue, project, job):
    """The job once it has ended."""

    def ended():
        now = queue.job(project, job.job)
        return now if now.state not in ("queued", "running") else None

    found = until(ended)
    until(lambda: project not in queue._running)
    return found


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def places(queue, project):
    return {each.tile: each.panel for each in queue.workspace.open(project).state().board.placed}


def test_a_solve_from_the_wish_to_the_version(bench):
    p = bench.projects[0]
    job = wait(bench, p, bench.submit(p, Solve(settings=QUICK)))
    assert (job.state, job.error, job.step) == ("done", None, "solving")
    assert set(places(bench, p).values()) == {0}
    store = bench.workspace.open(p)
    assert store.job(job.job) == job
    assert store.settings() == QUICK
    assert job.version == store.versions()[-1].version
    assert list((store.folder / "work").glob("*")) == []
    kinds = [event for _, event, _ in bench.hub.told]
    assert kinds[:2] == ["job", "job"]
    assert kinds[-3:] == ["board", "versions", "job"]


def test_what_goes_wrong_is_told_in_a_sentence_without_options(bench):
    p = bench.projects[0]
    settings = QUICK.model_copy(update={"rows": 7})
    job = wait(bench, p, bench.submit(p, Solve(settings=settings)))
    assert job.state == "failed"
    assert job.error.problem == "20 tiles do not fill 7 whole rows."
    assert job.error.remedy == "Give both rows and cols if tiles are missing, or leave rows out."


def test_stop_keeps_the_best_so_far_and_frees_the_cores(bench):
    p = bench.projects[0]
    job = bench.submit(p, ENDLESS)
    until(bench.hub.lives)
    pid = bench._running[p].process.pid
    asked = time.monotonic()
    bench.stop(p, job.job)
    ended = wait(bench, p, job)
    assert time.monotonic() - asked < SOON
    assert not is_alive(pid)
    assert ended.state == "stopped"
    assert set(places(bench, p).values()) == {0}
    assert ended.version is not None


def test_a_worker_that_does_not_listen_is_ended_and_what_it_has_shown_is_kept(bench, monkeypatch):
    p = bench.projects[0]
    job = bench.submit(p, ENDLESS)
    shown = until(bench.hub.lives)
    running = bench._running[p]
    os.kill(running.process.pid, signal.SIGSTOP)
    monkeypatch.setattr(process.Process.stop, "__defaults__", (0.2,))
    bench.stop(p, job.job)
    ended = wait(bench, p, job)
    assert not is_alive(running.process.pid)
    assert ended.state == "stopped"
    assert isinstance(shown[0], Live)
    assert set(places(bench, p).values()) == {0}


def test_a_crashed_worker_says_so_and_the_next_job_runs(bench):
    p = bench.projects[0]
    job = bench.submit(p, ENDLESS)
    after = bench.submit(p, Solve(settings=QUICK))
    until(bench.hub.lives)
    os.kill(bench._running[p].process.pid, signal.SIGKILL)
    failed = wait_for_end(bench, p, job)
    assert (failed.state, failed.error) == ("failed", CRASHED)
    assert wait(bench, p, after).state == "done"


def wait_for_end(queue, project, job):
    until(lambda: queue.job(project, job.job).state not in ("queued", "running"))
    return queue.job(project, job.job)


def test_a_worker_ends_when_the_server_is_gone(bench):
    store = bench.workspace.open(bench.projects[0])
    job = store.new_job(ENDLESS)
    worker = Process(store.folder, job.job)
    worker._process.stdin.close()
    assert worker._process.wait(SECONDS) != 0


def test_two_projects_at_once_and_one_job_at_a_time_in_each(bench):
    p, q = bench.projects
    first, second, other = (bench.submit(*each) for each in ((p, ENDLESS), (p, LIST), (q, ENDLESS)))
    assert [bench.job(p, first.job).state, bench.job(p, second.job).state] == ["running", "queued"]
    assert bench.job(q, other.job).state == "running"
    assert [job.job for _, job in bench.now(p)][-1] == second.job
    assert bench.stop(p, second.job).state == "stopped"
    for project, job in ((p, first), (q, other)):
        bench.stop(project, job.job)
    assert {wait(bench, p, first).state, wait(bench, q, other).state} == {"stopped"}


def test_jobs_run_in_the_order_in_which_they_came(bench):
    p, q = bench.projects
    with opened(bench.workspace, most=1) as queue:
        jobs = [(project, queue.submit(project, LIST)) for project in (p, q, p)]
        for project, job in jobs:
            wait(queue, project, job)
        begun = [
            (project, job.job)
            for project, event, job in queue.hub.told
            if event == "job" and job.state == "running" and job.step is None
        ]
    assert begun == [(project, job.job) for project, job in jobs]


def test_after_a_restart_nothing_hangs_and_results_are_kept(bench):
    p = bench.projects[0]
    store = bench.workspace.open(p)
    lost, kept, waiting = (store.new_job(Solve(settings=QUICK)) for _ in range(3))
    for job in (lost, kept):
        store.put_job(job.model_copy(update={"state": "running"}))
    laid = [Laid(file=f"tile_{i + 1}.png", panel=0, row=i, col=0) for i in range(20)]
    result.write(store.folder, kept.job, Result(laid=laid, label="solve", source="solve"))
    with opened(bench.workspace) as queue:
        asyncio.run(queue.start())
        assert queue.job(p, lost.job).error == LEFT
        assert queue.job(p, kept.job).state == "done"
        assert set(places(queue, p).values()) == {0}
        assert result.read(store.folder, kept.job) is None
        assert wait(queue, p, waiting).state == "done"


def test_closing_the_server_stops_what_runs_and_keeps_what_waits(bench):
    p = bench.projects[0]
    with opened(bench.workspace) as queue:
        job, waiting = queue.submit(p, ENDLESS), queue.submit(p, LIST)
        until(queue.hub.lives)
        pid = queue._running[p].process.pid
    store = bench.workspace.open(p)
    assert not is_alive(pid)
    assert store.job(job.job).state == "stopped"
    assert store.job(waiting.job).state == "queued"
    assert set(places(bench, p).values()) == {0}


def test_a_project_that_goes_away_takes_its_work_along(bench):
    p = bench.projects[0]
    bench.submit(p, ENDLESS)
    bench.submit(p, LIST)
    pid = bench._running[p].process.pid
    bench.drop(p)
    assert not is_alive(pid)
    assert bench.now(p) == []
    assert set(places(bench, p).values()) == {LOOSE}


@pytest.mark.parametrize("wrong", [{"measure": "nose"}, {"preset": "slow"}])
def test_a_misspelt_name_is_refused_at_once(bench, wrong):
    with pytest.raises(Refused, match="There is no"):
        bench.submit(bench.projects[0], Solve(settings=QUICK.model_copy(update=wrong)))
    assert bench.jobs(bench.projects[0]) == []


def test_too_many_waiting_jobs_are_refused(bench, monkeypatch):
    monkeypatch.setattr("azulejar.app.jobs.queue.MOST_WAITING", 2)
    monkeypatch.setattr(bench, "_most", 0)
    for _ in range(2):
        bench.submit(bench.projects[0], LIST)
    with pytest.raises(TooMany):
        bench.submit(bench.projects[0], LIST)
