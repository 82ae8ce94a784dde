"""Rank-1 of the measures: on the MIT set against the published values, and on real panels.

python benchmarks/ranks.py DATA
DATA holds benchmark/mit_432 and panels/val.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from azulejar.evaluation.contenders import Contender
from azulejar.evaluation.protocol import Panel, find_panels, make_puzzles
from azulejar.evaluation.rank_table import RankTable, rank_puzzles
from tables import origin, table, write_page

MEASURES = ("ssd", "mgc", "l1")
# Gallagher 2012, 432 pieces of 28 px: upright, turned.
PUBLISHED = {"ssd": "79.0 / 74.0", "mgc": "90.2 / 87.9", "l1": "–"}
TRIMS = (0.03, 0.05, 0.07)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    pictures = sorted((options.data / "benchmark" / "mit_432").iterdir())
    mit = ranked([Panel(path, 18, 24) for path in pictures], (0.0,), size=None)
    real = ranked(find_panels(options.data / "panels" / "val"), TRIMS, size=50)
    write_page(
        "ranks.md",
        "# Rank-1 of the measures",
        f"{origin()} Fraction in % of the edges with a true neighbour whose best-scored partner "
        "is that neighbour, upright / turned, averaged over pictures; ties count as "
        "misses.",
        "## MIT set, 20 pictures of 432 tiles, 28 px",
        table(
            ["measure", "ours", "published"],
            [[name, both(mit, name, 0.0), PUBLISHED[name]] for name in MEASURES],
        ),
        "## Real azulejo panels (`val`, 8 panels), tiles trimmed and resampled to 50 px",
        table(
            ["trim", *MEASURES],
            [[f"{trim:.0%}", *(both(real, name, trim) for name in MEASURES)] for trim in TRIMS],
        ),
    )


def ranked(panels: Sequence[Panel], trims: Sequence[float], size: int | None) -> RankTable:
    contenders = [Contender.of(name) for name in MEASURES]
    return rank_puzzles(make_puzzles(panels, trims, size=size), contenders)


def both(ranks: RankTable, measure: str, trim: float) -> str:
    return " / ".join(f"{ranks.rank_1(measure, trim, upright):.1f}" for upright in (True, False))


if __name__ == "__main__":
    main()
