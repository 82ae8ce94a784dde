"""Ships: hull, masts, sails, rigging and pennants.

A ship is drawn in its own measure: the hull is 1 long, the waterline lies at y = 0, the bow
points to the right.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, placed, smooth

SHEER = [(-0.56, -0.34), (-0.40, -0.27), (-0.22, -0.19), (0.05, -0.15), (0.28, -0.19), (0.56, -0.31)]
KEEL = [(0.47, -0.15), (0.38, -0.01), (0.2, 0.015), (-0.1, 0.02), (-0.34, 0.01), (-0.46, -0.08)]
STERN_CASTLE = [(-0.56, -0.34), (-0.58, -0.43), (-0.34, -0.36), (-0.22, -0.30), (-0.22, -0.19)]
FORE_CASTLE = [(0.28, -0.19), (0.29, -0.29), (0.42, -0.32), (0.57, -0.37), (0.56, -0.31)]
# Foot of the mast, its head, and the square sails on it as (top y, bottom y, half width).
MASTS = (
    ((0.33, -0.2), (0.36, -1.0), ((-0.93, -0.70, 0.12), (-0.66, -0.36, 0.17))),
    ((0.02, -0.15), (0.02, -1.28), ((-1.2, -0.9, 0.15), (-0.85, -0.34, 0.25))),
)
MIZZEN = ((-0.36, -0.3), (-0.39, -0.95))
LATEEN = [(-0.66, -0.43), (-0.20, -0.98), (-0.215, -0.6), (-0.29, -0.38), (-0.45, -0.40)]


class Ship:
    """A three-master at a place, with a hull so many units long, perhaps sailing to the left."""

    def __init__(self, canvas: Canvas, at: ArrayLike, size: float, flip: bool = False):
        self.canvas, self.at, self.size, self.flip = canvas, at, size, flip
        self.line = 0.5 + 0.008 * size

    def paint(self) -> None:
        self._reflection()
        self._rigging()
        self._mizzen()
        for foot, head, sails in MASTS:
            self._mast(foot, head)
            for top, bottom, half in sails:
                self._sail(foot[0] + (head[0] - foot[0]) * 0.5, top, bottom, half)
        self._cross()
        self._hull()
        self._bowsprit()
        for _, head in (MASTS[0][:2], MASTS[1][:2], MIZZEN):
            self._pennant(head)

    def _place(self, points: ArrayLike) -> Points:
        return placed(points, self.at, self.size, flip=self.flip)

    def _hull(self) -> None:
        canvas, line = self.canvas, self.line
        for castle in (STERN_CASTLE, FORE_CASTLE):
            shape = self._place(castle)
            canvas.cover(shape, 0.10)
            canvas.hatch(shape, 1.5, 0.03 * self.size, 0.6, line)
            canvas.outline(np.repeat(shape, 4, axis=0), 1.3 * line, 0.9)
        sheer, keel = smooth(SHEER), smooth(KEEL)
        hull = self._place(np.concatenate([sheer, keel]))
        canvas.cover(hull, 0.12)
        canvas.wash(hull, 0.55, fade=(0.2, -1))
        canvas.wash(hull, 0.35, fade=(1, 0) if not self.flip else (-1, 0))
        for k, weight in ((0.16, 1.0), (0.45, 1.0), (0.62, 1.6), (0.8, 0.9)):
            canvas.stroke(self._place(self._strake(k)), weight * line, 0.85)
        strip = np.concatenate([self._strake(0.2), self._strake(0.41)[::-1]])
        canvas.cover(self._place(strip), 0.04)
        ports = self._place(self._strake(0.31)[12:-12:9])
        canvas.dabs(ports, 0.042 * self.size, np.pi / 2, 0.045 * self.size, 1.0)
        canvas.stroke(self._place(sheer), 2.4 * line, 0.95)
        canvas.stroke(self._place(keel), 1.8 * line, 0.95)

    def _strake(self, depth: float) -> Points:
        """A line along the hull, from the sheer (0) to the keel (1)."""
        sheer, keel = smooth(SHEER), smooth(KEEL)[::-1]
        t = np.linspace(0.03, 0.97, 12)
        rows = [
            np.stack([np.interp(t, np.linspace(0, 1, len(c)), c[:, k]) for k in (0, 1)], 1)
            for c in (sheer, keel)
        ]
        return smooth(rows[0] + depth * (rows[1] - rows[0]))

    def _mast(self, foot: ArrayLike, head: ArrayLike) -> None:
        self.canvas.stroke(self._place([foot, head]), 2.4 * self.line, 0.9)

    def _sail(self, x: float, top: float, bottom: float, half: float) -> None:
        """A square sail that the wind blows towards the bow."""
        belly, tall = half * 0.42, bottom - top
        upper = [(x - half * 0.78, top), (x, top + 0.015), (x + half * 0.78, top)]
        right = [(x + half + belly, top + 0.45 * tall), (x + half * 1.08, bottom)]
        foot = [(x + half * 0.5, bottom - 0.12 * tall), (x - half * 0.5, bottom - 0.10 * tall)]
        left = [(x - half, bottom + 0.01), (x - half * 0.62 + belly * 0.3, top + 0.5 * tall)]
        edge = smooth([*upper[1:], *right], samples=6)
        shape = self._place(
            np.concatenate([upper[:1], edge, smooth([right[-1], *foot, left[0]]), smooth([left[0], left[1], upper[0]])])
        )
        canvas, line = self.canvas, self.line
        away = -1.0 if self.flip else 1.0
        canvas.cover(shape, 0.01)
        canvas.wash(shape, 0.30, fade=(away, -0.25))
        canvas.hatch(shape, 1.45 * away, 0.03 * self.size, 0.45, line, (away, -0.6), -0.1 * away)
        canvas.outline(shape, 1.5 * line, 0.9)
        canvas.stroke(self._place([(x - half * 0.88, top), (x + half * 0.88, top)]), 2.2 * line, 0.95)

    def _cross(self) -> None:
        """The flared cross of the Order of Christ on the main sail."""
        for turn in np.arange(4) * np.pi / 2:
            arm = placed([(-0.018, 0), (-0.05, -0.12), (0.05, -0.12), (0.018, 0)], (0.07, -0.6), 1, turn)
            self.canvas.wash(self._place(arm), 0.8)

    def _mizzen(self) -> None:
        canvas, line = self.canvas, self.line
        self._mast(*MIZZEN)
        curve = np.concatenate([[LATEEN[0]], smooth(LATEEN[1:])])
        shape = self._place(curve)
        canvas.cover(shape, 0.02)
        canvas.wash(shape, 0.32, fade=(1, 0.3) if not self.flip else (-1, 0.3))
        canvas.hatch(shape, 2.2 if self.flip else 0.95, 0.035 * self.size, 0.4, line)
        canvas.outline(shape, 1.4 * line, 0.9)
        canvas.stroke(self._place([(-0.69, -0.39), (-0.18, -1.0)]), 2.0 * line, 0.95)

    def _rigging(self) -> None:
        canvas, thin = self.canvas, 0.75 * self.line
        stays = [((0.8, -0.5), (0.36, -1.0)), ((0.78, -0.49), (0.36, -0.68)), ((0.36, -0.98), (0.02, -1.25))]
        stays += [((0.33, -0.25), (0.02, -0.88)), ((0.02, -1.2), (-0.37, -0.5)), ((-0.39, -0.93), (-0.57, -0.43))]
        canvas.strokes([self._place(stay) for stay in stays], thin, 0.75)
        for foot, head, _ in MASTS:
            shrouds = [((foot[0] + d, -0.19), (head[0], head[1] * 0.72)) for d in (-0.16, -0.12, -0.08, 0.08, 0.12)]
            canvas.strokes([self._place(rope) for rope in shrouds], thin, 0.7)
            ratlines = [
                ((foot[0] - 0.16 * (1 - t), y), (foot[0] - 0.08 * (1 - t), y))
                for t in np.linspace(0.05, 0.8, 9)
                for y in (-0.19 + t * (head[1] * 0.72 + 0.19),)
            ]
            canvas.strokes([self._place(rung) for rung in ratlines], thin * 0.8, 0.6)

    def _bowsprit(self) -> None:
        self.canvas.stroke(self._place([(0.5, -0.3), (0.82, -0.52)]), 2.4 * self.line, 0.95)

    def _pennant(self, head: ArrayLike) -> None:
        x, y = np.asarray(head)
        wave = self.canvas.rng.uniform(0.7, 1.3)
        upper = [(x, y - 0.07), (x + 0.09, y - 0.07 - 0.025 * wave), (x + 0.18, y - 0.04), (x + 0.29, y - 0.06)]
        lower = [(x + 0.17, y - 0.01), (x + 0.09, y - 0.045 * wave), (x, y - 0.02)]
        shape = self._place(smooth(upper + lower))
        self.canvas.cover(shape, 0.3)
        self.canvas.hatch(shape, 0.2, 0.03 * self.size, 0.7, self.line)
        self.canvas.outline(shape, self.line, 0.9)
        self.canvas.stroke(self._place([(x, y + 0.02), (x, y - 0.09)]), 1.6 * self.line, 0.9)

    def _reflection(self) -> None:
        rng = self.canvas.rng
        n = 60
        depth = rng.beta(1, 1.6, n)
        centres = np.stack([rng.normal(0, 0.28 * (1 - 0.4 * depth)), 0.02 + 0.30 * depth], axis=1)
        self.canvas.dabs(
            self._place(centres),
            rng.uniform(0.08, 0.28, n) * self.size,
            rng.normal(0, 0.04, n),
            self.line * rng.uniform(1.2, 3.2, n),
            0.75 - 0.4 * depth,
        )
