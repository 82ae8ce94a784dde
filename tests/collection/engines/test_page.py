"""The extras that docs/cluster.md names, and Ctrl-C with Ray; test_cluster.py follows the page."""

import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SECONDS = 180
PARENT = """
import sys
from azulejar.collection.engines import get_engine
import chores

with get_engine("ray", workers=1) as engine:
    for _ in engine.map(chores.leave_mark, [sys.argv[1]] * 3):
        pass
"""


@pytest.fixture
def shell(open_shell):
    with open_shell() as shell:
        yield shell


def test_extras_of_the_page_are_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    names = set(re.findall(r"pip install '\.\[(\w+)\]'", page))
    assert names == {"cluster"}
    assert names <= project["optional-dependencies"].keys()


def test_ctrl_c_leaves_no_process_of_ray(shell, until):
    (shell.folder / "parent.py").write_text(PARENT, encoding="utf-8")
    marks = shell.folder / "marks"
    marks.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "parent.py", "marks"],
        cwd=shell.folder,
        env=shell.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        until(lambda: any(marks.iterdir()) or parent.poll() is not None)
        assert len(shell.processes()) > 3
        os.killpg(parent.pid, signal.SIGINT)
        assert parent.wait(SECONDS) != 0
        until(lambda: not shell.processes())
    finally:
        parent.kill()
        parent.wait()
