"""Write docs/results/museum.md, museum.csv, museum.png and docs/million.md from what was measured.

python benchmarks/museum/show.py WORK

Museums are recognized by their names: NUMBER is one of the main series, alike_NUMBER was made with
--alike; others, such as those for choosing settings, are not shown.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from drawing import GIGA, STAGES, Record, plot, series, write_csv
from fit import power_law
from million import million_page

sys.path.append(str(Path(__file__).parents[1]))
from tables import table, write_page

SIZES = (1000, 3000, 10_000, 30_000, 100_000)
OLD_ENCODER = "swift"
FOR_A_MILLION = 4  # sizes with one encoder from which a million tiles are foretold
KINDS = {"unseen": "unseen pictures", "seen": "crowd, seen in training", "real": "real panels"}


def show(records: list[Record], alike: list[Record]) -> None:
    """Write all pages from the records of the main museums and of those all in one blue."""
    if not records:
        return
    write_csv(records)
    present = [each for each in records if not _is_older(each)]
    plot(present)
    write_page(
        "museum.md",
        "# A whole museum",
        _opening(records),
        "## Against the targets",
        _targets(records),
        "## Stages",
        "Each stage is a process of its own with all its children. *Time* is wall-clock time, "
        "*processors* the CPU time of all cores together. *Memory* is the peak of the proportional "
        "set "
        "size, mapped files included (in brackets: without them, since the system can evict those "
        "when it needs memory).",
        _stages(records),
        *_notes(records),
        "![Seconds and memory of each stage, by tiles](museum.png)",
        "Fitted growth, a · n^b, with the present encoder:",
        _fits(present),
        "## Search",
        "How often the true neighbour is among the first of the whole collection: share of the "
        "edges that have one there. The index is compared with an exact one on a sample of edges: "
        "share of the exact "
        "index's first 10 and 32 that the one in use finds too.",
        _recall(records),
        "## Groups",
        "*Pure*: of the tiles of panels that are in a group, those in one whose majority is of "
        "their panel. *Of all*: the same share of all tiles of panels, so that a tile left out "
        "counts as lost. *Complete*: mean over panels of the share that lies together in the "
        "panel's best group. "
        "*Parts*: groups of two tiles or more that a panel fell into.",
        _grouping(records),
        _strays(records),
        "## Panels",
        "Neighbour accuracy: of the true joints of a panel, those that the assemblies have; mean "
        "over panels. *Alone*: the same tiles of each panel, and no others, put together by the "
        "same solver from the same descriptions.",
        _accuracy(records),
        *_real(records),
        *_alike(alike),
    )
    if len(present) >= FOR_A_MILLION:
        write_page("../million.md", *million_page(present))


def _opening(records: list[Record]) -> str:
    command = "`python benchmarks/museum/measure.py {} WORK`, {}"
    listed = [
        [f"{r['tiles']:,}", r["panels"], r["crates"], command.format(r["museum"], r["measured"])]
        for r in records
    ]
    return "\n\n".join(
        [
            "`python benchmarks/museum/make.py` makes a museum, and says how to call it for each "
            "of these; `measure.py` measures it, and `show.py WORK` writes this page.",
            "A museum is made of pictures: panels of 40 to 400 tiles (log-uniform) cropped without "
            "overlap, 72 % turned blue or manganese on white and 12 % partly, each tile cut from "
            "its own pixels alone, aged alone (strength 0.7 to 1.3), trimmed 3 %, turned, 10 % of "
            "each panel missing, 5 % strays, all shuffled over crates of 30, 64 to 100 px a tile. "
            "Photographs are not chosen by what they show: some panels are little but sky or "
            "water, which no painter would have sold and nobody can put together.",
            "Kept apart: the network was trained on `data/pictures` and `panels/train`, never on "
            "the 66 photographs of the standard sets nor on `panels/val`. Museums of up to 10,000 "
            "tiles are made of those 66 photographs alone. The larger ones hold the same 10,000 "
            "tiles, the eight real panels of `val`, whole, and a crowd from `data/pictures`; "
            "figures are of the unseen pictures unless a row says otherwise. Thresholds and "
            "calibration were set on other museums of seen pictures, and on this crowd.",
            table(["tiles", "panels", "crates", "measured"], listed),
            *_older(records),
        ]
    )


def _older(records: list[Record]) -> list[str]:
    """Say which museums were measured with the encoder that no longer ships, if any."""
    old = [f"{r['tiles']:,}" for r in records if _is_older(r)]
    if not old:
        return []
    return [
        f"The museums of {' and '.join(old)} tiles were measured with the encoder `{OLD_ENCODER}`, "
        "which no longer ships and has the shape of the present one, before searches ended with "
        "[annealing](annealing.md), before the scores heeded that an edge has [one neighbour at "
        "most](../methods.md#the-learned-measure), and before panels kept the outer sides of a "
        "frame apart. Their columns are not to be compared with the others."
    ]


def _is_older(record: Record) -> bool:
    return OLD_ENCODER in record["measured"]


def _targets(records: list[Record]) -> str:
    """Return the figures that have targets, each beside its target."""
    rows: list[tuple[str, dict[int, str], Callable[[Record], str]]] = [
        ("encode and index", {1000: "≤ 20 s", 10_000: "≤ 3 min", 100_000: "≤ 30 min"},
         lambda r: _time(_sum(r, "add", "index"))),
        ("search for all edges", {10_000: "≤ 1 min", 100_000: "≤ 15 min"},
         lambda r: _time(_seconds(r, "search"))),
        ("memory at the peak", {1000: "≤ 1 GB", 10_000: "≤ 2 GB", 100_000: "≤ 8 GB"},
         lambda r: f"{max(s['memory'] for s in r['stages'].values()) / GIGA:.1f} GB"),
        ("true neighbour among the first 10", {100_000: "≥ 60 %"},
         lambda r: _share(r, "recall", "unseen", "first 10")),
        ("tiles in a group whose majority is theirs, of those in groups",
         {1000: "≥ 95 %", 10_000: "≥ 95 %", 100_000: "≥ 90 %"},
         lambda r: _share(r, "grouping", "unseen", "purity")),
        ("the same, of all tiles of panels", {},
         lambda r: _share(r, "grouping", "unseen", "kept")),
        ("neighbour accuracy against the panels alone",
         {1000: "≥ −3", 10_000: "≥ −5", 100_000: "≥ −8"}, _loss),
        ("find: one edge of the collection", {100_000: "≤ 2 s"},
         lambda r: _time(_seconds(r, "find"))),
    ]  # fmt: skip
    lines = []
    for name, target, figure in rows:
        cells = []
        for record in records:
            wanted = target.get(_nominal(record))
            cells.append(figure(record) + (f" ({wanted})" if wanted else ""))
        lines.append([name, *cells])
    return table(["target in brackets", *(f"{r['tiles']:,}" for r in records)], lines)


def _stages(records: list[Record]) -> str:
    rows = []
    for stage, name in STAGES.items():
        found = [r["stages"].get(stage, {}) for r in records]
        if any(found):
            rows.append([name, "time", *(_time(one.get("seconds")) for one in found)])
            rows.append(["", "processors", *(_time(one.get("cpu")) for one in found)])
            rows.append(["", "memory", *(_memory(one) for one in found)])
    rows.append(["collection on disk", "", *(f"{r['disk'] / GIGA:.2f} GB" for r in records)])
    return table(["stage", "", *(f"{r['tiles']:,}" for r in records)], rows)


def _notes(records: list[Record]) -> list[str]:
    notes = {
        f"At {r['tiles']:,} tiles: {found['note']}"
        for r in records
        for found in r["stages"].values()
        if "note" in found
    }
    return [" ".join(sorted(notes, key=len))] if notes else []


def _fits(records: list[Record]) -> str:
    rows = []
    for stage, name in STAGES.items():
        for what in ("seconds", "memory"):
            sizes, values = series(records, stage, what)
            if len(sizes) > 1:
                scale, power = power_law(sizes, values)
                rows.append([name, what, f"{scale:.3g}", f"{power:.2f}", len(sizes)])
    return table(["stage", "", "a", "b", "sizes"], rows)


def _recall(records: list[Record]) -> str:
    rows = []
    for r in records:
        for kind, name in KINDS.items():
            if kind in r.get("recall", {}):
                shares = [_share(r, "recall", kind, f"first {k}") for k in (1, 10, 32)]
                rows.append([f"{r['tiles']:,}", name, f"{r['recall'][kind]['edges']:,}", *shares,
                             *(_share(r, "index", f"first {k}") for k in (10, 32))])  # fmt: skip
    head = ["tiles", "", "edges", "first 1", "first 10", "first 32", "index 10", "index 32"]
    return table(head, rows)


def _grouping(records: list[Record]) -> str:
    rows = []
    for r in records:
        for kind, name in KINDS.items():
            found = r.get("grouping", {}).get(kind)
            if found:
                shares = (
                    _share(r, "grouping", kind, f) for f in ("purity", "kept", "completeness")
                )
                rows.append([f"{r['tiles']:,}", name, found["panels"], *shares,
                             f"{found['parts']:.1f}"])  # fmt: skip
    return table(["tiles", "", "panels", "pure", "of all", "complete", "parts"], rows)


def _strays(records: list[Record]) -> str:
    rows = [
        [f"{r['tiles']:,}", r["grouping"]["groups"], r["grouping"]["strays"]["strays"],
         _share(r, "grouping", "strays", "found"), _share(r, "grouping", "strays", "true")]
        for r in records if "grouping" in r
    ]  # fmt: skip
    return table(["tiles", "groups", "strays", "told apart", "strays among those left out"], rows)


def _accuracy(records: list[Record]) -> str:
    rows = []
    for r in records:
        for kind, name in KINDS.items():
            found = r.get("accuracy", {}).get(kind)
            if found:
                shares = (_share(r, "accuracy", kind, which) for which in ("museum", "alone"))
                rows.append([f"{r['tiles']:,}", name, found["panels"], *shares, _loss(r, kind)])
    return table(["tiles", "", "panels", "in the museum", "alone", "points"], rows)


def _real(records: list[Record]) -> list[str]:
    """Return how much of each real panel is found in the largest crowd."""
    measured = [r for r in records if r.get("real")]
    if not measured:
        return []
    largest = measured[-1]
    rows = [
        [name, f["tiles"], f"{f['completeness']:.1%}", f"{f['museum']:.1%}", f"{f['alone']:.1%}"]
        for name, f in largest["real"].items()
    ]
    return [
        f"## Real panels in a crowd of {largest['tiles']:,} tiles",
        "*Together*: the share of the panel that lies in its best group; the three parts of "
        "`saobento_procession` are one scene, so a group may hold all of them.",
        table(["panel", "tiles", "together", "neighbour accuracy", "alone"], rows),
    ]


def _alike(records: list[Record]) -> list[str]:
    """Return the same figures for museums whose panels differ in nothing but the picture."""
    if not records:
        return []
    return [
        "## All in the same blue",
        "The same panels once more, all painted in one and the same blue on white, equally worn "
        "and photographed at the same size (`--alike`): here neither colour nor wear tells panels "
        "apart. It shows how much of the above is owed to that.",
        _recall(records),
        _grouping(records),
        _strays(records),
        _accuracy(records),
    ]


def _nominal(record: Record) -> int:
    return min(SIZES, key=lambda size: abs(np.log(size / record["tiles"])))


def _seconds(record: Record, stage: str) -> float | None:
    return record["stages"].get(stage, {}).get("seconds")


def _sum(record: Record, *stages: str) -> float | None:
    found = [_seconds(record, stage) for stage in stages]
    return None if None in found else sum(filter(None, found))


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 10:
        return f"{seconds:.2g} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def _memory(stage: dict) -> str:
    if not stage:
        return "–"
    return f"{stage['memory'] / GIGA:.2f} GB ({stage['own'] / GIGA:.2f})"


def _share(record: Record, *keys: str) -> str:
    value: object = record
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return f"{value:.1%}" if isinstance(value, float) else "–"


def _loss(record: Record, kind: str = "unseen") -> str:
    found = record.get("accuracy", {}).get(kind)
    return f"{100 * (found['museum'] - found['alone']):+.1f}" if found else "–"


def read_records(work: Path) -> tuple[list[Record], list[Record]]:
    """Return the records of `measure.py` for the main museums and for those alike, by size."""
    found: tuple[list[Record], list[Record]] = ([], [])
    for path in work.glob("*/record.json"):
        record = json.loads(path.read_text())
        name = re.fullmatch(r"(alike_)?\d+", record["museum"])
        if name and record.get("stages"):
            found[bool(name[1])].append(record)
    return tuple(sorted(some, key=lambda record: record["tiles"]) for some in found)


if __name__ == "__main__":
    show(*read_records(Path(sys.argv[1])))
