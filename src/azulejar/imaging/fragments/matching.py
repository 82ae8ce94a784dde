"""Join fragments to tiles: the surest two first, then whatever fits beside them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from azulejar.imaging.fragments.alignment import alignments
from azulejar.imaging.fragments.poses import (
    IN_PLACE,
    STEP,
    Fragment,
    Points,
    Pose,
    frame_of,
    main_angle,
)
from azulejar.imaging.fragments.seams import Fit, measure_fit

LIKELY = 0.25  # probability from which fragments are joined
WHOLE = 1.05  # of a tile: fragments that are larger together are not of one tile
SLIT = 0.02  # of a side: gaps between joined fragments that are closed
AT_RIM = 0.03  # of a side: what is as near to the side of the square is no open break
NEARLY, OPEN = 0.88, 0.6  # least area of a whole tile, and the longest break that it leaves open
WHOLE_ODDS = 2.5  # by which a whole tile is likelier, as a logarithm: of 60 in photographs of other
# seeds than those that are reported, none was wrong

Pair = frozenset[str]


@dataclass(frozen=True)
class JoinedFragments:
    """Fragments of a tile, by their poses beside each other, and the fits by which they joined."""

    fragments: tuple[Fragment, ...]
    poses: tuple[Pose, ...]
    fits: tuple[Fit, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The fragments' files."""
        return tuple(fragment.file for fragment in self.fragments)

    @property
    def area(self) -> float:
        """The share of a whole tile that the fragments are."""
        return sum(fragment.area for fragment in self.fragments)

    @cached_property
    def outline(self) -> Points:
        """Points [n, 2] along the outlines of all fragments."""
        pairs = zip(self.fragments, self.poses, strict=True)
        return np.vstack([pose.place(fragment.outline) for fragment, pose in pairs])

    @cached_property
    def in_square(self) -> Pose:
        """How the fragments, as they are laid beside each other, lie in the unit square."""
        normals, lengths = [], []
        for fragment, pose in zip(self.fragments, self.poses, strict=True):
            turned = np.arctan2(pose.turn[0, 1], pose.turn[0, 0])
            for side in fragment.sides:
                normals.append(side.normal + turned)
                lengths.append(side.length**2)
        angle = main_angle(np.array(normals), np.array(lengths)) if normals else 0.0
        frame = frame_of(angle)
        flat = self.outline @ frame
        low, high = flat.min(axis=0), flat.max(axis=0)
        room = 1 - (high - low)
        shift = -low
        for axis in range(2):
            if room[axis] < 0:
                shift[axis] += room[axis] / 2
            else:
                before, after = (
                    (np.abs(flat[:, axis] - edge[axis]) < AT_RIM / 2).sum() for edge in (low, high)
                )
                shift[axis] += room[axis] * (after > before)
        return Pose(frame, shift)

    @cached_property
    def picture(self) -> NDArray[np.uint8]:
        """The tile [S, S, 4], transparent where glaze is missing."""
        size = round(median(fragment.side for fragment in self.fragments))
        return self.draw(self.in_square, size, np.array([size, size]))

    def draw(self, pose: Pose, side: float, shape: NDArray) -> NDArray[np.uint8]:
        """Draw the fragments [h, w, 4], moved by a pose, with ``side`` pixels to a tile's side."""
        width, height = (int(n) for n in shape)
        seen = np.zeros((height, width, 4), np.float32)
        for fragment, own in zip(self.fragments, self.poses, strict=True):
            where = own.then(pose)
            scale = side / fragment.side
            matrix = np.empty((2, 3))
            matrix[:, :2] = where.turn.T * scale
            # Pixel centres have whole numbers; places count from the pixels' corners.
            matrix[:, 2] = where.shift * side - 0.5 + matrix[:, :2] @ (0.5, 0.5)
            rgba: NDArray = fragment.picture.astype(np.float32) / 255
            rgba[..., :3] *= rgba[..., 3:]
            drawn = cv2.warpAffine(rgba, matrix, (width, height), flags=cv2.INTER_LINEAR)
            seen = np.where(seen[..., 3:] > drawn[..., 3:], seen, drawn)
        alpha = seen[..., 3:]
        rgb = np.where(alpha > 0.5, seen[..., :3] / np.maximum(alpha, 1e-3), 0)
        solid = np.dstack([rgb, alpha > 0.5])
        return np.asarray(np.round(255 * solid).clip(0, 255), np.uint8)

    @cached_property
    def as_one(self) -> Fragment:
        """The fragments as one larger fragment, without the slits between them."""
        if len(self.fragments) == 1:
            return self.fragments[0]
        side = max(fragment.side for fragment in self.fragments)
        low, high = self.outline.min(axis=0) - 2 * SLIT, self.outline.max(axis=0) + 2 * SLIT
        shape = np.ceil((high - low) * side)
        picture = self.draw(Pose(np.eye(2), -low), side, shape)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(SLIT * side / 2) + 1,) * 2)
        closed = cv2.morphologyEx(picture[..., 3], cv2.MORPH_CLOSE, disc)
        blurred = cv2.blur(picture, (2 * round(SLIT * side / 2) + 1,) * 2).astype(np.float32)
        fill = blurred[..., :3] * 255 / np.maximum(blurred[..., 3:], 1)
        rgb = np.where(picture[..., 3:] > 0, picture[..., :3], fill.clip(0, 255))
        return Fragment(" ".join(self.files), np.dstack([rgb, closed]).astype(np.uint8), side)

    @property
    def origin(self) -> Points:
        """Where the place (0, 0) of ``as_one`` lies."""
        if len(self.fragments) == 1:
            return np.zeros(2)
        return self.outline.min(axis=0) - 2 * SLIT

    @cached_property
    def is_whole(self) -> bool:
        """Whether the fragments fill a square, and no break lies open."""
        inside = self.in_square.place(self.outline)
        placed = self.in_square.place(self.as_one.outline + self.origin)
        opened = (np.minimum(placed, 1 - placed).min(axis=1) > AT_RIM).sum() * STEP
        fits = (np.ptp(inside, axis=0) < 1 + AT_RIM).all() and self.area > NEARLY
        return bool(fits and opened < OPEN)

    @cached_property
    def probability(self) -> float:
        """The probability that all fragments are of one tile, and in place.

        The least sure join tells most. That fragments of several tiles fill a square is rare.
        """
        odds = sorted(fit.log_odds for fit in self.fits)
        others = float(np.log(expit(odds[1:])).sum())
        return float(expit(min(odds, default=0.0) + others + WHOLE_ODDS * self.is_whole))


