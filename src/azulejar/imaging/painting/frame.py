"""Frame: a dark band with a winding acanthus scroll between mouldings, and corner blocks."""

import numpy as np

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, placed, smooth, spiral
from azulejar.imaging.painting.ornament import paint_leaf, paint_rosette, paint_shell, paint_stem


def paint_frame(canvas: Canvas, border: float) -> None:
    """All around the canvas, ``border`` units wide; nothing below it shows through."""
    width, height = canvas.width, canvas.height
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    inward = border / 2 * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    for k in range(4):
        start, end = corners[k], corners[(k + 1) % 4]
        _side(canvas, start, end, border, k * np.pi / 2)
    for k in range(4):
        _corner(canvas, corners[k] + inward[k], border, k)
    for middle, turn in (((width / 2, border * 0.86), 0.0),):
        _crest(canvas, np.array(middle), border, turn)


def _side(canvas: Canvas, start: Points, end: Points, border: float, turn: float) -> None:
    """One side, clockwise: x runs along it from 0 and y inwards from 0 to 1, times border."""
    length = float(np.hypot(*(end - start))) / border

    def at(points: object) -> Points:
        return placed(points, start, border, turn)

    band = at([(0, 0), (length, 0), (length, 1), (0, 1)])
    canvas.cover(band, 0.03)
    ground = at([(0, 0.17), (length, 0.17), (length, 0.81), (0, 0.81)])
    canvas.cover(ground, 0.62)
    _brushed_ground(canvas, at, length)
    _mouldings(canvas, at, length, border)
    half = (length - 2) / 2
    scrolls = max(1, round(half / 0.92))
    for flip in (False, True):
        _scrollwork(canvas, at((length / 2, 0.49)), border, half, scrolls, turn, flip)


def _brushed_ground(canvas: Canvas, at, length: float) -> None:
    rng = canvas.rng
    n = int(length * 60)
    spots = at(np.stack([rng.uniform(0, length, n), rng.uniform(0.17, 0.81, n)], axis=1))
    angle = rng.normal(0.8, 0.4, n)
    canvas.dabs(spots, rng.uniform(6, 16, n), angle, rng.uniform(1.5, 4, n), rng.uniform(0.1, 0.5, n))


def _mouldings(canvas: Canvas, at, length: float, border: float) -> None:
    """Lines beside the ground, a twisted cord outside and a row of dashes inside."""
    rng = canvas.rng
    line = 0.8 + 0.012 * border
    rules = [(0.02, 1.2), (0.145, 1.0), (0.175, 2.0), (0.805, 2.0), (0.84, 1.0), (0.975, 1.8)]
    for y, weight in rules:
        canvas.stroke(at([(0, y), (length, y)]), weight * line, 0.9)
    for y, tall, pitch, slant in ((0.083, 0.11, 0.085, 0.9), (0.908, 0.115, 0.11, -0.9)):
        n = int(length / pitch)
        x = (np.arange(n) + 0.5 + rng.uniform(-0.22, 0.22, n)) * length / n
        ends = at(np.stack([x, np.full(n, y)], axis=1))
        way = at([(0, 0), (np.cos(slant), np.sin(slant))])
        angle = np.arctan2(*(way[1] - way[0])[::-1])
        canvas.dabs(
            ends,
            tall * border * rng.uniform(0.9, 1.25, n),
            angle + rng.normal(0, 0.12, n),
            0.045 * border * rng.uniform(0.6, 1.5, n),
            rng.uniform(0.5, 0.95, n),
            0.18 * np.sign(slant),
        )


def _scrollwork(canvas, centre, border, half, scrolls, turn, flip) -> None:
    """From the middle of a side to its corner: a stem that waves around curled branches."""
    rng = canvas.rng
    # Mirrored work is turned the other way round by its flip, so it is flipped before turning.
    def at(points: object) -> Points:
        flipped = np.asarray(points, float) * ([-1, 1] if flip else [1, 1])
        return placed(flipped, centre, border, turn)

    pitch = half / scrolls
    hand = 1 if rng.random() < 0.5 else -1
    xs = (np.arange(scrolls) + 0.5) * pitch
    hands = hand * (-1) ** np.arange(scrolls)
    crests = np.stack([xs, -0.27 * hands], axis=1)
    ends = [[(0, 0.05 * hand)], crests, [(half - 0.02, 0.1 * hands[-1])]]
    stem = smooth(np.concatenate(ends))
    paint_stem(canvas, at(stem), 0.055 * border)
    for x, sign in zip(xs, hands, strict=True):
        _branch(canvas, at, border, float(x), int(sign), pitch, flip)


