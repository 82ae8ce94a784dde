"""Measure museums, stage by stage, and write the page of results.

python benchmarks/museum/measure.py MUSEUM… WORK [--again STAGE…]

WORK/NAME holds the collection of the museum NAME, what each stage printed, and record.json. A stage
that is done is left as it is, so that a run that was stopped goes on; a stage that was stopped
begins anew, or its time would be too short. --again does a stage anew, and all that follow from it.
"""

import argparse
import csv
import json
import os
import platform
import sys
from datetime import date
from pathlib import Path

from show import read_records, show
from watch import watch

from azulejar.system.atomic import replacing
from azulejar.system.threads import thread_count
from azulejar.version import __version__

TIMED = ("add", "index", "search", "find", "group", "solve")
ORDER = (
    "add", "index", "search", "recall", "find", "group", "grouping", "solve", "alone", "accuracy",
)  # fmt: skip
FROM_GROUPS = ("group", "grouping", "solve", "accuracy")


class StageError(Exception):
    """A stage that did not end well; what was done before it is kept."""


def measure(museum: Path, folder: Path, again: list[str]) -> None:
    """Do all stages that are not done, each kept in ``folder``/record.json at once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "record.json"
    record = json.loads(path.read_text()) if path.exists() else _described(museum)
    for stage in _outdated(again):
        record["done"].pop(stage, None)
    for stage in ORDER:
        if stage in record["done"]:
            continue
        print(f"{museum.name}: {stage}", flush=True)
        record["done"][stage] = _run(stage, museum, folder)
        record["disk"] = sum(
            file.stat().st_size for file in (folder / "collection").rglob("*") if file.is_file()
        )
        record["measured"] = f"{date.today()}, azulejar {__version__}, {platform.machine()}, " + (
            f"{thread_count()} threads of {os.cpu_count()} cores"
        )
        _arrange(record)
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(record, indent=1))
        print(f"  {record['done'][stage]}", flush=True)


def _described(museum: Path) -> dict:
    with (museum / "truth.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        "museum": museum.name,
        "tiles": len(rows),
        "panels": len({row["panel"] for row in rows if row["kind"] != "stray"}),
        "crates": len({row["crate"] for row in rows}),
        "done": {},
    }


def _outdated(again: list[str]) -> set[str]:
    """Stages to be done anew: those named, and those that use what these leave."""
    found = set(again)
    for stage in again:
        if stage in ("add", "index", "search"):
            found |= set(ORDER[ORDER.index(stage) + 1 :])
        elif stage in FROM_GROUPS:
            found |= set(FROM_GROUPS[FROM_GROUPS.index(stage) + 1 :])
        elif stage == "alone":
            found.add("accuracy")
    return found


def _run(stage: str, museum: Path, folder: Path) -> dict:
    """What a stage found, its seconds and its memory."""
    log = folder / f"{stage}.log"
    script = str(Path(__file__).with_name("stages.py"))
    done = watch([sys.executable, script, stage, str(museum), str(folder)], log)
    lines = log.read_text(errors="replace").splitlines()
    if done.code != 0:
        raise StageError("\n".join([*lines[-12:], f"The stage {stage} failed; see {log}."]))
    return {
        "seconds": done.seconds,
        "cpu": done.cpu,
        "memory": done.memory,
        "own": done.own,
        **json.loads(lines[-1]),
    }


def _arrange(record: dict) -> None:
    """What the page shows, from what is done."""
    done = record["done"]
    record["stages"] = {stage: done[stage] for stage in TIMED if stage in done}
    if "recall" in done:
        record["recall"], record["index"] = done["recall"]["search"], done["recall"]["index"]
    if "grouping" in done:
        record["grouping"] = done["grouping"]
    if "accuracy" in done:
        record["accuracy"] = done["accuracy"]
        record["real"] = {
            name: {**found, **done["accuracy"]["panels"][name]}
            for name, found in done["grouping"]["panels"].items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("museums", type=Path, nargs="+")
    parser.add_argument("work", type=Path)
    parser.add_argument("--again", nargs="*", default=[], choices=ORDER, metavar="STAGE")
    given = parser.parse_args()
    failed = False
    for museum in given.museums:
        try:
            measure(museum, given.work / museum.name, given.again)
        except StageError as error:
            failed = True
            print(error)
        show(*read_records(given.work))
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
