"""One GPU and 100,000 tiles: describe, search and rescore, all on the device.

python benchmarks/museum/gpu.py ../shared/data/pictures/*

Tiles are made on the device as in training, from pictures that the network has seen, every panel
of 64 tiles from a square of its own. Needs torch and the weights, but neither numba nor faiss.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[1]))
from azulejar.evaluation.markdown import describe_run
from azulejar.learning.ageing import Chance, RawPanels, age_panels
from azulejar.learning.edge_network import EdgeNetwork
from azulejar.learning.pictures import load_squares
from azulejar.learning.recipes import load_network
from azulejar.learning.run import pick_device
from azulejar.learning.scoring import pair_scores
from azulejar.learning.task import half_on_gpu
from azulejar.learning.views import edge_views, grid_partners
from azulejar.weights import load_model
from tables import table, write_page

GRID = 8  # tiles a side of a panel
TRIM = 0.03
WEAR = (0.0, 1.0)
LISTED = 32  # partners of an edge that are looked at closely
SEED = 0
PANELS, TILES, ROWS, PAIRS = 32, 1024, 2048, 131_072  # worked on at a time
MIRRORED_SIDE = (2, 1, 0, 3)  # where a side lies once the tile is flipped upside down
RANKS = (1, 10, LISTED)

Described = list[tuple[Tensor, ...]]  # of each view: anchor, partner, left, right


@dataclass
class Clock:
    """Seconds of each stage, including the device's work."""

    device: torch.device
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        self.seconds[name] = time.perf_counter() - started
        print(f"{name}: {self.seconds[name]:.1f} s", flush=True)


