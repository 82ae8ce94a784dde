"""The figures of all museums as a plot and as a plain table."""

import csv
import sys
from pathlib import Path

import numpy as np
from fit import power_law

sys.path.append(str(Path(__file__).parents[1]))
from azulejar.system.atomic import replacing
from tables import RESULTS

STAGES = {
    "add": "add: read, check, encode, store",
    "index": "index",
    "search": "search for all edges",
    "group": "group",
    "solve": "solve all groups",
    "find": "find: one edge, index open",
}
GIGA = 2**30

Record = dict  # what `measure.py` keeps of one museum


def series(records: list[Record], stage: str, what: str) -> tuple[list[int], list[float]]:
    """Return the sizes at which a stage was measured, and its seconds or bytes there."""
    found = [(r["tiles"], r["stages"][stage][what]) for r in records if stage in r["stages"]]
    return [tiles for tiles, _ in found], [value for _, value in found]


def plot(records: list[Record]) -> None:
    """Plot seconds and memory of each stage by tiles, with the fitted growth up to a million."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for stage, name in STAGES.items():
        for axis, what, unit in zip(axes, ("seconds", "memory"), (1, GIGA), strict=True):
            sizes, values = series(records, stage, what)
            if not sizes:
                continue
            (line,) = axis.loglog(sizes, np.array(values) / unit, "o", label=name.split(":")[0])
            if len(sizes) > 1:
                scale, power = power_law(sizes, values)
                far = np.array([min(sizes), 1_000_000.0])
                axis.loglog(far, scale * far**power / unit, "--", lw=1, color=line.get_color())
    for axis, label in zip(axes, ("seconds", "GB at the peak"), strict=True):
        axis.set_xlabel("tiles")
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    with replacing(RESULTS / "museum.png") as temporary:
        figure.savefig(temporary, format="png", dpi=110)
    plt.close(figure)


def write_csv(records: list[Record]) -> None:
    """Write every figure on a line of its own."""
    with replacing(RESULTS / "museum.csv") as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["tiles", "part", "name", "value"])
        for record in records:
            for part in ("stages", "recall", "index", "grouping", "accuracy", "real"):
                for name, value in _flat(record.get(part, {})):
                    writer.writerow([record["tiles"], part, name, value])


def _flat(tree: dict, before: str = "") -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for key, value in tree.items():
        name = f"{before}{key}"
        found += _flat(value, name + " / ") if isinstance(value, dict) else [(name, value)]
    return found
