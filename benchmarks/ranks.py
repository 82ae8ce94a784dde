"""Rank-1 of the measures: on the MIT set against the published values, and on real panels.

python benchmarks/ranks.py DATA
DATA holds benchmark/mit_432 and panels/val.
"""

import argparse
from pathlib import Path

import numpy as np

from azulejar import Assembly, TileSet, get_measure
from azulejar.evaluation.ranks import rank_1
from azulejar.imaging.picture import read_picture
from azulejar.imaging.puzzle import cut, make_puzzle
from tables import origin, table, write_page

MEASURES = ("ssd", "mgc", "l1")
# Gallagher 2012, 432 pieces of 28 px: upright, turned.
PUBLISHED = {"ssd": "79.0 / 74.0", "mgc": "90.2 / 87.9", "l1": "–"}
TRIMS = (0.03, 0.05, 0.07)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    mit = [
        (cut(read_picture(path), 18, 24), 18, 24)
        for path in sorted((options.data / "benchmark" / "mit_432").iterdir())
    ]
    rows = [[name, ranks(name, mit), PUBLISHED[name]] for name in MEASURES]
    head = ["trim", *MEASURES]
    real = [[f"{trim:.0%}", *(ranks(n, panels(options.data, trim)) for n in MEASURES)]
            for trim in TRIMS]  # fmt: skip
    write_page(
        "ranks.md",
        "# Rank-1 of the measures",
        f"{origin()} Fraction in % of the edges with a true neighbour whose best-scored partner "
        "is that neighbour, upright / turned, averaged over pictures; ties count as "
        "misses.",
        "## MIT set, 20 pictures of 432 tiles, 28 px",
        table(["measure", "ours", "published"], rows),
        "## Real azulejo panels (`val`, 8 panels), tiles trimmed and resampled to 50 px",
        table(head, real),
    )


def panels(data: Path, trim: float) -> list[tuple[np.ndarray, int, int]]:
    found = []
    for path in sorted((data / "panels" / "val").glob("*.jpg")):
        rows, cols = (int(number) for number in path.stem.split("__")[1].split("x"))
        found.append((cut(read_picture(path), rows, cols, trim, 50), rows, cols))
    return found


def ranks(measure: str, puzzles: list[tuple[np.ndarray, int, int]]) -> str:
    means = []
    for upright in (True, False):
        values = []
        for cells, rows, cols in puzzles:
            pixels, truth = make_puzzle(cells, rows, cols, turned=not upright, seed=0)
            values.append(rank(measure, pixels, truth, upright))
        means.append(f"{100 * np.mean(values):.1f}")
    print(measure, means, flush=True)
    return " / ".join(means)


def rank(measure: str, pixels: np.ndarray, truth: Assembly, upright: bool) -> float:
    tiles = TileSet(pixels, tuple(str(i) for i in range(len(pixels))))
    scores = get_measure(measure).score(tiles, upright=upright, post=())
    return rank_1(scores, truth, upright=upright)


if __name__ == "__main__":
    main()
