"""Find a colour chart of 24 patches (ColorChecker Classic) or a grey card beside the tiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.background import to_lab
from azulejar.imaging.photographs.quads import UNIT, Quad, area_of, overlap_area, side_of

# sRGB of the patches under daylight, four rows of six; the last row is neutral, from white down.
PATCHES = np.array(
    [
        [(115, 82, 68), (194, 150, 130), (98, 122, 157), (87, 108, 67), (133, 128, 177),
         (103, 189, 170)],
        [(214, 126, 44), (80, 91, 166), (193, 90, 99), (94, 60, 108), (157, 188, 64),
         (224, 163, 46)],
        [(56, 61, 150), (70, 148, 73), (175, 54, 60), (231, 199, 31), (187, 86, 149),
         (8, 133, 161)],
        [(243, 243, 242), (200, 200, 200), (160, 160, 160), (122, 122, 121), (85, 85, 85),
         (52, 52, 52)],
    ],
    float,
)  # fmt: skip
ROWS, COLS = PATCHES.shape[:2]
# Lengths on a chart are in steps, from the middle of one patch to that of the next.
PATCH = 2.5 / 2.75  # side of a patch
FRAME = 0.25 / 2.75  # width of the black frame around the patches
WIDTH, HEIGHT = COLS - 1 + PATCH + 2 * FRAME, ROWS - 1 + PATCH + 2 * FRAME  # with the frame
GREYS = slice(0, 5)  # neutral patches that give the light; the darkest is distorted by flare

FLAT = 2.0  # gradient in Lab units per pixel below which a pixel lies inside a patch
SMALLEST, LARGEST = 5, 0.1  # side of a patch: in pixels; as a share of the picture's longer side
SQUARE = 0.75  # least share of its bounding rectangle that a patch fills
OBLONG = 1.5  # largest ratio of a patch's sides, seen at an angle
UNEQUAL = 1.5  # largest ratio of the sides of two neighbouring patches
ASKEW = 0.35  # largest cosine between rows and cols; largest shift of a patch, in steps
FEWEST_PATCHES = 12  # that must be found
SAMPLED = 8  # pixels per step when the colours of patches are read
LIKE = 0.2  # largest mean deviation of the log colours from those of a chart under one light
FLARE = 8.0  # grey levels added before taking logarithms, so that dark patches do not dominate
CLIPPED = 250  # grey level from which a channel is overexposed

EVEN = 2.5  # Lab: 95th percentile of the deviation of a card's colour, at most
GREY = (25.0, 85.0)  # lightness of grey cards at any exposure
CAST = 22.0  # Lab: largest colour cast that a lamp may give a card
LONG = 2.2  # largest ratio of a card's sides
SMALLEST_CARD = 0.3  # side of a card, as a share of a tile's side
WHITE = 90  # percentile of brightness from which pixels of a tile count as bare glaze
DARKER = 0.8  # largest ratio of a card's brightness to that of glaze
INSIDE = 32  # pixels a side to which the inside of a card or tile is straightened
TINT = 0.06  # largest difference between the tints of card and glaze, in logarithms


@dataclass(frozen=True)
class Chart:
    """A chart in a photograph: its ``corners`` [4, 2] in pixels, and the RGB of its patches.

    The corners are those of its frame, clockwise from its own top left; ``colours`` [4, 6, 3].
    """

    corners: Quad
    colours: NDArray[np.float64]

    @property
    def white(self) -> NDArray[np.float64]:
        """RGB [3] of a perfect white under the same light, estimated from the grey patches."""
        greys, seen = PATCHES[-1, GREYS], self.colours[-1, GREYS]
        usable = seen.max(axis=1) < CLIPPED
        usable[-1] = True
        return 255 * np.median((seen / greys)[usable], axis=0)


def find_chart(picture: NDArray[np.uint8]) -> Chart | None:
    """Find the chart in a picture [H, W, 3], at any rotation; None if there is none."""
    lattice = max(_lattices(*_patches(picture)), key=len, default={})
    if len(lattice) < FEWEST_PATCHES:
        return None
    cells = np.array(list(lattice), float)
    middles = np.array(list(lattice.values()))
    found = [_read(picture, placed, middles) for placed in _placings(cells)]
    misfit, chart = min(found, key=lambda pair: pair[0], default=(np.inf, None))
    return chart if misfit < LIKE else None


def _patches(picture: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find small squares of uniform colour; return their centres [n, 2] and sides [n]."""
    soft = cv2.GaussianBlur(to_lab(picture), (0, 0), 1.0)
    across, down = cv2.Scharr(soft, cv2.CV_32F, 1, 0), cv2.Scharr(soft, cv2.CV_32F, 0, 1)
    flat = (np.sqrt((across**2 + down**2).sum(axis=2)) / 32 < FLAT).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    left, top, width, height, area = stats.T
    largest = LARGEST * max(picture.shape)
    likely = (np.minimum(width, height) >= SMALLEST) & (np.maximum(width, height) < 1.5 * largest)
    likely &= (area > 0.4 * width * height) & (
        np.maximum(width, height) < 2 * np.minimum(width, height)
    )
    middles, sides = [], []
    for k in np.flatnonzero(likely):
        part = labels[top[k] : top[k] + height[k], left[k] : left[k] + width[k]] == k
        outline, _ = cv2.findContours(
            part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        middle, rectangle, _ = cv2.minAreaRect(max(outline, key=len))
        size = np.array(rectangle) + 1
        if area[k] > SQUARE * size.prod() and size.max() < OBLONG * size.min():
            middles.append((middle[0] + left[k], middle[1] + top[k]))
            sides.append(np.sqrt(size.prod()))
    return np.array(middles).reshape(-1, 2), np.array(sides)


def _lattices(
    middles: NDArray[np.float64], sides: NDArray[np.float64]
) -> Iterator[dict[tuple[int, int], NDArray[np.float64]]]:
    """Group squares into grids; yield the centres of each grid by (col, row)."""
    left = set(range(len(middles)))
    for seed in range(len(middles)):
        if seed not in left:
            continue
        steps = _steps(middles, sides, seed)
        if steps is None:
            continue
        lattice = _grow(middles, sides, seed, steps)
        left -= set(lattice.values())
        yield {cell: middles[k] for cell, k in lattice.items()}


def _steps(
    middles: NDArray[np.float64], sides: NDArray[np.float64], seed: int
) -> NDArray[np.float64] | None:
    """Return the vectors [2, 2] from a square to the next col and the next row, None if unclear."""
    away = middles - middles[seed]
    distance = np.linalg.norm(away, axis=1)
    alike = np.maximum(sides / sides[seed], sides[seed] / sides) < UNEQUAL
    near = np.flatnonzero(alike & (distance > 0) & (distance < 2.2 * sides[seed]))
    if len(near) < 2:
        return None
    first = away[near[np.argmin(distance[near])]]
    cosine = away[near] @ first / (distance[near] * np.linalg.norm(first))
    across = near[np.abs(cosine) < ASKEW]
    if not len(across):
        return None
    second = away[across[np.argmin(distance[across])]]
    clockwise = first[0] * second[1] - first[1] * second[0] > 0
    return np.array([first, second if clockwise else -second])


def _grow(
    middles: NDArray[np.float64], sides: NDArray[np.float64], seed: int, steps: NDArray[np.float64]
) -> dict[tuple[int, int], int]:
    """Grow a grid from the square ``seed``; return the indices of its squares by (col, row)."""
    cells = {(0, 0): seed}
    waiting = [(0, 0)]
    reach = ASKEW * np.linalg.norm(steps, axis=1).min()
    while waiting:
        cell = waiting.pop(0)
        here = cells[cell]
        for col, row in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = cell[0] + col, cell[1] + row
            if there in cells:
                continue
            expected = middles[here] + col * steps[0] + row * steps[1]
            off = np.linalg.norm(middles - expected, axis=1)
            nearest = int(np.argmin(off))
            ratio = sides[nearest] / sides[here]
            if off[nearest] < reach and max(ratio, 1 / ratio) < UNEQUAL:
                cells[there] = nearest
                waiting.append(there)
    return cells


def _placings(cells: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield the cells (col, row) [n, 2] at each position and rotation that fits on a chart."""
    for _ in range(4):
        cells = np.column_stack([-cells[:, 1], cells[:, 0]])
        at_corner = cells - cells.min(axis=0)
        cols, rows = (at_corner.max(axis=0) + 1).astype(int)
        for right in range(COLS - cols + 1):
            for down in range(ROWS - rows + 1):
                yield at_corner + np.array([right, down])


def _read(
    picture: NDArray[np.uint8], cells: NDArray[np.float64], middles: NDArray[np.float64]
) -> tuple[float, Chart | None]:
    """Return the chart whose ``cells`` lie at ``middles``, after its mean colour error."""
    to_pixels, _ = cv2.findHomography(cells, middles)
    if to_pixels is None:
        return np.inf, None
    rim = PATCH / 2 + FRAME
    left, top, right, bottom = -rim, -rim, COLS - 1 + rim, ROWS - 1 + rim
    frame = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    corners = cv2.perspectiveTransform(frame[None], to_pixels)[0]
    chart = Chart(corners, patch_colours(picture, corners))
    ratio = np.log((chart.colours + FLARE) / (PATCHES + FLARE)).reshape(-1, 3)
    misfit = float(np.abs(ratio - np.median(ratio, axis=0)).mean())
    return misfit, chart


def patch_colours(picture: NDArray[np.uint8], corners: Quad) -> NDArray[np.float64]:
    """Return the median RGB [4, 6, 3] of the patches of a chart within ``corners`` [4, 2]."""
    step, rim = SAMPLED, (PATCH / 2 + FRAME - 0.5) * SAMPLED
    shape = (COLS * step, ROWS * step)
    low, high = np.array([-rim, -rim]) - 0.5, np.array(shape) + rim - 0.5
    target = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = np.asarray(cv2.warpPerspective(picture, matrix, shape, flags=cv2.INTER_LINEAR))
    inner = slice(step // 4, step - step // 4)
    cells = flat.reshape(ROWS, step, COLS, step, 3).swapaxes(1, 2)[:, :, inner, inner]
    return np.median(cells.reshape(ROWS, COLS, -1, 3), axis=2)


def find_card(
    picture: NDArray[np.uint8], quads: Sequence[Quad], tiles: Sequence[Quad]
) -> Quad | None:
    """Return the grey card among the outlines [4, 2] of objects on the table, None if unsure.

    A tile painted in one colour may be as uniform as a card. But a grey card is clearly darker
    than white glaze and has nearly the same tint, so that other ``tiles`` are needed to compare
    with.
    """
    even = [(unevenness, k) for k, quad in enumerate(quads)
            if (unevenness := _unevenness(picture, quad)) < EVEN]  # fmt: skip
    for _, k in sorted(even):
        others = [tile for tile in tiles if not is_inside(tile, quads[k])]
        if not others or side_of(quads[k]) < SMALLEST_CARD * max(map(side_of, others)):
            continue
        glaze = np.median([_glaze(picture, tile) for tile in others], axis=0)
        ratio = np.log(np.maximum(card_colour(picture, quads[k]), 1.0) / glaze)
        if ratio.mean() < np.log(DARKER) and np.abs(ratio - ratio.mean()).max() < TINT:
            return quads[k]
    return None


def _glaze(picture: NDArray[np.uint8], tile: Quad) -> NDArray[np.float64]:
    """Return the median RGB [3] of the brightest tenth of a tile."""
    inside = _inside(picture, tile).reshape(-1, 3).astype(float)
    bright = inside.mean(axis=1)
    return np.maximum(np.median(inside[bright >= np.percentile(bright, WHITE)], axis=0), 1.0)


def card_colour(picture: NDArray[np.uint8], card: Quad) -> NDArray[np.float64]:
    """Return the median RGB [3] inside the outline of a card."""
    return np.median(_inside(picture, card).reshape(-1, 3), axis=0)


def is_inside(quad: Quad, other: Quad) -> bool:
    """Return whether most of the smaller quad lies inside the larger one."""
    return overlap_area(quad, other) > 0.5 * min(area_of(quad), area_of(other))


def _unevenness(picture: NDArray[np.uint8], quad: Quad) -> float:
    """Return how much the colour varies inside; infinity unless shape and colour suit a card."""
    lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    if side_of(quad) < 8 or lengths.max() > LONG * lengths.min():
        return np.inf
    soft = cv2.GaussianBlur(_inside(picture, quad), (0, 0), 1.0)
    lab = to_lab(np.asarray(soft, np.uint8)).reshape(-1, 3)
    middle = np.median(lab, axis=0)
    if not GREY[0] < middle[0] < GREY[1] or np.hypot(*middle[1:]) > CAST:
        return np.inf
    return float(np.percentile(np.linalg.norm(lab - middle, axis=1), 95))


def _inside(picture: NDArray[np.uint8], quad: Quad) -> NDArray[np.uint8]:
    """Return the inner part of a quad, straightened to [INSIDE, INSIDE, 3]."""
    inner = quad.mean(axis=0) + 0.75 * (quad - quad.mean(axis=0))
    low = np.maximum(np.floor(inner.min(axis=0)).astype(int), 0)
    high = np.ceil(inner.max(axis=0)).astype(int) + 2
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    target = (UNIT * (INSIDE - 1)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform((inner - low).astype(np.float32), target)
    # Not ``straighten``: its cubic interpolation sharpens noise, so that cards look uneven.
    return np.asarray(
        cv2.warpPerspective(part, matrix, (INSIDE, INSIDE), borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
