"""Lay fragments beside each other so that their breaks follow each other.

Lengths are in sides of the tile. Every pair of places on two outlines gives one way to lay the
second fragment beside the first: there they touch and run in opposite directions. Those in which
the longest part of the breaks follows each other are moved until they fit best (iterative closest
point, Besl and McKay 1992). A way is an angle and a shift: [3].
"""

import numpy as np

from azulejar.imaging.fragments.poses import STEP, Fragment, Points, Pose
from azulejar.system.compiling import lean

TOUCH = 0.016  # distance within which a break follows another
PIERCED = -0.02  # distance beyond which two fragments lie on each other
COST = 2.0  # of a point that lies on the other fragment, against one that follows its break
CHORDS = (5, 10)  # points to both sides between which the direction of an outline is measured
EVERY = 2  # how many points of an outline stand for one when ways are tried
BREAK = 0.3  # weight from which a point of an outline may be of a break
TRIED, KEPT = 24, 6  # ways that are moved until they fit, and that are returned
MOST_ALIKE = 25  # ways that may be one
APART, TURNED = 0.04, 0.1  # ways that differ less, in sides and radians, are one
LEAST = 0.08  # length of seam below which nothing is joined
ROUNDS = 8  # of closest points
WIDE, NARROW = 0.04, 0.012  # distances of points that count, in the first round and the last
FEWEST = 6  # points that tell how to move
HELD = 0.02, 0.001  # against sliding along a straight break, and turning
NUDGE = 0.004  # over which the slope of a distance is measured
FAR = 1.0  # distance of whatever is not in the surroundings


def alignments(first: Fragment, second: Fragment) -> list[Pose]:
    """Return the poses of the second fragment beside the fixed first one, best first."""
    field = first.field
    ways = np.concatenate([_meetings(first, second, chord) for chord in CHORDS])
    points = np.ascontiguousarray(second.outline[::EVERY])
    weights = np.ascontiguousarray(second.break_weights[::EVERY])
    on_break = np.ascontiguousarray(second.outline[second.break_weights > BREAK])
    middle = points.mean(axis=0)

    def rated(ways: Points) -> Points:
        worth = np.empty(len(ways))
        rate(field.away, field.weights, field.low, field.scale, points, weights, ways, worth)
        return worth * EVERY * STEP

    tried = _distinct(ways, rated(ways), middle, TRIED)
    for way in tried:
        settle(field.away, field.low, field.scale, on_break, way)
    return [_pose(way) for way in _distinct(tried, rated(tried), middle, KEPT)]


def _distinct(ways: Points, worth: Points, middle: Points, most: int) -> Points:
    """Return the best ways [k, 3] of which each is another one."""
    best = np.argsort(-worth)[: MOST_ALIKE * most]
    left = ways[best[worth[best] >= LEAST]]
    cos, sin = np.cos(left[:, 0]), np.sin(left[:, 0])
    (x, y), shift = middle, left[:, 1:]
    places = shift + np.column_stack([cos * x - sin * y, sin * x + cos * y])
    kept: list[Points] = []
    while len(left) and len(kept) < most:
        kept.append(left[0])
        turned = np.abs((left[:, 0] - left[0, 0] + np.pi) % (2 * np.pi) - np.pi)
        other = (np.linalg.norm(places - places[0], axis=1) >= APART) | (turned >= TURNED)
        left, places = left[other], places[other]
    return np.array(kept).reshape(-1, 3)


def _pose(way: Points) -> Pose:
    cos, sin = np.cos(way[0]), np.sin(way[0])
    return Pose(np.array([[cos, sin], [-sin, cos]]), way[1:])


def _meetings(first: Fragment, second: Fragment, chord: int) -> Points:
    """Return all ways [n, 3] by which two places of breaks meet."""
    places = np.flatnonzero(first.break_weights > BREAK)[::EVERY]
    others = np.flatnonzero(second.break_weights > BREAK)
    here, there = (_directions(each.outline, chord) for each in (first, second))
    angle = (here[places, None] + np.pi - there[others]).ravel()
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = np.tile(second.outline[others].T, len(places))
    meet = np.repeat(first.outline[places], len(others), axis=0)
    return np.column_stack([angle, meet[:, 0] - cos * x + sin * y, meet[:, 1] - sin * x - cos * y])


def _directions(outline: Points, chord: int) -> Points:
    along = np.roll(outline, -chord, axis=0) - np.roll(outline, chord, axis=0)
    return np.arctan2(along[:, 1], along[:, 0])


