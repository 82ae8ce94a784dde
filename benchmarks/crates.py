"""Crates of real tiles with a known truth, for the benchmarks that mix panels."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Compatibility, TileSet
from azulejar.evaluation.protocol import KnownPanel, make_puzzles
from azulejar.measures.dlcm import Dlcm
from azulejar.measures.measure import Measure

TRIM = 0.03
STRAYS = 0.05  # share of the crate's tiles, drawn from the panels that are not in it


@dataclass
class Tiles:
    """Tiles with their descriptions, their truth, and the panel of each (-1: stray).

    ``edge`` [4n] numbers the edges of all panels, so that a pair is recognized in another crate.
    """

    pixels: NDArray[np.uint8]
    seen: list[tuple[NDArray[np.float32], ...]]
    truth: Assembly
    edge: NDArray[np.int64]

    def take(self, tiles: NDArray[np.int64]) -> "Tiles":
        edge = (4 * tiles[:, None] + np.arange(4)).ravel()
        seen = [tuple(feature[edge] for feature in view) for view in self.seen]
        parts = (self.truth.row, self.truth.col, self.truth.turn, self.truth.panel)
        truth = Assembly(*(part[tiles] for part in parts))
        return Tiles(self.pixels[tiles], seen, truth, self.edge[edge])

    def score(self, judged: dict[int, float]) -> Compatibility:
        """Score as `azulejar score` does; the network's scores of pairs are kept in ``judged``."""
        measure = _Remembering(self, judged)
        files = tuple(str(tile) for tile in range(len(self.pixels)))
        return Measure.score(measure, TileSet(self.pixels, files))


class _Remembering(Dlcm):
    """The measure, with scores of earlier calls remembered."""

    def __init__(self, tiles: Tiles, judged: dict[int, float]) -> None:
        super().__init__()
        self.tiles = tiles
        self.judged_before = judged

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        self.compare(self.tiles.seen, pixels)

    def _pair_scores(self, view, edge, other, done):
        number = next(i for i, each in enumerate(self.tiles.seen) if each is view)
        ids = self.tiles.edge
        codes = ((number << 20 | ids[edge]) << 20 | ids[other]).tolist()
        new = np.array([code not in self.judged_before for code in codes], bool)
        found = super()._pair_scores(view, edge[new], other[new], done)
        for code, score in zip(np.array(codes)[new].tolist(), found.tolist(), strict=True):
            self.judged_before[code] = score
        return np.array([self.judged_before[code] for code in codes], np.float32)


def network() -> str:
    """Return a name that changes with the network's weights, but not with the ensemble's."""
    files = json.dumps(Dlcm().model.card["files"], sort_keys=True)
    return hashlib.sha256(files.encode()).hexdigest()[:12]


def load_judged(work: Path) -> dict[int, float]:
    """Load the network's scores of pairs from earlier runs."""
    path = work / f"pairs_{network()}.npz"
    if not path.exists():
        return {}
    with np.load(path) as kept:
        return dict(zip(kept["code"].tolist(), kept["score"].tolist(), strict=True))


def save_judged(work: Path, judged: dict[int, float]) -> None:
    """Save the scores for the next run."""
    path = work / f"pairs_{network()}.npz"
    part = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(part, code=list(judged), score=np.array(list(judged.values()), np.float32))
    part.replace(path)


def load_tiles(panels: dict[str, KnownPanel], name: str, work: Path) -> Tiles:
    """Return the turned tiles of a panel; the network describes them once, and they are kept."""
    puzzle = next(p for p in make_puzzles([panels[name]], (TRIM,), seed=0) if not p.upright)
    path = work / f"{panels[name].name}_{network()}.npz"
    if not path.exists():
        views = Dlcm().encode(puzzle.tiles.pixels)
        arrays = {f"{v}_{i}": part for v, view in enumerate(views) for i, part in enumerate(view)}
        part = path.with_suffix(f".{os.getpid()}.npz")
        np.savez(part, **arrays)
        part.replace(path)
    with np.load(path) as kept:
        count = max(int(name[2:]) for name in kept.files) + 1
        seen = [tuple(kept[f"{v}_{i}"] for i in range(count)) for v in range(2)]
    edge = (list(panels).index(name) << 12) + np.arange(4 * len(puzzle.tiles))
    return Tiles(puzzle.tiles.pixels, seen, puzzle.truth, edge)


def mix(parts: list[Tiles], panels: int) -> Tiles:
    """Mix the first ``panels`` parts with strays from the others, and shuffle."""
    rng = np.random.default_rng(0)
    whole = sum(len(part.pixels) for part in parts[:panels])
    chosen, panel = [], []
    for number, part in enumerate(parts):
        tiles = np.arange(len(part.pixels))
        if number >= panels:
            count = round(STRAYS * whole / (len(parts) - panels))
            tiles = np.sort(rng.choice(tiles, count, replace=False))
        chosen.append(part.take(tiles))
        panel += [number if number < panels else -1] * len(tiles)
    seen = [tuple(map(np.concatenate, zip(*views, strict=True)))
            for views in zip(*(part.seen for part in chosen), strict=True)]  # fmt: skip
    places = [np.concatenate([getattr(part.truth, name) for part in chosen])
              for name in ("row", "col", "turn")]  # fmt: skip
    pixels = np.concatenate([part.pixels for part in chosen])
    edge = np.concatenate([part.edge for part in chosen])
    together = Tiles(pixels, seen, Assembly(*places, np.array(panel, np.int32)), edge)
    return together.take(rng.permutation(len(panel)))
