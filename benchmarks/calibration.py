"""How the default measure weighs its two members, and whether its probabilities can be believed.

python benchmarks/calibration.py DATA
DATA holds panels/val. Weights are fitted by likelihood on one half of the panels and judged on the
other, both ways round, and on all. The diagram shows what is shipped.
"""

import argparse
import os
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from azulejar.evaluation.plotting import plot_reliability
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.learning.shipping import CALIBRATION
from azulejar.measures.dlcm import Dlcm
from tables import RESULTS, origin, table, write_page

TRIMS = (0.03, 0.05, 0.07)
PAIR, MGC = (0.0, 0.25, 0.5, 1.0), (0.3, 0.35, 0.4)
EVERY = 3  # one in three edges is used for fitting
BINS = np.array([0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0])


@dataclass
class MemberScores:
    """Scores of twin, pair network and MGC for one puzzle [4n, 4n]; -inf for impossible pairs."""

    panel: str
    trim: float
    upright: bool
    twin: NDArray
    correction: NDArray
    mgc: NDArray
    partner: NDArray  # the true partner of each edge, -1 at the rim

    def evidence(self, pair: float, mgc: float) -> NDArray:
        return mutual(self.twin + pair * self.correction) + mgc * self.mgc


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    os.environ["AZULEJAR_CACHE"] = "off"
    puzzles = [
        v for panel in find_panels(options.data / "panels" / "val") for v in score_members(panel)
    ]
    names = sorted({v.panel for v in puzzles})
    halves = [[n for n in names if n.startswith("jcar")], [n for n in names if n[:4] != "jcar"]]
    rows = []
    for learn, judge in ((halves[0], halves[1]), (halves[1], halves[0]), (names, names)):
        fitted = fit([v for v in puzzles if v.panel in learn])
        judged = [v for v in puzzles if v.panel in judge]
        rows.append([kind(learn), kind(judge), *(f"{x:.3f}" for x in fitted),
                     f"{loss(judged, *fitted):.3f}", f"{100 * error(judged, fitted):.1f}",
                     ranks(judged, fitted[0], fitted[1])])  # fmt: skip
        print(rows[-1], flush=True)
    weights = [[f"{pair}", f"{mgc}", ranks(puzzles, pair, mgc)] for pair, mgc in product(
        PAIR, (0.2, 0.3, 0.4, 0.5, 0.7))]  # fmt: skip
    shipped = [CALIBRATION[name] for name in ("pair", "mgc", "sharpness", "nobody")]
    rows.append(["shipped", kind(names), *(f"{x:.3f}" for x in shipped),
                 f"{loss(puzzles, *shipped):.3f}", f"{100 * error(puzzles, shipped):.1f}",
                 ranks(puzzles, shipped[0], shipped[1])])  # fmt: skip
    predicted, observed, counts = reliability(puzzles, shipped)
    plot_reliability(RESULTS / "reliability.png", predicted, observed, counts)
    write_page(
        "calibration.md",
        "# Calibration of `dlcm`",
        f"{origin()} Real panels of `val` at trims of 3, 5 and 7 %, upright and turned.",
        "The probability that edges i and j are neighbours is e^(s·B) / (nobody + Σ e^(s·B)) with "
        "B = mutual(twin + pair·correction) + mgc·mutual(MGC), both members as log-probabilities "
        "among all partners of either edge. The four numbers are in the model's card.json. "
        "*loss* is the mean of −ln of the probability given to what is true, *error* the mean gap "
        "in % between predicted and observed frequency, weighted by the predicted number of "
        "neighbours; rank-1 is upright / turned at 3 %, 5 %, 7 %, by B; the measure ranks by the "
        "probability, mean of both directions, which is about a point better (val/ranks.md).",
        table(["fitted on", "judged on", "pair", "mgc", "sharpness", "nobody", "loss", "error",
               "rank-1"], rows),
        "## Rank-1 by weight of the pair network and of MGC",
        table(["pair", "mgc", "rank-1 at 3 %, 5 %, 7 %"], weights),
        "## Reliability",
        "All pairs of all val puzzles, with the shipped numbers.",
        "![reliability](reliability.png)",
        table(["predicted", "mean predicted", "observed", "pairs"],
              [[f"{low:.0%} to {high:.0%}", f"{p:.1%}", f"{o:.1%}", int(c)] for low, high, p, o, c
               in zip(BINS, BINS[1:], predicted, observed, counts, strict=False)]),
    )  # fmt: skip


def score_members(panel) -> list[MemberScores]:
    """Score one panel at all trims, upright and turned."""
    found = []
    for puzzle in make_puzzles([panel], TRIMS, seed=0):
        if not puzzle.upright:
            continue  # a turned puzzle is scored from the same tiles
        measure = Dlcm()
        seen = measure.encode(puzzle.tiles.pixels)
        for upright in (True, False):
            measure.upright = upright
            measure.compare(seen, puzzle.tiles.pixels)
            found.append(_member_scores(measure, panel.path.stem, puzzle, upright))
        print(panel.path.stem, puzzle.trim, flush=True)
    return found


