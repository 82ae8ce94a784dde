"""Fit the weights of a collection's ensemble, on a museum of pictures that may be tuned on.

python benchmarks/museum/calibrate.py COLLECTION MUSEUM

Prints the numbers for ``CALIBRATION`` in azulejar/collection/search/odds.py, and how well they
hold.
"""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from truth import read_truth

from azulejar.collection.engines import get_engine
from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.search.joint_search import rescore_all
from azulejar.collection.search.odds import CALIBRATION
from azulejar.collection.storage.catalogue import Collection
from azulejar.measures.calibration import log_sum_exp

NAMES = ("mgc", "sharpness", "nobody")
BINS = (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.01)


def main(folder: Path, museum: Path) -> None:
    collection = Collection.open(folder)
    true = read_truth(museum, collection.inventories()).assembly.neighbours()
    table, scale = open_edge_table(collection)
    with get_engine("local") as engine:
        scores = rescore_all(table, engine, folder / "search" / "calibrate", lambda done: None)
    other = scores.other
    voice = scale.log(np.where(other >= 0, scores.mgc, np.inf))
    share = log_sum_exp(voice)
    twin = 2 * scores.twin - scores.norm[:, None] - scores.norm[other]
    mgc = np.where(other >= 0, 2 * voice - share[:, None] - share[other], 0)
    right = (other == true[:, None]) & (other >= 0)

    def odds(numbers: NDArray) -> NDArray:
        weight, sharpness, _ = np.exp(numbers)
        return np.where(other >= 0, np.exp(sharpness * (twin + weight * mgc)), 0)

    def loss(numbers: NDArray) -> float:
        found = odds(numbers)
        nobody = np.exp(numbers[2])
        given = np.where(right.any(axis=1), (found * right).sum(axis=1), nobody)
        return float(-np.log(given / (found.sum(axis=1) + nobody) + 1e-12).mean())

    start = np.log([CALIBRATION[name] for name in NAMES])
    best = minimize(loss, start, method="Nelder-Mead", options={"xatol": 0.01, "fatol": 1e-4})
    print(f"MGC's power {scale.power:.2f}, offset {scale.offset:.1f}")
    for title, numbers in (("shipped", start), ("fitted", best.x)):
        named = ", ".join(f"{n} {v:.3f}" for n, v in zip(NAMES, np.exp(numbers), strict=True))
        print(f"{title}: {named}; loss {loss(numbers):.4f}")
        found = odds(numbers)
        part = 1 / (found.sum(axis=1) + np.exp(numbers[2]))
        likely = found * (part[:, None] + part[other]) / 2
        for low, high in pairwise(BINS):
            inside = (likely >= low) & (likely < high) & (other >= 0)
            if inside.any():
                print(f"  {low:.2f} to {min(high, 1):.2f}: predicted {likely[inside].mean():.3f}, "
                      f"observed {right[inside].mean():.3f}, {inside.sum()} pairs")  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
