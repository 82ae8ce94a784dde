"""Rank-1 of the paper's networks, and of the same networks trained on our pictures and ageing.

    python benchmarks/paper_ranks.py panels/val --model paper --model RUN/model --device cuda

Every pair of edges is scored, minutes on a GPU and days on a processor; `azulejar rank` gives the
same for a small panel. The page has a table for each model.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import torch
from torch import Tensor

from azulejar.learning.paper import PaperTask
from azulejar.learning.pictures import load_panels, trim_tiles
from azulejar.learning.recipes import load_network
from azulejar.learning.views import grid_partners, impossible_pairs
from azulejar.weights import load_model
from tables import origin, table, write_page

TRIMS = (0.03, 0.05, 0.07)
STEPS = ("raw", "symmetric")
NAMES = {"red": "Red", "green": "Green", "blue": "Blue", "rgb": "RGB"}
SUM = "DLCM, their sum"


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("panels", type=Path)
    ask.add_argument("--model", action="append", required=True, help="a model's name or folder")
    ask.add_argument("--device", default="cpu")
    given = ask.parse_args()
    write_page(
        "val/paper_ranks.md",
        "# The paper's networks",
        origin(),
        "Edges with a true neighbour whose best-scored partner is that neighbour, in %, upright / "
        "turned, means over panels; a tie counts as a miss. *Symmetric*: min-max of each row, then "
        "the mean of both directions. Min-max alone leaves the order within a row as it is, so its "
        "figures are those of the raw scores.",
        *(part for model in given.model for part in describe(model, given.panels, given.device)),
    )


def describe(name: str, panels: Path, device: str) -> Iterator[str]:
    """Yield the heading and the table of a model."""
    model = load_model(name)
    network = load_network(model.folder, model.card).to(device)
    yield f"## `{model.card['config']['recipe']}`, weights {model.checksum[:8]}"
    found: dict[tuple[str, float, str, bool], list[float]] = {}
    for trim in TRIMS:
        for panel in load_panels(panels):
            tiles = trim_tiles(panel, trim).to(device).float() / 255
            partners = grid_partners(panel.rows, panel.cols).to(device)
            with torch.inference_mode():
                scores = PaperTask.scores(network, tiles)
            for graph, values in scores.items():
                for upright in (True, False):
                    for step, matrix in zip(STEPS, steps(values, upright), strict=True):
                        key = (NAMES.get(graph, SUM), trim, step, upright)
                        found.setdefault(key, []).append(rank_1(matrix, partners))
            print(name, trim, panel.rows, panel.cols, flush=True)
    columns = [(trim, step) for trim in TRIMS for step in STEPS]
    yield table(
        ["", *(f"{trim:.0%}: {step}" for trim, step in columns)],
        [
            [
                row,
                *(
                    " / ".join(percent(found[row, *column, up]) for up in (True, False))
                    for column in columns
                ),
            ]
            for row in (*NAMES.values(), SUM)
        ],
    )


def steps(scores: Tensor, upright: bool) -> tuple[Tensor, Tensor]:
    """Return raw and symmetric scores; pairs that cannot be are -inf."""
    barred = impossible_pairs(len(scores) // 4, upright, scores.device)
    most = scores.masked_fill(barred, -torch.inf).amax(1, keepdim=True)
    least = scores.masked_fill(barred, torch.inf).amin(1, keepdim=True)
    scaled = (scores - least) / (most - least).clamp_min(1e-12)
    both = scaled + scaled.T
    return scores.masked_fill(barred, -torch.inf), both.masked_fill(barred, -torch.inf)


def rank_1(scores: Tensor, partners: Tensor) -> float:
    """Return the share of edges with a partner (-1: none) that scores better than all others."""
    known = (partners >= 0).nonzero().squeeze(1)
    rows, wanted = scores[known], partners[known][:, None]
    right = rows.gather(1, wanted)
    others = rows.scatter(1, wanted, -torch.inf).amax(1, keepdim=True)
    return (right > others).float().mean().item()


def percent(values: list[float]) -> str:
    """Return the mean in %."""
    return f"{100 * mean(values):.1f}"


if __name__ == "__main__":
    main()
