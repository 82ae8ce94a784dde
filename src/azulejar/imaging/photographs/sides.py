"""Find the straight line of a tile's side by a vote of all places along it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from azulejar.imaging.photographs.geometry import ClaySides
from azulejar.imaging.photographs.strips import MARGIN, Strip

FULL_VOTE = 12.0  # times the usual contrast on the table
NO_TABLE = 0.4  # share of its vote that an edge keeps without table outside
LINES_KEPT = 4
LINES_APART = 0.008  # of the side
WORTH = 0.4  # least share of the best line's vote
THINNEST, WIDEST = 0.008, 0.05  # of the side: how wide clay may be seen
CLAY_SEEN = 0.6  # share of the side along which clay must be seen
CLAY_GUESSED = 0.35  # the same where clay is expected
CLAY_BONUS = 0.1  # vote that the glaze's border has over the tile's foot
NEAR = 1.0  # pixels of the level within which an edge lies on a line


@dataclass(frozen=True)
class SideTrace:
    """A side as traced: ``points`` [n, 2] in pixels, and which of them show an edge.

    ``support`` is the share of the side along which there is an edge, ``vote`` how strong it is
    and how far what lies outside is table, from 0 to 1; ``clay_width`` the width in pixels of the
    clay that is seen outside of it.
    """

    points: NDArray[np.float64]
    seen: NDArray[np.bool_]
    support: float
    vote: float
    clay_width: float = 0.0


@dataclass(frozen=True)
class SideLine:
    """A line across a strip: its offsets in pixels at both ends, and its vote, 0 to 1.

    ``clay_width`` is the width in pixels of the clay that is seen outside of it.
    """

    first: float
    last: float
    vote: float
    clay_width: float = 0.0


def vote_lines(strip: Strip, usual: float, no_table: float = NO_TABLE) -> list[SideLine]:
    """Return the lines along which most places see an edge, best first, none near another.

    ``no_table`` is the weight of an edge without table outside, as between touching tiles.
    """
    strong = np.minimum(strip.contrast / (FULL_VOTE * usual), 1.0)
    votes = strong * (no_table + (1 - no_table) * strip.table)
    count, width = votes.shape
    score = votes.ravel()[_lines_across(count, width)].mean(axis=2)
    middle = strip.offsets[:, None] + strip.offsets
    # Among lines with equal votes, prefer the one nearest to the expected place.
    rank = score - 0.02 * np.abs(middle) / np.ptp(strip.offsets)
    apart = max(LINES_APART * _length(strip), 1.5 * strip.unit)
    lines: list[SideLine] = []
    while len(lines) < LINES_KEPT:
        best = np.unravel_index(np.argmax(rank), rank.shape)
        if rank[best] == -np.inf or (lines and score[best] < WORTH * lines[0].vote):
            break
        ends = strip.offsets[best[0]], strip.offsets[best[1]]
        lines.append(SideLine(float(ends[0]), float(ends[1]), float(score[best])))
        rank[np.abs(middle - sum(ends)) < 2 * apart] = -np.inf
    return lines


@lru_cache(maxsize=8)
def _lines_across(count: int, width: int) -> NDArray[np.intp]:
    """Return the flat indices [width, width, count] of readings [count, width] on all lines."""
    first, last = np.arange(width)[:, None, None], np.arange(width)[:, None]
    index = np.rint(first + (last - first) * np.linspace(0, 1, count)).astype(np.intp)
    index += width * np.arange(count)
    index.flags.writeable = False
    return index


def _length(strip: Strip) -> float:
    return float(np.linalg.norm(strip.places[-1] - strip.places[0])) / (1 - 2 * MARGIN)


def past_clay_side(
    strip: Strip, line: SideLine, usual: float, clay_sides: ClaySides | None
) -> SideLine:
    """Return the glaze's own border if ``line`` is the foot of the tile's clay side.

    A camera that looks at a slant sees a strip of bare clay along a side. Where the width of
    ``clay_sides`` is known, an edge there is enough; otherwise the strip must look like clay.
    """
    side = _length(strip)
    ends = np.linspace(line.first, line.last, len(strip.places))
    step = strip.offsets[1] - strip.offsets[0]
    foot = np.rint((ends - strip.offsets[0]) / step).astype(int)
    rows = np.arange(len(foot))
    thin, thick, least = THINNEST * side, WIDEST * side, CLAY_SEEN
    if clay_sides is not None:
        wide = clay_sides.width(strip.places.mean(axis=0), strip.outward)
        if wide < thin:
            return line
        thin, thick, least = max(0.5 * wide, thin), 1.6 * wide, CLAY_GUESSED
    depths = np.arange(max(round(thin / step), 2), round(thick / step) + 1)
    depths = depths[foot.min() - depths >= 1]
    if not len(depths):
        return line
    where = foot[:, None] - depths
    contrast = strip.contrast[rows[:, None], where]
    # An edge of its own, and not the flank of the one at the foot.
    peak = contrast >= np.maximum(
        strip.contrast[rows[:, None], where - 1], strip.contrast[rows[:, None], where + 1]
    )
    peak = ndimage.binary_dilation(peak & (contrast > 2 * usual), np.ones((1, 3)))
    if clay_sides is None:
        peak &= is_clay(strip.colours[rows[:, None], foot[:, None] - (depths + 1) // 2])
    seen = peak.mean(axis=0)
    best = int(np.argmax(seen))
    if seen[best] < least:
        return line
    width = float(depths[best] * step)
    return SideLine(line.first - width, line.last - width, line.vote + CLAY_BONUS, width)


def is_clay(lab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell whether Lab colours [..., 3] are the warm ones of fired clay."""
    return (lab[..., 1] > 3) & (lab[..., 2] > 5) & (lab[..., 0] < 85)


