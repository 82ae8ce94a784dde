"""Sorting: tiles of several panels, mixed in one crate, told apart."""

from collections.abc import Iterable, Sequence

from azulejar.core.compatibility import Compatibility
from azulejar.sorting.groups import STRAY, Groups
from azulejar.sorting.joining import attach_small, join_large
from azulejar.sorting.links import Links
from azulejar.sorting.segments import grow_segments
from azulejar.sorting.ties import Ties

AGREEING = 0.35  # weight that lays two segments together; over √tiles of the smaller one
ATTACHED = 1.0  # weight that adds a few tiles to a panel; over √tiles
CHAINED = 1.3  # the same by way of tiles that were added so
LOOSE = 0.33  # weight that makes two large groups one; over tiles of the smaller one


def sort_tiles(
    compatibility: Compatibility,
    *,
    panels: int | None = None,
    upright: bool = False,
    together: Iterable[Sequence[int]] = (),
    apart: Iterable[tuple[int, int]] = (),
) -> Groups:
    """Group the tiles by panel; ``panels`` is their number, if known.

    ``together`` are lists of tiles known to share a panel, ``apart`` pairs known not to.
    """
    links = Links.of(compatibility, upright)
    ties = Ties(len(compatibility), together, apart, panels)
    grow_segments(links, AGREEING, ties)
    join_large(links, ties, LOOSE)
    if panels is not None:
        join_large(links, ties, 0.0)
    attach_small(links, ties, ATTACHED)
    while attach_small(links, ties, CHAINED):
        pass
    return Groups.of(links, ties)


__all__ = ["STRAY", "Groups", "sort_tiles"]
