"""Town: houses, a church, a windmill and the tower in the river mouth."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, placed

# The tower at the water's edge, 1 high: (left, right, bottom, top) of its blocks, back to front.
TOWER_BLOCKS = (
    (-0.17, 0.17, -0.05, -0.66),
    (-0.12, 0.12, -0.66, -0.86),
    (-0.33, 0.42, 0.03, -0.24),
)
TURRETS = ((-0.17, -0.66), (0.17, -0.66), (-0.12, -0.86), (0.12, -0.86), (-0.33, -0.24), (0.42, -0.24))


def _box(left: float, right: float, bottom: float, top: float) -> Points:
    return np.array([(left, bottom), (left, top), (right, top), (right, bottom)])


def _block(canvas: Canvas, shape: Points, line: float, shade: float = 0.4) -> None:
    """A lit wall with straight sides: shade from the right, drawn around side by side."""
    canvas.cover(shape, 0.03)
    canvas.wash(shape, shade, fade=(-1, 0))
    around = np.concatenate([shape, shape[:1]])
    canvas.strokes([around[k : k + 2] for k in range(len(shape))], line, 0.88)


def paint_house(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A gabled house on its ground line, drawn at a slant: front, flank and roof."""
    rng = canvas.rng
    x, y = np.asarray(at, float)
    wide, deep, tall, roof = size * rng.uniform([0.45, 0.6, 0.5, 0.25], [0.65, 1.1, 0.95, 0.42])
    line = 0.7 + 0.016 * size
    flank = _box(x + wide, x + wide + deep, y, y - tall)
    _block(canvas, flank, line, 0.55)
    front = np.array([(x, y), (x, y - tall), (x + wide / 2, y - tall - roof), (x + wide, y - tall), (x + wide, y)])
    _block(canvas, front, line, 0.15)
    slope = np.array([(x + wide / 2, y - tall - roof), (x + wide / 2 + deep, y - tall - roof)])
    tiles = np.concatenate([slope, [(x + wide + deep, y - tall), (x + wide, y - tall)]])
    _block(canvas, tiles, line, 0.5)
    canvas.hatch(tiles, 1.05, 0.09 * size, 0.75, line)
    windows = [(x + wide * 0.5, y - tall * 0.3)]
    windows += [(x + wide + deep * f, y - tall * 0.6) for f in (0.25, 0.55, 0.82)]
    canvas.dabs(np.array(windows), 0.17 * size, np.pi / 2, 0.11 * size, 0.9)