def make_tiles(squares: Tensor, tiles: int) -> tuple[Tensor, Tensor]:
    """Return tiles [n, 3, 50, 50] uint8, panel by panel, and each edge's partner [4n] or -1."""
    device, size = squares.device, GRID**2
    chance = Chance(SEED, device)
    panels = -(-tiles // size)
    if panels > len(squares):
        raise SystemExit(f"{panels} panels need as many squares; here are {len(squares)}.")
    made = []
    for chosen in chance.shuffled(len(squares))[:panels].split(PANELS):
        yes = torch.ones(len(chosen), dtype=torch.bool, device=device)
        raw = RawPanels(squares[chosen][:, None], drawn=yes, loose=yes, painted=yes)
        wear = chance.uniform(*WEAR, len(chosen))
        aged = age_panels(raw, GRID, wear, chance, trim=(TRIM, TRIM))
        made.append((aged.flatten(0, 1) * 255).round().byte())
    partner = grid_partners(GRID, GRID, device)
    first = 4 * size * torch.arange(panels, device=device)[:, None]
    truth = torch.where(partner >= 0, partner + first, -1).flatten()[: 4 * tiles]
    # The last panel may be cut short.
    return torch.cat(made)[:tiles], truth.masked_fill(truth >= 4 * tiles, -1)


def describe(network: EdgeNetwork, tiles: Tensor) -> Described:
    """Return the encoder's descriptions of every edge, as it is and mirrored."""
    seen = _encode(network, tiles)
    edge = torch.arange(4 * len(tiles), device=tiles.device)
    order = edge - edge % 4 + torch.tensor(MIRRORED_SIDE, device=tiles.device)[edge % 4]
    return [seen, tuple(part[order] for part in _encode(network, tiles.flip(2)))]


def _encode(network: EdgeNetwork, tiles: Tensor) -> tuple[Tensor, ...]:
    found: tuple[Tensor, ...] = ()
    for start in range(0, len(tiles), TILES):
        views = edge_views(tiles[start : start + TILES].float() / 255)
        with half_on_gpu(tiles.device):
            parts = network.encoder(views.contiguous(memory_format=torch.channels_last))
        if not found:
            found = tuple(part.new_empty(4 * len(tiles), *part.shape[1:]) for part in parts)
        for whole, part in zip(found, parts, strict=True):
            whole[4 * start : 4 * start + len(part)] = part
    return found


def search(described: Described) -> tuple[Tensor, Tensor, Tensor]:
    """Find the likeliest partners [4n, 32] of every edge among all, with scores and log-sums [4n].

    Scores are inner products, the mean of the views with both orders added; the log-sum is of the
    odds of all partners.
    """
    share = len(described) ** -0.5
    anchor, partner = (
        torch.cat([view[role].flatten(1) * share for view in described], 1) for role in range(2)
    )
    asked, keys = torch.cat([anchor, partner], 1), torch.cat([partner, anchor], 1)
    edges = len(keys)
    others = torch.empty(edges, LISTED, dtype=torch.long, device=keys.device)
    scores = torch.empty(edges, LISTED, device=keys.device)
    total = torch.empty(edges, device=keys.device)
    tile = torch.arange(edges, device=keys.device) // 4
    for start in range(0, edges, ROWS):
        rows = slice(start, min(start + ROWS, edges))
        found = _products(asked[rows], keys)
        near = slice(4 * (start // 4), 4 * -(-rows.stop // 4))
        found[:, near].masked_fill_(tile[rows, None] == tile[near], -torch.inf)
        scores[rows], others[rows] = found.topk(LISTED, dim=1)
        total[rows] = found.logsumexp(1)
    return others, scores, total


def _products(asked: Tensor, keys: Tensor) -> Tensor:
    """Return inner products in float32."""
    if asked.is_cuda:
        return torch.mm(asked, keys.T, out_dtype=torch.float32)
    return asked.float() @ keys.float().T


def rescore_edges(network: EdgeNetwork, described: Described, others: Tensor) -> Tensor:
    """Return the pair head's scores [4n, 32] of listed pairs: mean of views, orders added."""
    edges = len(others)
    edge = torch.arange(edges, device=others.device)[:, None]
    code = torch.minimum(edge, others) * edges + torch.maximum(edge, others)
    pairs, place = code.unique(return_inverse=True)
    scores = torch.zeros(len(pairs), device=others.device)
    for start in range(0, len(pairs), PAIRS):
        some = slice(start, start + PAIRS)
        one, other = pairs[some] // edges, pairs[some] % edges
        for view in described:
            with half_on_gpu(others.device):
                judged = pair_scores(network.pair, view, one, other)
            scores[some] += judged.float() / len(described)
    return scores[place]


def recall(others: Tensor, scores: Tensor, truth: Tensor) -> list[float]:
    """Return how often the true partner is among the first of the list, for each of ``RANKS``."""
    known = truth >= 0
    best = scores[known].argsort(1, descending=True)
    hit = others[known].gather(1, best) == truth[known, None]
    return [hit[:, :rank].any(1).float().mean().item() for rank in RANKS]


@torch.inference_mode()
def measure(
    network: EdgeNetwork, pair: float, squares: Tensor, tiles: int
) -> tuple[Clock, dict[str, list[float]]]:
    """Return the seconds of each stage, and recall by way of scoring.

    ``pair`` is the weight of the pair head.
    """
    clock = Clock(squares.device)
    with clock.stage("making the tiles"):
        pixels, truth = make_tiles(squares, tiles)
    with clock.stage("describing"):
        described = describe(network, pixels)
    with clock.stage("searching"):
        others, twin, total = search(described)
    with clock.stage("looking closely"):
        judged = rescore_edges(network, described, others)
    others_total = total[others]
    looked = twin + pair * (judged - twin)
    return clock, {
        "inner product": recall(others, twin, truth),
        "the same, mutual": recall(others, 2 * twin - others_total, truth),
        "close look, mutual": recall(others, 2 * looked - others_total, truth),
    }


def page(given: argparse.Namespace, clock: Clock, found: dict[str, list[float]]) -> None:
    """Write docs/results/museum_gpu.md."""
    seconds, edges = clock.seconds, 4 * given.tiles
    work = sum(seconds.values()) - seconds["making the tiles"]
    names = " ".join(f"{folder.parent.name}/{folder.name}" for folder in given.pictures)
    command = f"python benchmarks/museum/gpu.py {names} --tiles {given.tiles}"
    peak = torch.cuda.max_memory_allocated() / 2**30
    write_page(
        "museum_gpu.md",
        f"# {given.tiles:,} tiles on one GPU",
        f"{describe_run(command).removesuffix('.')}, {torch.cuda.get_device_name()}, torch "
        f"{torch.__version__}, model `{given.model}`, bf16.",
        f"Panels of {GRID} × {GRID} tiles, each from a square of its own, cut from pictures that "
        "the network was trained on (a long picture gives two or three squares, which may "
        "overlap), "
        f"aged as in training (wear {WEAR[0]:g} to {WEAR[1]:g}), trim {100 * TRIM:g} %. Every edge "
        "is described as it is and mirrored, and compared with all others by the inner product of "
        f"the full descriptions; the {LISTED} likeliest are judged by the pair head in both orders "
        "and both views. Nothing is left out and nothing estimated.",
        table(["stage", "seconds"], [[name, f"{value:.1f}"] for name, value in seconds.items()]),
        f"**{work:.0f} s for describing, searching and rescoring**, not counting the making of "
        f"the tiles. Peak memory of the device: {peak:.0f} GiB.",
        f"How often the true partner is among the first of all {edges:,} edges, in %:",
        table(
            ["scored by", *(f"first {rank}" if rank > 1 else "first" for rank in RANKS)],
            [[name, *(f"{100 * value:.1f}" for value in row)] for name, row in found.items()],
        ),
        "Mutual: how likely the pair is from both sides, not only from that of the edge in "
        "question. "
        "These panels are smaller than those of a museum and their wear differs, so the figures "
        "are not those of [museum](museum.md); they show how well the search works at this size.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="+", type=Path, help="folders of pictures")
    parser.add_argument("--tiles", type=int, default=100_000)
    parser.add_argument("--model", default="best")
    given = parser.parse_args()
    device = pick_device("cuda")
    model = load_model(given.model)
    network = load_network(model.folder, model.card).to(device)
    assert isinstance(network, EdgeNetwork)
    nn.utils.convert_conv2d_weight_memory_format(network, torch.channels_last)
    squares, _ = load_squares(given.pictures, device, lambda fraction: None)
    pair = model.card["calibration"]["pair"]
    measure(network, pair, squares, 4 * GRID**2)  # what is loaded and chosen at first use
    torch.cuda.reset_peak_memory_stats()
    clock, found = measure(network, pair, squares, given.tiles)
    print(found)
    page(given, clock, found)


if __name__ == "__main__":
    main()
