"""How well a fragment fits to others that lie in the square of their tile already.

Lengths are in sides of the tile. A fragment fits if its break follows the break of the others, if
it lies on none of them, and if the paint continues across the seam.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.imaging.fragments.poses import STEP, Fragment, Points, Pose

SIZE, MARGIN = 128, 24  # pixels of the square in which fragments are compared, and around it
RIM = 0.025  # from the sides of the square: what lies there is no break
TOUCH = (-0.015, 0.03)  # distances at which a break follows another; below they overlap
SLIDE = 0.01  # steps in which a fragment is moved along a side
LEAST = 0.05  # worth of a pose that is looked at closely
TRIED = 3  # poses that are looked at closely
NUDGES = np.stack(np.meshgrid(*2 * [np.arange(-2, 3) * 0.008]), -1).reshape(-1, 2)
TURNS = np.radians([-1.5, -0.75, 0, 0.75, 1.5])
INSIDE = 0.015  # from the break, where paint is compared
FAR = 12  # points along the seam from which paint is no longer alike by nearness
FEWEST = 8  # points of paint that are worth comparing
# Of ``Fit.features``, fitted to pairs of fragments in seven rendered photographs, with a ridge.
# ``benchmarks/fragments.py`` fits to sixteen and gives steeper ones, which are not measured yet.
WEIGHTS = np.array([-0.78, 2.55, 14.02, -7.75, -0.82, 1.7, -0.31])


@dataclass(frozen=True)
class Placed:
    """Fragments in the square: float32 colours [W, W, 3] from 0 to 1, and where they are [W, W]."""

    colour: NDArray[np.float32]
    solid: NDArray[np.bool_]

    @cached_property
    def distance(self) -> NDArray[np.float32]:
        """How far each pixel is from the fragments, negative within them."""
        mask = self.solid.astype(np.uint8)
        outside, inside = (
            cv2.distanceTransform(each, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
            for each in (1 - mask, mask)
        )
        away = np.where(self.solid, 0.5 - inside, outside - 0.5) / SIZE
        return away.astype(np.float32)

    def with_others(self, other: "Placed") -> "Placed":
        """Lay other fragments beside these; where both are, these stay on top."""
        colour = np.where(self.solid[..., None], self.colour, other.colour)
        return Placed(colour, self.solid | other.solid)


@dataclass(frozen=True)
class Fit:
    """A fragment in a pose, and how well it fits there.

    ``seam`` is the length along which its break follows those of the others, ``share`` the part of
    its whole break that does so, ``looseness`` the deviation of their distance there, ``overlap``
    the area that both cover, ``paint`` how much more alike the colours are across the seam than
    elsewhere along it, as a logarithm, weighed by the length, and ``contrast`` how unlike they are,
    from 0 to 1.
    """

    pose: Pose
    seam: float
    share: float
    looseness: float
    overlap: float
    paint: float
    contrast: float

    @property
    def features(self) -> list[float]:
        """What the probability depends on."""
        return [
            1.0,
            min(self.seam, 1.2),
            self.share,
            self.looseness * 100,
            self.overlap * 100,
            self.paint,
            self.contrast * 10,
        ]

    @property
    def probability(self) -> float:
        """The probability that the fragment was there."""
        return float(expit(WEIGHTS @ self.features))


def draw(fragment: Fragment, pose: Pose, size: int = SIZE, margin: int = MARGIN) -> Placed:
    """Draw a fragment in its pose into a square of ``size`` pixels with a margin around it."""
    scale = size / fragment.side
    matrix = np.empty((2, 3))
    matrix[:, :2] = pose.turn.T * scale
    # Pixel centres have whole numbers; places count from the pixels' corners.
    matrix[:, 2] = pose.shift * size + margin - 0.5 + matrix[:, :2] @ (0.5, 0.5)
    rgba: NDArray = fragment.picture.astype(np.float32) / 255
    rgba[..., :3] *= rgba[..., 3:]
    width = size + 2 * margin
    blur = 0.35 / scale if scale < 1 else 0
    if blur > 0.4:
        rgba = cv2.GaussianBlur(rgba, (0, 0), blur)
    seen: NDArray = cv2.warpAffine(rgba, matrix, (width, width), flags=cv2.INTER_LINEAR)
    alpha = seen[..., 3:]
    return Placed(seen[..., :3] / np.maximum(alpha, 1e-3), alpha[..., 0] > 0.5)


def best_fit(others: Placed, fragment: Fragment) -> Fit | None:
    """Return the best of all poses of a fragment beside ``others``; None if it fits nowhere."""
    candidates: list[tuple[float, Pose]] = []
    for pose in fragment.poses:
        for quarters in range(4):
            turned = pose.quarter(quarters)
            worth, moved = _slide(others, fragment.outline[::2], turned)
            candidates.append((worth, moved))
    candidates.sort(key=lambda each: -each[0])
    tried = [
        _nudge(others, fragment.outline, pose)
        for worth, pose in candidates[:TRIED]
        if worth > LEAST
    ]
    fits = [measure_fit(others, fragment, pose) for pose in tried]
    return max(fits, key=lambda fit: fit.probability, default=None)


def measure_fit(others: Placed, fragment: Fragment, pose: Pose) -> Fit:
    """Measure how well a fragment fits beside others in a pose."""
    own = draw(fragment, pose)
    points = pose.place(fragment.outline)
    distance = _at(others.distance, points)
    breaks = _is_break(points)
    on_seam = breaks & (distance > TOUCH[0]) & (distance < TOUCH[1])
    overlap = float((own.solid & others.solid).sum() / SIZE**2)
    paint, contrast = _paint(others, own, points, distance, on_seam)
    loose = float(distance[on_seam].std()) if on_seam.any() else TOUCH[1]
    share = float(on_seam.sum() / max(1, breaks.sum()))
    return Fit(pose, float(on_seam.sum() * STEP), share, loose, overlap, paint, contrast)


def _slide(others: Placed, outline: Points, pose: Pose) -> tuple[float, Pose]:
    """Return the best place of a pose along its side, and how good it is."""
    counts = np.floor(pose.slack / SLIDE).astype(int) + 1
    steps = np.stack(np.meshgrid(*(np.arange(n) * SLIDE for n in counts)), -1).reshape(-1, 2)
    worth = _worth(others, pose.place(outline) + steps[:, None])
    best = int(worth.argmax())
    return float(worth[best]), Pose(pose.turn, pose.shift + steps[best], np.zeros(2), pose.sides)


def _nudge(others: Placed, outline: Points, pose: Pose) -> Pose:
    """Return the best of the poses close to a pose."""
    best = (-np.inf, pose)
    middle = pose.place(outline).mean(axis=0)
    for angle in TURNS:
        cos, sin = np.cos(angle), np.sin(angle)
        about = np.array([[cos, sin], [-sin, cos]])
        turned = Pose(
            pose.turn @ about, (pose.shift - middle) @ about + middle, pose.slack, pose.sides
        )
        points = turned.place(outline) + NUDGES[:, None]
        worth = _worth(others, points) - 0.3 * np.abs(NUDGES).sum(axis=1) - abs(angle)
        k = int(worth.argmax())
        if worth[k] > best[0]:
            moved = Pose(turned.turn, turned.shift + NUDGES[k], turned.slack, turned.sides)
            best = (float(worth[k]), moved)
    return best[1]


def _worth(others: Placed, points: Points) -> Points:
    """Return the share of outlines [k, n, 2] that follows the others, less what lies on them."""
    distance = _at(others.distance, points)
    follows = 1 - np.abs(distance - 0.008) / (TOUCH[1] - 0.008)
    follows = np.clip(follows, 0, 1) * _is_break(points)
    return (follows.sum(axis=-1) - 3 * (distance < TOUCH[0]).sum(axis=-1)) / points.shape[-2]


def _is_break(points: Points) -> NDArray[np.bool_]:
    return np.asarray(((points > RIM) & (points < 1 - RIM)).all(axis=-1))


def _at(field: NDArray, points: Points) -> NDArray:
    """Return the values of a field [W, W, ...] at points [..., 2] of the square."""
    place = np.clip(np.floor(points * SIZE).astype(int) + MARGIN, 0, SIZE + 2 * MARGIN - 1)
    return field[place[..., 1], place[..., 0]]


def _paint(
    others: Placed,
    own: Placed,
    points: Points,
    distance: NDArray[np.float32],
    on_seam: NDArray[np.bool_],
) -> tuple[float, float]:
    """Compare colours on both sides of the seam."""
    along = np.roll(points, -2, axis=0) - np.roll(points, 2, axis=0)
    outward = along @ np.array([[0.0, -1.0], [1.0, 0.0]])
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    here, there = points - INSIDE * outward, points + (INSIDE + distance[:, None]) * outward
    both = on_seam & _at(own.solid, here) & _at(others.solid, there)
    if both.sum() < FEWEST:
        return 0.0, 0.0
    one, other = _at(own.colour, here)[both], _at(others.colour, there)[both]
    unlike = np.linalg.norm(one[:, None] - other, axis=-1)
    number = np.arange(len(one))
    elsewhere = np.abs(number[:, None] - number) >= min(FAR, len(one) // 2)
    across = float(unlike.diagonal().mean()) + 0.02
    ratio = np.log((float(unlike[elsewhere].mean()) + 0.02) / across)
    return float(ratio * np.sqrt(both.sum() * STEP)), across
