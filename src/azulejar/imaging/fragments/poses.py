"""A fragment of a broken tile: its picture, its outline, and which parts of that may be breaks.

Lengths are in sides of a whole tile; y points down.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

STEP = 0.01  # between points of an outline
NORMALS = np.radians(np.arange(0, 360, 0.5))
STRAIGHT = 0.012  # how far the outline may depart from a straight side
SHORTEST = 0.14  # straight side by which something is known to be a fragment
SHORTEST_OTHER = 0.09
LONGEST = 1.06  # straight side of a tile: what is longer is a straight break
ALIKE = np.radians(6)  # normals closer to each other than this are of the same side
SURELY_BREAK, SURELY_SIDE = 0.1, 0.3  # lengths of straight parts of an outline
FINEST = 192  # pixels a side at which distances are measured
BLUR = 0.006  # of a side, with which colours are compared
ROOM = 0.06  # of a side, around a fragment, where distances are known

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Where a fragment lies: ``turn`` [2, 2] and ``shift`` [2] move its places p to
    p @ turn + shift.
    """

    turn: Points
    shift: Points

    def place(self, points: Points) -> Points:
        """Return where points [..., 2] of the fragment lie."""
        return points @ self.turn + self.shift

    def then(self, pose: "Pose") -> "Pose":
        """Return the pose of a fragment that is moved by this pose and then by another."""
        return Pose(self.turn @ pose.turn, self.shift @ pose.turn + pose.shift)

    def inverse(self) -> "Pose":
        """Return the pose that undoes this one."""
        return Pose(self.turn.T, -self.shift @ self.turn.T)


IN_PLACE = Pose(np.eye(2), np.zeros(2))


