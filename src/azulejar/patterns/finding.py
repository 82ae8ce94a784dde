"""Patterns: designs that continue in one another, their repeat, and the tiles of each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.patterns.designs import Designs, find_designs
from azulejar.patterns.likeness import FINE, copy_tiles
from azulejar.patterns.linking import group_designs
from azulejar.patterns.repeats import Module, draw_module, edge_misfits, find_module
from azulejar.patterns.symmetry import describe_symmetry, even_out

FEW = 3  # tiles of a design that only counts where it continues in others
MANY = 8  # tiles of at least one design of a pattern; fewer may be the corners of frames
STRIPED = 0.15  # share of a design that differs along its stripes: mouldings of frames have less
MOSTLY = 0.6  # share of pattern tiles from which all tiles are taken for one wall


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

    def of_designs(self) -> NDArray[np.int64]:
        """Return the pattern number of each design, -1 if it belongs to none: [k]."""
        number = np.full(len(self.designs), -1)
        for i, pattern in enumerate(self.patterns):
            number[list(pattern.designs)] = i
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
    return _find_repeats(designs, _group_designs(designs, names), on_progress)


def recognise_wall(pixels: NDArray[np.uint8]) -> Patterns:
    """Find the patterns among the tiles of one folder [n, S, S, 3].

    If most are pattern tiles, they are taken for one wall, and all designs for one pattern.
    """
    designs = find_designs(pixels, least=FEW)
    groups = _group_designs(designs, None)
    grouped = [each for group in groups for each in group]
    if len(groups) > 1 and designs.counts[grouped].sum() >= MOSTLY * len(pixels):
        groups = [list(range(len(designs)))]
    return _find_repeats(designs, groups)


def unite_designs(designs: Designs, numbers: list[int]) -> Pattern:
    """Return the pattern that some designs make together, as people know that they do."""
    return _find_repeats(designs, [numbers])[0]


def _find_repeats(
    designs: Designs,
    groups: list[list[int]],
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> Patterns:
    """Find the repeat of each group of designs; half of the work is done."""
    pictures = even_out(designs.pictures)
    misfits = edge_misfits(pictures)
    found = []
    for number, group in enumerate(groups):
        module = find_module(misfits, group, designs.counts[group])
        picture = draw_module(module, designs.pictures)
        tiles = np.flatnonzero(np.isin(designs.design, group))
        kind = describe_symmetry(draw_module(module, pictures), module)
        found.append(Pattern(tuple(group), tiles, module, kind, picture))
        on_progress(0.5 + 0.5 * (number + 1) / len(groups))
    on_progress(1.0)
    return Patterns(tuple(sorted(found, key=lambda each: -len(each))), designs)


def find_pattern_tiles(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the pattern tiles among tiles [n, S, S, 3], in rising order, without their repeats."""
    designs = find_designs(pixels, least=FEW)
    groups = _group_designs(designs, None)
    return np.flatnonzero(np.isin(designs.design, [each for group in groups for each in group]))


def _unstriped_share(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the share of each design [k, S, S, 3] that no single row or col explains [k]."""
    copies = copy_tiles(pictures, FINE)
    explained = [FINE * (copies.mean(axis=axis) ** 2).sum(axis=(1, 2)) for axis in (1, 2)]
    return 1 - np.max(explained, axis=0)


def _group_designs(designs: Designs, names: Sequence[str | None] | None) -> list[list[int]]:
    """Return groups of designs that continue in one another, as lists of their numbers.

    Those that most of their tiles' names call the same are one group, and those called differently
    are never linked. Groups of few tiles, and mouldings, are left out.
    """
    counts = (_unstriped_share(designs.pictures) >= STRIPED) & (designs.counts >= MANY)
    if not counts.any():
        return []
    known = None
    if names is not None:
        known = [_commonest(names[tile] for tile in designs.tiles(i)) for i in range(len(designs))]
    label = group_designs(designs.pictures, designs.counts, known)
    groups = (np.flatnonzero(label == part) for part in range(label.max() + 1))
    return [group.tolist() for group in groups if counts[group].any()]


def _commonest(names: Iterable[str | None]) -> str | None:
    counted = Counter(name for name in names if name)
    return counted.most_common(1)[0][0] if counted else None
