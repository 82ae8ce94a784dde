"""Try hostile input on every command and write docs/results/hostile.md.

    python benchmarks/hostile.py --tries 20000

The cases are those of tests/hostile, of which the tests try a few hundred. A module beside them
with ``prepare`` and ``KINDS`` (see tests/hostile/trying.py) is tried too if --modules names it.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RUN = ROOT / "tests" / "hostile" / "run.py"
PAGE = ROOT / "docs" / "results" / "hostile.md"
BATCH = 250  # tries in one process
KINDS = {  # of faults, as tests/hostile/trying.py names them
    "traceback": "tracebacks, raw warnings and refusals without a sentence",
    "crash": "crashes of the process",
    "over the limit": "answers over 20 s of processor time or 3 GB of memory",
    "half-written": "half-written results taken for whole, and leftovers after a refusal",
}


def run_batch(seed: int, modules: list[str]) -> dict[str, Any]:
    """Run one batch in a process of its own."""
    ended = subprocess.run(
        [sys.executable, RUN, str(seed), str(BATCH), *modules],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return json.loads(ended.stdout.splitlines()[-1])


def write_page(batches: list[dict[str, Any]], seed: int, seconds: float) -> None:
    """Write the page of results."""
    tried: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for each in batches:
        tried.update(each["tried"])
        faults.update(fault["fault"] for fault in each["faults"])
    total = sum(tried.values())
    lines = [
        "# Hostile input",
        "",
        "Damaged and impossible pictures, scores, JSON, tables, models and names, full disks and "
        "kills, made up by a seeded generator (`tests/hostile`) and given to the commands. Each "
        "try runs in a process of its own, under limits of time and memory.",
        "",
        f"`python benchmarks/hostile.py --tries {total} --seed {seed}`, {seconds / 60:.0f} min: "
        f"the slowest answer took {max(each['slowest'] for each in batches):.1f} s of processor "
        f"time, the largest process had {max(each['largest'] for each in batches) / 2**20:.0f} MB.",
        "",
        "| | |",
        "| --- | --- |",
        f"| tries | {total:,} |",
        *(f"| {name} | {faults[kind]:,} |" for kind, name in KINDS.items()),
        "",
        "Commands acknowledge nothing before they end; that collections and the server lose no "
        "action that they acknowledged is tried by their own tests in `tests/hostile`.",
        "",
        "| kind of input | tries |",
        "| --- | --- |",
        *(f"| {kind} | {count:,} |" for kind, count in sorted(tried.items())),
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    """Run batches side by side until enough was tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1000, help="of the first batch")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=None, help="begin no batch after these")
    parser.add_argument("--modules", nargs="+", default=["commands"])
    options = parser.parse_args()
    started = time.perf_counter()
    batches: list[dict[str, Any]] = []

    def work(number: int) -> None:
        if options.seconds is None or time.perf_counter() - started < options.seconds:
            batches.append(run_batch(options.seed + number, options.modules))
            for fault in batches[-1]["faults"]:
                print(json.dumps({"seed": options.seed + number} | fault), flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, range(-(-options.tries // BATCH))))
    write_page(batches, options.seed, time.perf_counter() - started)


if __name__ == "__main__":
    main()
