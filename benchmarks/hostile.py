"""Try hostile input on commands, collections and the server, and write docs/results/hostile.md.

    python benchmarks/hostile.py --tries 20000 --store runs/hostile.jsonl

The cases are those of tests/hostile, of which the tests try a few hundred. Every batch is stored
when it is done: the same command goes on where it was stopped, and the page tells of all of them.
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

from azulejar.evaluation.markdown import describe_run

ROOT = Path(__file__).parents[1]
RUN = ROOT / "tests" / "hostile" / "run.py"
PAGE = ROOT / "docs" / "results" / "hostile.md"
MODULES = ("commands", "collection_cases", "server_cases")
BATCH = 250  # tries in one process
KINDS = {  # of faults, as tests/hostile/trying.py names them
    "traceback": "tracebacks, raw warnings, and refusals without a sentence",
    "crash": "crashes of the process",
    "over the limit": "answers over 20 s of processor time or 3 GB of memory",
    "half-written": "half-written results taken for whole, and leftovers after a refusal",
    "damage": "damage of a collection that is not noticed, or is used or repaired wrongly",
    "lost": "acknowledged actions lost",
}


def run_batch(seed: int, modules: list[str]) -> dict[str, Any]:
    """Run one batch in a process of its own."""
    started = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, RUN, str(seed), str(BATCH), *modules],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if ended.returncode:
        sys.exit(f"the batch of seed {seed} failed:\n{ended.stderr[-3000:]}")
    found = json.loads(ended.stdout.splitlines()[-1])
    return {"seed": seed, "modules": modules, "seconds": time.perf_counter() - started} | found


def read_store(path: Path, modules: list[str]) -> dict[int, dict[str, Any]]:
    """Return the batches of these modules that are stored, by seed."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    batches = [json.loads(line) for line in lines if line.endswith("}")]
    return {each["seed"]: each for each in batches if each["modules"] == modules}


def write_page(batches: list[dict[str, Any]]) -> None:
    """Write the page of results."""
    tried: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for each in batches:
        tried.update(each["tried"])
        faults.update(fault["fault"] for fault in each["faults"])
    total = sum(tried.values())
    seconds = sum(each["seconds"] for each in batches)
    lines = [
        "# Hostile input",
        "",
        "Damaged and impossible pictures, scores, JSON, tables, models and names, full disks and "
        "kills, made up by a seeded generator (`tests/hostile`) and given to the commands; damaged "
        "collections, and writers of collections that are killed; hostile requests, 12 in each "
        "try. Each try runs in a process of its own, under limits of time and memory.",
        "",
        f"{describe_run('python benchmarks/hostile.py', machine=True)} "
        f"Seeds {min(each['seed'] for each in batches)} to "
        f"{max(each['seed'] for each in batches)}: {total:,} tries in {seconds / 60:.0f} minutes "
        f"of one process, {total / seconds:.1f} in a second. The slowest answer took "
        f"{max(each['slowest'] for each in batches):.1f} s of processor time, the largest process "
        f"had {max(each['largest'] for each in batches) / 2**20:.0f} MB.",
        "",
        "| | |",
        "| --- | --- |",
        f"| tries | {total:,} |",
        *(f"| {name} | {faults[kind]:,} |" for kind, name in KINDS.items()),
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
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=None, help="begin no batch after these")
    parser.add_argument("--modules", nargs="+", default=list(MODULES))
    parser.add_argument("--store", type=Path, default=ROOT / "runs" / "hostile.jsonl")
    options = parser.parse_args()
    started = time.perf_counter()
    batches = read_store(options.store, options.modules)
    options.store.parent.mkdir(parents=True, exist_ok=True)

    def work(seed: int) -> None:
        if options.seconds is None or time.perf_counter() - started < options.seconds:
            batches[seed] = run_batch(seed, options.modules)
            with options.store.open("a", encoding="utf-8") as file:
                file.write(json.dumps(batches[seed]) + "\n")
            for fault in batches[seed]["faults"]:
                print(json.dumps({"seed": seed} | fault), flush=True)

    seeds = range(options.seed, options.seed - -options.tries // BATCH)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, [seed for seed in seeds if seed not in batches]))
    if batches:
        write_page(list(batches.values()))


if __name__ == "__main__":
    main()
