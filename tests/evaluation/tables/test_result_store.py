"""What is kept stays, whatever happens to the process; other folders are left alone."""

import os
import sqlite3
import subprocess
import sys

import pytest

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.result_store import (
    MARK,
    check_result_folder,
    open_store,
    result_key,
)

KILLED = """
import os, signal, sys
from pathlib import Path
from azulejar.evaluation.tables.result_store import open_store

with open_store(Path(sys.argv[1])) as store:
    store.put("a", {"x": 1})
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_is_kept_is_recalled(tmp_path):
    with open_store(tmp_path / "new" / "results") as store:
        assert store.get("a") is None
        assert "a" not in store
        store.put("a", {"x": [1, 2.5], "y": "é"})
        assert "a" in store
    with open_store(tmp_path / "new" / "results") as store:
        assert store.get("a") == {"x": [1, 2.5], "y": "é"}
        store.put("a", {})
        assert store.get("a") == {}


def test_it_outlives_a_killed_process(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out")], check=False)
    assert done.returncode == -9
    with open_store(tmp_path / "out") as store:
        assert store.get("a") == {"x": 1}


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(AzulejarError, match="no folder of benchmark results"), open_store(tmp_path):
        pass
    assert os.listdir(tmp_path) == ["thesis.tex"]  # noqa: PTH208
    with pytest.raises(AzulejarError, match="no folder of benchmark results"):
        check_result_folder(tmp_path / "thesis.tex")


def test_new_empty_and_own_folders_are_taken(tmp_path):
    for folder in (tmp_path, tmp_path / "new"):
        check_result_folder(folder)
        with open_store(folder):
            pass
        (folder / "notes.txt").write_text("beside the results")
        check_result_folder(folder)


def test_a_damaged_file_is_told(tmp_path):
    (tmp_path / MARK).write_bytes(b"no database at all" * 100)
    with pytest.raises(AzulejarError, match="cannot be used"), open_store(tmp_path):
        pass


def test_a_database_of_another_program_is_told(tmp_path):
    connection = sqlite3.connect(tmp_path / MARK)
    connection.execute("CREATE TABLE results (name TEXT)")
    connection.close()
    with pytest.raises(AzulejarError, match="cannot be used"), open_store(tmp_path) as store:
        store.get("a")


def test_keys_differ_whenever_anything_does():
    keys = {
        result_key(1, "a"),
        result_key("1", "a"),
        result_key(1, "b"),
        result_key(1, "a", None),
        result_key((1, "a")),
    }
    assert len(keys) == 5
    assert result_key(1, "a") in keys
