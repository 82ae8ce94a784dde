"""Jobs in processes of their own: order, stop, crash and restart."""

import os
import signal
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from in_process import run_async

from azulejar.app.http.errors import InvalidRequest, TooManyRequests
from azulejar.app.jobs import queue, worker_process
from azulejar.app.jobs.job_result import JobResult, ResultTile, load_result, save_result
from azulejar.app.jobs.queue import CRASHED, INTERRUPTED, Queue
from azulejar.app.jobs.worker_process import WorkerProcess
from azulejar.app.schemas.boards import LOOSE, Edit, Placed
from azulejar.app.schemas.jobs import (
    ExportRequest,
    Intake,
    LiveAssembly,
    MuseumSolveRequest,
    MuseumSortRequest,
    SolveRequest,
    SolveSettings,
)
from azulejar.app.schemas.messages import Problem
from azulejar.app.workspace import Workspace

SECONDS = 500  # a guard against hanging
QUICK = SolveSettings(measure="mgc", preset="fast")
ENDLESS = SolveRequest(settings=SolveSettings(measure="mgc", preset="standard", runs=100))
LIST = ExportRequest(what="placement")
# Speaks as a worker does, but imports next to nothing: an endless solve shows all tiles in
# a column and waits for its end, a job of a museum starts a process, says nothing and listens to
# nobody, any other job is done at once.
STAND_IN = """#!{python} -IS
import json, os, sqlite3, sys, time
folder, job = sys.argv[-2:]
jobs = sqlite3.connect(os.path.join(folder, "project.db")).execute("SELECT job, data FROM jobs")
request = json.loads(dict(jobs)[int(job)])["request"]
if request["kind"].startswith("museum"):
    os.fork()
    open(os.path.join(folder, "two"), "w").close()
    time.sleep(600)
elif request.get("settings", {{}}).get("runs") == 100:
    placed = [{{"tile": k + 1, "panel": 0, "row": k, "col": 0, "turn": 0}} for k in range(20)]
    print(json.dumps({{"live": {{"job": int(job), "placed": placed}}}}), flush=True)
    sys.stdin.readline()
else:
    with open(os.path.join(folder, "work", job + ".json"), "w") as file:
        file.write("{{}}")
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Jobs are done by processes that only speak as workers do."""
    script = tmp_path / "stand_in"
    script.write_text(STAND_IN.format(python=sys.executable))
    script.chmod(0o755)
    monkeypatch.setattr(worker_process, "sys", SimpleNamespace(executable=str(script)))


class Recorder:
    """A hub that only remembers."""

    def __init__(self):
        self.told = []

    def publish(self, project, event, payload):
        self.told.append((project, event, payload))

    def lives(self):
        return [payload for _, event, payload in self.told if event == "live"]


@pytest.fixture
def jobs_queue(tmp_path, painted, add_pictures):
    """A workspace with the projects p and q, of 20 painted tiles each, and a queue for it."""
    workspace = Workspace(tmp_path / "workspace")
    projects = []
    for name in ("p", "q"):
        project, store = workspace.create(name)
        add_pictures(store, painted(4, 5, True, 0)[0])
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
        run_async(queue.close())


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


def test_a_solve_from_the_wish_to_the_version(jobs_queue):
    p = jobs_queue.projects[0]
    job = wait(jobs_queue, p, jobs_queue.submit(p, SolveRequest(settings=QUICK)))
    assert (job.state, job.error, job.step) == ("done", None, "solving")
    assert set(places(jobs_queue, p).values()) == {0}
    store = jobs_queue.workspace.open(p)
    assert store.job(job.job) == job
    assert store.settings() == QUICK
    assert job.version == store.versions()[-1].version
    assert job.revision == store.state().revision
    assert list((store.folder / "work").glob("*")) == []
    kinds = [event for _, event, _ in jobs_queue.hub.told]
    assert kinds[:2] == ["job", "job"]
    assert kinds[-3:] == ["board", "versions", "job"]


def test_what_goes_wrong_is_told_in_a_sentence_without_options(jobs_queue):
    p = jobs_queue.projects[0]
    settings = QUICK.model_copy(update={"rows": 3, "cols": 5})
    job = wait(jobs_queue, p, jobs_queue.submit(p, SolveRequest(settings=settings)))
    assert job.state == "failed"
    assert job.error.problem == "3 rows × 5 cols are 15 places, but there are 20 tiles."
    assert job.error.remedy == "Check the folder for extra tiles, or leave rows and cols out."


