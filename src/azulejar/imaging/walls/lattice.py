"""Find the lattice of joints between four rough corners, as if the wall were flat.

For every guess of the tile's size the photograph is rectified by the rough corners. All combs
that could result from corners half a tile off are tried, for both directions together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.comb import Comb, CombFits, Tone, Trials, fit_combs
from azulejar.imaging.walls.photo import SIDE, Points, WallPhoto, project_points, ridges

FEWEST, MOST = 3.0, 45.0  # tiles along the mean side of the panel
SMALLEST = 12.0  # pixels of the photograph to a tile's side
NEXT_SIZE = 1.25
FOCAL = 0.7  # focal length over the longer side of the photograph: a common lens
UNSQUARE = 0.12  # usual deviation of the logarithm of a tile's width over its height
THIN = 0.8  # share of the gain that every second joint must have for the others to be dropped
MARGIN = round(0.8 * SIDE)
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
TONES: tuple[Tone, ...] = (0, 1, -1)


@dataclass(frozen=True)
class Lattice:
    """Two combs of joints, and the ``homography`` [3, 3] from tiles to points of the photograph.

    ``across`` holds the joints that run down, ``down`` those that run across.
    """

    across: Comb
    down: Comb
    homography: Points


def find_lattice(
    photo: WallPhoto,
    corners: Points,
    rows: int | None = None,
    cols: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    *,
    fewest: float = FEWEST,
    most: float = MOST,
) -> Lattice:
    """Return the lattice that gains most; ``corners`` [4, 2] run clockwise from the top left.

    The mean side is at least ``fewest`` and at most ``most`` tiles long.
    """
    shape = _shape(photo, corners)
    sizes = [
        size
        for size in _sizes(corners, shape, rows, cols)
        if fewest <= np.sqrt(size[0] * size[1]) <= most
    ]
    best: tuple[float, Comb, Comb] | None = None
    for done, (wide, tall) in enumerate(sizes):
        across, down = _views(photo, corners, wide, tall)
        for tone in TONES:
            found = _search(across, down, tone, rows, cols)
            if best is None or found[0] > best[0]:
                best = found
        if on_progress is not None:
            on_progress((done + 1) / (len(sizes) + 1))
    if best is None:
        raise AzulejarError(
            "wall-corners-too-close",
            "The corners are too close together for a grid of tiles to be seen, or do not go with "
            "the rows and cols.",
            "Give corners at least {least:.0f} px apart, or a larger photograph.",
            least=FEWEST * SMALLEST,
        )
    lattice = _look_closer(photo, corners, *_thin(photo, corners, best[1], best[2]))
    if on_progress is not None:
        on_progress(1.0)
    return lattice


def _shape(photo: WallPhoto, corners: Points) -> float:
    """Return width over height of the rectangle that a common lens shows with these corners.

    After Zhang and He, Whiteboard scanning and image enhancement, section 3.
    """
    middle = [photo.width / 2, photo.height / 2]
    points = np.column_stack([corners - middle, np.ones(4)])
    top_left, top_right, bottom_right, bottom_left = points
    diagonal = np.cross(top_left, bottom_right)
    right = diagonal @ bottom_left / (np.cross(top_right, bottom_right) @ bottom_left)
    below = diagonal @ top_right / (np.cross(bottom_left, bottom_right) @ top_right)
    focal = FOCAL * max(photo.width, photo.height)
    scale = np.array([1 / focal, 1 / focal, 1])
    width = np.linalg.norm((right * top_right - top_left) * scale)
    height = np.linalg.norm((below * bottom_left - top_left) * scale)
    return float(width / height)


def _sizes(
    corners: Points, shape: float, rows: int | None, cols: int | None
) -> Iterator[tuple[float, float]]:
    """Yield the numbers of tiles across and down to try."""
    side = np.sqrt(cv2.contourArea(corners.astype(np.float32)))
    tiles = FEWEST
    while tiles < MOST and side / tiles > SMALLEST:
        wide, tall = tiles * np.sqrt(shape), tiles / np.sqrt(shape)
        possible = (cols is None or abs(np.log(wide / cols)) < 0.4) and (
            rows is None or abs(np.log(tall / rows)) < 0.4
        )
        if min(wide, tall) >= 2 and possible:
            yield wide, tall
        tiles *= NEXT_SIZE


def _views(
    photo: WallPhoto, corners: Points, wide: float, tall: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the ridges of joints that run down and, transposed, of those that run across."""
    rectangle = (SQUARE + 1) / 2 * [wide, tall]
    homography = _between(rectangle, corners)
    edge = MARGIN / SIDE
    view = photo.view(
        lambda points: project_points(homography, points), (-edge, -edge, wide + edge, tall + edge)
    )
    light = np.ascontiguousarray(view[..., 0])
    return ridges(light), ridges(np.ascontiguousarray(light.T))


def _size(ridge: NDArray[np.float32]) -> tuple[float, float]:
    """Return the tiles across and down between the rough corners."""
    height, width = ridge.shape
    return (width - 2 * MARGIN) / SIDE, (height - 2 * MARGIN) / SIDE


