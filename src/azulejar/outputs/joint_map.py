"""The confidence of every joint, drawn over the panel as SVG; one tile is 100 units wide."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP, direction_of
from azulejar.core.tiles import TileSet
from azulejar.judging.confidence import joint_confidence, middle_by_tile
from azulejar.judging.evidence import Rivals
from azulejar.judging.seams import LoosePart, find_loose_part
from azulejar.judging.verdict import mean_confidence
from azulejar.outputs.language import ENGLISH, Words
from azulejar.outputs.mosaics import data_uri, draw_mosaic, tile_grid
from azulejar.outputs.wording import describe_place, format_probability

CLASSES = 5  # steps of the colour scale, which base.css colours as .c0 to .c4
BAR_LENGTH = 64
# Doubt widens a bar, so that the scale can be read without its colours too.
BAR_WIDTHS = (18, 15, 12, 9, 7)
TILE_PIXELS = 96  # largest size of a tile on the screen
WIDEST, HIGHEST = 1080, 1600
LABEL_PIXELS = 12


@dataclass(frozen=True)
class JudgedAssembly:
    """An assembly of n tiles with m joints, and the confidence in it.

    ``joints`` [m, 2] are edge pairs; ``joint_confidence`` [m] and ``tile_confidence`` [n] lie in
    [0, 1]. Tiles and compatibility are in the same order.
    """

    tiles: TileSet
    assembly: Assembly
    compatibility: Compatibility
    rivals: Rivals
    joints: NDArray[np.int32]
    joint_confidence: NDArray[np.float64]
    tile_confidence: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        tiles: TileSet,
        assembly: Assembly,
        compatibility: Compatibility,
        rivals: Rivals | None = None,
    ) -> "JudgedAssembly":
        """Compute the confidence in an assembly; ``rivals`` as in ``joint_confidence``."""
        rivals = rivals or Rivals.of(compatibility)
        joints, confidence = joint_confidence(compatibility, assembly, rivals)
        by_tile = middle_by_tile(joints, confidence, len(assembly))
        return cls(tiles, assembly, compatibility, rivals, joints, confidence, by_tile)

    @property
    def has_copies(self) -> bool:
        """Whether some tiles are so alike that low confidence is no fault."""
        return self.rivals.copies is not None

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The tiles' inventory numbers."""
        return self.tiles.numbers

    @cached_property
    def panels(self) -> list[int]:
        """Numbers of the panels that hold tiles."""
        return [int(panel) for panel in np.unique(self.assembly.panel) if panel >= 0]

    @cached_property
    def loose_part(self) -> LoosePart | None:
        """The part of the only panel that may not belong to the rest; None if there are copies."""
        if self.has_copies or len(self.panels) != 1:
            return None
        return find_loose_part(self.tiles.pixels, self.assembly, self.joints, self.joint_confidence)

    @cached_property
    def mean_confidence(self) -> float | None:
        """The share of the placed tiles that is likely to lie right."""
        return mean_confidence(self.assembly, self.tile_confidence)

    def describe_place(self, tile: int, say: Words = ENGLISH) -> str:
        """Say where a tile lies, counted from 1."""
        return describe_place(place_of(self.assembly, tile), several=len(self.panels) > 1, say=say)


class JointBar(NamedTuple):
    """A bar on a joint, of a ``step`` of the colour scale; ``title`` names its tiles."""

    x: int
    y: int
    width: int
    height: int
    step: int
    title: str


def place_of(assembly: Assembly, tile: int) -> Place:
    """Return where a tile lies."""
    return Place(int(assembly.panel[tile]), int(assembly.row[tile]), int(assembly.col[tile]))


def map_joints(judged: JudgedAssembly, panel: int) -> dict[str, Any]:
    """Return the drawing of one panel: its picture, a bar on every joint, and all sizes."""
    places = tile_grid(judged.assembly, panel)
    rows, cols = places.shape
    scale = min(TILE_PIXELS, WIDEST / cols, HIGHEST / rows) / 100
    letter = LABEL_PIXELS / scale
    margin = 2 * letter
    tile = judged.joints[:, 0] // 4
    return {
        "panel": panel,
        "rows": rows,
        "cols": cols,
        "letter": letter,
        "margin": margin,
        "pixels": (100 * cols + margin) * scale,
        "picture": data_uri(draw_mosaic(judged.tiles, judged.assembly.turn, places, 1280), 1280),
        "bars": joint_bars(judged, np.flatnonzero(judged.assembly.panel[tile] == panel)),
    }


def joint_bars(
    judged: JudgedAssembly, chosen: NDArray[np.int64], row: int = 0, col: int = 0
) -> list[JointBar]:
    """Return bars of the ``chosen`` joints, with the place (row, col) at the origin."""
    assembly = judged.assembly
    bars = []
    for joint in chosen:
        edge, other = judged.joints[joint]
        tile = edge // 4
        direction = direction_of(edge, assembly.turn[tile])
        x = 100 * (assembly.col[tile] - col) + 50 + 50 * COL_STEP[direction]
        y = 100 * (assembly.row[tile] - row) + 50 + 50 * ROW_STEP[direction]
        confidence = judged.joint_confidence[joint]
        step = confidence_step(confidence)
        width, height = BAR_WIDTHS[step], BAR_LENGTH
        if direction % 2 == 0:
            width, height = height, width
        number, beside = judged.numbers[tile], judged.numbers[other // 4]
        title = f"{number} – {beside}: {format_probability(confidence)}"
        bars.append(JointBar(x - width // 2, y - height // 2, width, height, step, title))
    return bars


def scale_steps(judged: JudgedAssembly) -> list[dict[str, Any]]:
    """Return the steps of the colour scale, with the number of joints in each."""
    steps = [confidence_step(confidence) for confidence in judged.joint_confidence]
    counts = np.bincount(np.array(steps, int), minlength=CLASSES)
    return [
        {
            "step": step,
            "length": BAR_LENGTH,
            "width": BAR_WIDTHS[step],
            "range": f"{step / CLASSES:.1f}–{(step + 1) / CLASSES:.1f}",
            "count": int(count),
        }
        for step, count in enumerate(counts)
    ]


def confidence_step(confidence: float) -> int:
    """Return the step of the colour scale, 0 (least sure) to 4."""
    return min(int(confidence * CLASSES), CLASSES - 1)
