"""Fragments of painted tiles on rendered tables: what is found, joined, and where it lies.

    python benchmarks/fragments.py [--workers N]

fits the weights of ``azulejar.imaging.fragments.seams`` to photographs of other seeds than those
that ``broken.py`` reports on, and prints them.
"""

import argparse
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Knowns, TileSet, get_measure, import_tiles, load_tiles, solve
from azulejar.core.edges import turn_picture
from azulejar.imaging.fragments.joins import SURE, join_imported
from azulejar.imaging.fragments.matching import MOST_SEEDS, WHOLE, JoinedFragments, join_fragments
from azulejar.imaging.fragments.photographed import find_fragments
from azulejar.imaging.fragments.poses import Fragment
from azulejar.imaging.fragments.seams import best_fit, draw
from azulejar.imaging.photographs.find import find_tiles
from azulejar.imaging.picture import write_picture
from azulejar.practice.breaking import MOST, break_some, break_tile, centred
from azulejar.practice.samples import worn_puzzle
from azulejar.practice.scenes import SCENES, render_scene
from logistic import fit as fit_logistic

TABLES = ("dark cloth", "wood", "grid", "light cloth")
WHOLE_TILES, BROKEN_TILES = 6, 5
SHAPE, TILE = (1700, 2200), 240
PANEL, PANEL_BROKEN, PANEL_SHAPE = (5, 6), 5, (2400, 3000)
FIT_TABLES, FIT_SEEDS = ("dark cloth", "wood"), range(1, 9)
ADJACENT = 0.35  # share of a break from which fragments of one tile are taken for neighbours
ALIKE, SEEN_AT = 0.75, 48  # correlation with the true tile from which all is in place; pixels


@dataclass(frozen=True)
class Shot:
    """Fragments found, named TILE_NUMBER by the truth; the sizes of the true sets; the tiles."""

    found: list[Fragment]
    fragments: int
    sizes: dict[int, int]
    tiles: NDArray[np.uint8]


def photograph(table: str, seed: int) -> Shot:
    """Break painted tiles, photograph them beside whole ones, and find the fragments."""
    tiles, _ = worn_puzzle(seed, 5, 5, TILE, 0.4)
    random = np.random.default_rng(seed)
    pieces: list[tuple[int, NDArray[np.uint8]]] = [(-1, tile) for tile in tiles[:WHOLE_TILES]]
    sizes = {}
    for tile in range(WHOLE_TILES, WHOLE_TILES + BROKEN_TILES):
        sizes[tile] = int(random.integers(2, MOST + 1))
        broken = break_tile(tiles[tile], sizes[tile], random)
        pieces += [(tile, centred(fragment)) for fragment in broken]
    pieces = [pieces[k] for k in random.permutation(len(pieces))]
    photo = render_scene(SCENES[table], [picture for _, picture in pieces], SHAPE, seed)
    middles = photo.corners.mean(axis=1)
    found = []
    for number, (fragment, outline) in enumerate(
        find_fragments(photo.picture, find_tiles(photo.picture))
    ):
        middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        tile = pieces[int(np.linalg.norm(middles - middle, axis=1).argmin())][0]
        found.append(Fragment(f"{tile}_{number}", fragment.picture, fragment.side))
    return Shot(found, sum(sizes.values()), sizes, tiles)


def join_photograph(table: str, seed: int) -> list[dict]:
    """Count what is found and joined of a photograph."""
    shot = photograph(table, seed)
    joins = join_fragments(shot.found)
    counts = {"tiles": len(shot.sizes), "fragments": shot.fragments, "found": len(shot.found)}
    for sure, least in (("sure", SURE), ("likely", 0.0)):
        kept = [join for join in joins if join.probability >= least]
        right = [join for join in kept if is_right(join, shot)]
        whole = [join for join in right if len(join.files) == shot.sizes[tile_of(join)]]
        counts |= {
            f"{sure} whole": len(whole),
            f"{sure} part": len(right) - len(whole),
            f"{sure} wrong": len(kept) - len(right),
            f"{sure} joined": sum(len(join.files) for join in right),
        }
    return [{"part": "fragments", "panel": table, "trim": seed, **counts}]


