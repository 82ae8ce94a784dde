"""Ornament: acanthus leaves, scrolls, rosettes and shells, the vocabulary of the frames."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, normals, placed, resampled, ribbon


def paint_leaf(canvas: Canvas, midrib: Points, width: float, lobes: int = 5) -> None:
    """An acanthus leaf along its midrib, with scalloped sides and a vein into every lobe."""
    rib = resampled(midrib, np.hypot(*np.ptp(midrib, axis=0)) / 40)
    t = np.linspace(0, 1, len(rib))
    side = normals(rib)
    ahead = np.stack([side[:, 1], -side[:, 0]], axis=1)
    scallop = 0.55 + 0.45 * np.abs(np.sin(np.pi * lobes * t**0.85)) ** 0.7
    half = (width / 2 * np.sin(np.pi * t**0.75) ** 0.8 * scallop)[:, None]
    edges = [rib + sign * half * side + 0.5 * half * ahead for sign in (1, -1)]
    shape = np.concatenate([edges[0], edges[1][::-1]])
    canvas.cover(shape, 0.02)
    canvas.wash(ribbon(rib, half[:, 0] * 0.9), 0.28)
    canvas.wash(np.concatenate([rib, edges[1][::-1]]), 0.34)
    line = 0.7 + 0.025 * width
    tips = np.searchsorted(t**0.85, (np.arange(lobes) + 0.5) / lobes)
    roots = np.maximum(tips - len(t) // (2 * lobes) - 2, 0)
    veins = [
        np.stack([rib[root], 0.25 * rib[tip] + 0.75 * edge[tip]])
        for edge in edges
        for root, tip in zip(roots, tips, strict=True)
    ]
    canvas.strokes(veins, 0.8 * line, 0.6)
    canvas.strokes([*edges, rib], 1.3 * line, 0.9)


def paint_stem(canvas: Canvas, path: Points, width: ArrayLike) -> None:
    """A rounded stem, lit along its upper left side."""
    shape = ribbon(path, width)
    canvas.cover(shape, 0.03)
    line = 0.6 + 0.12 * float(np.max(width))
    half = len(path)
    canvas.strokes([0.55 * shape[:half] + 0.45 * path], 1.2 * line, 0.35)
    canvas.strokes([shape[:half], shape[half:]], line, 0.9)


def paint_rosette(canvas: Canvas, at: ArrayLike, radius: float, petals: int, turn: float) -> None:
    """A flower seen from above, with one ring of petals and a dotted heart."""
    line = 0.6 + 0.03 * radius
    centre = np.asarray(at, float)
    petal = [(0.15, 0), (0.55, -0.30), (0.85, -0.30), (1.0, 0.0), (0.85, 0.30), (0.55, 0.30)]
    for k in range(petals):
        angle = turn + 2 * np.pi * k / petals
        fat = np.array(petal) * [1, min(1.4, 5.4 / petals)]
        shape = placed(fat, centre, radius, angle)
        canvas.cover(shape, 0.02)
        canvas.wash(shape, 0.45, fade=(np.cos(angle), np.sin(angle)))
        canvas.outline(np.repeat(shape, 2, axis=0), line, 0.9)
        canvas.stroke(placed([(0.3, 0), (0.8, 0)], centre, radius, angle), 0.8 * line, 0.65)
    heart = ellipse(centre, 0.27 * radius, 0.27 * radius, n=16)
    canvas.cover(heart, 0.1)
    canvas.wash(heart, 0.7, fade=(-1, -1))
    canvas.outline(heart, 1.2 * line, 0.95)


def paint_shell(canvas: Canvas, at: ArrayLike, radius: float, turn: float = 0.0) -> None:
    """A scallop shell that opens upwards when ``turn`` is 0."""
    line = 0.6 + 0.02 * radius
    centre = np.asarray(at, float)
    ribs = 9
    angles = np.linspace(-2.75, -0.39, ribs + 1)
    fine = np.linspace(0, 1, 90)
    reach = 1 + 0.10 * np.abs(np.sin(np.pi * ribs * fine)) - 0.18 * np.abs(2 * fine - 1) ** 2
    bow = -2.75 + 2.36 * fine
    rim = np.stack([reach * np.cos(bow), reach * np.sin(bow)], axis=1)
    shape = placed(np.concatenate([[(0.12, 0.1), (-0.12, 0.1)], rim]), centre, radius, turn)
    canvas.cover(shape, 0.02)
    for k, angle in enumerate(angles):
        spoke = np.stack([np.cos(angle), np.sin(angle)]) * np.array([[0.1], [0.92]])
        canvas.stroke(placed(spoke, centre, radius, turn), (1.6 + 0.4 * (k % 2)) * line, 0.75)
    canvas.wash(shape, 0.45, fade=(np.sin(turn), -np.cos(turn)))
    canvas.stroke(placed(0.62 * rim, centre, radius, turn), line, 0.45)
    canvas.stroke(shape[2:], 1.8 * line, 0.95)
    knob = ellipse(placed([(0, 0.08)], centre, radius, turn)[0], 0.17 * radius, 0.14 * radius)
    canvas.cover(knob, 0.15)
    canvas.outline(knob, 1.3 * line, 0.95)
