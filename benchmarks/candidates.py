"""How often `azulejar candidates` names the right tile for a hole, and how sure it may be.

python benchmarks/candidates.py DATA
DATA holds panels/val.
"""

import argparse
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from azulejar import Assembly
from azulejar.core.assembly import Place
from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import find_panels
from azulejar.judging.candidates import UNFIT, candidates_for, surroundings
from crates import TRIM, load_tiles, mix
from tables import origin, table, write_page

MISSING = (0.01, 0.05, 0.1)
ROUNDS = 4  # times that tiles are taken out anew
WITHHELD = 0.3  # share of the holes whose own tile is not among the candidates
PAIRS = (
    ("jcar_p1", "jcar_p2"),
    ("jcar_p2", "saobento_procession_l"),
    ("jcar_p3", "jcar_p4"),
    ("jcar_p4", "saobento_procession_m"),
    ("jcar_p5", "jcar_p1"),
    ("saobento_procession_l", "jcar_p5"),
    ("saobento_procession_m", "jcar_p3"),
    ("saobento_procession_r", "jcar_p2"),
)
BINS = (0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0)


@dataclass
class Hole:
    """The answer for one hole; ``rank`` of its own tile from 0, or None if it is withheld."""

    panel: str
    missing: float
    sides: int
    rank: int | None
    best: float
    right: bool
    none: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    panels = {p.name.split("__")[0]: p for p in find_panels(options.data / "panels" / "val")}
    holes: list[Hole] = []
    for names in PAIRS:
        crate = mix([load_tiles(panels[name]) for name in names], 2)
        holes += ask_for_holes(names[0], crate.score(), crate.truth)
        print(names, len(holes), flush=True)
    own = [hole for hole in holes if hole.rank is not None]
    write_page(
        "candidates.md",
        "# Candidates for a hole",
        f"{origin()} Panels of `val`, trim {TRIM:.0%}, turned, measure `dlcm`.",
        "Tiles are taken out at random of a panel that is laid correctly. For each hole, the "
        "candidates are all tiles that were taken out and all tiles of another panel, of "
        f"{', '.join(f'{one} with {other}' for one, other in PAIRS)}. For {WITHHELD:.0%} of the "
        f"holes the right tile is withheld. {len(holes)} holes. The one constant ({UNFIT}) was "
        "set on panels of `train` at a trim of 5 %.",
        "## How often the right tile is ranked first, and among the first five",
        "In %; right means the right tile, whatever its turn.",
        table(["missing", "holes", "rank 1", "rank 5"],
              [line(f"{share:.0%}", [h for h in own if h.missing == share])
               for share in MISSING] + [line("all", own)]),
        table(["sides that touch a tile", "holes", "rank 1", "rank 5"],
              [line(str(k), [h for h in own if h.sides == k]) for k in (1, 2, 3, 4)]),
        table(["panel, candidates of", "holes", "rank 1", "rank 5"],
              [line(", ".join(pair), [h for h in own if h.panel == pair[0]]) for pair in PAIRS]),
        "## Is the probability reliable?",
        "Of the first candidate: right means the right tile at the right turn.",
        reliability([(hole.best, hole.right) for hole in holes]),
        "Of *none of them*:",
        reliability([(hole.none, hole.rank is None) for hole in holes]),
    )  # fmt: skip


def ask_for_holes(name: str, scores, truth: Assembly) -> list[Hole]:
    """Take tiles out of panel 0 and ask for candidates for each hole."""
    rng = np.random.default_rng(0)
    mine = np.flatnonzero(truth.panel == 0)
    found = []
    for missing in MISSING:
        for _ in range(ROUNDS):
            out = rng.choice(mine, max(1, round(missing * len(mine))), replace=False)
            panel = np.where(truth.panel == 0, 0, -1)
            panel[out] = -1
            laid = Assembly(truth.row, truth.col, truth.turn, panel.astype(np.int32))
            loose = np.flatnonzero(panel < 0)
            for tile in out.tolist():
                withheld = rng.random() < WITHHELD
                tiles = loose[loose != tile] if withheld else loose
                found += ask_for_hole(name, missing, scores, laid, tile, tiles.tolist(), withheld)
    return found


def ask_for_hole(
    name, missing, scores, laid: Assembly, tile: int, tiles: list[int], withheld: bool
):
    """Ask for candidates for one hole; return None if it touches no tile."""
    place = Place(0, int(laid.row[tile]), int(laid.col[tile]))
    try:
        sides = len(surroundings(laid, place))
    except AzulejarError:
        return []
    ranked, none = candidates_for(scores, laid, place, tiles)
    order = [each.tile for each in ranked]
    first = ranked[0]
    right = (first.tile, first.turn) == (tile, int(laid.turn[tile]))
    rank = None if withheld else order.index(tile)
    return [Hole(name, missing, sides, rank, first.probability, right, none)]


def line(title: str, holes: list[Hole]) -> list[object]:
    ranks = np.array([hole.rank for hole in holes])
    shares = [f"{100 * (ranks < k).mean():.1f}" if len(ranks) else "" for k in (1, 5)]
    return [title, len(holes), *shares]


def reliability(pairs: list[tuple[float, bool]]) -> str:
    predicted, true = (np.array(values, float) for values in zip(*pairs, strict=True))
    rows = []
    for low, high in pairwise(BINS):
        inside = (predicted >= low) & ((predicted < high) | (high == 1))
        if inside.any():
            share = f"{low:.0%} to {high:.0%}"
            means = (f"{values[inside].mean():.1%}" for values in (predicted, true))
            rows.append([share, int(inside.sum()), *means])
    return table(["probability", "holes", "mean", "observed"], rows)


if __name__ == "__main__":
    main()
