"""The plan for a million tiles, written from the fitted growth of every stage."""

import sys
from pathlib import Path

from fit import polynomial, power_law, predict

sys.path.append(str(Path(__file__).parents[1]))
from tables import table

MILLION = 1_000_000
CORES = 2  # that the figures were measured with
GIGA = 2**30
CORE_HOUR = 0.05  # assumed price in dollars of a rented core with 4 GB, for an hour
DISK_MONTH = 0.10  # the same of a gigabyte of disk, for a month
# Stages whose blocks are independent tasks, so that more cores take less time.
SHARED_OUT = ("add", "search", "solve")
NAMES = {"add": "add", "index": "index", "search": "search", "group": "group", "solve": "solve"}
PLACES = {"one computer of 8 cores": 8, "three office computers of 8 cores": 24,
          "a cluster of 128 cores": 128}  # fmt: skip
REMEDY = {
    "add": "Adding is linear and every block of 64 pictures is a task of its own: give it cores, "
    "or a GPU. It is resumable, "
    "so it can also run for a few nights.",
    "index": "The index is trained and filled by one process. A sample is enough to train it; keys "
    "of half the width (16 bits a number) fill it twice as fast.",
    "search": "Each edge is compared with a fixed share of all others, so time grows with the "
    "square of the tiles. First give it cores: blocks of edges are tasks of their own. Beyond "
    "that, search a smaller share of longer lists and accept the loss of recall, or "
    "search halves of the museum, such as sites or centuries that "
    "never shared a panel, each by itself.",
    "group": "Grouping is one process. Cut the graph first into its connected parts, which are "
    "groups by themselves, or raise the probability below which joints are ignored.",
    "solve": "Every panel is a task of its own, so cores help without limit. Most of what a museum "
    "wants comes first: groups are solved in the order of their evidence.",
}


def million_page(records: list[dict]) -> list[str]:
    """Return the page's paragraphs."""
    hours = {stage: [value / 3600 for value in both] for stage, both in _times(records).items()}
    worst = {stage: max(both) for stage, both in hours.items()}
    gigabytes = _memory(records)
    disk = predict(polynomial(*_sizes(records), 1), MILLION) / GIGA
    sizes = ", ".join(f"{r['tiles']:,}" for r in records)
    return [
        "# A million tiles",
        "What to expect of a museum of a million tiles, some 7,000 panels in 33,000 crates. Nobody "
        f"has measured it: all figures follow from the growth fitted to {sizes} tiles on "
        f"{CORES} cores ([results](results/museum.md), which lists the commands too). `python "
        "benchmarks/museum/show.py WORK` writes this page.",
        "## Hours, memory, disk",
        "Hours are given twice: by a power law through all sizes, and by a polynomial with a "
        "constant, a linear and a quadratic term. Where the two disagree, "
        "the truth is likely between them, and the larger is used below. Memory is a constant "
        "plus a part that grows with the tiles; that of solving depends on the largest panels "
        "alone.",
        table(
            ["stage", f"hours on {CORES} cores", "GB at the peak"],
            [[NAMES[s], _both(hours[s]), f"{gigabytes[s]:.0f}"] for s in hours]
            + [["all", _hours(sum(worst.values())), f"{max(gigabytes.values()):.0f}"]],
        ),
        f"On disk a collection takes {disk:.0f} GB beside the photographs.",
        "## Machines and cost",
        "Adding, searching and solving are split into blocks that any number of workers share "
        "(`--engine ray`); index and grouping run on one machine, which needs the memory above. "
        f"A core is taken at {CORE_HOUR:.2f} dollars an hour, which is an assumption, and cores "
        "are counted as fully used in the stages that are shared.",
        table(["machines", "hours", "dollars of rent"], _machines(worst)),
        f"Keeping the disk costs about {disk * DISK_MONTH:.0f} dollars a month at "
        f"{DISK_MONTH:.2f} dollars a gigabyte.",
        "## What breaks first",
        _breaks(worst, gigabytes),
        "## What to do then",
        "\n".join(f"- **{NAMES[stage]}**: {REMEDY[stage]}"
                  for stage in sorted(worst, key=lambda stage: -worst[stage])),
        "## How far to trust this",
        _trust(records),
    ]  # fmt: skip


def _times(records: list[dict]) -> dict[str, tuple[float, float]]:
    """Return the seconds of each stage at a million, by power law and by polynomial."""
    found = {}
    for stage in NAMES:
        sizes, values = _series(records, stage, "seconds")
        if sizes:
            scale, power = power_law(sizes, values)
            # Two points do not determine three coefficients.
            squared = polynomial(sizes, values, min(2, len(sizes) - 1))
            found[stage] = (scale * MILLION**power, predict(squared, MILLION))
    return found


def _memory(records: list[dict]) -> dict[str, float]:
    found = {}
    for stage in NAMES:
        sizes, values = _series(records, stage, "memory")
        if sizes and stage == "solve":  # what the largest panels need, whatever the museum's size
            found[stage] = max(values) / GIGA
        elif sizes:
            line = polynomial(sizes, values, min(1, len(sizes) - 1))
            found[stage] = predict(line, MILLION) / GIGA
    return found


def _series(records: list[dict], stage: str, what: str) -> tuple[list[int], list[float]]:
    measured = [r for r in records if stage in r["stages"]]
    return [r["tiles"] for r in measured], [r["stages"][stage][what] for r in measured]


def _sizes(records: list[dict]) -> tuple[list[int], list[int]]:
    return [r["tiles"] for r in records], [r["disk"] for r in records]


def _machines(hours: dict[str, float]) -> list[list[str]]:
    rows = []
    for name, cores in {f"this one, {CORES} cores": CORES, **PLACES}.items():
        shared = sum(h for stage, h in hours.items() if stage in SHARED_OUT) * CORES / cores
        alone = sum(h for stage, h in hours.items() if stage not in SHARED_OUT)
        # While one machine indexes or groups, the others need not be rented.
        dollars = (shared * cores + alone * min(cores, 8)) * CORE_HOUR
        rows.append([name, _hours(shared + alone), f"{dollars:.0f}"])
    return rows


def _breaks(hours: dict[str, float], gigabytes: dict[str, float]) -> str:
    slowest = max(hours, key=lambda stage: hours[stage])
    hungriest = max(gigabytes, key=lambda stage: gigabytes[stage])
    share = hours[slowest] / sum(hours.values())
    return (
        f"Time: **{NAMES[slowest]}**, with {_hours(hours[slowest])} hours on {CORES} cores, "
        f"{share:.0%} of all. Memory: **{NAMES[hungriest]}**, with "
        f"{gigabytes[hungriest]:.0f} GB at the peak."
    )


def _trust(records: list[dict]) -> str:
    largest = records[-1]["tiles"]
    return (
        f"A million is {MILLION / largest:.0f} times the largest museum that was measured. "
        "Exact search ends at 50,000 tiles, so the fit of the search joins "
        "two methods. How well neighbours are found and groups are told apart at a million is not "
        "fitted: accidental matches grow with the number of edges, and the results page shows how "
        "much was lost from one size to the next."
    )


def _both(hours: list[float]) -> str:
    low, high = sorted(map(_hours, hours), key=float)
    return low if low == high else f"{low} to {high}"


def _hours(hours: float) -> str:
    return f"{hours:.1f}" if hours < 10 else f"{hours:.0f}"
