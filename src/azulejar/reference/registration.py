"""Find where a picture shows the tiles of sure islands, and from that the panel's whole grid.

Scale, turn, perspective and what is cut off are unknown. The islands are looked for at every scale
and quarter turn, each tile free to shift a little; the clearest one is where the grid begins. Then
the grid bends to where its tiles are found, and islands that it shows in one place join.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from azulejar.core.alignment import Motion
from azulejar.core.assembly import Assembly
from azulejar.reference.shown_grid import MARGIN, ShownGrid
from azulejar.reference.structure import CELL, INSET, PITCH, STEP, CellMap, Floats, Windows
from azulejar.reference.tile_likeness import Likeness, Weights, fit_weights

SHARES = (0.25, 1.7)  # of the panel's area in the picture's, between which it is sought
GROWTH = 1.07  # from scale to scale
SOUGHT = 48  # tiles that are sought at every scale, about
SPARE = 64  # places more than are sought that a grid may have
LEAST = 3  # tiles of an island that is sought
STARTS = 3  # that are followed up
REACHES = (4, 3, 2, 2)  # cells by which tiles may be off the grid, round by round
NEAR = 1.5  # places; tiles around have a say in where a tile is, by a normal curve this wide
JOINS = 0.9  # probability of its best place from which an island joins
GUESS = Weights(12.0, 6.0)  # of contours and tones, before any tile tells them
SPREADS = 1  # cells by which a tile may be off its place


@dataclass(frozen=True)
class Registration:
    """Where a picture shows a panel.

    ``laid`` has the tiles of islands that it shows at their places of the ``grid`` as panel 0;
    ``evidence`` is by how much the picture tells these places better than chance, in nats, less
    what was gained by choosing; ``likeness`` and ``weights`` say how much it tells of each tile.
    """

    grid: ShownGrid
    laid: Assembly
    likeness: Likeness
    weights: Weights
    evidence: float

    @property
    def tiles(self) -> NDArray[np.intp]:
        """The tiles that the evidence is of."""
        return np.flatnonzero(self.laid.panel >= 0)


def register(
    grey: Floats,
    windows: Windows,
    parts: Assembly,
    quarters: Sequence[int],
    on_step: Callable[[], None] = lambda: None,
) -> Registration | None:
    """Return where the picture shows the islands best; None if there are no islands to look for.

    Args:
        grey: The picture [H, W].
        windows: Those of the n tiles, by ``tile_windows``.
        parts: The islands, by ``judging.islands``.
        quarters: By which all may be turned to lie as in the picture.
        on_step: Called many times a second; it stops the search by raising an exception.
    """
    starts = list(find_starts(grey, windows, parts, quarters, on_step))
    starts.sort(key=lambda each: -each.clear)
    found = [_follow(grey, windows, parts, start, quarters, on_step) for start in starts[:STARTS]]
    kept = [each for each in found if each is not None]
    return max(kept, key=lambda each: each.evidence, default=None)


@dataclass(frozen=True)
class Start:
    """A guess: the grid, one island laid on it, and how clearly all islands are seen so."""

    clear: float
    grid: ShownGrid
    laid: Assembly


def find_starts(
    grey: Floats,
    windows: Windows,
    parts: Assembly,
    quarters: Sequence[int],
    on_step: Callable[[], None] = lambda: None,
) -> Iterator[Start]:
    """Yield the best place of the clearest island at each scale and turn."""
    count = np.bincount(parts.panel[parts.panel >= 0], minlength=1)
    chosen = np.flatnonzero((count >= LEAST) & (np.cumsum(count) - count < SOUGHT))
    tiles = [_spread_out(np.flatnonzero(parts.panel == island)) for island in chosen]
    if not tiles:
        return
    sought = np.concatenate(tiles)
    index = {tile: number for number, tile in enumerate(sought.tolist())}
    some = windows.take((4 * sought[:, None] + np.arange(4)).ravel())
    weight = np.sqrt([len(each) for each in tiles])
    for pitch in _scales(grey.shape, len(parts)):
        cells = CellMap.of(_rescale(grey, PITCH / pitch))
        maps = _maps(cells, some, on_step).reshape(len(sought), 4, *cells.shape)
        for turn in quarters:
            on_step()
            moved = Motion(turn)(parts)
            clear, spots = [], []
            for each in tiles:
                summed = _sum_island(maps, moved, each, index)
                clear.append((summed.max() - summed.mean()) / max(summed.std(), 1e-6))
                spots.append(np.unravel_index(summed.argmax(), summed.shape))
            best = int(np.argmax(weight * clear))
            first = tiles[best][0]
            y, x = (int(at) for at in spots[best])
            left = (x - INSET) * CELL * pitch / PITCH - int(moved.col[first]) * pitch
            top = (y - INSET) * CELL * pitch / PITCH - int(moved.row[first]) * pitch
            matrix = np.array([[pitch, 0, left], [0, pitch, top], [0, 0, 1.0]])
            here = np.where(parts.panel == chosen[best], 0, -1).astype(np.int32)
            laid = Assembly(moved.row, moved.col, moved.turn, here)
            yield Start(
                float(np.average(clear, weights=weight)), ShownGrid.over(matrix, grey.shape), laid
            )


def _spread_out(tiles: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return as many tiles of a large island as are sought, evenly."""
    if len(tiles) <= SOUGHT:
        return tiles
    return tiles[np.linspace(0, len(tiles) - 1, SOUGHT).astype(int)]


