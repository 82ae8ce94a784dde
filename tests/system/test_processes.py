"""Workers come and go, and leave our own settings alone."""

import os
import signal
import threading
from multiprocessing.connection import Connection

import pytest

from azulejar.system.processes import dismiss, hire

life = Connection.recv  # waits for a word, which any process can do


@pytest.fixture
def worker():
    worker = hire(life)
    yield worker
    dismiss([worker])
    assert not worker.process.is_alive()


def test_one_that_was_killed_is_noticed_by_who_listens(worker):
    os.kill(worker.process.pid, signal.SIGKILL)
    with pytest.raises(EOFError):
        worker.listen()
    assert worker.process.exitcode == -signal.SIGKILL
    worker.give("too late")


def test_one_that_never_listened_goes_when_told(worker):
    dismiss([worker])
    assert worker.process.exitcode is not None


def test_our_own_settings_stay(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = signal.getsignal(signal.SIGINT)
    dismiss([hire(life)])
    assert signal.getsignal(signal.SIGINT) is before
    assert os.environ["AZULEJAR_THREADS"] == "7"
    assert "OMP_NUM_THREADS" not in os.environ


def test_other_threads_may_hire():
    hired = []
    thread = threading.Thread(target=lambda: hired.append(hire(life)))
    thread.start()
    thread.join()
    assert hired[0].process.is_alive()
    dismiss(hired)
