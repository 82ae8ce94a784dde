"""Rank-1 of the measures on clean photographs: the MIT set, against published values.

python benchmarks/mit_ranks.py DATA/benchmark/mit_432
On real panels: azulejar rank DATA/panels/val -o OUT.
"""

import argparse
from pathlib import Path

from azulejar.evaluation.labelled_measures import LabelledMeasure, any_learned
from azulejar.evaluation.protocol import KnownPanel, make_puzzles
from azulejar.evaluation.ranks import RankTable, rank_puzzles
from tables import origin, table, write_page

# Gallagher 2012, 432 pieces of 28 px: upright, turned.
PUBLISHED = {"ssd": "79.0 / 74.0", "mgc": "90.2 / 87.9"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--measures", nargs="+", default=["ssd", "mgc", "l1", "twin", "dlcm"])
    options = parser.parse_args()
    panels = [KnownPanel(path, 18, 24) for path in sorted(options.pictures.iterdir())]
    puzzles = make_puzzles(panels, (0.0,), size=None)
    measures = [LabelledMeasure.parse(name) for name in options.measures]
    ranks = rank_puzzles(puzzles, measures, on_progress=lambda f: print(f"{f:.1%}", flush=True))
    rows = [[name, both(ranks, name), PUBLISHED.get(name, "–")] for name in options.measures]
    write_page(
        "mit_ranks.md",
        "# Rank-1 on the MIT set",
        origin(learned=any_learned(options.measures)),
        "Fraction in % of the edges with a true neighbour whose best-scored partner is that "
        f"neighbour, upright / turned, mean of {len(panels)} pictures of 432 tiles of 28 px, "
        "untrimmed; ties count as misses.",
        table(["measure", "ours", "published"], rows),
    )


def both(ranks: RankTable, measure: str) -> str:
    return " / ".join(f"{ranks.rank_1(measure, 0.0, upright):.1f}" for upright in (True, False))


if __name__ == "__main__":
    main()
