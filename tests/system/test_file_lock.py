"""A lock on a file: one at a time, and free again when its process has died."""

import signal
import subprocess
import sys
import threading

import pytest

from azulejar.system.file_lock import try_lock

HOLDS = """
import sys
from azulejar.system.file_lock import try_lock

lock = try_lock("lock")
print("taken", flush=True)
sys.stdin.read()
"""


def test_one_at_a_time(tmp_path):
    first = try_lock(tmp_path / "lock")
    assert try_lock(tmp_path / "lock") is None
    first.release()
    second = try_lock(str(tmp_path / "lock"))
    assert second is not None
    second.release()


def test_another_thread_may_release_it(tmp_path):
    lock = try_lock(tmp_path / "lock")
    thread = threading.Thread(target=lock.release)
    thread.start()
    thread.join()
    again = try_lock(tmp_path / "lock")
    assert again is not None
    again.release()


def test_a_killed_process_leaves_no_lock(tmp_path):
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert other.stdout.readline() == "taken\n"
        assert try_lock(tmp_path / "lock") is None
        other.send_signal(signal.SIGKILL)
        other.wait()
        lock = try_lock(tmp_path / "lock")
        assert lock is not None
        lock.release()
    finally:
        other.kill()
        other.communicate()


def test_a_place_that_cannot_be_locked(tmp_path):
    (tmp_path / "lock").mkdir()
    with pytest.raises(OSError, match="lock"):
        try_lock(tmp_path / "lock")
