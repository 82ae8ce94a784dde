"""Fit combs of joints to the lines of a view, one direction at a time.

In the square −1…1 of the rough corners, joints that run down stand at the middles τ with
τ + chirp·(τ² − 1) = start + k·period, and lean by slant + fan·τ. For a plane wall the fan of
one direction is minus the chirp of the other.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.photo import SIDE, Values
from azulejar.system.compiling import allocating

# Deviations by which a line must stand out for a joint there to be a gain.
USUAL = 1.6

LENGTH = SIDE // 2  # a joint must keep its tone over this many pixels
STRIDE = SIDE // 4
MOST_RIDGE = 1.5  # a painted outline counts no more than a clear joint

Tone = Literal[-1, 0, 1]  # joints darker than the glaze, of either tone, lighter


@dataclass(frozen=True)
class Comb:
    """The joints of one direction; lengths are in half sides of the rough corners' square."""

    slant: float
    fan: float
    chirp: float
    period: float
    start: float
    gain: float

    @property
    def tiles(self) -> float:
        """Number of tiles between the rough corners."""
        return 2 / self.period

    def joints(self) -> tuple[Values, Values, Values]:
        """Return number, middle and lean of the joints in and around the square."""
        numbers = np.arange(-2.0, np.ceil(self.tiles) + 3)
        places = self.start + numbers * self.period
        inside = 1 + 4 * self.chirp * (self.chirp + places) > 0.05
        numbers, places = numbers[inside], places[inside]
        middles = np.array([_middle(place, self.chirp) for place in places])
        return numbers, middles, self.slant + self.fan * middles


@dataclass(frozen=True)
class Trials:
    """Values to try for the parameters of a comb; ``periods`` are in pixels of the view."""

    slants: Values
    fans: Values
    chirps: Values
    periods: Values
    phases: int


@dataclass(frozen=True)
class CombFits:
    """The best comb for each fan and chirp: its gain and the indices of its other parameters."""

    gains: NDArray[np.float32]
    best: NDArray[np.int32]
    trials: Trials
    half: float

    def periods(self) -> Values:
        """Return the periods in pixels of the best combs [fans, chirps]."""
        return self.trials.periods[self.best[..., 1]]

    def comb(self, fan: int, chirp: int) -> Comb:
        """Return the best comb with this fan and chirp, given by their indices."""
        slant, period, phase = self.best[fan, chirp]
        length = self.trials.periods[period] / self.half
        return Comb(
            float(self.trials.slants[slant]),
            float(self.trials.fans[fan]),
            float(self.trials.chirps[chirp]),
            float(length),
            float(phase * length / self.trials.phases - 1),
            float(self.gains[fan, chirp]),
        )


def fit_combs(
    ridge: NDArray[np.float32],
    margin: int,
    trials: Trials,
    *,
    tone: Tone,
    tolerance: int,
    most: float,
) -> CombFits:
    """Try all combs on the ridges of a view whose rough corners lie ``margin`` pixels inside.

    A joint may lie ``tolerance`` pixels off its place, and gains at most ``most``.
    """
    height, width = (length - 2 * margin for length in ridge.shape)
    lines, places = _bands(ridge, tone)
    heights = (places * SIDE - margin) / height * 2 - 1
    inside = np.abs(heights) < 1
    reach = (np.abs(trials.slants).max() + np.abs(trials.fans).max()) * width / 2
    leans = np.arange(-reach - 1, reach + 2, SIDE / 20)
    leaning = _leaning(np.ascontiguousarray(lines[inside]), heights[inside], leans)
    gains, best = _best_combs(
        _gain(leaning, tolerance, most),
        margin,
        width / 2,
        leans[0],
        SIDE / 20,
        trials.slants,
        trials.fans,
        trials.chirps,
        trials.periods,
        trials.phases,
    )
    return CombFits(gains, best, trials, width / 2)