def _member_scores(measure: Dlcm, name: str, puzzle, upright: bool) -> MemberScores:
    edges = np.arange(measure.edges)
    twin = (measure.anchor @ measure.partner.T).astype(np.float64)
    twin += twin.T
    with_pair, mgc = measure.ensemble.members(edges)
    weight = measure.model.card["calibration"]["pair"]
    correction = np.where(np.isfinite(with_pair), (with_pair - twin) / weight, 0)
    twin[~np.isfinite(with_pair)] = -np.inf
    partner = puzzle.truth.neighbours()
    return MemberScores(name, puzzle.trim, upright, twin, correction, mutual(mgc), partner)


def mutual(logits: NDArray) -> NDArray:
    """Add the log-probabilities among the partners of either edge; logits are symmetric."""
    norm = np.logaddexp.reduce(logits, axis=1)
    return 2 * logits - norm[:, None] - norm


def probabilities(
    v: MemberScores, pair: float, mgc: float, sharpness: float, nobody: float
) -> NDArray:
    share = np.exp(sharpness * v.evidence(pair, mgc))
    total = share.sum(1) + nobody
    return share * (1 / total[:, None] + 1 / total) / 2


def loss(
    puzzles: list[MemberScores], pair: float, mgc: float, sharpness: float, nobody: float
) -> float:
    return _loss([(v.evidence(pair, mgc), v.partner) for v in puzzles], sharpness, nobody)


def _loss(evidence: list[tuple[NDArray, NDArray]], sharpness: float, nobody: float) -> float:
    losses = []
    for value, partner in evidence:
        total = np.logaddexp(np.logaddexp.reduce(sharpness * value, axis=1), np.log(nobody))
        edge = np.flatnonzero(partner >= 0)
        own = np.full(len(partner), np.log(nobody))
        own[edge] = sharpness * value[edge, partner[edge]]
        losses.append((total - own).mean())
    return float(np.mean(losses))


def fit(puzzles: list[MemberScores]) -> tuple[float, float, float, float]:
    best = (np.inf, (0.0, 0.0, 0.0, 0.0))
    for pair, mgc in product(PAIR, MGC):
        evidence = [(v.evidence(pair, mgc)[::EVERY], v.partner[::EVERY]) for v in puzzles]
        found = minimize(lambda x: _loss(evidence, np.exp(x[0]), np.exp(x[1])),  # noqa: B023
                         np.log([0.5, 0.02]), method="Nelder-Mead",
                         options={"xatol": 0.02, "fatol": 1e-4})  # fmt: skip
        best = min(best, (found.fun, (pair, mgc, *map(float, np.exp(found.x)))))
    return best[1]


def reliability(puzzles: list[MemberScores], fitted) -> tuple[NDArray, NDArray, NDArray]:
    """Return mean prediction, observed frequency and number of pairs in each bin."""
    sums = np.zeros((3, len(BINS) - 1))
    for v in puzzles:
        p = probabilities(v, *fitted)
        true = np.zeros(p.shape, bool)
        edge = np.flatnonzero(v.partner >= 0)
        true[edge, v.partner[edge]] = True
        allowed = np.isfinite(v.twin)
        which = np.clip(np.digitize(p[allowed], BINS) - 1, 0, len(BINS) - 2)
        for row, weight in zip(sums, (p[allowed], true[allowed], None), strict=True):
            row += np.bincount(which, weight, len(BINS) - 1)
    return sums[0] / sums[2], sums[1] / sums[2], sums[2]


def error(puzzles: list[MemberScores], fitted) -> float:
    predicted, observed, counts = reliability(puzzles, fitted)
    return float(np.average(np.abs(predicted - observed), weights=counts * predicted))


def ranks(puzzles: list[MemberScores], pair: float, mgc: float) -> str:
    cells = []
    for trim in TRIMS:
        means = []
        for upright in (True, False):
            right = []
            for v in puzzles:
                if v.trim == trim and v.upright == upright:
                    edge = np.flatnonzero(v.partner >= 0)
                    choice = v.evidence(pair, mgc).argmax(1)
                    right.append((choice[edge] == v.partner[edge]).mean())
            means.append(f"{100 * np.mean(right):.1f}")
        cells.append(" / ".join(means))
    return ", ".join(cells)


def kind(names: list[str]) -> str:
    kinds = sorted({name.split("_")[0] for name in names})
    return " and ".join(kinds) + f" ({len(names)} panels)"


if __name__ == "__main__":
    main()
