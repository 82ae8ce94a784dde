"""Plan a museum: which panels and strays, cut from which pictures, and where.

Nothing is drawn here; a plan needs only the sizes of the pictures. Crops of one picture never
overlap and keep a tile's width apart, so that no tile of one panel continues another panel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import exp, floor, log
from pathlib import Path

import numpy as np

from azulejar.imaging.picture import picture_size

FEWEST, MOST = 40, 400  # tiles of a whole panel
FINE, COARSEST = 36, 56  # pixels of the picture that one tile takes
FINEST = 24  # where a large panel would not fit otherwise
MISSING = 0.10  # of each panel
STRAYS = 0.05  # of the museum
ASPECT = (1.3, 0.4)  # median of cols / rows, and spread of its logarithm, as on real panels
WIDEST = 3.0


@dataclass(frozen=True)
class Crop:
    """A planned panel: rows × cols tiles of ``tile`` px, from ``left``, ``top`` of a picture."""

    name: str
    kind: str  # unseen, seen, real or stray
    picture: Path
    rows: int
    cols: int
    tile: int
    left: int = 0
    top: int = 0


@dataclass
class Room:
    """The rectangles of pictures still free: picture, left, top, width, height."""

    kind: str
    free: list[tuple[Path, int, int, int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, pictures: Sequence[Path], kind: str) -> "Room":
        return cls(kind, [(path, 0, 0, *picture_size(path)) for path in pictures])

    def take(self, name: str, rows: int, cols: int, rng: np.random.Generator) -> Crop | None:
        """Cut rows × cols tiles out of a random rectangle that is large enough, if there is one."""
        coarsest = np.array([min(wide // cols, tall // rows) for *_, wide, tall in self.free])
        fits = np.flatnonzero(coarsest >= min(FINE, coarsest.max(initial=0)))
        if coarsest.max(initial=0) < FINEST:
            return None
        path, left, top, width, height = self.free.pop(rng.choice(fits))
        upper = min(width // cols, height // rows, COARSEST)
        tile = floor(exp(rng.uniform(log(min(FINE, upper)), log(upper + 1))))
        wide, tall = cols * tile, rows * tile
        x = left if rng.random() < 0.5 else left + width - wide
        y = top if rng.random() < 0.5 else top + height - tall
        whole = (path, left, top, width, height)
        self.free += _rest(whole, x, y, wide, tall, tile)
        return Crop(name, self.kind, path, rows, cols, tile, x, y)


def plan_panels(room: Room, tiles: int, rng: np.random.Generator) -> list[Crop]:
    """Cut panels and strays from a room, of about ``tiles`` tiles once some are missing.

    The largest are placed first. Those that do not fit are drawn again as smaller panels.
    """
    strays = round(STRAYS * tiles)
    crops: list[Crop] = []
    left, most = tiles - strays, MOST
    while left > FEWEST / 2 and most >= FEWEST:
        shapes = sorted(panel_shapes(left, most, rng), key=lambda shape: -shape[0] * shape[1])
        left = 0
        for rows, cols in shapes:
            crop = room.take(f"{room.kind}{len(crops) + 1:05d}", rows, cols, rng)
            if crop is None:
                left += count_present(rows, cols)
            else:
                crops.append(crop)
        most = round(most * 0.7)
    loose = [room.take(f"{room.kind}_stray{i + 1:05d}", 1, 1, rng) for i in range(strays)]
    if left > FEWEST / 2 or None in loose:
        raise SystemExit(f"The {room.kind} pictures have no room for {tiles} tiles. Give more.")
    return crops + [replace(crop, kind="stray") for crop in loose if crop]


def count_present(rows: int, cols: int) -> int:
    """Return how many tiles of a panel are still there."""
    return rows * cols - round(MISSING * rows * cols) if rows * cols > 1 else 1


def panel_shapes(tiles: int, most: int, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Draw rows and cols, log-uniform in size, for about ``tiles``; the last takes the rest."""
    left = tiles
    while left > FEWEST / 2:
        size = exp(rng.uniform(log(FEWEST), log(most)))
        rest = left / (1 - MISSING)
        if rest < size + FEWEST:
            size = rest if rest <= most else rest / 2
        aspect = np.clip(ASPECT[0] * exp(rng.normal(0, ASPECT[1])), 1 / WIDEST, WIDEST)
        rows = max(round((size / aspect) ** 0.5), 1)
        cols = max(round(size / rows), 1)
        left -= count_present(rows, cols)
        yield rows, cols


def _rest(
    whole: tuple[Path, int, int, int, int], x: int, y: int, wide: int, tall: int, gap: int
) -> list[tuple[Path, int, int, int, int]]:
    """Return what a crop in a corner of a rectangle leaves: a strip beside it and one below it."""
    path, left, top, width, height = whole
    beside, beyond = width - wide - gap, height - tall - gap
    side = left + wide + gap if x == left else left
    end = top + tall + gap if y == top else top
    if beside * height > beyond * width:
        found = [(path, side, top, beside, height), (path, x, end, wide, beyond)]
    else:
        found = [(path, side, y, beside, tall), (path, left, end, width, beyond)]
    return [each for each in found if min(each[3:]) >= FINEST]
