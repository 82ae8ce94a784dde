"""Fragments of painted tiles on rendered tables: what is found, joined, and where it lies.

    python benchmarks/fragments.py [--workers N]

fits the weights of ``azulejar.imaging.fragments.seams`` to photographs of other seeds than those
that ``broken.py`` reports on, and prints them: to single fragments and to those that are joined by
the present weights, so that it is run twice from weights that are far off.
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
from azulejar.imaging.fragments import matching
from azulejar.imaging.fragments.alignment import alignments
from azulejar.imaging.fragments.join_list import SURE
from azulejar.imaging.fragments.joins import join_imported
from azulejar.imaging.fragments.matching import JoinedFragments, join_fragments
from azulejar.imaging.fragments.photographed import ROOM, find_fragments
from azulejar.imaging.fragments.poses import Fragment, Points
from azulejar.imaging.fragments.seams import Fit, measure_fit
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
PANEL_TABLES = ("dark cloth", "wood")
FIT_SEEDS = range(31, 35)
IN_PLACE, ASTRAY = 0.04, 0.1  # of a side: how far fragments are out of place that are, and are not


@dataclass(frozen=True)
class Shot:
    """Fragments found, named TILE_NUMBER by the truth; the sizes of the true sets; and where in
    its tile each point of a fragment's outline was, by its name.
    """

    found: list[Fragment]
    fragments: int
    sizes: dict[int, int]
    places: dict[str, Points]


def photograph(table: str, seed: int) -> Shot:
    """Break painted tiles, photograph them beside whole ones, and find the fragments."""
    tiles, _ = worn_puzzle(seed, 5, 5, TILE, 0.4)
    random = np.random.default_rng(seed)
    pieces: list[tuple[int, NDArray[np.uint8], Points]] = [
        (-1, tile, np.zeros(2)) for tile in tiles[:WHOLE_TILES]
    ]
    sizes = {}
    for tile in range(WHOLE_TILES, WHOLE_TILES + BROKEN_TILES):
        sizes[tile] = int(random.integers(2, MOST + 1))
        for fragment in break_tile(tiles[tile], sizes[tile], random):
            moved = centred(fragment)
            shift = middle_of(moved) - middle_of(fragment)
            pieces.append((tile, moved, shift / TILE))
    pieces = [pieces[k] for k in random.permutation(len(pieces))]
    photo = render_scene(SCENES[table], [picture for _, picture, _ in pieces], SHAPE, seed)
    middles = photo.corners.mean(axis=1)
    found, places = [], {}
    detection = find_tiles(photo.picture)
    for number, (fragment, outline) in enumerate(find_fragments(photo.picture, detection)):
        middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        k = int(np.linalg.norm(middles - middle, axis=1).argmin())
        tile, _, shift = pieces[k]
        named = Fragment(f"{tile}_{number}", fragment.picture, fragment.side)
        assert detection.plane is not None
        low = detection.plane.to_table(outline).min(axis=0) - ROOM
        quad = detection.plane.to_table(photo.corners[k]) - low
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - shift
        found.append(named)
        places[named.file] = moved_onto(quad, square, named.outline)
    return Shot(found, sum(sizes.values()), sizes, places)


def middle_of(picture: NDArray[np.uint8]) -> Points:
    """Return the middle of what is there of a picture [S, S, 4]."""
    return np.array([np.flatnonzero(picture[..., 3].any(axis=k))[[0, -1]].mean() for k in (0, 1)])


def moved_onto(points: Points, others: Points, all_points: Points) -> Points:
    """Move points by the rotation and shift that bring some of them onto others best."""
    middle, other_middle = points.mean(axis=0), others.mean(axis=0)
    u, _, vt = np.linalg.svd((points - middle).T @ (others - other_middle))
    turn = u @ np.diag([1, np.linalg.det(u @ vt)]) @ vt
    return (all_points - middle) @ turn + other_middle


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
        for number, table in enumerate(PANEL_TABLES):
            share = pieces[number :: len(PANEL_TABLES)]
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


def error_of(join: JoinedFragments, shot: Shot) -> float:
    """Return how far the fragments of a join are out of place to each other, in sides, the worst in
    the mean; infinity if they are not of one tile.
    """
    if len({file.split("_")[0] for file in join.files}) > 1 or tile_of(join) < 0:
        return float("inf")
    true = np.vstack([shot.places[file] for file in join.files])
    away = np.linalg.norm(moved_onto(join.outline, true, join.outline) - true, axis=1)
    ends = np.cumsum([len(fragment.outline) for fragment in join.fragments])[:-1]
    return max(float(each.mean()) for each in np.split(away, ends))


def is_right(join: JoinedFragments, shot: Shot) -> bool:
    """Tell whether all fragments are of one tile, and in place to each other."""
    return error_of(join, shot) < IN_PLACE


def fit(workers: int) -> None:
    """Fit the weights to pairs of parts, and print them."""
    with ProcessPoolExecutor(workers) as pool:
        rows = list(pool.map(pairs_of, *zip(*product(TABLES, FIT_SEEDS), strict=True)))
    features = np.concatenate([each for each, _ in rows])
    labels = np.concatenate([each for _, each in rows])
    print(f"{len(labels)} ways to join two parts, {labels.sum()} right")
    print(np.round(fit_logistic(features, labels), 2).tolist())


def pairs_of(table: str, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Join the fragments of a photograph; return the features of all ways to join two parts that
    were looked at, and which are right. Those that are nearly right tell nothing.
    """
    shot = photograph(table, seed)
    features, labels = [], []

    def best_fit(first: JoinedFragments, second: JoinedFragments, refused: object) -> Fit | None:
        if first.area + second.area > matching.WHOLE:
            return None
        one, other = first.as_one, second.as_one
        fits = [measure_fit(one, other, pose) for pose in alignments(one, other)]
        for each in fits:
            error = error_of(matching.joined(first, second, each), shot)
            if not IN_PLACE < error < ASTRAY:
                features.append(each.features)
                labels.append(error <= IN_PLACE)
        return max(fits, key=lambda each: each.log_odds, default=None)

    matching.best_fit = best_fit
    join_fragments(shot.found)
    return np.array(features), np.array(labels)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    fit(parser.parse_args().workers)
