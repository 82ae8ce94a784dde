"""Sides: the straight line of a tile's side, found by the vote of all that lies along it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from azulejar.imaging.photographs.strips import MARGIN, Strip
from azulejar.imaging.photographs.walls import Walls

FULL_VOTE = 12.0  # times the usual contrast on the table
NO_TABLE = 0.4  # of its vote that an edge keeps that has no table outside
LINES_KEPT = 4
LINES_APART = 0.008  # of the side
WORTH = 0.4  # of the best line's vote
THINNEST, WALL = 0.008, 0.05  # of the side: how wide a wall of clay may be seen
WALL_SEEN = 0.6  # share of the side along which a wall must be seen
WALL_GUESSED = 0.35  # the same where a wall must be
WALL_BONUS = 0.1  # vote that the glaze's border has over the wall's foot
NEAR = 1.0  # pixels of the level within which an edge lies on a line


@dataclass(frozen=True)
class Side:
    """Points [n, 2] on a side in pixels, which of them show an edge, and how strong it is.

    ``support`` is the share of the side along which there is an edge, ``vote`` how strong it is
    and how far what lies outside is table, from 0 to 1; ``wall`` the width in pixels of the clay
    wall that is seen outside of it.
    """

    points: NDArray[np.float64]
    seen: NDArray[np.bool_]
    support: float
    vote: float
    wall: float = 0.0


@dataclass(frozen=True)
class Line:
    """Offsets in pixels of a strip's first and last place, and the vote for the line, 0 to 1;
    ``wall`` is the width in pixels of the clay wall that is seen outside of it.
    """

    first: float
    last: float
    vote: float
    wall: float = 0.0


def vote_lines(strip: Strip, usual: float, no_table: float = NO_TABLE) -> list[Line]:
    """The lines along which most places see an edge, best first, and none near another.

    ``no_table`` is what an edge counts that has no table outside, as of touching tiles.
    """
    strong = np.minimum(strip.contrast / (FULL_VOTE * usual), 1.0)
    votes = strong * (no_table + (1 - no_table) * strip.table)
    count, width = votes.shape
    first, last = np.meshgrid(np.arange(width), np.arange(width), indexing="ij")
    share = np.linspace(0, 1, count)
    index = np.rint(first[..., None] + (last - first)[..., None] * share).astype(np.intp)
    score = votes[np.arange(count), index].mean(axis=2)
    middle = strip.offsets[first] + strip.offsets[last]
    # Of lines that do equally well the one nearest to what was expected.
    rank = score - 0.02 * np.abs(middle) / np.ptp(strip.offsets)
    apart = max(LINES_APART * _length(strip), 1.5 * strip.unit)
    lines: list[Line] = []
    while len(lines) < LINES_KEPT:
        best = np.unravel_index(np.argmax(rank), rank.shape)
        if rank[best] == -np.inf or (lines and score[best] < WORTH * lines[0].vote):
            break
        ends = strip.offsets[best[0]], strip.offsets[best[1]]
        lines.append(Line(float(ends[0]), float(ends[1]), float(score[best])))
        rank[np.abs(middle - sum(ends)) < 2 * apart] = -np.inf
    return lines


def _length(strip: Strip) -> float:
    return float(np.linalg.norm(strip.places[-1] - strip.places[0])) / (1 - 2 * MARGIN)


def past_wall(strip: Strip, line: Line, usual: float, walls: Walls | None) -> Line:
    """The glaze's own border, if ``line`` is the foot of the tile's clay wall.

    A camera that looks at a slant sees the wall as a strip of bare clay along a side. Where it is
    known how wide ``walls`` are, an edge there is enough; else the strip must look like clay.
    """
    side = _length(strip)
    ends = np.linspace(line.first, line.last, len(strip.places))
    step = strip.offsets[1] - strip.offsets[0]
    foot = np.rint((ends - strip.offsets[0]) / step).astype(int)
    rows = np.arange(len(foot))
    thin, thick, least = THINNEST * side, WALL * side, WALL_SEEN
    if walls is not None:
        wide = walls.width(strip.places.mean(axis=0), strip.outward)
        if wide < thin:
            return line
        thin, thick, least = max(0.5 * wide, thin), 1.6 * wide, WALL_GUESSED
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
    if walls is None:
        peak &= is_clay(strip.colours[rows[:, None], foot[:, None] - (depths + 1) // 2])
    seen = peak.mean(axis=0)
    best = int(np.argmax(seen))
    if seen[best] < least:
        return line
    width = float(depths[best] * step)
    return Line(line.first - width, line.last - width, line.vote + WALL_BONUS, width)


def is_clay(lab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether colours [..., 3] are the warm ones of fired clay."""
    return (lab[..., 1] > 3) & (lab[..., 2] > 5) & (lab[..., 0] < 85)


def trace(strip: Strip, line: Line, usual: float) -> Side:
    """The edge's exact place near a line, at every place along the side."""
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
    return Side(points, seen, float(seen.mean()), line.vote, line.wall)


def straight_line(points: NDArray[np.float64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The line a, b, c with a x + b y = c, a² + b² = 1, through most of the points seen."""
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
    """Where two lines meet; far away if they are parallel."""
    matrix = np.array([line[:2], other[:2]])
    if abs(np.linalg.det(matrix)) < 1e-9:
        return np.full(2, 1e9)
    return np.linalg.solve(matrix, [line[2], other[2]])