def _branch(canvas, at, border, x, sign, pitch, flip) -> None:
    rng = canvas.rng
    radius = min(0.27, 0.36 * pitch) * rng.uniform(0.95, 1.05)
    centre = np.array([x, -sign * (0.27 - radius)])
    turns = rng.uniform(1.25, 1.5)
    curl = spiral(centre, radius, 0.09, -sign * np.pi / 2, sign * 2 * np.pi * turns)
    # Leaves spring from the back of the curl, first the ones that the stem will overlap.
    for start, reach, fat in ((0.75, 0.36, 0.25), (-0.55, 0.46, 0.28), (2.2, 0.32, 0.22)):
        begin = -sign * np.pi / 2 + sign * (start + rng.normal(0, 0.12))
        root = centre + radius * np.array([np.cos(begin), np.sin(begin)])
        lead = begin + sign * 0.9
        tip = root + reach * rng.uniform(0.85, 1.15) * np.array([np.cos(lead), np.sin(lead)])
        tip[1] = np.clip(tip[1], -0.29, 0.29)
        bow = (root + tip) / 2 + 0.08 * np.array([np.cos(begin), np.sin(begin)])
        bow[1] = np.clip(bow[1], -0.25, 0.25)
        paint_leaf(canvas, at(smooth([root, bow, tip])), fat * border, int(rng.integers(3, 6)))
    paint_stem(canvas, at(curl), np.linspace(0.06, 0.03, len(curl)) * border)
    for k in (18, 30):
        begin = curl[k]
        tip = begin + (centre - begin) * 0.2 + 0.16 * np.array([np.sin(k), np.cos(k)])
        paint_leaf(canvas, at(smooth([begin, (begin + tip) / 2 + 0.02, tip])), 0.09 * border, 3)
    paint_rosette(canvas, at([centre])[0], 0.13 * border, int(rng.integers(5, 9)), rng.uniform(0, 6))


def _corner(canvas: Canvas, at: Points, border: float, index: int) -> None:
    """A square block with a large rosette and a leaf into each of its corners."""
    rng = canvas.rng
    block = placed([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], at, border)
    canvas.cover(block, 0.06)
    canvas.wash(block, 0.3, fade=(np.cos(index * 1.57 + 0.8), np.sin(index * 1.57 + 0.8)))
    canvas.hatch(block, 0.785 + index * np.pi / 2, 4, 0.3)
    inner = placed([(-0.43, -0.43), (0.43, -0.43), (0.43, 0.43), (-0.43, 0.43)], at, border)
    for square, weight in ((block, 2.2), (inner, 1.4)):
        around = np.concatenate([square, square[:1]])
        canvas.strokes([around[k : k + 2] for k in range(4)], weight, 0.92)
    for k in range(4):
        turn = (k + 0.5) * np.pi / 2
        rib = smooth([(0.12, 0.0), (0.35, 0.03 * (-1) ** k), (0.57, 0.0)])
        paint_leaf(canvas, placed(rib, at, border, turn), border * rng.uniform(0.27, 0.33), 4 + k % 2)
    for k in range(4):
        bud = placed([(0.33, 0)], at, border, k * np.pi / 2)[0]
        paint_rosette(canvas, bud, 0.085 * border, 4 + (k + index) % 4, rng.uniform(0, 6))
    paint_rosette(canvas, at, 0.27 * border, 8 + index, rng.uniform(0, 6))


def _crest(canvas: Canvas, at: Points, border: float, turn: float) -> None:
    """A shell between leaves, in the middle of a side."""
    for flip in (False, True):
        for rib, fat in (
            ([(0.1, 0.0), (0.5, -0.22), (0.95, -0.05), (1.2, 0.16)], 0.36),
            ([(0.1, 0.05), (0.45, 0.12), (0.7, 0.36)], 0.28),
        ):
            paint_leaf(canvas, smooth(placed(rib, at, border, turn, flip)), fat * border, 6)
    paint_shell(canvas, at, 0.62 * border, turn)