def test_stop_keeps_the_best_so_far_and_frees_the_cores(jobs_queue, monkeypatch):
    monkeypatch.setattr(queue, "PATIENCE", SECONDS)  # it is not killed
    p = jobs_queue.projects[0]
    job = jobs_queue.submit(p, ENDLESS)
    until(jobs_queue.hub.lives)
    pid = jobs_queue._running[p].process.pid
    assert jobs_queue.working()[p].request == ENDLESS
    jobs_queue.stop(p, job.job)
    assert any(getattr(each, "stopping", False) for _, _, each in jobs_queue.hub.told)
    ended = wait(jobs_queue, p, job)
    assert jobs_queue.working() == {}
    assert not ended.stopping
    assert not is_alive(pid)
    assert ended.state == "stopped"
    assert set(places(jobs_queue, p).values()) == {0}
    assert ended.version is not None


@pytest.mark.usefixtures("stand_in")
def test_a_worker_that_does_not_listen_is_ended_and_what_it_has_shown_is_kept(
    jobs_queue, monkeypatch
):
    p = jobs_queue.projects[0]
    job = jobs_queue.submit(p, ENDLESS)
    shown = until(jobs_queue.hub.lives)
    running = jobs_queue._running[p]
    by_hand = Placed(tile=7, panel=0, row=3, col=4, turn=90)
    revision = running.store.state().revision
    running.store.edit(Edit(revision=revision, label="edit", placed=[by_hand]))
    os.kill(running.process.pid, signal.SIGSTOP)
    monkeypatch.setattr(queue, "PATIENCE", 0.2)
    jobs_queue.stop(p, job.job)
    ended = wait(jobs_queue, p, job)
    assert not is_alive(running.process.pid)
    assert ended.state == "stopped"
    assert isinstance(shown[0], LiveAssembly)
    assert set(places(jobs_queue, p).values()) == {0}
    assert by_hand in running.store.state().board.placed


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("request_", [MuseumSortRequest(), MuseumSolveRequest()])
def test_a_job_that_has_nothing_to_keep_ends_a_second_after_the_stop_with_all_its_processes(
    jobs_queue, monkeypatch, request_
):
    monkeypatch.setattr(queue, "PATIENCE", SECONDS)
    p = jobs_queue.projects[0]
    job = jobs_queue.submit(p, request_)
    folder = jobs_queue._running[p].store.folder
    until((folder / "two").exists)
    jobs_queue.stop(p, job.job)
    assert wait(jobs_queue, p, job).state == "stopped"  # once nobody holds its output open
    assert not list((folder / "work").glob("*.log"))


@pytest.mark.usefixtures("stand_in")
def test_a_crashed_worker_says_so_and_the_next_job_runs(jobs_queue):
    p = jobs_queue.projects[0]
    job = jobs_queue.submit(p, ENDLESS)
    after = jobs_queue.submit(p, SolveRequest(settings=QUICK))
    until(jobs_queue.hub.lives)
    os.kill(jobs_queue._running[p].process.pid, signal.SIGKILL)
    failed = wait_for_end(jobs_queue, p, job)
    assert (failed.state, failed.error) == ("failed", Problem.of(CRASHED))
    assert wait(jobs_queue, p, after).state == "done"


def wait_for_end(queue, project, job):
    until(lambda: queue.job(project, job.job).state not in ("queued", "running"))
    return queue.job(project, job.job)


def test_a_worker_ends_when_the_server_is_gone(jobs_queue):
    store = jobs_queue.workspace.open(jobs_queue.projects[0])
    job = store.new_job(ENDLESS)
    worker = WorkerProcess(store.folder, job.job)
    worker._process.stdin.close()
    assert worker._process.wait(SECONDS) != 0


@pytest.mark.usefixtures("stand_in")
def test_two_projects_at_once_and_one_job_at_a_time_in_each(jobs_queue):
    p, q = jobs_queue.projects
    first, second, other = (
        jobs_queue.submit(*each) for each in ((p, ENDLESS), (p, LIST), (q, ENDLESS))
    )
    assert [jobs_queue.job(p, first.job).state, jobs_queue.job(p, second.job).state] == [
        "running",
        "queued",
    ]
    assert jobs_queue.job(q, other.job).state == "running"
    assert [job.job for _, job in jobs_queue.current(p)][-1] == second.job
    assert jobs_queue.stop(p, second.job).state == "stopped"
    for project, job in ((p, first), (q, other)):
        jobs_queue.stop(project, job.job)
    assert {wait(jobs_queue, p, first).state, wait(jobs_queue, q, other).state} == {"stopped"}


