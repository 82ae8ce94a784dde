"""How far ``azulejar import --colour`` brings photographs in different light together.

python benchmarks/import_colour.py ../shared/data/panels/val [PANELS]
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.evaluation.ranks import true_ranks
from azulejar.imaging.photographs import importing
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.find import Detection, find_tiles
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import ImportSettings, import_photograph
from azulejar.imaging.photographs.levelling import LightSpread, level_photographs
from azulejar.imaging.photographs.light import ENOUGH_TILES
from azulejar.imaging.photographs.photo_files import PhotoFile
from azulejar.imaging.picture import read_picture, read_tile, write_picture
from azulejar.measures import get_measure
from azulejar.practice.photography import LIGHT
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, RenderedPhoto, render_scene
from tables import origin, table, write_page

SHAPE = (900, 1200)
TILES_EACH = 16  # in a photograph
PANELS = 1  # unless told
PART = 102  # tiles of a panel, at most
EXPOSURE = 0.85  # of white glaze in the middle of the table, so that no light clips it
KEPT = 40  # photographs whose tiles are remembered
TRIM = 0.03  # joints of the panels' pictures, which no loose tile has
SIZE = 64  # pixels of a tile when it is measured
TABLES = ("light cloth", "wood", "dark cloth", "grid")
EVEN = "one, even"
LAMPS = {EVEN: "none", "strong": "strong"}
RUNS = ((False, Colour.OFF), (False, Colour.AUTO), (False, Colour.GLAZE), (True, Colour.AUTO))
MEASURE = "dlcm"

Pixels = NDArray[np.uint8]


def photographs(
    tiles: Pixels, light: str, seed: int
) -> list[tuple[NDArray[np.intp], RenderedPhoto]]:
    """Photograph all tiles on tables, with a chart; return which lie in each photograph, and it."""
    random = np.random.default_rng(seed)
    shuffled = random.permutation(len(tiles))
    shares = np.array_split(shuffled, -(-len(tiles) // TILES_EACH))
    conditions = LIGHT[LAMPS[light]]
    taken = []
    for k, share in enumerate(shares):
        scene = SCENES[TABLES[k % len(TABLES)]]
        if light == EVEN:
            scene = replace(scene, light=0.0)
        gain = EXPOSURE * (1 + random.uniform(-conditions.gain, conditions.gain))
        lamp = gain * (1 + random.uniform(-conditions.tint, conditions.tint, 3))
        picked = [tiles[i] for i in share]
        photo = render_scene(scene, picked, SHAPE, seed + k, lamp=lamp.tolist(), chart=True)
        taken.append((share, photo))
    return taken


def import_all(
    taken: list[tuple[NDArray[np.intp], RenderedPhoto]], colour: Colour, count: int
) -> tuple[Pixels, list[int]]:
    """Import photographs; return the tiles [n, SIZE, SIZE, 3], upright, and those found."""
    tiles = np.zeros((count, SIZE, SIZE, 3), np.uint8)
    found = []
    with tempfile.TemporaryDirectory() as home:
        log = ImportLog(Path(home) / "tiles")
        for k, (_, photo) in enumerate(taken):
            path = Path(home) / f"photo_{k:02}.png"
            write_picture(path, photo.picture)
            import_photograph(log, PhotoFile(path), ImportSettings(colour))
        level_photographs(log)
        for record in log.all():
            which, photo = taken[int(Path(record.photo).stem[-2:])]
            for tile in record.tiles:
                number, turn = matching(np.array(tile.corners), photo.corners)
                pixels = read_tile(log.folder / tile.file, SIZE)
                tiles[which[number]] = np.rot90(pixels, turn)
                found.append(int(which[number]))
    return tiles, found


def matching(corners: NDArray[np.float64], truth: NDArray[np.float64]) -> tuple[int, int]:
    """Return the number of the tile found, and the quarters anticlockwise that bring it upright."""
    off = [[np.linalg.norm(np.roll(corners, -k, axis=0) - each, axis=1).max() for k in range(4)]
           for each in truth]  # fmt: skip
    number, turn = np.unravel_index(np.argmin(off), (len(truth), 4))
    return int(number), int(turn)


def light_left(tiles: Pixels, true: Pixels) -> LightSpread:
    """Return how differently the tiles are lit, by what they truly look like."""
    inner = slice(SIZE // 8, -SIZE // 8)
    ratio = (tiles[:, inner, inner] + 4.0) / (true[:, inner, inner] + 4.0)
    return LightSpread.of(list(np.median(ratio.reshape(len(tiles), -1, 3), axis=1)))


def rank_1(tiles: Pixels, cols: int) -> float:
    """Return the rank-1 of the default measure among upright tiles, in %."""
    row, col = np.divmod(np.arange(len(tiles)), cols)
    truth = Assembly.of(row, col, np.zeros(len(tiles), int))
    names = tuple(f"{k:03}.png" for k in range(len(tiles)))
    scores = get_measure(MEASURE).score(TileSet(tiles, names))
    return float(100 * (true_ranks(scores, truth, upright=True) == 0).mean())


def remember_detections() -> None:
    """Find the tiles of a photograph once, however often it is imported."""
    kept: dict[tuple[bytes, bool], Detection] = {}

    def finding(picture: Pixels, half_tiles: bool) -> Detection:
        key = sha256(picture.tobytes()).digest(), half_tiles
        if key not in kept:
            if len(kept) == KEPT:
                kept.pop(next(iter(kept)))
            kept[key] = find_tiles(picture, half_tiles)
        return kept[key]

    importing.find_tiles = finding


@contextmanager
def chart_hidden(hidden: bool) -> Iterator[None]:
    """Import as if no chart had been seen, so that the same photographs are compared."""
    find = importing.find_tiles
    if hidden:
        importing.find_tiles = lambda *seen: replace(find(*seen), chart=None)
    try:
        yield
    finally:
        importing.find_tiles = find


def measure(panels: list[KnownPanel]) -> list[list[object]]:
    """Return a row for each light and way to even it out, as means over panels."""
    rows: list[list[object]] = []
    for light in LAMPS:
        found: dict[tuple[bool, Colour], list[tuple[float, float, float]]] = {}
        for seed, panel in enumerate(panels):
            part = panel.cols * (PART // panel.cols)
            true = cut(read_picture(panel.path), panel.rows, panel.cols, TRIM, SIZE)[:part]
            taken = photographs(true, light, 100 * seed)
            for chart, colour in RUNS:
                with chart_hidden(not chart):
                    tiles, which = import_all(taken, colour, len(true))
                left = light_left(tiles[which], true[which])
                values = (left.brightness, left.tint, rank_1(tiles, panel.cols))
                found.setdefault((chart, colour), []).append(values)
                print(light, panel.name, chart, colour, len(which), values, flush=True)
        for (chart, colour), every in found.items():
            brightness, tint, ranks = np.mean(every, axis=0)
            name = f"`{colour}`, by the chart" if chart else f"`{colour}`"
            shown = [f"{100 * brightness:.1f}", f"{100 * tint:.1f}", f"{ranks:.1f}"]
            rows.append([light, name, *shown])
    return rows


def main() -> None:
    cv2.setNumThreads(1)
    remember_detections()
    folder = Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else PANELS
    panels = find_panels(folder)
    panels = [panels[round(k)] for k in np.linspace(0, len(panels) - 1, wanted)]
    rows = measure(panels)
    names = ", ".join(panel.name for panel in panels)
    write_page(
        "import_colour.md",
        "# Photographs in different light",
        origin(),
        f"Rendered photographs of tables as in [import](import.md), {SHAPE[1]} × {SHAPE[0]} px, "
        f"about {TILES_EACH} tiles in each: the first {PART} tiles or so of {names} "
        f"(`{folder.name}`), dealt at random to photographs on {', '.join(TABLES)}. A colour "
        "chart lies beside them, which only the last row of each light may look at. *One, even*: "
        "the same lamp for all, without fall-off. *Strong*: light falls off across each table by "
        "up to a quarter, and each photograph has its own lamp, whose brightness and tint differ "
        "as much as those of single tiles in `azulejar puzzle --light strong`.",
        "Brightness and tint: how differently the imported tiles are lit in the end, within and "
        "between photographs: standard deviations in %, by comparison with what the tiles truly "
        f"look like. Rank-1: of `{MEASURE}`, upright tiles, in %; on a single panel it varies by "
        f"two or three points by chance. With fewer than {ENOUGH_TILES} tiles in a photograph and "
        "no chart `auto` changes nothing.",
        table(["light", "`--colour`", "brightness", "tint", "rank-1"], rows),
    )


if __name__ == "__main__":
    main()
