"""How well walls without visible joints are found by stored patterns; added to their page.

python benchmarks/pattern_walls.py WALLS [--workers N]
WALLS holds photographs of real walls, none of which shows a stored pattern.
"""

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.collection.pattern_match import find_wall
from azulejar.collection.patterns import CollectionPatterns
from azulejar.imaging.picture import read_picture
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles
from patterns import WALLS, Store
from random_patterns import random_design
from tables import RESULTS, origin, table, write_page

SEED, STORE_SEED, RANDOM_SEED = 4200, 2064, 9000
COPIES, OTHERS = (30, 120), 100  # stored tiles of each pattern, and of panels
EACH, OTHER_WALLS = 2, 8  # walls of each pattern, and of others of each kind
LIGHT, WEAR = "medium", 0.7  # of the stored tiles; walls are worn alike
ROWS, COLS, SIDES = (5, 9), (6, 11), (40, 90)  # least, and one more than the most
MARGIN = 0.8  # of a tile, of plaster around a wall
SLANT = 0.04  # of the wall's shorter side, by which its corners are off at most
GAPS = 3  # places of a wall without a tile
NEAR = 0.1  # of a tile, by which joints may be off
PLASTER, MORTAR = 205, 150  # grey levels


class Wall(NamedTuple):
    """A wall to be drawn: what it shows, and the number of its seed."""

    kind: str
    number: int
    named: bool = False  # whether people have called the parts of each stored pattern the same


class Drawn(NamedTuple):
    """A drawn wall, what takes its pixels (x, y) to (col, row), and where tiles are lacking."""

    picture: NDArray[np.uint8]
    places: NDArray[np.float64] = np.eye(3)
    gaps: NDArray[np.bool_] = np.zeros((0, 0), bool)


class Judged(NamedTuple):
    """What was found of a wall."""

    matched: bool
    found: bool  # all of it, each joint in place
    named: bool  # as the pattern that it shows
    counted: bool  # its gaps, neither more nor less
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("walls", type=Path)
    parser.add_argument("--workers", type=int, default=1, help="walls that are looked at at a time")
    options = parser.parse_args()
    stored = [Wall("stored pattern", number) for number in range(EACH * len(DESIGNS))]
    others = [
        Wall(kind, number)
        for kind in ("other pattern", "painted panel")
        for number in range(OTHER_WALLS)
    ]
    parts = Counter(stock()[1])
    named = [wall._replace(named=True) for wall in stored if parts[wall.number % len(DESIGNS)] > 1]
    photographs = sorted(options.walls.glob("*.jpg"))
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        walls = [*stored, *named, *others, *photographs]
        judged = dict(zip(walls, pool.map(judge, walls), strict=True))
    for each, result in judged.items():
        print(each, result)
    rows: list[list[object]] = []
    for number, design in enumerate(DESIGNS):
        own = [judged[each] for each in stored if each.number % len(DESIGNS) == number]
        rows.append([design.name, *counts(own)])
    rows.append(["**all**", *counts([judged[each] for each in stored])])
    rows += [
        [f"{DESIGNS[number].name}, {count} parts named alike",
         *counts([judged[each] for each in named if each.number % len(DESIGNS) == number])]
        for number, count in parts.items() if count > 1
    ]  # fmt: skip
    wrong = [
        [kind, len(own), sum(judged[each].matched for each in own)]
        for kind, own in (
            ("other patterns", [each for each in others if each.kind == "other pattern"]),
            ("painted panels", [each for each in others if each.kind == "painted panel"]),
            ("photographs of real walls", photographs),
        )
    ]
    seconds = np.array([each.seconds for each in judged.values()])
    page = (RESULTS / "patterns.md").read_text(encoding="utf-8")
    before, _, _ = page.partition(WALLS)
    write_page(
        "patterns.md",
        before.strip(),
        WALLS,
        f"{origin(learned=False)} Walls of {ROWS[0]} to {ROWS[1] - 1} rows and {COLS[0]} to "
        f"{COLS[1] - 1} cols of the twelve patterns, tiles of {SIDES[0]} to {SIDES[1] - 1} px "
        f"worn singly ({WEAR}) without joints between them, {GAPS} tiles lacking anywhere, in "
        f"plaster; seen with the corners off by up to {SLANT:.0%} of the shorter side, in uneven, "
        f"coloured light, with blur and noise. Stored are {COPIES[0]} to {COPIES[1]} tiles of "
        f"each pattern, worn and photographed in {LIGHT} light as above. Nothing is told of the "
        "walls, and no joints are taken from the picture: `azulejar collection match` looks for "
        "these first, which is not measured here.",
        f"*Matched*: a stored pattern is said to continue the wall. *Found*: all rows and cols of "
        f"it, and each crossing of joints within {NEAR:g} of a tile. *Named*: by the pattern "
        "that it shows, and no other. *Gaps*: the lacking tiles are counted, each in its place, "
        "and no others; one at a corner of the wall cannot be told from its end, and is left out.",
        table(["pattern", "walls", "matched", "found", "named", "gaps"], rows),
        "Walls of what is not stored, which should not be matched:",
        table(["", "walls", "matched"], wrong),
        "Of a pattern that is stored in several parts, no wall is found where tiles of one part "
        "hardly adjoin, until the parts have one name. Of 24 such walls of another seed, 18 were "
        "found before outermost rows and cols that are little like tiles were left out, and 13 had "
        "their gaps counted right (those at corners too, which cannot be known).",
        f"A wall took {np.median(seconds):.0f} seconds (at most {seconds.max():.0f}, beside other "
        f"work) with {len(stock()[0].found.designs)} stored designs; it takes longer in proportion "
        "with more.",
    )


