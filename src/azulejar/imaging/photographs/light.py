"""Estimate the light of one photograph: from a chart or card, the glaze, and the bare table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.background import LIKE_TABLE, Background

BRIGHT = (90, 98)  # percentiles of a tile's brightness between which its glaze is looked for
SEEN_AT, RIM = 32, 2  # pixels a side of the copy that is looked at, and left out along its sides
BARE = 0.3  # share of the tiles, the brightest ones, that are taken to show bare glaze
LUMINANCE = np.array([0.299, 0.587, 0.114])  # of RGB
DRAWS = 40  # of halves of the tiles
CELLS = 3  # rows and cols of parts of the photograph in which table must be seen
TABLE_IN_CELL = 0.05  # share of a part that must be table
CELLS_SEEN = 7  # parts in which table must be seen
DARKEST_TABLE = 20.0  # grey level below which the table tells nothing of the light
STRONGEST = 1.6  # most that the light of a place is changed
ENOUGH_TILES = 8  # tiles from which their glaze tells the light of a photograph

Channels = tuple[float, float, float]


@dataclass(frozen=True)
class PhotoLight:
    """The light of a photograph, as the RGB, 0 to 255, that bare glaze has in it.

    - ``glaze``: read from ``tiles`` tiles, with the standard ``errors`` of its brightness and of
      its tint as fractions;
    - ``reference``: read from a chart or card, as ``source`` says, otherwise None and "";
    - ``evened``: whether the fall-off of light across the table has been undone in the tiles;
    - ``gains``: by which the channels of the tiles have been multiplied, None if they are as in
      the photograph; ``common``: the colour to which that was meant to bring the glaze.
    """

    glaze: Channels
    errors: tuple[float, float]
    tiles: int
    reference: Channels | None = None
    source: str = ""
    evened: bool = False
    gains: Channels | None = None
    common: Channels | None = None

    @classmethod
    def of(cls, recorded: dict[str, Any]) -> "PhotoLight":
        """Rebuild the light from its JSON record, in which tuples are lists."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in recorded.items()
        }
        return cls(**values)


def tile_white(tile: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the median RGB [3] of the bright parts of a tile [S, S, 3]."""
    small = cv2.resize(tile, (SEEN_AT, SEEN_AT), interpolation=cv2.INTER_AREA)
    inner = small[RIM:-RIM, RIM:-RIM].reshape(-1, 3).astype(float)
    bright = inner @ LUMINANCE
    low, high = np.percentile(bright, BRIGHT)
    return np.median(inner[(bright >= low) & (bright <= high)], axis=0)


def glaze_of(whites: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Estimate the RGB [3] of bare glaze, with the standard errors of its brightness and tint.

    ``whites`` [n, 3] are the bright colours of its n tiles, of which only the brightest count:
    others are painted all over. The errors, as fractions, are how far random halves of the tiles
    differ, which is as much as all of them differ from the truth, or a little more.
    """
    rng = np.random.default_rng(0)
    halves = [rng.permutation(len(whites))[: -(-len(whites) // 2)] for _ in range(DRAWS)]
    drawn = np.log([_brightest(whites[half]) for half in halves])
    brightness, tint = split_brightness(drawn - drawn.mean(axis=0))
    return _brightest(whites), (round(rms(brightness), 4), round(rms(tint), 4))


def split_brightness(
    logarithms: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Split log RGB [n, 3] into the brightness all channels share [n, 1] and the tint [n, 3]."""
    brightness = logarithms.mean(axis=1, keepdims=True)
    return brightness, logarithms - brightness


def rms(values: NDArray[np.float64]) -> float:
    """Return the root mean square."""
    return float(np.sqrt((values**2).mean()))


def _brightest(whites: NDArray[np.float64]) -> NDArray[np.float64]:
    bright = whites @ LUMINANCE
    bare = whites[bright >= np.quantile(bright, 1 - BARE)]
    return np.maximum(np.median(bare, axis=0), 1.0)


def fall_off(background: Background) -> NDArray[np.float32] | None:
    """Estimate the light [H, W] at every pixel of the reduced photograph, 1 on average.

    It is that of the bare table; None if too little of it is seen, or it is too dark.
    """
    table = background.difference < LIKE_TABLE
    rows = np.array_split(table, CELLS)
    parts = [part for row in rows for part in np.array_split(row, CELLS, axis=1)]
    if sum(part.mean() >= TABLE_IN_CELL for part in parts) < CELLS_SEEN:
        return None
    grey = background.colour * np.array([1, 0, 0], np.float32)
    level = 255 * np.asarray(cv2.cvtColor(grey, cv2.COLOR_LAB2RGB))[..., 1]
    usual = float(level.mean())
    if usual < DARKEST_TABLE:
        return None
    return np.clip(level / usual, 1 / STRONGEST, STRONGEST).astype(np.float32)


def light_at(
    light: NDArray[np.float32], places: NDArray[np.float64], scale: float
) -> NDArray[np.float32]:
    """Interpolate the light [n, m] at positions [n, m, 2] of a photograph.

    ``light`` [h, w] is that of its copy reduced by ``scale``.
    """
    where = ((places + 0.5) * scale - 0.5).astype(np.float32)
    return np.asarray(
        cv2.remap(
            light, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    )


def contradicts(whites: NDArray[np.float64], light: NDArray[np.float64]) -> bool:
    """Return whether the whites [n, 3] of tiles disagree with the ``light`` [n] at their places.

    Then it is the table that changes from place to place, or another lamp lights it. Tiles differ
    by what is painted on them too, so that they must contradict by more than a standard error.
    """
    bright, there = np.log(np.maximum(whites @ LUMINANCE, 1.0)), np.log(light)
    bright, there = bright - bright.mean(), there - there.mean()
    power = max(float(there @ there), 1e-9)
    slope = float(there @ bright) / power
    rest = bright - slope * there
    error = np.sqrt(float(rest @ rest) / max(len(light) - 2, 1) / power)
    return slope + error < 0.5


def as_channels(values: Sequence[float] | NDArray[np.floating]) -> Channels:
    """Convert three values to plain floats for the record."""
    red, green, blue = (round(float(value), 4) for value in values)
    return red, green, blue
