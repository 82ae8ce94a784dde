"""One process changes a collection at a time; the others are told which."""

import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from azulejar.collection.storage.lock import HELD, HOLDER, find_holder, locked
from azulejar.errors import AzulejarError

HOLDS = """
import sys
from pathlib import Path
from azulejar.collection.storage.lock import locked

sys.argv = ["azulejar", "collection", "add", "museum", "crate 7"]
with locked(Path("."), "adds tiles"):
    print("holds it", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that holds the lock of ``tmp_path``."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "holds it\n"
    yield process
    process.kill()
    process.communicate()


def test_it_is_free_before_and_after(tmp_path):
    assert find_holder(tmp_path) is None
    with locked(tmp_path, "adds tiles"):
        assert find_holder(tmp_path).pid == os.getpid()
    assert find_holder(tmp_path) is None
    with pytest.raises(ZeroDivisionError), locked(tmp_path, "adds tiles"):
        raise ZeroDivisionError
    with locked(tmp_path, "adds tiles"):
        pass


def test_the_message_names_the_other(tmp_path, other):
    with pytest.raises(AzulejarError) as refusal, locked(tmp_path, "sorts the tiles"):
        pass
    assert f"another process adds tiles right now: process {other.pid} on this computer" in str(
        refusal.value
    )
    assert "(azulejar collection add museum 'crate 7')" in str(refusal.value)
    assert refusal.value.remedy == "Wait until it has ended, or stop it."
    found = find_holder(tmp_path)
    assert (found.pid, found.host, found.what) == (other.pid, socket.gethostname(), "adds tiles")


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert json.loads((tmp_path / HOLDER).read_text())["pid"] == other.pid
    assert find_holder(tmp_path) is None
    with locked(tmp_path, "adds tiles"):
        assert find_holder(tmp_path).pid == os.getpid()


def test_who_asks_for_the_holder_does_not_hinder(tmp_path):
    """Asking takes the lock for an instant; who wants it tries again."""
    asking = subprocess.Popen(
        [sys.executable, "-c",
         "import sys\nfrom pathlib import Path\n"
         "from azulejar.collection.storage.lock import find_holder\n"
         "print('asks', flush=True)\nwhile True: find_holder(Path('.'))"],
        cwd=tmp_path, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        asking.stdout.readline()
        for _ in range(30):
            with locked(tmp_path, "adds tiles"):
                pass
    finally:
        asking.kill()
        asking.communicate()


def test_the_lock_of_another_computer_is_respected(tmp_path):
    away = {"what": "adds tiles", "pid": 1, "host": "attic", "command": "x", "since": "y"}
    (tmp_path / HOLDER).write_text(json.dumps(away))
    with (
        pytest.raises(AzulejarError, match="process 1 on attic") as refusal,
        locked(tmp_path, "adds tiles"),
    ):
        pass
    assert str(tmp_path / HOLDER) in refusal.value.remedy
    assert find_holder(tmp_path).host == "attic"
    (tmp_path / HOLDER).unlink()
    with locked(tmp_path, "adds tiles"):
        pass


def test_what_cannot_be_read_names_nobody(tmp_path):
    for text in ("", "{", "[]", '{"pid": 1}'):
        (tmp_path / HOLDER).write_text(text)
        assert find_holder(tmp_path) is None
        with locked(tmp_path, "adds tiles"):
            pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / HELD).mkdir()
    with pytest.raises(AzulejarError, match="Could not write into"), locked(tmp_path, "adds"):
        pass
