"""How well one fragment fits beside another.

Lengths are in sides of the tile. Two fragments fit if their breaks follow each other, if they do
not lie on each other, if the paint continues across the seam, and if their straight sides are those
of one square.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.imaging.fragments.poses import (
    STEP,
    Fragment,
    Points,
    Pose,
    frame_of,
    main_angle,
    off_quarters,
)

TOUCH = (-0.02, 0.025)  # distances at which a break follows another; below they overlap
INSIDE = 0.02  # from the break, where paint is compared
FAR = 12  # points along the seam from which paint is no longer alike by nearness
FEWEST = 8  # points of paint that are worth comparing
SIDE = 0.14  # length of straight sides that tell of the square
RIM = 0.02  # of the square: where its sides are looked for
# Of ``Fit.features``; ``benchmarks/fragments.py`` fits them.
WEIGHTS = np.array([-0.03, 6.88, 3.81, 1.39, -5.5, -8.42, 2.98, -0.33, -0.68, -3.21, -1.15, -1.04])


@dataclass(frozen=True)
class Fit:
    """A fragment in a pose beside another, and how well it fits there.

    ``seam`` is the length along which the breaks follow each other, ``shares`` the parts of the
    whole breaks of both that do so, the greater first, ``looseness`` the deviation of their
    distance there, ``overlap`` the area that both cover, ``paint`` how much more alike the colours
    are across the seam than elsewhere along it, as a logarithm, weighed by the length, ``match``
    the correlation of the colours along the seam, weighed likewise, ``contrast`` how unlike they
    are from 0 to 1, ``askew`` how far straight sides depart from right angles, ``beyond`` how far
    both are larger than the square, and ``sunken`` the length of straight sides within it.
    """

    pose: Pose
    seam: float
    shares: tuple[float, float]
    looseness: float
    overlap: float
    paint: float
    match: float
    contrast: float
    askew: float
    beyond: float
    sunken: float

    @property
    def features(self) -> list[float]:
        """What the probability depends on."""
        return [
            1.0,
            min(self.seam, 1.2),
            *self.shares,
            self.looseness * 100,
            self.overlap * 100,
            self.paint,
            self.match,
            self.contrast * 10,
            min(self.askew, 0.3) * 10,
            min(self.beyond, 0.3) * 10,
            min(self.sunken, 1.0),
        ]

    @property
    def log_odds(self) -> float:
        """The logarithm of the odds that the fragment was there."""
        return float(WEIGHTS @ self.features)

    @property
    def probability(self) -> float:
        """The probability that the fragment was there."""
        return float(expit(self.log_odds))


def measure_fit(first: Fragment, second: Fragment, pose: Pose) -> Fit:
    """Measure how well the second fragment fits beside the first in a pose."""
    points = pose.place(second.outline)
    distance = first.field.at(points)
    back = second.field.at(pose.inverse().place(first.outline))
    here, there = (_follows(each) for each in (distance, back))
    own, other = (
        float((follows * fragment.break_weights).sum() / max(1.0, fragment.break_weights.sum()))
        for follows, fragment in ((here, second), (there, first))
    )
    seam = float(here.sum() * STEP)
    loose = float(distance[here].std()) if here.sum() > 2 else TOUCH[1]
    deep = np.maximum(0, -distance - 0.008)
    overlap = float(deep.sum() * STEP)
    paint, match, contrast = _paint(first, second, points, pose, distance, here)
    askew, beyond, sunken = _square(first, second, points, pose)
    return Fit(
        pose, seam, (max(own, other), min(own, other)), loose, overlap, paint, match, contrast,
        askew, beyond, sunken,
    )  # fmt: skip


def _follows(distance: NDArray) -> NDArray[np.bool_]:
    return np.asarray((distance > TOUCH[0]) & (distance < TOUCH[1]))


def _paint(
    first: Fragment,
    second: Fragment,
    points: Points,
    pose: Pose,
    distance: NDArray,
    on_seam: NDArray[np.bool_],
) -> tuple[float, float, float]:
    """Compare colours on both sides of the seam."""
    outward = second.outward @ pose.turn
    here = second.outline - INSIDE * second.outward
    there = points + (INSIDE + distance[:, None]) * outward
    one, there_too = second.colour_at(here)
    other, solid = first.colour_at(there)
    both = on_seam & there_too & solid
    if both.sum() < FEWEST:
        return 0.0, 0.0, 0.0
    one, other = one[both], other[both]
    unlike = np.linalg.norm(one[:, None] - other, axis=-1)
    number = np.arange(len(one))
    elsewhere = np.abs(number[:, None] - number) >= min(FAR, len(one) // 2)
    across = float(unlike.diagonal().mean()) + 0.02
    ratio = np.log((float(unlike[elsewhere].mean()) + 0.02) / across)
    long = np.sqrt(both.sum() * STEP)
    a, b = one.mean(axis=1), other.mean(axis=1)
    alike = float(((a - a.mean()) * (b - b.mean())).mean() / (a.std() * b.std() + 0.002))
    return float(ratio * long), alike * float(long), across


def _square(
    first: Fragment, second: Fragment, points: Points, pose: Pose
) -> tuple[float, float, float]:
    """Return how far straight sides are askew, beyond the unit square, and within it."""
    turned = float(np.arctan2(pose.turn[0, 1], pose.turn[0, 0]))
    sides = [(side.normal, side.length, first.outline[side.points]) for side in first.sides]
    sides += [(side.normal + turned, side.length, points[side.points]) for side in second.sides]
    long = [each for each in sides if each[1] >= SIDE]
    if not long:
        return 0.0, 0.0, 0.0
    weights = np.array([length**2 for _, length, _ in long])
    normals = np.array([normal for normal, _, _ in long])
    angle = main_angle(normals, weights)
    off = off_quarters(normals, angle)
    askew = float((off * weights).sum() / weights.sum())
    frame = frame_of(angle)
    every = np.vstack([first.outline, points]) @ frame
    low, high = every.min(axis=0), every.max(axis=0)
    beyond = float(np.maximum(high - low - 1, 0).sum())
    sunken = 0.0
    for (_, length, place), tilt in zip(long, off, strict=True):
        flat = place @ frame
        near = np.minimum(flat - low, high - flat).mean(axis=0).min()
        if (near > RIM or tilt > 0.1) and length > 2 * SIDE:
            sunken += length
    return askew, beyond, sunken