@lean
def rate(away, own, low, scale, points, weights, ways, worth):
    """Set ``worth`` [n] to how many points follow a break, less those that lie on the fragment."""
    height, width = away.shape
    for k in range(len(ways)):
        cos, sin = np.cos(ways[k, 0]), np.sin(ways[k, 0])
        total = 0.0
        for i in range(len(points)):
            x, y = points[i, 0], points[i, 1]
            col = int((cos * x - sin * y + ways[k, 1] - low[0]) * scale)
            row = int((sin * x + cos * y + ways[k, 2] - low[1]) * scale)
            if 0 <= col < width and 0 <= row < height:
                distance = away[row, col]
                if distance < PIERCED:
                    total -= COST
                elif abs(distance) < TOUCH:
                    total += (1 - abs(distance) / TOUCH) * min(weights[i], own[row, col])
        worth[k] = total


@lean
def _distance(away, low, scale, x, y):
    """Return the distance at a place, between pixels in proportion."""
    height, width = away.shape
    across, down = (x - low[0]) * scale - 0.5, (y - low[1]) * scale - 0.5
    col, row = int(np.floor(across)), int(np.floor(down))
    if col < 0 or row < 0 or col + 1 >= width or row + 1 >= height:
        return FAR
    across, down = across - col, down - row
    above = away[row, col] * (1 - across) + away[row, col + 1] * across
    below = away[row + 1, col] * (1 - across) + away[row + 1, col + 1] * across
    return above * (1 - down) + below * down


@lean
def settle(away, low, scale, points, way):
    """Move points by small steps until as many as can be lie on the outline of the fragment.

    In each round, least squares over the points nearby give the shift and turn, with the weights
    of a Cauchy distribution.
    """
    for number in range(ROUNDS):
        gate = WIDE + (NARROW - WIDE) * number / (ROUNDS - 1)
        cos, sin = np.cos(way[0]), np.sin(way[0])
        count, middle_x, middle_y = 0, 0.0, 0.0
        for i in range(len(points)):
            x = cos * points[i, 0] - sin * points[i, 1] + way[1]
            y = sin * points[i, 0] + cos * points[i, 1] + way[2]
            if abs(_distance(away, low, scale, x, y)) < gate:
                count, middle_x, middle_y = count + 1, middle_x + x, middle_y + y
        if count < FEWEST:
            return
        middle_x, middle_y = middle_x / count, middle_y / count
        a = b = c = d = e = f = 0.0  # of the symmetric matrix [[a, b, c], [b, d, e], [c, e, f]]
        p = q = r = 0.0
        for i in range(len(points)):
            x = cos * points[i, 0] - sin * points[i, 1] + way[1]
            y = sin * points[i, 0] + cos * points[i, 1] + way[2]
            distance = _distance(away, low, scale, x, y)
            if abs(distance) >= gate:
                continue
            right = _distance(away, low, scale, x + NUDGE, y)
            left = _distance(away, low, scale, x - NUDGE, y)
            below = _distance(away, low, scale, x, y + NUDGE)
            above = _distance(away, low, scale, x, y - NUDGE)
            if max(right, left, below, above) >= FAR:
                continue
            across, down = (right - left) / (2 * NUDGE), (below - above) / (2 * NUDGE)
            turning = down * (x - middle_x) - across * (y - middle_y)
            weight = 1 / (1 + (distance / NARROW) ** 2)
            near_x, near_y, near_turn = weight * across, weight * down, weight * turning
            a, b, c = a + near_x * across, b + near_x * down, c + near_x * turning
            d, e, f = d + near_y * down, e + near_y * turning, f + near_turn * turning
            p, q, r = p - near_x * distance, q - near_y * distance, r - near_turn * distance
        a, d, f = a + HELD[0] * count, d + HELD[0] * count, f + HELD[1] * count
        det = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
        shift_x = (p * (d * f - e * e) - b * (q * f - e * r) + c * (q * e - d * r)) / det
        shift_y = (a * (q * f - e * r) - p * (b * f - c * e) + c * (b * r - c * q)) / det
        turn = (a * (d * r - q * e) - b * (b * r - q * c) + p * (b * e - c * d)) / det
        cos, sin = np.cos(turn), np.sin(turn)
        x, y = way[1] - middle_x, way[2] - middle_y
        way[0] += turn
        way[1] = cos * x - sin * y + middle_x + shift_x
        way[2] = sin * x + cos * y + middle_y + shift_y
