"""Fit the exact outline of a tile to a rough one, and measure its support."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.imaging.photographs.geometry import TOLERANCE, ClaySides, Plane
from azulejar.imaging.photographs.quads import LONGEST, Quad, is_squarish, side_of
from azulejar.imaging.photographs.sides import (
    NO_TABLE,
    SideLine,
    SideTrace,
    crossing,
    past_clay_side,
    straight_line,
    trace,
    vote_lines,
)
from azulejar.imaging.photographs.strips import Strip, TablePhoto, read_strip

LAST_NO_TABLE = 0.15  # the same once the plane and touching tiles are known
MISFIT_WEIGHT = 0.12  # in votes, for a misfit of one tolerance


@dataclass(frozen=True)
class Outline:
    """A tile's outline with what was seen along its four sides: top, right, bottom, left."""

    quad: Quad
    sides: tuple[SideTrace, ...]

    @property
    def support(self) -> float:
        """Share of the outline along which an edge is seen; the two worst sides count twice."""
        return _support([side.support for side in self.sides])

    @property
    def vote(self) -> float:
        """Mean strength of the edges, from 0 to 1."""
        return float(np.mean([side.vote for side in self.sides]))


def fit_outline(
    view: TablePhoto,
    quad: Quad,
    reach: float,
    wanted: float,
    plane: Plane | None = None,
    clay_sides: ClaySides | None = None,
    *,
    least: float = 0.0,
    longest: float = LONGEST,
) -> Outline | None:
    """Return the outline near ``quad`` along which most edges are seen, None if it is no square or
    its support is not above ``least``.

    ``reach`` is how far a side may move, as a fraction of it; ``wanted`` the length in pixels at
    which it is read. Among several lines for each side, those are chosen that together make a
    square, of the common size if the ``plane`` is known; or an oblong, whose sides differ by the
    factor ``longest`` at most.
    """
    side = side_of(quad)
    level = view.pyramid.level_for(side, wanted)
    no_table = NO_TABLE if clay_sides is None else LAST_NO_TABLE
    strips: list[Strip] = []
    lines: list[list[SideLine]] = []
    possible = np.ones(4)
    for k in range(4):
        strips.append(read_strip(view, level, quad[k], quad[k - 3], reach * side))
        lines.append(_lines(strips[k], view.usual, clay_sides, no_table))
        if least:  # most proposals end here, before all their sides are read
            possible[k] = max(trace(strips[k], line, view.usual).support for line in lines[k])
            if _support(possible) <= least:
                return None
    chosen = _best_square(strips, lines, plane)
    sides = tuple(
        trace(strip, line, view.usual) for strip, line in zip(strips, chosen, strict=True)
    )
    if least and _support([each.support for each in sides]) <= least:
        return None
    straight = [straight_line(each.points, each.seen) for each in sides]
    found = np.array([crossing(straight[k - 1], straight[k]) for k in range(4)])
    return Outline(found, sides) if is_squarish(found, longest) else None


def _support(of_sides: ArrayLike) -> float:
    supports = np.sort(of_sides)
    return float((supports.mean() + supports[:2].mean()) / 2)


def _lines(
    strip: Strip, usual: float, clay_sides: ClaySides | None, no_table: float
) -> list[SideLine]:
    lines = vote_lines(strip, usual, no_table)
    inner = [past_clay_side(strip, line, usual, clay_sides) for line in lines[:2]]
    return lines + [line for line in inner if line.clay_width]


def _best_square(
    strips: list[Strip], lines: list[list[SideLine]], plane: Plane | None
) -> tuple[SideLine, ...]:
    """Choose one line for each side, so that they are strong and together make a square."""
    choices = list(product(*(range(len(each)) for each in lines)))
    picks = np.array(choices)
    ends = [_coefficients(strip, each) for strip, each in zip(strips, lines, strict=True)]
    coefficients = np.stack([ends[k][picks[:, k]] for k in range(4)], axis=1)
    votes = np.stack([np.array([a.vote for a in lines[k]])[picks[:, k]] for k in range(4)], axis=1)
    corners = _crossings(np.roll(coefficients, 1, axis=1), coefficients)
    misfit = plane.misfit(corners) if plane else _unsquareness(corners)
    worth = votes.mean(axis=1) - MISFIT_WEIGHT * np.minimum(misfit / TOLERANCE, 4) ** 2 / 4
    best = choices[int(np.argmax(worth))]
    return tuple(lines[k][best[k]] for k in range(4))


def _coefficients(strip: Strip, lines: list[SideLine]) -> NDArray[np.float64]:
    """Return a, b, c of a x + b y = c for each of the strip's lines: [n, 3]."""
    found = []
    for line in lines:
        start = strip.places[0] + line.first * strip.outward
        end = strip.places[-1] + line.last * strip.outward
        normal = np.array([end[1] - start[1], start[0] - end[0]])
        found.append([*normal, normal @ start])
    return np.array(found)


def _crossings(lines: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points [..., 2] where lines [..., 3] meet others [..., 3]."""
    cross = np.cross(lines * [1, 1, -1], others * [1, 1, -1])
    return cross[..., :2] / np.where(np.abs(cross[..., 2:]) < 1e-9, 1e-9, cross[..., 2:])


def _unsquareness(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much opposite sides of quads [n, 4, 2] differ, as fractions [n]."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.abs(np.log(np.maximum(sides[:, :2], 1e-6) / np.maximum(sides[:, 2:], 1e-6))).mean(
        axis=1
    )
