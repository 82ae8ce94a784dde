"""Join fragments to tiles: the surest two first, then whatever fits beside them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.fragments.poses import IN_PLACE, Fragment, Pose
from azulejar.imaging.fragments.seams import Placed, best_fit, draw

LIKELY = 0.5  # probability from which fragments are joined
MOST_SEEDS = 2  # poses of the first fragment that are tried
WHOLE = 1.03  # of a tile: fragments that are larger together are not of one tile

Pair = frozenset[str]
Larger = tuple[
    "JoinedFragments", tuple["JoinedFragments", ...]
]  # a tile, and the two parts that make it up


@dataclass(frozen=True)
class JoinedFragments:
    """Fragments of a tile, by their poses in it, and the probability that it is right."""

    fragments: tuple[Fragment, ...]
    poses: tuple[Pose, ...]
    probability: float = 1.0

    @property
    def files(self) -> tuple[str, ...]:
        """The fragments' files."""
        return tuple(fragment.file for fragment in self.fragments)

    @property
    def area(self) -> float:
        """The share of a whole tile that the fragments are."""
        return sum(fragment.area for fragment in self.fragments)

    @cached_property
    def picture(self) -> NDArray[np.uint8]:
        """The tile [S, S, 4], transparent where glaze is missing."""
        size = round(median(fragment.side for fragment in self.fragments))
        placed = self.lay(size, 0)
        rgb = np.where(placed.solid[..., None], placed.colour, 0)
        return np.dstack([np.round(255 * rgb), 255 * placed.solid]).clip(0, 255).astype(np.uint8)

    @cached_property
    def as_one(self) -> Fragment:
        """The fragments as one larger fragment."""
        if len(self.fragments) == 1:
            return self.fragments[0]
        return Fragment(" ".join(self.files), self.picture, len(self.picture))

    def lay(self, *size: int) -> Placed:
        """Draw the fragments in their poses (see ``draw``)."""
        placed = draw(self.fragments[0], self.poses[0], *size)
        for fragment, pose in zip(self.fragments[1:], self.poses[1:], strict=True):
            placed = placed.with_others(draw(fragment, pose, *size))
        return placed

    def moved(self, pose: Pose) -> "JoinedFragments":
        """Return the tile with all fragments moved as one."""
        return JoinedFragments(
            self.fragments, tuple(own.then(pose) for own in self.poses), self.probability
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
    parts = [JoinedFragments((fragment,), (IN_PLACE,)) for fragment in fragments]
    while True:  # parts that were joined may fit to each other
        larger = _join_parts(parts, refused, likely, on_progress)
        if len(larger) == len(parts):
            break
        parts = larger
    tiles = [part for part in parts if len(part.fragments) > 1]
    return sorted(tiles, key=lambda tile: -tile.probability)


def _join_parts(
    parts: Sequence[JoinedFragments],
    refused: Collection[Pair],
    likely: float,
    on_progress: Callable[[float], None] | None,
) -> list[JoinedFragments]:
    """Join the two parts that fit best, add to them whatever fits, and so on with the rest."""
    again = any(len(part.fragments) > 1 for part in parts)
    pairs: list[Larger] = []
    for number, first in enumerate(parts):
        others = [each for each in parts if not again or len(first.fragments) > 1]
        for pose in [each for each in first.as_one.poses if each.is_fixed][:MOST_SEEDS]:
            pairs += _larger(first.moved(pose), others, refused)
        if on_progress is not None and not again:
            on_progress((number + 1) / len(parts))
    left = {part.files: part for part in parts}
    joined = []
    for whole, used in sorted(pairs, key=lambda pair: -pair[0].probability):
        if whole.probability < likely * used[0].probability * used[1].probability:
            continue
        if not all(part.files in left for part in used):
            continue
        for part in used:
            del left[part.files]
        joined.append(_complete(whole, left, refused, likely))
    return [*joined, *left.values()]


def _complete(
    tile: JoinedFragments,
    left: dict[tuple[str, ...], JoinedFragments],
    refused: Collection[Pair],
    likely: float,
) -> JoinedFragments:
    """Add the part that fits best as long as one does, and take it from those ``left``."""
    while True:
        larger = _larger(tile, list(left.values()), refused)
        best, used = max(larger, key=lambda pair: pair[0].probability, default=(tile, ()))
        if not used or best.probability < likely * tile.probability * used[1].probability:
            return tile
        del left[used[1].files]
        tile = best


def _larger(
    tile: JoinedFragments, parts: Sequence[JoinedFragments], refused: Collection[Pair]
) -> list[Larger]:
    """Return the tile with each part that may be of it added where it fits best."""
    placed = tile.lay()
    found: list[Larger] = []
    for part in parts:
        pairs = {frozenset((one, other)) for one in tile.files for other in part.files}
        if set(tile.files) & set(part.files) or tile.area + part.area > WHOLE:
            continue
        if any(pair in refused for pair in pairs):
            continue
        fit = best_fit(placed, part.as_one)
        if fit is not None:
            moved = part.moved(fit.pose)
            probability = fit.probability * tile.probability * part.probability
            members = (*tile.fragments, *moved.fragments), (*tile.poses, *moved.poses)
            found.append((JoinedFragments(*members, probability), (tile, part)))
    return found
