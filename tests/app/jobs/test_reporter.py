"""The lines of a worker: times that can be believed, errors that give nothing away."""

import io
import json
from types import SimpleNamespace

import pytest

from azulejar.app.jobs import reporter as module
from azulejar.app.jobs.reporter import Reporter
from azulejar.app.schemas.jobs import DemoRequest, Job
from azulejar.errors import AzulejarError


@pytest.fixture
def clock(monkeypatch):
    """The time that a reporter sees, in seconds."""
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    return now


@pytest.fixture
def report(clock, tmp_path):
    """A reporter, and a function for its latest line."""
    out = io.StringIO()
    reporter = Reporter(Job(job=1, request=DemoRequest(), state="running"), out, tmp_path)
    reporter.latest = lambda: json.loads(out.getvalue().splitlines()[-1])["job"]
    return reporter


def test_the_time_left_never_rises(report, clock):
    """Not even where the work slows down: then it is left out."""
    report.step("scoring")
    shown = []
    for second in range(1, 60):
        clock.seconds += 1
        report.fraction(second / 100 if second < 30 else 0.3 + (second - 30) / 1000)
        shown.append(report.latest().get("seconds_left"))
    told = [each for each in shown if each is not None]
    assert told == sorted(told, reverse=True)
    assert 65 < told[20] < 120
    assert shown[-1] is None
    report.step("solving")
    assert "seconds_left" not in report.latest()


def test_errors_name_files_without_their_folder(report, tmp_path):
    photograph = tmp_path / "photographs" / "IMG 1.jpg"
    error = AzulejarError("no", "{path} is bad.", "Look at {path}.", path=str(photograph))
    report.note_error(error)
    report.failed(error)
    job = report.latest()
    assert job["error"]["problem"] == "IMG 1.jpg is bad."
    assert job["error"]["values"] == {"path": "IMG 1.jpg"}
    assert str(tmp_path) not in json.dumps(job)