@pytest.mark.usefixtures("stand_in")
def test_jobs_run_in_the_order_in_which_they_came(jobs_queue):
    p, q = jobs_queue.projects
    with opened(jobs_queue.workspace, most=1) as queue:
        jobs = [(project, queue.submit(project, LIST)) for project in (p, q, p)]
        for project, job in jobs:
            wait(queue, project, job)
        begun = [
            (project, job.job)
            for project, event, job in queue.hub.told
            if event == "job" and job.state == "running" and job.step is None
        ]
    assert begun == [(project, job.job) for project, job in jobs]


@pytest.mark.usefixtures("stand_in")
def test_after_a_restart_nothing_hangs_and_results_are_kept(jobs_queue):
    p = jobs_queue.projects[0]
    store = jobs_queue.workspace.open(p)
    lost, kept, waiting = (store.new_job(SolveRequest(settings=QUICK)) for _ in range(3))
    for job in (lost, kept):
        store.put_job(job.model_copy(update={"state": "running", "intake": Intake(new=64)}))
    laid = [ResultTile(file=f"tile_{i + 1}.png", panel=0, row=i, col=0) for i in range(20)]
    save_result(store.folder, kept.job, JobResult(laid=laid, label="solve", source="solve"))
    with opened(jobs_queue.workspace) as queue:
        run_async(queue.start())
        assert queue.job(p, lost.job).error == Problem.of(INTERRUPTED)
        assert queue.job(p, lost.job).intake.new == 64  # what a museum had added by then
        assert queue.job(p, kept.job).state == "done"
        assert set(places(queue, p).values()) == {0}
        assert load_result(store.folder, kept.job) is None
        assert wait(queue, p, waiting).state == "done"


@pytest.mark.usefixtures("stand_in")
def test_closing_the_server_stops_what_runs_and_keeps_what_waits(jobs_queue):
    p = jobs_queue.projects[0]
    with opened(jobs_queue.workspace) as queue:
        job, waiting = queue.submit(p, ENDLESS), queue.submit(p, LIST)
        until(queue.hub.lives)
        pid = queue._running[p].process.pid
    store = jobs_queue.workspace.open(p)
    assert not is_alive(pid)
    assert store.job(job.job).state == "stopped"
    assert store.job(waiting.job).state == "queued"
    assert set(places(jobs_queue, p).values()) == {0}


@pytest.mark.usefixtures("stand_in")
def test_a_project_that_goes_away_takes_its_work_along(stand_in, jobs_queue):
    """Even what was shown already, which an ordinary stop would keep."""
    p = jobs_queue.projects[0]
    jobs_queue.submit(p, ENDLESS)
    jobs_queue.submit(p, LIST)
    until(jobs_queue.hub.lives)
    pid = jobs_queue._running[p].process.pid
    jobs_queue.drop(p)
    assert not is_alive(pid)
    assert jobs_queue.current(p) == []
    assert set(places(jobs_queue, p).values()) == {LOOSE}


@pytest.mark.parametrize("wrong", [{"measure": "nose"}, {"preset": "slow"}])
def test_a_misspelt_name_is_refused_at_once(jobs_queue, wrong):
    with pytest.raises(InvalidRequest, match="There is no"):
        jobs_queue.submit(
            jobs_queue.projects[0], SolveRequest(settings=QUICK.model_copy(update=wrong))
        )
    assert jobs_queue.jobs(jobs_queue.projects[0]) == []


def test_too_many_waiting_jobs_are_refused(jobs_queue, monkeypatch):
    monkeypatch.setattr("azulejar.app.jobs.queue.MOST_WAITING", 2)
    monkeypatch.setattr(jobs_queue, "_most", 0)
    for _ in range(2):
        jobs_queue.submit(jobs_queue.projects[0], LIST)
    with pytest.raises(TooManyRequests):
        jobs_queue.submit(jobs_queue.projects[0], LIST)
