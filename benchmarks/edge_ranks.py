"""Rank-1 and more among the edges of many pictures at once, in exact and in 8-bit arithmetic.

    python benchmarks/edge_ranks.py DATA [MODEL ...]

DATA has ``pictures/books``; the tiles are those of the pictures that benchmarks/hold_out.py sets
aside, every second one painted and worn as azulejos are. 8-bit arithmetic depends on the processor.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.evaluation.markdown import markdown_table
from azulejar.measures.calibration import log_sum_exp
from azulejar.measures.learned import as_input, encode_edges
from azulejar.measures.measure import Measure, blocks
from azulejar.measures.runtime import Runtime
from azulejar.measures.twin import as_vectors, twin_rows
from azulejar.weights import Model, eight_bit_file, load_model
from hold_out import set_aside
from judging_cases import photographed
from judging_puzzles import of_picture
from stored_cases import Case

TRIM = 0.03
TILES = 90  # of a picture, about
RANKS = (1, 10, 32)


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("data", type=Path)
    ask.add_argument("models", nargs="*", default=["best"])
    o = ask.parse_args()
    rng = np.random.default_rng(3)
    case = Case(0, "museum", TRIM)
    files = sorted(set_aside(sorted((o.data / "pictures" / "books").glob("*.webp"))))
    cuts = [of_picture(file, case, rng, TILES, blue=k % 2 == 0) for k, file in enumerate(files)]
    tiles, truth = photographed(case, cuts, rng)
    partner = Assembly.of(*truth).neighbours()
    print(f"{len(tiles)} tiles, {(partner >= 0).sum()} edges with a partner")
    rows = []
    for model in map(load_model, o.models):
        for arithmetic, form in forms(model):
            views = [encode_edges(Runtime(form, "cpu"), as_input(tiles))]
            found = ranks(*as_vectors(views), partner)
            rows.append([model.folder.name, arithmetic, *(f"{100 * each:.1f}" for each in found)])
    print(markdown_table(["model", "arithmetic", *(f"first {rank}" for rank in RANKS)], rows))


def forms(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield a model with its exact graph and, if it has one, with that of 8 bits."""
    quick = eight_bit_file("encoder")
    files = {name: sum for name, sum in model.card["files"].items() if name != quick}
    yield "exact", Model(model.folder, model.card | {"files": files})
    if quick in model.card["files"]:
        yield "8 bits", model


def ranks(
    anchor: NDArray[np.float32], partner: NDArray[np.float32], true: NDArray[np.intp]
) -> list[float]:
    """Return how often the true partner is among the first of all, the rivals of both counted."""
    edges = len(true)

    def scores(rows: NDArray[np.intp]) -> NDArray[np.float64]:
        found = twin_rows(anchor, partner, rows).astype(np.float64)
        found[Measure.barred(rows, edges, upright=False)] = -np.inf
        return found

    norm = np.concatenate([log_sum_exp(scores(rows)) for rows in blocks(edges)])
    better = np.empty(edges)
    for rows in blocks(edges):
        both = 2 * scores(rows) - norm
        better[rows] = (both > both[np.arange(len(rows)), true[rows], None]).sum(axis=1)
    return [float((better[true >= 0] < rank).mean()) for rank in RANKS]


if __name__ == "__main__":
    main()