def counts(own: list[Judged]) -> list[int]:
    return [len(own), *(sum(each) for each in list(zip(*own, strict=True))[:-1])]


@cache
def stock(named: bool = False) -> tuple[CollectionPatterns, list[int]]:
    """Return the stored patterns, and which of ``DESIGNS`` most tiles of each show.

    Patterns that are ``named`` are so by people, tile by tile.
    """
    rng = np.random.default_rng(STORE_SEED)
    counts = rng.permutation(np.linspace(*COPIES, len(DESIGNS)).astype(int)).tolist()
    store = Store(DESIGNS, counts, OTHERS, LIGHT, STORE_SEED)
    names = [None if number < 0 else DESIGNS[number].name for number in store.pattern]
    found = find_patterns(store.pixels, names=names if named else None)
    of_tiles = found.of_tiles()
    shows = [
        int(np.bincount(store.pattern[of_tiles == number]).argmax()) for number in range(len(found))
    ]
    return CollectionPatterns(tuple(map(str, range(len(found)))), found), shows


def judge(wall: Wall | Path) -> Judged:
    """Look for the stored patterns on a wall; of photographs, tell only whether one is found."""
    cv2.setNumThreads(1)
    kept, shows = stock(isinstance(wall, Wall) and wall.named)
    drawn = Drawn(read_picture(wall)) if isinstance(wall, Path) else draw(wall)
    started = time.perf_counter()
    grid, matches = find_wall(kept, drawn.picture, None)
    seconds = time.perf_counter() - started
    if grid is None or isinstance(wall, Path):
        return Judged(bool(matches), False, False, False, seconds)
    at = cv2.perspectiveTransform(grid.crossings, drawn.places)
    rows, cols = drawn.gaps.shape
    true = np.stack(np.meshgrid(np.arange(cols + 1), np.arange(rows + 1)), axis=-1)
    whole = at.shape == true.shape and bool((np.abs(at - true) < NEAR).all())
    drawn.gaps[:: rows - 1, :: cols - 1] = False  # at corners
    mended = np.any([match.gaps for match in matches], axis=0)
    return Judged(
        matched=True,
        found=whole,
        named={shows[match.number] for match in matches} == {wall.number % len(DESIGNS)},
        counted=whole and np.array_equal(mended, drawn.gaps),
        seconds=seconds,
    )


def draw(wall: Wall) -> Drawn:
    """Draw a wall in plaster, and photograph it."""
    rng = np.random.default_rng([SEED, len(wall.kind), wall.number])
    rows, cols, side = (int(rng.integers(*each)) for each in (ROWS, COLS, SIDES))
    seed = int(rng.integers(2**31))
    if wall.kind == "painted panel":
        painted = paint_panel(rows, cols, side, seed)
    else:
        stored = wall.kind == "stored pattern"
        number = wall.number % len(DESIGNS)
        design = DESIGNS[number] if stored else random_design(RANDOM_SEED + seed)
        painted = paint_pattern(design, rows, cols, side, seed)
    cells = age_tiles(cut(painted, rows, cols), rng, WEAR)
    gaps = np.zeros(rows * cols, bool)
    gaps[rng.choice(rows * cols, GAPS, replace=False)] = True
    cells[gaps] = MORTAR
    flat = cells.reshape(rows, cols, side, side, 3).swapaxes(1, 2).reshape(rows * side, -1, 3)
    around = round(MARGIN * side)
    flat = np.pad(flat, ((around,) * 2, (around,) * 2, (0, 0)), constant_values=PLASTER)
    height, width = flat.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.uniform(-1, 1, (4, 2)) * SLANT * min(height, width)
    slant = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    shown = cv2.warpPerspective(flat, slant, (width, height), borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.3, 1.2)).astype(np.float64)
    down, right = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    slope = rng.uniform(-0.15, 0.15, 2)
    shown = shown * (1 + slope[0] * down + slope[1] * right)[..., None] * rng.uniform(0.9, 1.05, 3)
    shown = shown + rng.normal(0, 4, shown.shape)
    grid = np.array([[1 / side, 0, -around / side], [0, 1 / side, -around / side], [0, 0, 1]])
    picture = shown.clip(0, 255).round().astype(np.uint8)
    return Drawn(picture, grid @ np.linalg.inv(slant), gaps.reshape(rows, cols))


if __name__ == "__main__":
    main()
