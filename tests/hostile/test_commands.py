"""Hostile tries of the commands, of each kind: no traceback, no hanging, nothing half-written."""

import json
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).parent
COUNT = 60  # about 10 s of processor time; benchmarks/hostile.py makes thousands


def test_hostile_input_gets_a_sentence():
    ended = subprocess.run(
        [sys.executable, HOME / "run.py", "1", str(COUNT), "commands"],
        capture_output=True, encoding="utf-8", timeout=600,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["faults"] == []
    assert sum(found["tried"].values()) == COUNT
    assert len(found["tried"]) == 8