@dataclass
class _Table:
    """The parts that are not joined yet, and the best way to join each two of them."""

    refused: Collection[Pair]
    parts: list[JoinedFragments] = field(default_factory=list)
    fits: dict[tuple[int, int], Fit] = field(default_factory=dict)  # by numbers of parts

    def add(self, part: JoinedFragments, numbers: Collection[int]) -> int:
        """Put down a part, and fit it to the others with these numbers; return its own."""
        number = len(self.parts)
        self.parts.append(part)
        for other in numbers:
            fit = best_fit(self.parts[other], part, self.refused)
            if fit is not None:
                self.fits[other, number] = fit
        return number


def best_fit(
    first: JoinedFragments, second: JoinedFragments, refused: Collection[Pair] = ()
) -> Fit | None:
    """Return the best way to lay a part beside another; None if there is none."""
    if first.area + second.area > WHOLE:
        return None
    if any(frozenset((a, b)) in refused for a in first.files for b in second.files):
        return None
    one, other = first.as_one, second.as_one
    if len(one.outline) < len(other.outline):  # the longer outline stays
        fit = _best(other, one)
        return None if fit is None else replace(fit, pose=fit.pose.inverse())
    return _best(one, other)


def _best(one: Fragment, other: Fragment) -> Fit | None:
    fits = [measure_fit(one, other, pose) for pose in alignments(one, other)]
    return max(fits, key=lambda fit: fit.log_odds, default=None)


def joined(first: JoinedFragments, second: JoinedFragments, fit: Fit) -> JoinedFragments:
    """Return two parts as one."""
    pose = Pose(np.eye(2), -second.origin).then(fit.pose).then(Pose(np.eye(2), first.origin))
    moved = tuple(own.then(pose) for own in second.poses)
    return JoinedFragments(
        first.fragments + second.fragments, first.poses + moved, (*first.fits, *second.fits, fit)
    )


def join_fragments(
    fragments: Sequence[Fragment],
    *,
    refused: Collection[Pair] = (),
    likely: float = LIKELY,
    on_progress: Callable[[float], None] | None = None,
) -> list[JoinedFragments]:
    """Join the fragments that are likely of one tile; return the tiles, the surest first.

    ``refused`` are pairs of files that people know to be of different tiles; ``likely`` is the
    probability from which a fragment is added.
    """
    table = _Table(refused)
    left: set[int] = set()
    report = on_progress or (lambda fraction: None)
    for number, fragment in enumerate(fragments, 1):
        left.add(table.add(JoinedFragments((fragment,), (IN_PLACE,)), left))
        report((number / len(fragments)) ** 2 / 2)
    while True:
        open_fits = {pair: fit for pair, fit in table.fits.items() if left.issuperset(pair)}
        pair = max(open_fits, key=lambda pair: open_fits[pair].log_odds, default=None)
        if pair is None or open_fits[pair].probability < likely:
            break
        one, other = (table.parts[number] for number in pair)
        left -= set(pair)
        left.add(table.add(joined(one, other, open_fits[pair]), left))
        report(1 - len(left) / len(fragments) / 2)
    tiles = [table.parts[number] for number in left if len(table.parts[number].fragments) > 1]
    return sorted(tiles, key=lambda tile: -tile.probability)