def solve_way(seed: int) -> list[dict]:
    """Go the whole way: photographs of a panel with broken tiles, import, join, solve.

    Joints are counted among those of the whole panel, with joined fragments and without.
    """
    pixels, truth = worn_puzzle(seed, *PANEL, TILE, 0.4)
    pieces = break_some(pixels, PANEL_BROKEN, seed)
    counts = {"broken": PANEL_BROKEN, "tiles": len(pixels)}
    with tempfile.TemporaryDirectory() as home:
        for number, table in enumerate(FIT_TABLES):
            share = pieces[number :: len(FIT_TABLES)]
            photo = render_scene(SCENES[table], share, PANEL_SHAPE, seed + number)
            write_picture(f"{home}/{table}.png", photo.picture)
        import_tiles([home], f"{home}/tiles")
        for way in ("left out", "joined"):
            if way == "joined":
                counts["joins"] = sum(join.is_made for join in join_imported(f"{home}/tiles")[0])
            tiles = load_tiles(f"{home}/tiles", any_shape=True)
            laid = solve(get_measure("dlcm").score(tiles), Knowns())
            counts[way] = joints_found(tiles, laid, pixels, truth)
    return [{"part": "way", "panel": "practice", "trim": seed, **counts}]


def joints_found(
    tiles: TileSet, laid: Assembly, pixels: NDArray[np.uint8], truth: Assembly
) -> float:
    """Return the share of the true joints that an assembly of imported tiles has."""
    which, turn = recognise(tiles.pixels, pixels)
    met, true = laid.neighbours(), truth.neighbours()
    edge = np.arange(4 * len(tiles))
    known = 4 * which[edge // 4] + (edge + turn[edge // 4]) % 4  # as the true tile numbers it
    right = [true[known[e]] == known[met[e]] for e in np.flatnonzero(met >= 0)]
    return float(sum(right) / (true >= 0).sum())


def recognise(
    seen: NDArray[np.uint8], pixels: NDArray[np.uint8]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which true tile each tile shows, and how far it is turned clockwise from it."""

    def small(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
        grey = [cv2.resize(tile, (16, 16), interpolation=cv2.INTER_AREA) for tile in tiles]
        flat = np.stack(grey).mean(axis=-1).reshape(len(tiles), -1)
        flat -= flat.mean(axis=1, keepdims=True)
        return flat / np.linalg.norm(flat, axis=1, keepdims=True)

    turned = [np.stack([turn_picture(tile, turn) for tile in seen]) for turn in range(4)]
    alike = np.stack([small(each) @ small(pixels).T for each in turned], axis=1)
    best = alike.reshape(len(seen), -1).argmax(axis=1)
    return best % len(pixels), best // len(pixels)


def tile_of(join: JoinedFragments) -> int:
    return int(join.files[0].split("_")[0])


def is_right(join: JoinedFragments, shot: Shot) -> bool:
    """Tell whether all fragments are of one tile, and it looks as it did before it broke."""
    if len({file.split("_")[0] for file in join.files}) > 1 or tile_of(join) < 0:
        return False
    small = cv2.resize(join.picture, (SEEN_AT, SEEN_AT), interpolation=cv2.INTER_AREA)
    there = small[..., 3] > 250
    true = cv2.resize(shot.tiles[tile_of(join)], (SEEN_AT, SEEN_AT), interpolation=cv2.INTER_AREA)
    alike = [
        np.corrcoef(small[there][:, 0], np.ascontiguousarray(turn_picture(true, turn))[there][:, 0])
        for turn in range(4)
    ]
    return max(float(each[0, 1]) for each in alike) > ALIKE


def fit(workers: int) -> None:
    """Fit the weights to pairs of fragments, and print them."""
    with ProcessPoolExecutor(workers) as pool:
        rows = list(pool.map(pairs_of, *zip(*product(FIT_TABLES, FIT_SEEDS), strict=True)))
    features = np.concatenate([each for each, _ in rows])
    labels = np.concatenate([each for _, each in rows])
    print(f"{len(labels)} pairs, {labels.sum()} of one tile")
    print(np.round(fit_logistic(features, labels), 2).tolist())


def pairs_of(table: str, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the features of pairs of fragments of a photograph, and which are of one tile.

    Fragments of one tile that do not meet tell nothing, and are left out.
    """
    features, labels = [], []
    found = photograph(table, seed).found
    for first in found:
        for pose in [each for each in first.poses if each.is_fixed][:MOST_SEEDS]:
            placed = draw(first, pose)
            for other in found:
                if other is first or first.area + other.area > WHOLE:
                    continue
                best = best_fit(placed, other)
                same = first.file.split("_")[0] == other.file.split("_")[0]
                if best is not None and not (same and best.share < ADJACENT):
                    features.append(best.features)
                    labels.append(same)
    return np.array(features), np.array(labels)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    fit(parser.parse_args().workers)
