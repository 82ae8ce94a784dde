"""Measure museums, stage by stage, and write the page of results.

python benchmarks/museum/measure.py MUSEUM… WORK [--again STAGE…]

WORK/NAME holds the collection of the museum NAME, the output of each stage, and record.json. A
stopped run resumes after the last finished stage; a stopped stage starts again, or its time would
be too short. --again repeats a stage and all that depend on it.
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

from azulejar.collection.intake.encoding import MODEL
from azulejar.system.atomic import replacing
from azulejar.system.threads import thread_count
from azulejar.version import __version__
from azulejar.weights import weights_mark

TIMED = ("add", "index", "search", "find", "group", "solve")
ORDER = (
    "add", "index", "search", "recall", "find", "group", "grouping", "solve", "alone", "accuracy",
)  # fmt: skip
FROM_GROUPS = ("group", "grouping", "solve", "accuracy")


class StageError(Exception):
    """A stage failed; the results of earlier stages are kept."""


def measure(museum: Path, folder: Path, again: list[str]) -> None:
    """Run all unfinished stages, each recorded in ``folder``/record.json at once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "record.json"
    record = json.loads(path.read_text()) if path.exists() else _describe(museum)
    for stage in _outdated_stages(again):
        record["done"].pop(stage, None)
    for stage in ORDER:
        if stage in record["done"]:
            continue
        print(f"{museum.name}: {stage}", flush=True)
        record["done"][stage] = _run(stage, museum, folder)
        record["disk"] = sum(
            file.stat().st_size for file in (folder / "collection").rglob("*") if file.is_file()
        )
        record["measured"] = (
            f"{date.today()}, azulejar {__version__}, weights {MODEL} {weights_mark(MODEL)}, "
            f"{platform.machine()}, {thread_count()} threads of {os.cpu_count()} cores"
        )
        _arrange(record)
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(record, indent=1))
        print(f"  {record['done'][stage]}", flush=True)


def _describe(museum: Path) -> dict:
    with (museum / "truth.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        "museum": museum.name,
        "tiles": len(rows),
        "panels": len({row["panel"] for row in rows if row["kind"] != "stray"}),
        "crates": len({row["crate"] for row in rows}),
        "done": {},
    }


def _outdated_stages(again: list[str]) -> set[str]:
    """Return the stages to repeat: those named, and those that depend on them."""
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
    """Run a stage; return what it printed, its seconds and its memory."""
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
    """Return the figures of the page from the finished stages."""
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
