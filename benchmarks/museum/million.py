"""The plan for a million tiles, written from the fitted growth of every stage."""

import sys
from pathlib import Path

from fit import power_law, predicted

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
    "add": "Adding is linear and every block of 64 pictures is a task of its own: give it cores "
    "or a GPU. It is resumable, so it can also run for a few nights.",
    "index": "The index is trained and filled by one process. A sample is enough to train it; keys "
    "of half the width (16 bits a number) fill it twice as fast.",
    "search": "Each edge is compared with a fixed share of all others, so time grows with the "
    "square of the tiles. First give it cores: blocks of edges are tasks of their own. Beyond "
    "that, search a smaller share of longer lists and accept what recall that costs, or "
    "search halves of the museum, such as sites or centuries that "
    "never shared a panel, each by itself.",
    "group": "Grouping is one process. Cut the graph first into its connected parts, which are "
    "groups by themselves, or raise the probability below which a joint is not looked at.",
    "solve": "Every panel is a task of its own, so cores help without limit. Most of what a museum "
    "wants comes first: groups are solved in the order of their evidence.",
}


def million_page(records: list[dict]) -> list[str]:
    """The page's paragraphs."""
    times, memory = _laws(records, "seconds"), _laws(records, "memory")
    hours = {stage: predicted(law, MILLION) / 3600 for stage, law in times.items()}
    gigabytes = {stage: predicted(law, MILLION) / GIGA for stage, law in memory.items()}
    disk = sum(r["disk"] for r in records) / sum(r["tiles"] for r in records) * MILLION / GIGA
    sizes = ", ".join(f"{r['tiles']:,}" for r in records)
    slowest = max(hours, key=lambda stage: hours[stage])
    hungriest = max(gigabytes, key=lambda stage: gigabytes[stage])
    return [
        "# A million tiles",
        "What to expect of a museum of a million tiles, some 6,000 panels in 33,000 crates. Nobody "
        f"has measured it: all figures follow from the growth fitted to {sizes} tiles on "
        f"{CORES} cores ([results](results/museum.md), where the commands stand too). "
        "`python benchmarks/museum/show.py WORK` writes this page.",
        "## Hours, memory, disk",
        table(
            ["stage", "time grows as", f"hours on {CORES} cores", "GB at the peak"],
            [[NAMES[s], f"n^{times[s][1]:.2f}", _hours(hours[s]), f"{gigabytes[s]:.0f}"]
             for s in times]
            + [["all", "", _hours(sum(hours.values())), f"{max(gigabytes.values()):.0f}"]],
        ),
        f"On disk a collection takes {disk:.0f} GB beside the photographs.",
        "## Machines and cost",
        "Adding, searching and solving are blocks that any number of workers share out "
        "(`--engine ray`); index and grouping run on one machine, which needs the memory above. "
        f"A core is taken at {CORE_HOUR:.2f} dollars an hour, which is an assumption, and cores "
        "are counted as fully used in the stages that are shared out.",
        table(["machines", "hours", "dollars of rent"], _machines(hours)),
        f"Keeping the disk costs about {disk * DISK_MONTH:.0f} dollars a month at "
        f"{DISK_MONTH:.2f} dollars a gigabyte.",
        "## What breaks first",
        _breaks(slowest, hungriest, times, hours, gigabytes),
        "## What to do then",
        "\n".join(f"- **{NAMES[stage]}**: {REMEDY[stage]}"
                  for stage in sorted(times, key=lambda stage: -hours[stage])),
        "## How far to trust this",
        _trust(records),
    ]  # fmt: skip


def _laws(records: list[dict], what: str) -> dict[str, tuple[float, float]]:
    laws = {}
    for stage in NAMES:
        found = [(r["tiles"], r["stages"][stage][what]) for r in records if stage in r["stages"]]
        # A start of a second or two and the libraries' own memory would flatten the small sizes.
        large = [pair for pair in found if pair[0] > 5000] or found
        if found:
            laws[stage] = power_law(*zip(*(large if len(large) > 1 else found), strict=True))
    return laws


def _machines(hours: dict[str, float]) -> list[list[str]]:
    rows = []
    for name, cores in {f"this one, {CORES} cores": CORES, **PLACES}.items():
        shared = sum(h for stage, h in hours.items() if stage in SHARED_OUT) * CORES / cores
        alone = sum(h for stage, h in hours.items() if stage not in SHARED_OUT)
        # While one machine indexes or groups, the others need not be rented.
        dollars = (shared * cores + alone * min(cores, 8)) * CORE_HOUR
        rows.append([name, _hours(shared + alone), f"{dollars:.0f}"])
    return rows


def _breaks(
    slowest: str,
    hungriest: str,
    times: dict[str, tuple[float, float]],
    hours: dict[str, float],
    gigabytes: dict[str, float],
) -> str:
    share = hours[slowest] / sum(hours.values())
    return (
        f"Time: **{NAMES[slowest]}**, with {_hours(hours[slowest])} hours on {CORES} cores, "
        f"{share:.0%} of all; it grows as n^{times[slowest][1]:.2f}, so ten times the tiles take "
        f"{10 ** times[slowest][1]:.0f} times as long. Memory: **{NAMES[hungriest]}**, with "
        f"{gigabytes[hungriest]:.0f} GB at the peak."
    )


def _trust(records: list[dict]) -> str:
    largest = records[-1]["tiles"]
    return (
        f"A million is {MILLION / largest:.0f} times the largest museum that was measured. The "
        "fits are of sizes above 5,000 tiles where there are two or more, since a program's start "
        "hides the growth below. Exact search ends at 50,000 tiles, so the fit of the search joins "
        "two methods. How well neighbours are found and groups are told apart at a million is not "
        "fitted: chance likenesses grow with the number of edges, and the results page shows how "
        "much was lost from one size to the next."
    )


def _hours(hours: float) -> str:
    return f"{hours:.1f}" if hours < 10 else f"{hours:.0f}"
