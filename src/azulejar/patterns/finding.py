"""Patterns: designs that continue in one another, their repeat, and the tiles of each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from azulejar.core.edges import edge_strips
from azulejar.patterns.designs import Designs, find_designs
from azulejar.patterns.likeness import FINE, copy_tiles
from azulejar.patterns.repeats import Module, draw_module, edge_misfits, find_module
from azulejar.patterns.symmetry import describe_symmetry

FEW = 3  # tiles of a design that only counts where it continues in others
MANY = 8  # tiles of at least one design of a pattern; fewer may be the corners of frames
STRIPED = 0.15  # share of a design that differs along its stripes: mouldings of frames have less
BLANK = 8.0  # grey levels by which an edge differs from its mean; below, it fits any blank edge
BETTER = 0.75  # share of its misfit with its own design that an edge has with another


@dataclass(frozen=True)
class Pattern:
    """One pattern: its ``designs`` by number, its ``tiles`` in rising order, and its repeat.

    ``symmetry`` names what leaves the repeat as it is; ``picture`` is the module drawn cleanly.
    """

    designs: tuple[int, ...]
    tiles: NDArray[np.int64]
    module: Module
    symmetry: str
    picture: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.tiles)


@dataclass(frozen=True)
class Patterns:
    """The patterns among n tiles, those of most tiles first, and the designs they consist of."""

    patterns: tuple[Pattern, ...]
    designs: Designs

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __getitem__(self, number: int) -> Pattern:
        return self.patterns[number]

    def of_tiles(self) -> NDArray[np.int64]:
        """Return the number of each tile's pattern, -1 for a tile of none [n]."""
        number = np.full(len(self.designs.design), -1)
        for i, pattern in enumerate(self.patterns):
            number[pattern.tiles] = i
        return number


def find_patterns(
    pixels: NDArray[np.uint8],
    *,
    names: Sequence[str | None] | None = None,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> Patterns:
    """Find the pattern tiles among tiles [n, S, S, 3], and how their designs repeat.

    Alike tiles in great number make a pattern. Plain tiles, and the mouldings of frames, which are
    the same all along, are not told from one another and belong to none.

    Args:
        pixels: The tiles, in any turn, each in its own light.
        names: What people call the pattern of each tile, None where they do not say.
        on_progress: Called with the fraction done.

    Examples:
        >>> import numpy as np
        >>> from azulejar.patterns.finding import find_patterns
        >>> from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
        >>> from azulejar.practice.puzzles import cut
        >>> found = find_patterns(cut(paint_pattern(DESIGNS[3], 6, 6, 50), 6, 6))
        >>> [(len(pattern), pattern.module.rows, pattern.module.cols) for pattern in found]
        [(36, 2, 2)]
    """
    designs = find_designs(pixels, least=FEW, on_progress=lambda f: on_progress(0.5 * f))
    misfits = edge_misfits(designs.pictures)
    groups = _group_designs(designs, misfits, names)
    found = []
    for number, group in enumerate(groups):
        module = find_module(misfits, group, stock=designs.counts[group])
        picture = draw_module(module, designs.pictures)
        tiles = np.flatnonzero(np.isin(designs.design, group))
        kind = describe_symmetry(picture, module)
        found.append(Pattern(tuple(group), tiles, module, kind, picture))
        on_progress(0.5 + 0.5 * (number + 1) / len(groups))
    on_progress(1.0)
    return Patterns(tuple(sorted(found, key=lambda each: -len(each))), designs)


def find_pattern_tiles(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the pattern tiles among tiles [n, S, S, 3], in rising order, without their repeats."""
    designs = find_designs(pixels, least=FEW)
    groups = _group_designs(designs, edge_misfits(designs.pictures), None)
    return np.flatnonzero(np.isin(designs.design, [each for group in groups for each in group]))


def _unstriped_share(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the share of each design [k, S, S, 3] that no single row or col explains [k]."""
    copies = copy_tiles(pictures, FINE)
    explained = [FINE * (copies.mean(axis=axis) ** 2).sum(axis=(1, 2)) for axis in (1, 2)]
    return 1 - np.max(explained, axis=0)


def _group_designs(
    designs: Designs, misfits: NDArray[np.float64], names: Sequence[str | None] | None
) -> list[list[int]]:
    """Return groups of designs that continue in one another, as lists of their numbers.

    Two are linked where an edge of one fits best with an edge of the other, both ways, and clearly
    better than with its own design; or where most of their tiles that have a name have the same.
    Designs of different names are never linked. Groups of few tiles, and mouldings, are left out.
    """
    count = len(designs)
    if count == 0:
        return []
    outer = edge_strips(designs.pictures, 1)[:, 0]
    content = np.abs(outer - outer.mean(axis=1, keepdims=True)).mean(axis=(1, 2))
    edge = np.arange(4 * count)
    partner = misfits.argmin(axis=1)
    own = misfits.reshape(4 * count, count, 4).min(axis=2)[edge, edge // 4]
    linked = (
        (partner[partner] == edge)
        & (np.minimum(content, content[partner]) >= BLANK)
        & (misfits[edge, partner] <= BETTER * np.minimum(own, own[partner]))
    )
    graph = np.zeros((count, count), bool)
    graph[edge[linked] // 4, partner[linked] // 4] = True
    if names is not None:
        known = [_commonest(names[tile] for tile in designs.tiles(i)) for i in range(count)]
        for one in range(count):
            for other in range(count):
                if known[one] and known[other]:
                    graph[one, other] = known[one] == known[other]
    label = connected_components(coo_matrix(graph), directed=False)[1]
    counts = (_unstriped_share(designs.pictures) >= STRIPED) & (designs.counts >= MANY)
    groups = (np.flatnonzero(label == part) for part in range(label.max() + 1))
    return [group.tolist() for group in groups if counts[group].any()]


def _commonest(names: Iterable[str | None]) -> str | None:
    counted = Counter(name for name in names if name)
    return counted.most_common(1)[0][0] if counted else None
