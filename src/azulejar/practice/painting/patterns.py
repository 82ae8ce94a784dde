"""Paint walls of pattern tiles: twelve designs that repeat over one to six tiles.

A design is a list of motifs in its module, which is repeated by its symmetry and by the module's
steps, then cut into tiles. Lengths are in tiles, with x to the right and y downwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.painting.curves import Points, Transform, ellipse, points, smooth

OVERSAMPLING = 4
FRACTION_BITS = 4
BLEED = 0.012  # how far colours creep in the molten glaze, in tiles
HAND = 0.008  # by how much the brush strays from one tile to the next, in tiles
DENSITY = 0.06  # by how much the pigment differs within a tile, as a share
COLOURS = {
    "white": (244, 243, 236),
    "pale": (168, 192, 222),
    "blue": (52, 88, 168),
    "cobalt": (24, 44, 112),
    "yellow": (230, 190, 84),
    "ochre": (198, 132, 52),
    "green": (70, 128, 92),
    "manganese": (98, 58, 92),
}
SHAPES = {
    "petal": smooth(points("0,0 .35,-.3 .8,-.26 1,0 .8,.26 .35,.3"), closed=True),
    "leaf": smooth(points("0,0 .3,-.22 .65,-.12 1,-.3 .8,.1 .4,.2"), closed=True),
    "drop": smooth(points("0,0 .6,-.12 1,-.2 1.1,0 1,.2 .6,.12"), closed=True),
    "lozenge": points("-1,0 0,-1 1,0 0,1"),
    "square": points("-1,-1 1,-1 1,1 -1,1"),
    "corner": points("-1,-1 1,-1 -1,1"),
    "wedge": points("0,0 1,-1 1,1"),
    "band": points("-1,-.12 1,-.12 1,.12 -1,.12"),
    "disc": ellipse((0, 0), 1, 1),
    "star": np.concatenate(
        [
            [
                (np.cos(a), np.sin(a)),
                (0.42 * np.cos(a + np.pi / 8), 0.42 * np.sin(a + np.pi / 8)),
            ]
            for a in np.arange(8) * np.pi / 4
        ]
    ),
}
# By name, which of the eight images of a motif about the module's middle are painted: quarters of
# a turn, and whether it is mirrored before.
SYMMETRIES: dict[str, tuple[tuple[int, bool], ...]] = {
    "none": ((0, False),),
    "half turns": ((0, False), (2, False)),
    "quarter turns": tuple((quarters, False) for quarters in range(4)),
    "mirrors": ((0, False), (2, False), (0, True), (2, True)),
    "all": tuple((quarters, flip) for flip in (False, True) for quarters in range(4)),
}


@dataclass(frozen=True)
class Motif:
    """One of ``SHAPES`` in a colour, ``size`` tiles large, turned by ``angle`` degrees.

    ``x`` and ``y`` are counted from the module's middle.
    """

    shape: str
    x: float
    y: float
    size: float
    angle: float
    colour: str


@dataclass(frozen=True)
class PatternDesign:
    """A design that repeats every ``rows`` × ``cols`` tiles.

    With ``drop``, each module to the right hangs that many tiles lower; ``symmetry`` is one of
    ``SYMMETRIES``.
    """

    name: str
    rows: int
    cols: int
    symmetry: str
    ground: str
    motifs: tuple[Motif, ...]
    drop: int = 0

    @property
    def period(self) -> tuple[int, int]:
        """Rows and cols after which the wall repeats straight across and straight down."""
        steps = 1 if not self.drop else self.rows // np.gcd(self.rows, self.drop)
        return self.rows, self.cols * int(steps)


def _design(
    name: str, size: tuple[int, int], symmetry: str, ground: str, motifs: str, drop: int = 0
) -> PatternDesign:
    """Read motifs written as lines of shape, x, y, size, angle and colour."""
    lines = [line.split() for line in motifs.strip().splitlines()]
    read = (
        Motif(shape, float(x), float(y), float(large), float(angle), colour)
        for shape, x, y, large, angle, colour in lines
    )
    return PatternDesign(name, *size, symmetry, ground, tuple(read), drop)


DESIGNS = (
    _design(
        "quatrefoil", (1, 1), "all", "white",
        """corner -.42 -.42 .13 0 cobalt
        petal 0 0 .4 0 blue
        petal .06 0 .24 0 pale
        disc 0 0 .1 0 yellow
        drop .16 .16 .22 45 green""",
    ),
    _design(
        "diagonal halves", (2, 2), "quarter turns", "white",
        """corner -.5 -.5 .5 0 blue""",
    ),
    _design(
        "diamond point", (1, 1), "none", "white",
        """wedge 0 0 .5 0 blue
        wedge 0 0 .5 90 cobalt
        wedge 0 0 .5 180 pale
        square 0 0 .26 0 yellow
        wedge 0 0 .26 0 ochre""",
    ),
    _design(
        "rosettes", (2, 2), "all", "white",
        """petal .1 0 .62 0 blue
        petal .1 0 .56 45 yellow
        disc 0 0 .2 0 ochre
        disc 0 0 .1 0 white
        disc .78 .78 .3 0 cobalt
        drop .95 .95 .5 225 white
        band .96 .3 .2 70 green""",
    ),
    _design(
        "pinwheel", (2, 2), "quarter turns", "pale",
        """leaf 0 0 .95 20 cobalt
        leaf .1 .15 .5 75 white
        disc .8 .35 .14 0 yellow
        star .92 .92 .32 10 manganese""",
    ),
    _design(
        "camellia", (2, 2), "mirrors", "white",
        """petal 0 0 .85 30 blue
        leaf .1 .1 .9 62 green
        petal 0 .05 .6 90 manganese
        disc 0 0 .22 0 yellow
        drop .95 .7 .5 200 cobalt
        disc .95 0 .12 0 ochre""",
    ),
    _design(
        "carpet", (4, 4), "all", "white",
        """petal .1 0 1.1 0 blue
        petal .1 0 .95 45 yellow
        disc 0 0 .34 0 cobalt
        star 0 0 .26 0 white
        leaf 1 .1 .95 62 green
        band 1.5 1.5 .5 45 cobalt
        disc 1.1 1.1 .2 0 ochre
        petal 1.95 0 .6 180 cobalt
        disc 2 2 .52 0 blue
        petal 1.9 1.9 .42 225 white""",
    ),
    _design(
        "whirl", (4, 4), "quarter turns", "white",
        """leaf .2 .1 1.8 12 blue
        leaf .4 .5 1.2 50 cobalt
        petal 1.1 .9 .8 100 yellow
        disc 0 0 .3 0 ochre
        drop 1.9 .4 .9 150 green
        star 1.95 1.95 .45 20 manganese
        leaf 1.2 1.4 .7 300 pale""",
    ),
    _design(
        "great carpet", (6, 6), "all", "white",
        """petal .1 0 1.4 0 blue
        petal .1 0 1.2 45 yellow
        disc 0 0 .55 0 cobalt
        star 0 0 .42 0 white
        leaf 1.4 .15 1.3 55 green
        disc 1.9 0 .3 0 ochre
        petal 2.9 .1 .8 165 cobalt
        leaf 2.2 .6 .9 80 blue
        band 2.1 1.4 .5 45 cobalt
        disc 1.45 1.45 .28 0 manganese
        drop 2.7 1.5 .8 140 yellow
        disc 3 3 .7 0 blue
        petal 2.85 2.85 .6 225 white
        leaf 2.95 2.2 .6 260 ochre""",
    ),
    _design(
        "half drop", (2, 2), "half turns", "white",
        """leaf .2 .05 1.3 20 blue
        petal .1 .2 .8 75 yellow
        disc 0 0 .24 0 cobalt
        leaf .9 .3 .7 110 green
        disc .95 .85 .12 0 manganese""",
        drop=1,
    ),
    _design(
        "chequers", (1, 1), "mirrors", "white",
        """lozenge 0 0 .25 0 green
        lozenge .5 .25 .25 0 green
        lozenge .25 .5 .12 0 green
        lozenge 0 0 .1 0 white""",
    ),
    _design(
        "trellis", (1, 1), "half turns", "white",
        """band 0 0 .75 45 ochre
        band 0 0 .75 135 manganese
        disc .5 .5 .16 0 blue
        leaf .05 .4 .34 290 green
        petal .42 .05 .26 190 pale""",
    ),
)  # fmt: skip


def paint_module(design: PatternDesign, tile: int = 64) -> NDArray[np.uint8]:
    """Paint one period of a design, cleanly: RGB [rows · tile, cols · tile, 3]."""
    rows, cols = design.period
    scale = OVERSAMPLING * tile
    sheet = np.empty((rows * scale, cols * scale, 3), np.uint8)
    sheet[:] = COLOURS[design.ground]
    for motif in design.motifs:
        for shape in _images(design, motif):
            # OpenCV counts from the middle of the first pixel.
            corners = np.rint((shape * scale - 0.5) * (1 << FRACTION_BITS)).astype(np.int32)
            colour = COLOURS[motif.colour]
            cv2.fillPoly(sheet, [corners], colour, cv2.LINE_AA, FRACTION_BITS)
    sigma = BLEED * scale
    around = int(4 * sigma) + 1
    wide = np.pad(sheet, ((around, around), (around, around), (0, 0)), mode="wrap")
    soft = cv2.GaussianBlur(wide, (0, 0), sigma)[around:-around, around:-around]
    size = (cols * tile, rows * tile)
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.uint8)


def _images(design: PatternDesign, motif: Motif) -> Iterator[Points]:
    """Yield the outlines of a motif wherever it touches the period of a design."""
    rows, cols = design.period
    outline = Transform((motif.x, motif.y), motif.size, np.deg2rad(motif.angle))(
        SHAPES[motif.shape]
    )
    for quarters, flip in SYMMETRIES[design.symmetry]:
        image = Transform((design.cols / 2, design.rows / 2), 1, quarters * np.pi / 2, flip)(
            outline
        )
        for right in range(-design.cols, cols + design.cols + 1, design.cols):
            dropped = right // design.cols * design.drop % design.rows
            for down in range(-2 * design.rows, rows + design.rows + 1, design.rows):
                moved = image + np.array((right, down + dropped))
                low, high = moved.min(0), moved.max(0)
                if (high > 0).all() and low[0] < cols and low[1] < rows:
                    yield moved


def paint_pattern(
    design: PatternDesign, rows: int, cols: int, tile: int = 64, seed: int = 0
) -> NDArray[np.uint8]:
    """Paint a wall of a design, each tile by hand: RGB [rows · tile, cols · tile, 3].

    The wall begins at the top left of the module; ``tile`` is the side of a tile in pixels.
    """
    rng = np.random.default_rng(seed)
    module = paint_module(design, tile)
    tall, wide = design.period
    wall = np.empty((rows * tile, cols * tile, 3), np.uint8)
    for row in range(rows):
        for col in range(cols):
            top, left = row % tall * tile, col % wide * tile
            cell = module[top : top + tile, left : left + tile]
            wall[row * tile :, col * tile :][:tile, :tile] = _by_hand(cell, rng)
    return wall


def _by_hand(cell: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Paint a tile once more: strokes stray a little, and the pigment lies unevenly."""
    size = len(cell)
    down, right = np.mgrid[:size, :size].astype(np.float32)
    stray_down, stray_right, density = (
        cv2.resize(rng.standard_normal((5, 5), np.float32), (size, size),
                   interpolation=cv2.INTER_CUBIC)
        for _ in range(3)
    )  # fmt: skip
    reach = HAND * size
    painted = cv2.remap(
        cell,
        right + reach * stray_right,
        down + reach * stray_down,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    ground = np.array(COLOURS["white"], np.float32)
    ink = (ground - painted) * (1 + DENSITY * density)[..., None]
    return np.clip(np.round(ground - ink), 0, 255).astype(np.uint8)