def paint_church(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A nave with a dome behind and two bell towers in front."""
    x, y = np.asarray(at, float)
    line = 0.8 + 0.01 * size
    drum = (x + 0.55 * size, y - 0.62 * size)
    _block(canvas, _box(drum[0] - 0.2 * size, drum[0] + 0.2 * size, y - 0.4 * size, drum[1]), line)
    dome = ellipse(drum, 0.22 * size, 0.28 * size)[20:]
    _block(canvas, dome, 0.3, 0.6)
    canvas.hatch(dome, 1.3, 0.06 * size, 0.6, line, bend=-0.12)
    canvas.stroke(dome, 1.4 * line, 0.9)
    paint_cross(canvas, (drum[0], drum[1] - 0.28 * size), 0.16 * size)
    _block(canvas, _box(x, x + 0.95 * size, y, y - 0.45 * size), line, 0.5)
    for left in (-0.28, 0.22):
        shaft = _box(x + left * size, x + (left + 0.2) * size, y, y - 0.85 * size)
        _block(canvas, shaft, line, 0.45)
        cap = placed([(-0.03, 0), (0.1, -0.26), (0.23, 0)], (shaft[1, 0], shaft[1, 1]), size)
        _block(canvas, cap, line, 0.8)
        paint_cross(canvas, cap[1], 0.12 * size)
        bells = np.array([(shaft[0, 0] + 0.1 * size, y - h * size) for h in (0.7, 0.42)])
        canvas.dabs(bells, 0.14 * size, np.pi / 2, 0.09 * size, 0.95)
    gable = placed([(-0.08, 0), (-0.04, -0.42), (0.07, -0.62), (0.18, -0.42), (0.22, 0)], at, size)
    _block(canvas, gable, line, 0.12)
    canvas.dabs(placed([(0.07, -0.12), (0.07, -0.36)], at, size), [0.24 * size, 0.1 * size], np.pi / 2, 0.11 * size, 0.9)


def paint_cross(canvas: Canvas, foot: ArrayLike, size: float) -> None:
    upright = placed([(0, 0), (0, -1)], foot, size)
    canvas.strokes([upright, placed([(-0.3, -0.65), (0.3, -0.65)], foot, size)], 0.4 + 0.08 * size, 0.9)


def paint_windmill(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A round mill with a pointed cap and four sails set crosswise."""
    body = placed([(-0.2, 0), (-0.15, -0.5), (0.15, -0.5), (0.2, 0)], at, size)
    _block(canvas, body, 1.2, 0.5)
    _block(canvas, placed([(-0.19, -0.48), (0, -0.74), (0.19, -0.48)], at, size), 1.2, 0.85)
    hub = placed([(0, -0.55)], at, size)[0]
    start = canvas.rng.uniform(0, np.pi / 2)
    for turn in start + np.arange(4) * np.pi / 2:
        canvas.stroke(placed([(0, 0), (0, -0.62)], hub, size, turn), 1.1, 0.85)
        cloth = placed([(0, -0.2), (0.17, -0.2), (0.13, -0.58), (0, -0.6)], hub, size, turn)
        canvas.cover(cloth, 0.05)
        canvas.hatch(cloth, turn, 2.2, 0.5, 0.9)
        canvas.outline(np.repeat(cloth, 3, axis=0), 1.0, 0.8)


def paint_tower(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A keep with a bastion before it, battlements, and domed turrets on the corners."""
    line = 0.7 + 0.006 * size
    for left, right, bottom, top in TOWER_BLOCKS:
        shape = placed(_box(left, right, bottom, top), at, size)
        _block(canvas, shape, line * 1.3, 0.45)
        canvas.hatch(shape, np.pi / 2, 0.028 * size, 0.45, line, fade=(-1, 0), bend=0)
        _courses(canvas, shape, line)
        _battlements(canvas, placed([(left, top), (right, top)], at, size), 0.04 * size, line)
    for turret in TURRETS:
        _turret(canvas, placed([turret], at, size)[0], 0.075 * size, line)
    windows = [(-0.07, -0.55), (0.07, -0.55), (-0.07, -0.36), (0.07, -0.36), (0, -0.76)]
    canvas.dabs(placed(windows, at, size), 0.075 * size, np.pi / 2, 0.04 * size, 1.0)
    ports = [(x, -0.08) for x in np.linspace(-0.24, 0.33, 6)]
    canvas.dabs(placed(ports, at, size), 0.055 * size, np.pi / 2, 0.05 * size, 1.0)
    balcony = placed(_box(-0.12, 0.12, -0.46, -0.505), at, size)
    _block(canvas, balcony, line, 0.3)
    canvas.hatch(balcony, np.pi / 2, 0.02 * size, 0.8, line, bend=0)
    pole = placed([(0, -0.86), (0, -1.12)], at, size)
    canvas.stroke(pole, 1.5 * line, 0.9)
    flag = placed([(0, -1.12), (0.08, -1.14), (0.17, -1.10), (0.17, -1.0), (0.08, -1.03), (0, -1.01)], at, size)
    _block(canvas, flag, line, 0.8)


def _courses(canvas: Canvas, wall: Points, line: float) -> None:
    """Short level dabs that hint at the stones."""
    rng = canvas.rng
    (left, bottom), (right, top) = wall[0], wall[2]
    n = int((right - left) * (bottom - top) / 60)
    spots = np.stack([rng.uniform(left, right, n), rng.uniform(top, bottom, n)], axis=1)
    canvas.dabs(spots, rng.uniform(3, 8, n), 0.0, line, rng.uniform(0.25, 0.6, n), within=wall)


def _battlements(canvas: Canvas, base: Points, size: float, line: float) -> None:
    (left, y), (right, _) = base
    for x in np.arange(left, right - size / 2, 1.7 * size):
        merlon = [(0, 0), (0, -0.8), (0.5, -1.25), (1, -0.8), (1, 0)]
        _block(canvas, placed(merlon, (x, y), size), line, 0.4)


def _turret(canvas: Canvas, at: Points, size: float, line: float) -> None:
    corbel = placed([(-0.5, 0.3), (-0.5, -0.8), (0.5, -0.8), (0.5, 0.3), (0, 1.1)], at, size)
    _block(canvas, corbel, line, 0.6)
    canvas.stroke(placed([(-0.5, -0.1), (0.5, -0.1)], at, size), line, 0.8)
    dome = ellipse(at - [0, 0.8 * size], 0.55 * size, 0.75 * size)[20:]
    _block(canvas, dome, 0.3, 0.75)
    canvas.stroke(dome, 1.3 * line, 0.9)
    ball = ellipse(at - [0, 1.7 * size], 0.14 * size, 0.18 * size, n=10)
    canvas.cover(ball, 0.9)
