"""Rank-1 of a network's inner product on tiles photographed one by one, and on worn ones.

    python benchmarks/light_ranks.py best --panels panels/val
    python benchmarks/light_ranks.py RUN --panels split/aside/panels --pictures split/aside/prints

Panels are real ones; every four pictures of a folder become one panel of 256 tiles, painted in
cobalt on white. One view, both directions, upright / turned, as during training.
"""

import argparse
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from azulejar.learning.ageing import Chance, paint_as_tiles
from azulejar.learning.edge_network import EdgeNetwork, describe, twin_scores
from azulejar.learning.pictures import CELL, cut_squares, load_panels, picture_files
from azulejar.learning.run import load_start_weights
from azulejar.learning.validation import rank_1
from azulejar.learning.views import SIZE, grid_partners
from azulejar.practice.photography import LIGHT, Conditions, photograph_tile

LEVELS = LIGHT | {"tint": Conditions(tint=0.08)}
CONDITIONS = [
    *[(trim, "none") for trim in (0.03, 0.05, 0.07, 0.09, 0.11)],
    *[(0.05, level) for level in ("mild", "medium", "strong", "tint")],
]
PART = 8  # tiles a side of the part that is cut from one picture
PARTS = 4  # pictures a panel
INSIDE = 576  # pixels of a picture's square, from its middle


@dataclass(frozen=True)
class Puzzle:
    """Cells [n, 64, 64, 3] uint8 with joints on their rims, and the partner of each edge [4n]."""

    cells: NDArray[np.uint8]
    partners: Tensor


def make_tiles(task: tuple[NDArray[np.uint8], float, str, int]) -> NDArray[np.uint8]:
    """Return the tiles [n, 3, 50, 50] of a puzzle's cells, worn and photographed at that level."""
    cells, trim, level, seed = task
    rng = np.random.RandomState(seed)
    tiles = [photograph_tile(cell, trim, LEVELS[level], rng, SIZE) for cell in cells]
    return np.ascontiguousarray(np.stack(tiles).transpose(0, 3, 1, 2))


def real_puzzles(folder: Path) -> list[Puzzle]:
    """Return the panels of a folder as puzzles."""
    return [
        Puzzle(
            np.ascontiguousarray(p.cells.reshape(-1, 3, CELL, CELL).transpose(0, 2, 3, 1)),
            grid_partners(p.rows, p.cols),
        )
        for p in load_panels(folder)
    ]


def picture_puzzles(folder: Path, most: int) -> list[Puzzle]:
    """Return panels of four parts, each from four pictures of a folder, as many as wanted."""
    files = picture_files([folder])[: most * PARTS]
    found = []
    for seed, first in enumerate(range(0, len(files) - PARTS + 1, PARTS)):
        squares = torch.stack(
            [torch.from_numpy(cut_squares(path)[0]) for path in files[first : first + PARTS]]
        )
        rim = (squares.shape[2] - INSIDE) // 2
        inside = squares[:, :, rim : rim + INSIDE, rim : rim + INSIDE].float() / 255
        side = PART * CELL
        pixels = functional.interpolate(inside, (side, side), mode="bilinear", antialias=True)
        cells = pixels.view(PARTS, 3, PART, CELL, PART, CELL).permute(0, 2, 4, 1, 3, 5)
        painted = paint_as_tiles(cells.flatten(0, 2)[None], Chance(seed, torch.device("cpu")))[0]
        partner = grid_partners(PART, PART)
        partners = [
            torch.where(partner < 0, -1, partner + 4 * PART**2 * part) for part in range(PARTS)
        ]
        whole = (painted.permute(0, 2, 3, 1) * 255).round().byte().numpy()
        found.append(Puzzle(np.ascontiguousarray(whole), torch.cat(partners)))
    return found


class Ranks:
    """Puzzles of several groups under all conditions, kept on the device."""

    def __init__(
        self,
        groups: dict[str, list[Puzzle]],
        device: torch.device,
        conditions: Iterable[tuple[float, str]] = CONDITIONS,
        workers: int = 2,
    ) -> None:
        self.device = device
        self.puzzles = []
        tasks, labels = [], []
        for trim, level in conditions:
            name = f"{trim:.0%}" + ("" if level == "none" else f" {level}")
            for group, puzzles in groups.items():
                for seed, puzzle in enumerate(puzzles):
                    tasks.append((puzzle.cells, trim, level, seed))
                    labels.append((group, name, puzzle.partners))
        with ProcessPoolExecutor(workers) as pool:
            for label, tiles in zip(labels, pool.map(make_tiles, tasks), strict=True):
                group, name, partners = label
                self.puzzles.append((group, name, torch.from_numpy(tiles), partners.to(device)))

    @torch.inference_mode()
    def __call__(self, network: EdgeNetwork) -> dict[str, dict[str, list[float]]]:
        """Return the mean rank-1, upright and turned, in %, by group and condition."""
        network.eval()
        found: dict[str, dict[str, list[list[float]]]] = {}
        for group, name, tiles, partners in self.puzzles:
            scores = twin_scores(*describe(network, tiles.to(self.device).float() / 255))
            values = [100 * rank_1(scores, partners, upright) for upright in (True, False)]
            found.setdefault(group, {}).setdefault(name, []).append(values)
        return {
            group: {name: np.round(np.mean(v, 0), 2).tolist() for name, v in by_name.items()}
            for group, by_name in found.items()
        }


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("model", help="a shipped model's name, or the folder of a run or an export")
    ask.add_argument("--panels", type=Path)
    ask.add_argument("--pictures", type=Path, action="append", default=[])
    ask.add_argument("--most", type=int, default=3, help="panels made of the pictures of a folder")
    ask.add_argument("--device", default="cpu")
    o = ask.parse_args()
    groups = {"panels": real_puzzles(o.panels)} if o.panels else {}
    groups |= {folder.name: picture_puzzles(folder, o.most) for folder in o.pictures}
    device = torch.device(o.device)
    network = EdgeNetwork()
    network.load_state_dict(load_start_weights(o.model))
    network.to(device)
    print(json.dumps(Ranks(groups, device)(network), indent=1))


if __name__ == "__main__":
    main()
