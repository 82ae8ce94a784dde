"""A fragment of a broken tile, and where in its tile it may have been.

Lengths are in sides of a whole tile, which is the unit square; y points down. A fragment that has
kept a straight side of the tile lies along a side of the square, in one of four turns; one that has
kept a corner lies in a corner.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

STEP = 0.01  # between points of an outline
NORMALS = np.radians(np.arange(0, 360, 0.5))
STRAIGHT = 0.012  # how far the outline may depart from a straight side
SHORTEST = 0.14  # side that tells how a fragment lies, and, at a right angle to it, another one
SHORTEST_OTHER = 0.09
DOUBTFUL = 0.35  # a side that is shorter may be a straight break
ALIKE = np.radians(6)  # normals closer to each other than this are of the same side
LARGEST = 1.04  # width or height of what is a fragment of one tile
MOST_POSES = 6

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """A way in which a fragment may lie in the square, not yet turned.

    ``turn`` [2, 2] and ``shift`` [2] map places p of the fragment to p @ turn + shift; it may be
    moved on by at most ``slack`` [2]. ``sides`` is the length of straight sides that speak for it.
    """

    turn: Points
    shift: Points
    slack: Points
    sides: float

    @property
    def is_fixed(self) -> bool:
        """Whether the fragment cannot be moved along a side."""
        return bool((self.slack < 2 * STEP).all())

    def quarter(self, quarters: int) -> "Pose":
        """Return the pose turned clockwise by so many quarters about the middle of the square."""
        about = np.array([[0.0, 1.0], [-1.0, 0.0]])
        pose = self
        for _ in range(quarters % 4):
            shift = (pose.shift - 0.5) @ about + 0.5
            moved = pose.slack @ about
            pose = Pose(pose.turn @ about, shift + np.minimum(moved, 0), np.abs(moved), pose.sides)
        return pose

    def then(self, pose: "Pose") -> "Pose":
        """Return the pose of a part of what is moved by another pose."""
        return Pose(self.turn @ pose.turn, self.shift @ pose.turn + pose.shift, pose.slack, 0.0)

    def place(self, points: Points) -> Points:
        """Return where points [..., 2] of the fragment lie in the square."""
        return points @ self.turn + self.shift


IN_PLACE = Pose(np.eye(2), np.zeros(2), np.zeros(2), 0.0)


@dataclass(frozen=True)
class Fragment:
    """A fragment: its picture [H, W, 4], transparent around it, and the side of a whole tile in
    pixels of that picture.
    """

    file: str
    picture: NDArray[np.uint8]
    side: float

    @cached_property
    def outline(self) -> Points:
        """Points [n, 2] along the outline, clockwise, ``STEP`` apart; (0, 0) is the top left."""
        solid = np.pad((self.picture[..., 3] > 127).astype(np.uint8), 1)
        contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        contour = max(contours, key=cv2.contourArea)[::-1, 0] - 0.5
        return resample(np.asarray(contour / self.side, float), STEP)

    @property
    def area(self) -> float:
        """Its share of a whole tile."""
        return float((self.picture[..., 3] > 127).sum() / self.side**2)

    @cached_property
    def poses(self) -> list[Pose]:
        """How it may lie in the square, most likely first; empty if it has no straight side."""
        found: list[Pose] = []
        sides = straight_sides(self.outline)
        for angle in _base_angles(sides):
            found += _poses(self.outline, sides, angle)
        return sorted(found, key=lambda pose: -pose.sides)[:MOST_POSES]


def resample(contour: Points, step: float) -> Points:
    """Return points at equal steps along a closed contour [n, 2]."""
    closed = np.vstack([contour, contour[:1]])
    along = np.append(0, np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1)))
    # Pixels make a staircase: a short mean takes it away before the length is measured.
    count = max(8, round(float(along[-1]) / (step / 4)))
    fine = np.linspace(0, along[-1], count, endpoint=False)
    dense = np.column_stack([np.interp(fine, along, closed[:, k]) for k in range(2)])
    kernel = 5
    wrapped = np.vstack([dense[-kernel:], dense, dense[:kernel]])
    soft = cv2.blur(wrapped, (1, 2 * kernel + 1), borderType=cv2.BORDER_REPLICATE)
    soft = soft[kernel : kernel + count]
    length = np.linalg.norm(np.diff(soft, axis=0, append=soft[:1]), axis=1).sum()
    chosen = np.linspace(0, count, max(8, round(float(length) / step)), endpoint=False)
    return soft[chosen.astype(int)]


def straight_sides(outline: Points) -> list[tuple[float, float]]:
    """Return the normals, as angles, of straight parts of the outline that nothing lies beyond, and
    their lengths, the longest first.

    Sides of a tile are such parts of its fragments. Breaks are seldom straight.
    """
    beyond = outline @ np.stack([np.cos(NORMALS), np.sin(NORMALS)])
    near = beyond > beyond.max(axis=0) - STRAIGHT
    found: list[tuple[float, float]] = []
    while True:
        length = near.sum(axis=0) * STEP
        k = int(length.argmax())
        if length[k] < SHORTEST_OTHER:
            return found
        along = near[:, k].copy()
        found.append((_refine(outline[along], NORMALS[k]), float(length[k])))
        near[along] = False


def _refine(points: Points, normal: float) -> float:
    """Return the angle of the normal to the line through points, near ``normal``."""
    across, down, *_ = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    fitted = float(np.arctan2(across, -down))
    return fitted if _apart(fitted, normal) < np.pi / 2 else fitted + np.pi


def _apart(angle: float, other: float) -> float:
    return float(abs((angle - other + np.pi) % (2 * np.pi) - np.pi))


def _base_angles(sides: list[tuple[float, float]]) -> list[float]:
    """Return the angles, modulo a quarter, of the sides that are long enough, each once."""
    found: list[float] = []
    for angle, length in sides:
        new = all(_apart(4 * angle, 4 * other) > 4 * ALIKE for other in found)
        if length >= SHORTEST and new:
            found.append(angle)
    return found


def _poses(outline: Points, sides: list[tuple[float, float]], angle: float) -> list[Pose]:
    """Return the poses in which a side with that normal lies to the right."""
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    turned = outline @ turn
    low, high = turned.min(axis=0), turned.max(axis=0)
    if (high - low).max() > LARGEST:
        return []
    kept = np.zeros(4)  # straight to the right, below, to the left, above
    for normal, length in sides:
        quarter = round((normal - angle) / (np.pi / 2))
        if abs(normal - angle - quarter * np.pi / 2) < ALIKE:
            kept[quarter % 4] = max(kept[quarter % 4], length)
    choices = [kept]
    order = [k for k in np.argsort(kept) if kept[k]]
    if len(order) > 1 and kept[order[0]] < DOUBTFUL:
        choices.append(np.where(np.arange(4) == order[0], 0, kept))
    return [_pose(turn, low, high, each) for each in choices]


def _pose(turn: Points, low: Points, high: Points, kept: Points) -> Pose:
    room = np.maximum(1 - (high - low), 0)
    shift, slack = -low, room.copy()
    for axis, (after, before) in enumerate(((kept[0], kept[2]), (kept[1], kept[3]))):
        if after > before:
            shift[axis] += 1 - (high - low)[axis]
            slack[axis] = 0
        elif before:
            slack[axis] = 0
    return Pose(turn, shift, slack, float(kept.sum()))