def _scales(shape: tuple[int, ...], n: int) -> Iterator[float]:
    """Yield the pitches, in pixels of the picture, at which n tiles are sought."""
    least, most = (float(np.sqrt(share * shape[0] * shape[1] / n)) for share in SHARES)
    most = min(most, min(shape[:2]) / 2)
    while least <= most:
        yield least
        least *= GROWTH


def _rescale(grey: Floats, factor: float) -> Floats:
    size = tuple(max(2 * PITCH, round(side * factor)) for side in grey.shape[::-1])
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return cv2.resize(grey, size, interpolation=method).astype(np.float32)


def _maps(cells: CellMap, windows: Windows, on_step: Callable[[], None]) -> Floats:
    """Return how like windows are to every cell of a picture [windows, h, w], or one beside."""
    rows, cols = cells.shape
    found = np.empty((len(windows.tones), rows, cols), np.float32)
    every = np.arange(cols)
    for row in range(0, rows, STEP):
        on_step()
        lines = np.arange(row, min(row + STEP, rows))
        places = cells.windows(lines, every)
        like = Likeness.of(windows, places).total(GUESS)
        found[:, lines] = like.reshape(len(found), len(lines), cols)
    around = np.ones((2 * SPREADS + 1,) * 2, np.uint8)
    return np.stack([cv2.dilate(each, around) for each in found])


def _sum_island(
    maps: Floats, moved: Assembly, tiles: NDArray[np.intp], index: dict[int, int]
) -> Floats:
    """Sum the maps of an island's tiles, each shifted to where its first tile would be.

    A tile beyond the picture adds the mean.
    """
    high, wide = maps.shape[-2:]
    total = np.zeros((high, wide), np.float32)
    for tile in tiles.tolist():
        one = maps[index[tile], moved.turn[tile]]
        down = int(moved.row[tile] - moved.row[tiles[0]]) * STEP
        right = int(moved.col[tile] - moved.col[tiles[0]]) * STEP
        rows = slice(max(0, -down), min(high, high - down))
        cols = slice(max(0, -right), min(wide, wide - right))
        if rows.start < rows.stop and cols.start < cols.stop:
            there = one[
                rows.start + down : rows.stop + down, cols.start + right : cols.stop + right
            ]
            total[rows, cols] += there - one.mean()
    return total


def _follow(
    grey: Floats,
    windows: Windows,
    parts: Assembly,
    start: Start,
    quarters: Sequence[int],
    on_step: Callable[[], None],
) -> Registration | None:
    """Bend the grid of a start and let islands join; None if it leads nowhere."""
    grid, laid, weights = start.grid, start.laid, GUESS
    most = int(len(parts) / SHARES[0]) + SPARE
    if not grid.holds(most):
        return None
    cells, _ = grid.flatten(grey)
    found = None
    for reach in REACHES:
        on_step()
        grid = _bend(cells, windows, grid, laid, weights, reach, grey.shape)
        if not grid.holds(most):
            return None
        cells, shown = grid.flatten(grey)
        if not shown.any():
            return None
        likeness = place_likeness(cells, windows, grid, shown)
        laid, held = _join(likeness, weights, grid, parts, quarters)
        tiles = np.flatnonzero(laid.panel >= 0)
        at = likeness.number(
            laid.turn[tiles], laid.row[tiles] - grid.top, laid.col[tiles] - grid.left
        )
        if not len(tiles):
            return None
        weights, gains = fit_weights(likeness, tiles, at, parts.panel[tiles])
        evidence = float(gains.sum() - held * np.log(likeness.choices))
        found = Registration(grid, laid, likeness, weights, evidence)
    return found