def _search(
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    tone: Tone,
    rows: int | None,
    cols: int | None,
) -> tuple[float, Comb, Comb]:
    """Return the best pair of combs at one size of the tiles, after their gain."""
    wide, tall = _size(across)
    step = 0.36 / max(wide, tall)
    # What four corners, each half a tile off, can amount to.
    tilts_across, tilts_down = (
        step * np.arange(-np.ceil(0.5 / tiles / step), np.ceil(0.5 / tiles / step) + 1)
        for tiles in (tall, wide)
    )

    def fits(ridge, tiles, fans, chirps, known):
        periods = SIDE * np.exp(np.arange(-0.32, 0.321, min(0.04, 0.3 / tiles)))
        if known is not None:
            likely = np.abs(tiles * SIDE / periods - known) < 1.2
            periods = periods[likely] if likely.any() else periods
        slants = np.arange(-3, 4) * 0.16 * 2 / tiles
        trials = Trials(slants, fans, chirps, periods, phases=10)
        return fit_combs(ridge, MARGIN, trials, tone=tone, tolerance=3, most=1.5)

    return _best_pair(
        fits(across, wide, -tilts_down, tilts_across, cols),
        fits(down, tall, -tilts_across, tilts_down, rows),
    )


def _best_pair(across: CombFits, down: CombFits) -> tuple[float, Comb, Comb]:
    """Return the gain of the best pair of combs on one plane with square tiles, and the pair."""
    unsquare = np.log(across.periods() / down.periods().T)
    total = across.gains + down.gains.T - 0.5 * (unsquare / UNSQUARE) ** 2
    fan, chirp = np.unravel_index(int(total.argmax()), total.shape)
    return (
        float(total[fan, chirp]),
        across.comb(int(fan), int(chirp)),
        down.comb(int(chirp), int(fan)),
    )


def _thin(photo: WallPhoto, corners: Points, across: Comb, down: Comb) -> tuple[Comb, Comb]:
    """Keep only every second or third joint where, in both directions, these are clear and the
    others gain next to nothing.
    """
    views = _views(photo, corners, across.tiles, down.tiles)
    best = (across, down)
    for step in (2, 3):
        pairs = [
            (_fit_spaced(view, comb, 1), _fit_spaced(view, comb, step))
            for view, comb in zip(views, (across, down), strict=True)
        ]
        if all(few.gain > max(THIN * dense.gain, few.tiles) for dense, few in pairs):
            best = (pairs[0][1], pairs[1][1])
    return best


def _fit_spaced(ridge: NDArray[np.float32], comb: Comb, every: int) -> Comb:
    """Return the best comb with a joint at every ``every``-th tile, otherwise like ``comb``."""
    lean, fan, chirp = (np.array([value]) for value in (comb.slant, comb.fan, comb.chirp))
    trials = Trials(lean, fan, chirp, np.array([SIDE * float(every)]), phases=20 * every)
    return fit_combs(ridge, MARGIN, trials, tone=0, tolerance=2, most=1.5).comb(0, 0)


def _look_closer(photo: WallPhoto, corners: Points, across: Comb, down: Comb) -> Lattice:
    """Fit the combs again in ever finer steps, with joints of each tone, and keep the best."""
    found = []
    for tone in TONES:
        pair = (across, down)
        for finer, tolerance, most in ((1.0, 2, 2.0), (0.4, 1, 4.0)):
            views = _views(photo, corners, pair[0].tiles, pair[1].tiles)
            pair = _closer(views, pair, finer, tone, tolerance, most)
        found.append(pair)
    best = max(found, key=lambda pair: pair[0].gain + pair[1].gain)
    return Lattice(*best, _homography(corners, *best))


def _closer(
    views: tuple[NDArray[np.float32], NDArray[np.float32]],
    pair: tuple[Comb, Comb],
    finer: float,
    tone: Tone,
    tolerance: int,
    most: float,
) -> tuple[Comb, Comb]:
    """Fit a pair of combs again, in steps ``finer`` times as wide as usual."""
    wide, tall = _size(views[0])
    around = np.arange(-3, 4) * 0.12 * finer / max(wide, tall)
    tilts_across, tilts_down = pair[0].chirp + around, pair[1].chirp + around

    def fits(ridge, comb, tiles, fans, chirps):
        slants = comb.slant + np.arange(-3, 4) * 0.1 * finer / tiles
        periods = SIDE * np.exp(np.arange(-4, 5) * 0.06 * finer / tiles)
        trials = Trials(slants, fans, chirps, periods, phases=40)
        return fit_combs(ridge, MARGIN, trials, tone=tone, tolerance=tolerance, most=most)

    _, across, down = _best_pair(
        fits(views[0], pair[0], wide, -tilts_down, tilts_across),
        fits(views[1], pair[1], tall, -tilts_across, tilts_down),
    )
    return across, down


def _homography(corners: Points, across: Comb, down: Comb) -> Points:
    """Return the homography from tiles to the photograph through the crossings of two combs."""
    cols, x, lean_x = across.joints()
    rows, y, lean_y = down.joints()
    at_x, at_y = np.meshgrid(x, y)
    for _ in range(5):  # each joint leans towards where it meets the other
        at_x, at_y = x + lean_x * at_y, y[:, None] + lean_y[:, None] * at_x
    numbers = np.stack(np.meshgrid(cols, rows), axis=-1).reshape(-1, 2)
    crossings = np.stack([at_x, at_y], axis=-1).reshape(-1, 2)
    near = (np.abs(crossings) < 1.1).all(axis=1)
    if near.sum() < 4:
        raise AzulejarError(
            "wall-no-grid", "No grid of tiles is seen between the corners.", "Check the corners."
        )
    flat, _ = cv2.findHomography(numbers[near], crossings[near])
    return np.asarray(_between(SQUARE, corners) @ flat, np.float64)


def _between(four: Points, others: Points) -> Points:
    """Return the homography that takes four points [4, 2] to four others."""
    found = cv2.getPerspectiveTransform(four.astype(np.float32), others.astype(np.float32))
    return np.asarray(found, np.float64)