def _bands(ridge: NDArray[np.float32], tone: Tone) -> tuple[NDArray[np.float32], NDArray]:
    """Average ridges over LENGTH rows at every STRIDE-th row.

    Returns the bands [bands, width], and how far down the view their middles lie, in tiles.
    """
    middles = np.arange(STRIDE // 2, len(ridge), STRIDE)
    gathered = cv2.blur(ridge, (1, LENGTH), borderType=cv2.BORDER_REFLECT)[middles]
    strength = np.abs(gathered)
    if tone != 0:
        strength[gathered * tone < 0] = 0
    return np.minimum(strength, MOST_RIDGE), (middles + 0.5) / SIDE


def _above_usual(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Subtract from profiles [n, width] their mean over a tile's width."""
    return profiles - cv2.blur(profiles, (SIDE + 1, 1), borderType=cv2.BORDER_REFLECT)


def _gain(leaning: NDArray[np.float32], tolerance: int, most: float) -> NDArray[np.float32]:
    """Return what a joint gains at each place of the profiles [leans, width]."""
    near = cv2.dilate(_above_usual(leaning), np.ones((1, 2 * tolerance + 1), np.uint8))
    middle = np.median(near)
    deviation = 1.48 * np.median(np.abs(near - middle)) + 1e-6
    return np.clip((near - middle) / deviation - USUAL, -USUAL, most).astype(np.float32)


@allocating
def _leaning(lines, heights, leans):
    """Average bands [bands, width] along lines that lean by so many pixels at height 1."""
    count, width = lines.shape
    out = np.zeros((len(leans), width), np.float32)
    for i in range(len(leans)):
        for band in range(count):
            shift = leans[i] * heights[band]
            whole = int(np.floor(shift))
            part = np.float32(shift - whole)
            line, added = lines[band], out[i]
            # Between these, nothing has to be kept within the band: the loop is vectorized.
            begin, end = min(max(-whole, 0), width), max(min(width - 1 - whole, width), 0)
            for x in range(begin, end):
                added[x] += line[x + whole] * (1 - part) + line[x + whole + 1] * part
            for x in range(begin):
                added[x] += line[0] * (1 - part) + line[0] * part
            for x in range(max(begin, end), width):
                added[x] += line[width - 1] * (1 - part) + line[width - 1] * part
    return out / count


@allocating
def _middle(place, chirp):
    """Solve τ + chirp·(τ² − 1) = place for τ."""
    if abs(chirp) < 1e-9:
        return place
    return (-1 + np.sqrt(max(1 + 4 * chirp * (chirp + place), 0.0))) / (2 * chirp)


@allocating
def _best_combs(
    gain, margin, half, first, step, slants, fans, chirps, periods, phases
):  # numba takes no dataclass
    """Return the gains of the best combs [fans, chirps], and their slant, period and phase."""
    length = int(2 * half)
    gains = np.full((len(fans), len(chirps)), -1e9, np.float32)
    best = np.zeros((len(fans), len(chirps), 3), np.int32)
    straight = np.empty((len(chirps), length), np.int32)
    for c in range(len(chirps)):
        for x in range(length):
            middle = _middle((x + 0.5) / half - 1, chirps[c])
            straight[c, x] = min(max(int((middle + 1) * half), 0), length - 1)
    profile = np.empty(length, np.float32)
    for b in range(len(fans)):
        for a in range(len(slants)):
            for x in range(length):
                lean = (slants[a] + fans[b] * ((x + 0.5) / half - 1)) * half
                row = min(max(int((lean - first) / step + 0.5), 0), len(gain) - 1)
                profile[x] = gain[row, margin + x]
            for c in range(len(chirps)):
                for p in range(len(periods)):
                    for f in range(phases):
                        total = np.float32(0)
                        place = f * periods[p] / phases
                        while place < length:
                            total += profile[straight[c, int(place)]]
                            place += periods[p]
                        if total > gains[b, c]:
                            gains[b, c] = total
                            best[b, c, 0], best[b, c, 1], best[b, c, 2] = a, p, f
    return gains, best