def place_likeness(
    cells: CellMap, windows: Windows, grid: ShownGrid, shown: NDArray[np.bool_]
) -> Likeness:
    """Return how like each tile is to each place of the grid, or to a cell or so beside it."""
    best = None
    inset = MARGIN + int(INSET)
    for down in range(-SPREADS, SPREADS + 1):
        for right in range(-SPREADS, SPREADS + 1):
            rows = inset + down + STEP * np.arange(grid.rows)
            cols = inset + right + STEP * np.arange(grid.cols)
            like = Likeness.of(windows, cells.windows(rows, cols))
            best = like if best is None else best.better(like, GUESS)
    assert best is not None
    return best.over(shown)


def _bend(
    cells: CellMap,
    windows: Windows,
    grid: ShownGrid,
    laid: Assembly,
    weights: Weights,
    reach: int,
    shape: tuple[int, ...],
) -> ShownGrid:
    """Return the grid bent to where its tiles are found within ``reach`` cells of their places."""
    tiles = np.flatnonzero(laid.panel >= 0)
    row, col = laid.row[tiles], laid.col[tiles]
    around = np.arange(-reach, reach + 1)
    like = np.zeros((len(tiles), len(around) ** 2), np.float32)
    for number, tile in enumerate(tiles.tolist()):
        rows = MARGIN + int(INSET) + (row[number] - grid.top) * STEP + around
        cols = MARGIN + int(INSET) + (col[number] - grid.left) * STEP + around
        inside = rows[0] >= 0 and cols[0] >= 0
        if inside and rows[-1] < cells.shape[0] and cols[-1] < cells.shape[1]:
            own = windows.take(np.array([4 * tile + laid.turn[tile]]))
            like[number] = Likeness.of(own, cells.windows(rows, cols)).total(weights)[0]
    # Tiles nearby are off by nearly as much, and one alone may err.
    apart = np.subtract.outer(row, row) ** 2 + np.subtract.outer(col, col) ** 2
    say = np.exp(-apart / (2 * NEAR**2))
    smooth = (say / say.sum(axis=1, keepdims=True)) @ like
    at = smooth.argmax(axis=1)
    off = np.stack([around[at % len(around)], around[at // len(around)]], axis=1)
    clear = smooth.max(axis=1) - smooth.mean(axis=1)
    places = np.stack([col, row], axis=1) + 0.5
    found = places + (off + int(INSET) - INSET) / STEP
    return grid.bent(places, found, np.maximum(clear, 1e-6), shape)


def _join(
    likeness: Likeness, weights: Weights, grid: ShownGrid, parts: Assembly, quarters: Sequence[int]
) -> tuple[Assembly, int]:
    """Lay the islands that are probably in one place of the grid, and count them."""
    total = likeness.total(weights).astype(np.float64)
    total -= logsumexp(total, axis=(1, 2, 3), keepdims=True)
    chance = -np.log(likeness.choices)  # what a tile adds that the picture does not show
    row, col, turn = (np.zeros(len(parts), np.int32) for _ in range(3))
    panel = np.full(len(parts), -1, np.int32)
    held = 0
    count = np.bincount(parts.panel[parts.panel >= 0], minlength=1)
    for island in np.flatnonzero(count > 1):
        tiles = np.flatnonzero(parts.panel == island)
        ways = []
        for quarter in quarters:
            moved = Motion(quarter)(parts)
            down, right = (each[tiles] - each[tiles].min() for each in (moved.row, moved.col))
            turns = moved.turn[tiles]
            high, wide = int(down.max()), int(right.max())
            around = ((0, 0), (high, high), (wide, wide))
            logs = np.where(likeness.shown, total[tiles, turns], chance)
            logs = np.pad(logs, around, constant_values=chance)
            rows, cols = grid.rows + high, grid.cols + wide
            summed = np.zeros((rows, cols))
            for each, r, c in zip(logs, down, right, strict=True):
                summed += each[r : r + rows, c : c + cols]
            ways.append((summed, down - high + grid.top, right - wide + grid.left, turns))
        best = max(ways, key=lambda way: way[0].max())
        everywhere = logsumexp(np.concatenate([way[0].ravel() for way in ways]))
        if best[0].max() - everywhere < np.log(JOINS):
            continue
        y, x = np.unravel_index(best[0].argmax(), best[0].shape)
        place = best[1] + y, best[2] + x
        inside = likeness.shows(place[0] - grid.top, place[1] - grid.left)
        held += 1
        row[tiles], col[tiles], turn[tiles] = *place, best[3]
        panel[tiles[inside]] = 0
    return Assembly(row, col, turn, panel), held