def trace(strip: Strip, line: SideLine, usual: float) -> SideTrace:
    """Locate the edge near a line exactly, at every place along the side."""
    expected = np.linspace(line.first, line.last, len(strip.places))
    step = strip.offsets[1] - strip.offsets[0]
    distance = np.abs(strip.offsets - expected[:, None])
    close = np.where(distance <= NEAR * strip.unit + step / 2, strip.contrast, -1.0)
    peak = np.clip(close.argmax(axis=1), 1, len(strip.offsets) - 2)
    rows = np.arange(len(peak))
    before, at, after = (strip.contrast[rows, peak + k] for k in (-1, 0, 1))
    bend = before - 2 * at + after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
    offset = strip.offsets[peak] + np.clip(shift, -0.5, 0.5) * step
    seen = at > 1.5 * usual
    points = strip.places + offset[:, None] * strip.outward
    return SideTrace(points, seen, float(seen.mean()), line.vote, line.clay_width)


def straight_line(points: NDArray[np.float64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fit the line a x + b y = c, a² + b² = 1, to most of the points seen; return (a, b, c)."""
    used = points[seen] if seen.sum() >= 6 else points
    weight = np.ones(len(used))
    for _ in range(8):
        middle = (weight[:, None] * used).sum(axis=0) / weight.sum()
        spread = (used - middle) * np.sqrt(weight)[:, None]
        normal = np.linalg.svd(spread, full_matrices=False)[2][1]
        rest = np.abs((used - middle) @ normal)
        scale = max(1.4826 * float(np.median(rest)), 0.05)
        weight = 1 / (1 + (rest / (2 * scale)) ** 2) ** 2
    return np.append(normal, normal @ middle)


def crossing(line: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the point where two lines meet, far away if they are parallel."""
    matrix = np.array([line[:2], other[:2]])
    if abs(np.linalg.det(matrix)) < 1e-9:
        return np.full(2, 1e9)
    return np.linalg.solve(matrix, [line[2], other[2]])