class Field(NamedTuple):
    """A fragment's surroundings [h, w] from ``low`` [2] on, ``scale`` pixels a side.

    ``away`` is how far each place is from the fragment, negative within it; ``weights`` how far the
    nearest part of its outline may be a break, from 0 to 1.
    """

    away: NDArray[np.float32]
    weights: NDArray[np.float32]
    low: Points
    scale: float

    def at(self, points: Points) -> NDArray[np.float64]:
        """Return how far points [..., 2] are from the fragment; 1 beyond its surroundings."""
        place = ((points - self.low) * self.scale - 0.5).astype(np.float32)
        flat = place.reshape(-1, 1, 2)
        away = cv2.remap(
            self.away, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=1.0,
        )  # fmt: skip
        return np.asarray(away, float).reshape(points.shape[:-1])


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

    @cached_property
    def outward(self) -> Points:
        """The directions [n, 2] that point away from the fragment at its outline."""
        along = np.roll(self.outline, -2, axis=0) - np.roll(self.outline, 2, axis=0)
        outward = along @ np.array([[0.0, -1.0], [1.0, 0.0]])
        return outward / np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)

    @cached_property
    def area(self) -> float:
        """Its share of a whole tile."""
        return float((self.picture[..., 3] > 127).sum() / self.side**2)

    @cached_property
    def sides(self) -> list["StraightSide"]:
        """What may be sides of the tile: straight, at right angles, the longest first."""
        found = [side for side in straight_sides(self.outline) if side.length <= LONGEST]
        if not found:
            return []
        normals, lengths = (np.array([side[k] for side in found]) for k in (0, 1))
        askew = off_quarters(normals, main_angle(normals, lengths**2))
        return [side for side, off in zip(found, askew, strict=True) if off < ALIKE]

    @cached_property
    def break_weights(self) -> NDArray[np.float32]:
        """How far each point [n] of the outline may be of a break, from 0 to 1."""
        weights = np.ones(len(self.outline), np.float32)
        for side in self.sides:
            share = (SURELY_SIDE - side.length) / (SURELY_SIDE - SURELY_BREAK)
            weights[side.points] = np.clip(share, 0, 1)
        return weights

    @cached_property
    def _soft(self) -> NDArray[np.float32]:
        """Its colours [H, W, 4] from 0 to 1, a little blurred, multiplied by what is there."""
        rgba: NDArray = self.picture.astype(np.float32) / 255
        rgba[..., :3] *= rgba[..., 3:]
        return np.asarray(cv2.GaussianBlur(rgba, (0, 0), BLUR * self.side), np.float32)

    def colour_at(self, points: Points) -> tuple[NDArray, NDArray[np.bool_]]:
        """Return the colours [n, 3] from 0 to 1 at points [n, 2], and which of them lie on it."""
        place = (points * self.side - 0.5).astype(np.float32).reshape(-1, 1, 2)
        seen = cv2.remap(
            self._soft, place[..., 0], place[..., 1], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=0.0,
        )[:, 0]  # fmt: skip
        alpha = seen[:, 3:]
        return seen[:, :3] / np.maximum(alpha, 1e-3), alpha[:, 0] > 0.5

    @cached_property
    def field(self) -> Field:
        """How far its surroundings are from it."""
        scale = min(self.side, FINEST)
        solid = (self.picture[..., 3] > 127).astype(np.uint8)
        room = round(ROOM * self.side)
        solid = np.pad(solid, room)
        size = tuple(round(n * scale / self.side) for n in solid.shape[::-1])
        soft = cv2.resize(solid.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        mask = (soft > 0.5).astype(np.uint8)
        outside, inside = (
            cv2.distanceTransform(each, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
            for each in (1 - mask, mask)
        )
        away = np.where(mask > 0, 0.5 - inside, outside - 0.5) / scale
        low = np.full(2, -room / self.side)
        place = np.clip(((self.outline - low) * scale).astype(int), 0, np.array(size) - 1)
        seeds = np.ones_like(mask)
        seeds[place[:, 1], place[:, 0]] = 0
        _, labels = cv2.distanceTransformWithLabels(
            seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
        )
        by_label = np.zeros(labels.max() + 1, np.float32)
        by_label[labels[place[:, 1], place[:, 0]]] = self.break_weights
        return Field(away.astype(np.float32), by_label[labels], low, float(scale))


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


class StraightSide(NamedTuple):
    """A straight part of an outline that nothing lies beyond: the angle of its normal, its length,
    and the numbers of its points.
    """

    normal: float
    length: float
    points: NDArray[np.intp]


def straight_sides(outline: Points) -> list[StraightSide]:
    """Return the straight parts of an outline that nothing lies beyond, the longest first.

    Sides of a tile are such parts of its fragments. Breaks are seldom straight.
    """
    beyond = outline @ np.stack([np.cos(NORMALS), np.sin(NORMALS)])
    near = beyond > beyond.max(axis=0) - STRAIGHT
    found: list[StraightSide] = []
    while True:
        length = near.sum(axis=0) * STEP
        k = int(length.argmax())
        if length[k] < SHORTEST_OTHER:
            return found
        along = np.flatnonzero(near[:, k])
        normal = _refine(outline[along], NORMALS[k])
        found.append(StraightSide(normal, float(length[k]), along))
        near[along] = False


def _refine(points: Points, normal: float) -> float:
    """Return the angle of the normal to the line through points, near ``normal``."""
    across, down, *_ = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    fitted = float(np.arctan2(across, -down))
    return fitted if apart(fitted, normal) < np.pi / 2 else fitted + np.pi


def apart(angle: float, other: float) -> float:
    """Return how far two angles are apart, from 0 to pi."""
    return float(abs((angle - other + np.pi) % (2 * np.pi) - np.pi))


def main_angle(normals: NDArray, weights: NDArray) -> float:
    """Return the angle, modulo a quarter, of most of the normals."""
    off = off_quarters(normals[:, None], normals)
    best = int((np.exp(-((off / 0.05) ** 2)) @ weights).argmax())
    near = off[best] < ALIKE
    return float(np.angle(np.exp(4j * normals[near]) @ weights[near]) / 4)


def off_quarters(angles: NDArray, other: NDArray | float) -> NDArray:
    """Return how far angles are from a whole number of quarters to others."""
    return np.abs((angles - other + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def frame_of(angle: float) -> Points:
    """Return the matrix by which points @ matrix are turned back by an angle."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])
