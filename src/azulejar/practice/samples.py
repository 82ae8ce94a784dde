"""Ready-made data to practise on: the demo panel as a puzzle, and a small museum."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.edges import turn_picture
from azulejar.core.tiles import TileSet
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle, shuffle
from azulejar.practice.shaping import shape_top
from azulejar.practice.wear import age_tiles

DEMO_ROWS, DEMO_COLS = 10, 14
DEMO_TILE = 64  # pixels
DEMO_WEAR = 0.5

SHAPES = ((6, 9), (7, 7), (5, 9), (7, 6), (5, 8), (6, 6))  # rows and cols of the panels, in turn
STRANGER = (5, 8)  # panel whose tiles, each in colours of its own, are the strays
# For every six panels:
STRAYS, LOST, LATER = 12, 8, 8
CRATES = 12
HOMES = 4  # crates into which most tiles of a panel were packed
ASTRAY = 0.15  # share of a panel that lies in any crate
MUSEUM_TILE = 64  # pixels
MUSEUM_WEAR = 0.4

GREY = np.array([0.3, 0.59, 0.11])
# What glaze, washes and deepest lines of each panel fire to.
COLOURS = np.array(
    [
        [(239, 241, 238), (111, 144, 203), (21, 39, 103)],  # cobalt, as it is painted
        [(246, 243, 238), (170, 126, 160), (66, 34, 72)],  # manganese
        [(247, 245, 232), (226, 182, 92), (112, 66, 22)],  # antimony
        [(243, 245, 236), (120, 176, 140), (22, 72, 58)],  # copper
        [(246, 242, 236), (204, 132, 104), (104, 40, 30)],  # iron
        [(244, 244, 242), (130, 146, 160), (34, 44, 58)],  # lead
        [(248, 246, 236), (214, 196, 120), (58, 84, 60)],  # olive
    ],
    float,
)


class MuseumTile(NamedTuple):
    """A worn, turned tile: its ``pixels`` uint8 [S, S, 3] and its ``panel``, -1 for a stray."""

    pixels: NDArray[np.uint8]
    panel: int


Crate = list[MuseumTile]


def practice_puzzle(
    rows: int,
    cols: int,
    *,
    size: int = 32,
    trim: float = 0.0,
    turned: bool = False,
    seed: int = 0,
) -> tuple[TileSet, Assembly]:
    """Cut a painted panel into a puzzle whose solution is known.

    Args:
        rows: Rows of the panel, from about 4.
        cols: Cols of the panel, from about 4.
        size: Side of a tile before trimming, in pixels.
        trim: Fraction of the side that is lost at each side of a tile, from 0 to below 0.5.
        turned: Whether each tile is turned at random.
        seed: Another seed moves the brush and deals the tiles differently.

    Returns:
        The tiles, and the truth: where each of them lay, and the turn that brings it upright.

    Raises:
        AzulejarError: If tiles of that size cannot be made.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 5, size=24, turned=True)
        >>> tiles.pixels.shape, truth.rows, truth.cols
        ((20, 24, 24, 3), 4, 5)
    """
    cells = cut(paint_panel(rows, cols, size, seed), rows, cols, trim)
    pixels, truth = make_puzzle(cells, rows, cols, turned=turned, seed=seed)
    digits = len(str(len(pixels) - 1))
    return TileSet(pixels, tuple(f"{i:0{digits}}.png" for i in range(len(pixels)))), truth


def paint_museum(
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
    panels: int = len(SHAPES),
) -> list[Crate]:
    """Paint a museum: by default 258 of the 266 tiles of six panels and 12 strays, in 13 crates.

    The tiles of each panel are mixed over crates; the last crate comes in later. With more panels
    there are more crates, strays and lost tiles in proportion; with fewer, no crate is empty.
    """
    rng = np.random.default_rng(seed)
    times = -(-panels // len(SHAPES))
    boxes = CRATES * times  # that are there from the beginning
    crates: list[Crate] = [[] for _ in range(boxes + 1)]
    shapes = [SHAPES[number % len(SHAPES)] for number in range(panels)] + times * [STRANGER]
    painted = []
    for number, shape in enumerate(shapes):
        painted.append(_tiles(shape, number, seed + number, rng))
        if on_progress:
            on_progress((number + 1) / len(shapes))
    whole, strangers = painted[:panels], painted[panels:]
    kept = [(panel, tile) for panel, tiles in enumerate(whole) for tile in range(len(tiles))]
    chosen = rng.permutation(len(kept))[LOST * times :]
    homes = [rng.permutation(boxes)[:HOMES] for _ in whole]
    for place, which in enumerate(chosen.tolist()):
        panel, tile = kept[which]
        crate = int(rng.integers(boxes)) if rng.random() < ASTRAY else rng.choice(homes[panel])
        there = boxes if place < LATER * times else crate
        crates[there].append(MuseumTile(whole[panel][tile], panel))
    rows, cols = STRANGER
    apart = [row * cols + col for row in range(0, rows, 2) for col in range(0, cols, 2)]
    for stranger, tile in product(strangers, apart[:STRAYS]):
        stray = recolour(stranger[tile], np.sort(rng.integers(20, 250, (3, 3)), axis=0)[::-1])
        crates[rng.integers(boxes)].append(MuseumTile(stray, -1))
    for crate in crates:
        order = rng.permutation(len(crate))
        crate[:] = [_turn(crate[i], -int(rng.integers(4))) for i in order]
    return [crate for crate in crates if crate]


def _turn(tile: MuseumTile, turn: int) -> MuseumTile:
    return tile._replace(pixels=turn_picture(tile.pixels, turn))


def _tiles(
    shape: tuple[int, int], number: int, seed: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return the worn tiles of a painted panel, row by row."""
    picture = paint_panel(*shape, MUSEUM_TILE, seed=seed)
    # All show the same scene: beyond the seventh, washes of one colour have lines of another, and
    # beyond the 49th the scene is a mirror image.
    times, wash = divmod(number, len(COLOURS))
    mirrored, shift = divmod(times, len(COLOURS))
    line = (wash + shift) % len(COLOURS)
    if wash or line:
        picture = recolour(picture, np.vstack([COLOURS[wash, :2], COLOURS[line, 2:]]))
    if mirrored % 2:
        picture = picture[:, ::-1]
    return age_tiles(cut(picture, *shape), rng, MUSEUM_WEAR)


