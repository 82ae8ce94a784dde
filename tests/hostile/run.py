"""Run tries of some modules of cases and print the faults: python run.py SEED COUNT MODULE...

The last line printed is JSON: how many of each kind were tried, and the faults by kind.
"""

import importlib
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from trying import answer_of, fault_in

SHOWN = 1500  # characters of a fault


def run(seed: int, count: int, modules: Sequence[str]) -> dict[str, Any]:
    """Try ``count`` cases of all kinds in turn; the same seed gives the same ones."""
    tried: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    faults: list[dict[str, Any]] = []
    slowest, largest = 0.0, 0
    kinds = []
    with tempfile.TemporaryDirectory(prefix="azulejar-hostile-") as home:
        for name in modules:
            module = importlib.import_module(name)
            module.prepare(Path(home) / "shared" / name)
            slow = getattr(module, "SLOW", set())
            # A slow kind has one turn where another has ten.
            kinds += [
                (each, 1 if each in slow else 10, module.KINDS[each]) for each in module.KINDS
            ]
        turns = [(kind, make) for kind, weight, make in kinds for _ in range(weight)]
        Random(0).shuffle(turns)
        for number in range(count):
            kind, make = turns[number % len(turns)]
            folder = Path(home) / "try"
            folder.mkdir()
            one = make(Random(f"{seed} {number}"), folder)
            answer = answer_of(one)
            fault = fault_in(one, answer)
            tried[kind] += 1
            statuses[f"signal {answer.signal}" if answer.signal else str(answer.status)] += 1
            slowest, largest = max(slowest, answer.seconds), max(largest, answer.memory)
            if fault is not None:
                faults.append({"number": number, "kind": kind, "fault": fault[0],
                               "seen": fault[1][-SHOWN:]})  # fmt: skip
            shutil.rmtree(folder, ignore_errors=True)
    return {"tried": dict(tried), "statuses": dict(statuses), "faults": faults,
            "slowest": slowest, "largest": largest}  # fmt: skip


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    print(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
