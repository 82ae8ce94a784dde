"""What marks on the backs and thickness add to `azulejar sort`, with made-up records.

python benchmarks/marks.py DATA WORK [--split train]
DATA holds panels/val. WORK keeps the scores of every crate, so that a stopped run resumes there.
"""

import argparse
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import crates
from azulejar import Compatibility
from azulejar.core.tiles import Record
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.sorting import Groups, sort_tiles
from tables import origin, table, write_page

TRIMS = (0.05, 0.07)
ERRORS = 0.1  # share of the marks, and of the thicknesses, that are wrong
STEP, SPREAD = 2.0, 0.7  # millimetres between the panels' means, and deviation within one
SEEDS = 5
CRATES = {
    # Five panels of one room with the same painted frame, each with the next.
    "val": [(f"jcar_p{i}", f"jcar_p{i % 5 + 1}") for i in range(1, 6)],
    "train": [
        ("saobento_boats", "saobento_woman"),
        ("almas_e", "almas_crucifix"),
        ("jeronimos_2", "jeronimos_3"),
        ("luzia_left", "luzia_right"),
        ("belem", "talavera", "saobento_girls"),
    ],
}
Truth = NDArray[np.int32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--split", choices=list(CRATES), default="val")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    found = find_panels(options.data / "panels" / options.split)
    panels = {panel.name.split("__")[0]: panel for panel in found}
    rows = []
    for trim in TRIMS:
        for names in CRATES[options.split]:
            truth, scores = score(panels, names, trim, options.work)
            rows.append([", ".join(names), f"{trim:.0%}", len(truth), *measure(truth, scores)])
            print(rows[-1], flush=True)
    if options.split == "val":
        show(rows)


def score(
    panels: dict[str, KnownPanel], names: tuple[str, ...], trim: float, work: Path
) -> tuple[Truth, Compatibility]:
    """Mix the panels of a crate; return the panel of each tile, and the scores."""
    path = work / f"{'+'.join(names)}_{trim:.2f}.pkl"
    if not path.exists():
        crates.TRIM = trim
        crate = crates.mix([crates.load_tiles(panels[name]) for name in names], len(names))
        path.write_bytes(pickle.dumps((crate.truth.panel, crate.score())))
    return pickle.loads(path.read_bytes())


def measure(truth: Truth, scores: Compatibility) -> list[str]:
    """Return the share of tiles that are sorted right, and the number of groups, by record."""
    shown = []
    for make in RECORDS.values():
        runs = [sort_tiles(scores, records=make(truth, np.random.default_rng(seed)))
                for seed in range(SEEDS if make is not nothing else 1)]  # fmt: skip
        share = np.mean([100 * right(truth, groups) for groups in runs])
        numbers = sorted({groups.panels for groups in runs})
        shown.append(f"{share:.1f} ({', '.join(map(str, numbers))})")
    return shown


def right(truth: Truth, groups: Groups) -> float:
    """Return the share of tiles in the group of their panel, one group a panel."""
    shared = np.zeros((truth.max() + 1, groups.panels))
    grouped = groups.panel >= 0
    np.add.at(shared, (truth[grouped], groups.panel[grouped]), 1)
    return float(shared[linear_sum_assignment(-shared)].sum() / len(truth))


def nothing(truth: Truth, random: np.random.Generator) -> list[Record]:
    """Return no records."""
    return []


def made_up(
    mark: bool, thickness: bool, errors: float = ERRORS
) -> Callable[[Truth, np.random.Generator], list[Record]]:
    """Return what makes records: a mark and a mean thickness a panel, some of them wrong."""

    def make(truth: Truth, random: np.random.Generator) -> list[Record]:
        panels = int(truth.max()) + 1
        any_sign = random.integers(panels, size=len(truth))
        signs = np.where(random.random(len(truth)) < errors, any_sign, truth)
        sizes = random.normal(11 + STEP * truth, SPREAD)
        other = random.uniform(9, 13 + STEP * panels, len(truth))
        sizes = np.where(random.random(len(truth)) < errors, other, sizes)
        return [
            Record(
                mark=f"M{sign}" if mark else None,
                thickness=round(size, 1) if thickness else None,
            )
            for sign, size in zip(signs.tolist(), sizes.tolist(), strict=True)
        ]

    return make


RECORDS = {
    "no records": nothing,
    "marks": made_up(True, False),
    "thickness": made_up(False, True),
    "both": made_up(True, True),
    "both, all wrong": made_up(True, True, errors=1.0),
}


def show(rows: list[list]) -> None:
    means = []
    for trim in TRIMS:
        mine = [row[3:] for row in rows if row[1] == f"{trim:.0%}"]
        shares = np.mean([[float(cell.split()[0]) for cell in row] for row in mine], axis=0)
        means.append(["**mean**", f"{trim:.0%}", "", *(f"{share:.1f}" for share in shares)])
    write_page(
        "marks.md",
        "# Marks and thickness in mixed crates",
        f"{origin()} Panels of `val`, turned, sizes and number of panels unknown, measure `dlcm`.",
        "`azulejar sort` with made-up records: each panel has its mark and its mean thickness, "
        f"{STEP:g} mm from the next panel's, tiles deviate by {SPREAD:g} mm; {ERRORS:.0%} of the "
        "marks and of the thicknesses are drawn at random. *All wrong*: every one is. Share of the "
        "tiles in the group of their panel, one group a panel, in %; in brackets, the numbers of "
        f"groups that were found. Means of {SEEDS} draws.",
        table(["crate", "trim", "tiles", *RECORDS], [*rows, *means]),
        "Records part panels of one design that the joints alone take for one. They never join "
        "groups: where the joints find too little, as at 7 %, they do not help, and cost up to 0.7 "
        "points.",
        "How far records are believed was set on panels of `train` (`--split train`); that "
        "agreement does not join was decided after one of these crates (jcar_p1 with jcar_p2) had "
        "been looked at, and the table had ten crates at 7 % alone before it had these five at "
        "both trims.",
    )


if __name__ == "__main__":
    main()