def recolour(picture: NDArray[np.uint8], colours: NDArray[np.number]) -> NDArray[np.uint8]:
    """Paint the picture [H, W, 3] again with the same ink in other colours."""
    ink = np.clip((243 - picture @ GREY) / 205, 0, 1)
    stops = (0.0, 0.5, 1.0)
    rgb = np.stack([np.interp(ink, stops, colours[:, c]) for c in range(3)], axis=2)
    return np.round(rgb).astype(np.uint8)


def worn_puzzle(
    seed: int,
    rows: int = DEMO_ROWS,
    cols: int = DEMO_COLS,
    tile: int = DEMO_TILE,
    wear: float = DEMO_WEAR,
) -> tuple[NDArray[np.uint8], Assembly]:
    """Make a puzzle of a painted panel, by default the demo panel, with worn and turned tiles.

    Returns the tiles [rows·cols, tile, tile, 3], shuffled, and where each belongs; ``tile`` is the
    side in pixels and ``wear`` the strength of the wear.
    """
    worn = _worn_cells(seed, rows, cols, tile, wear)
    return make_puzzle(worn, rows, cols, turned=True, seed=seed)


def shaped_puzzle(
    seed: int, rows: int, cols: int, tile: int, wear: float
) -> tuple[list[NDArray[np.uint8]], Assembly]:
    """Make a puzzle as ``worn_puzzle`` does, of a panel with a shaped top, a quarter of its height
    lower at the sides; tiles that are cut are [tile, tile, 4].
    """
    worn = _worn_cells(seed, rows, cols, tile, wear)
    cells, mask = shape_top(worn, rows, cols, rows / 4)
    return shuffle(cells, rows, cols, turned=True, seed=seed, mask=mask)


def _worn_cells(seed: int, rows: int, cols: int, tile: int, wear: float) -> NDArray[np.uint8]:
    cells = cut(paint_panel(rows, cols, tile, seed=seed), rows, cols)
    return age_tiles(cells, np.random.default_rng(seed), wear)
