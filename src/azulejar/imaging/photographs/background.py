"""Learn what the table looks like from the rim of the photograph."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

RIM = 0.03  # of the shorter side
SOFT = 1.6  # pixels of blur before colours are compared, against weave and grain
ROUNDS = 4
LIKE_TABLE = 3.0  # standard deviations within which a pixel counts as table
SHADOW = 0.55  # cube root of the least share of light that a soft shadow leaves
SAMPLES = 20_000
LEAST_DEVIATION = np.array([0.6, 0.4, 0.4])  # in Lab: no table is smoother than its noise


@dataclass(frozen=True)
class Background:
    """The table in a copy of the photograph reduced by ``scale``.

    ``colour`` float32 [H, W, 3]: Lab of the bare table at every pixel; ``spread`` [3, 3]: inverse
    covariance of its colours; ``difference`` [H, W]: how unlike the table a pixel is, in
    deviations; ``slope`` [H, W]: change of colour per pixel over what is usual on the table.
    """

    scale: float
    colour: NDArray[np.float32]
    spread: NDArray[np.float64]
    difference: NDArray[np.float32]
    slope: NDArray[np.float32]

    def table_at(self, points: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the Lab [n, m, 3] of the bare table at points [n, m, 2] of the photograph."""
        where = ((points + 0.5) * self.scale - 0.5).astype(np.float32)
        return np.asarray(
            cv2.remap(
                self.colour, where[..., 0], where[..., 1], cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
        )  # fmt: skip

    def unlike_table(
        self, lab: NDArray[np.float32], points: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        """Return how far Lab colours [n, m, 3] at points [n, m, 2] of the photograph differ from
        the table, in standard deviations [n, m]; a soft shadow on the table counts as table.

        Less light scales all of Lab, counted from a lightness of -16, by the same factor (the
        cube root in its definition).
        """
        table = self.table_at(points)
        light = (lab[..., :1] + 16) / (table[..., :1] + 16)
        chroma = np.linalg.inv(np.linalg.inv(self.spread)[1:, 1:])
        difference = _deviation(lab - table, self.spread)
        tint = _deviation(lab[..., 1:] - light * table[..., 1:], chroma)
        may_be_shadow = (light[..., 0] > SHADOW) & (light[..., 0] < 1.02)
        return np.where(may_be_shadow, np.minimum(tint, difference), difference)


def to_lab(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Convert uint8 RGB [H, W, 3] to CIE Lab float32, lightness 0 to 100."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB))


def learn_background(lab: NDArray[np.float32], scale: float) -> Background:
    """Learn the table of a photograph, its uneven light included, from its reduced copy.

    Colour is a quadratic function of place, fitted first to the rim and then repeatedly to all
    that looks like it, so that tiles which reach the rim do no harm.
    """
    soft = cv2.GaussianBlur(lab, (0, 0), SOFT)
    height, width = lab.shape[:2]
    picked, places = _samples(height, width)
    terms, colours = _terms(places, height, width), soft[places[:, 0], places[:, 1]]
    table = picked
    for number in range(ROUNDS):
        surface, spread = _fit(terms[table], colours[table])
        distance = _distance(colours - terms @ surface, spread)
        # The rim alone does not determine the middle, so the table grows inwards from it.
        table = distance < LIKE_TABLE * (1 if number else 1.5)
    expected = _spread_out(surface, height, width)
    difference = _deviation(soft - expected, spread)
    return Background(scale, expected, spread, difference, _slope(lab, difference))


def _samples(height: int, width: int) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return which of the places lie on the rim, and places [n, 2] all over the picture."""
    random = np.random.default_rng(0)
    places = np.column_stack(
        [random.integers(0, height, SAMPLES), random.integers(0, width, SAMPLES)]
    )
    rim = max(2, round(RIM * min(height, width)))
    room = np.minimum(places, np.array([height, width]) - 1 - places).min(axis=1)
    return room < rim, places


def _terms(places: NDArray, height: int, width: int) -> NDArray[np.float32]:
    y = (places[:, 0] / height - 0.5).astype(np.float32)
    x = (places[:, 1] / width - 0.5).astype(np.float32)
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def _spread_out(surface: NDArray, height: int, width: int) -> NDArray[np.float32]:
    """Evaluate the surface at every pixel: [height, width, 3]."""
    y = (np.arange(height, dtype=np.float32) / height - 0.5)[:, None, None]
    x = (np.arange(width, dtype=np.float32) / width - 0.5)[:, None]
    one, across, down, across2, both, down2 = surface.astype(np.float32)
    return (one + x * across + x * x * across2) + y * (down + y * down2) + (x * y) * both


def _fit(terms: NDArray, colours: NDArray) -> tuple[NDArray, NDArray]:
    """Fit a surface; return its coefficients [6, 3] and the inverse covariance [3, 3] around it."""
    keep = np.ones(len(terms), bool)
    for _ in range(5):
        surface = np.linalg.lstsq(terms[keep], colours[keep], rcond=None)[0]
        rest = colours - terms @ surface
        middle = np.median(np.abs(rest[keep]), axis=0) * 1.4826
        keep = (np.abs(rest) < 3 * np.maximum(middle, LEAST_DEVIATION)).all(axis=1)
    covariance = np.cov(rest[keep].T) + np.diag(LEAST_DEVIATION**2)
    return surface, np.linalg.inv(covariance)


def _distance(rest: NDArray, spread: NDArray) -> NDArray:
    return np.sqrt(np.einsum("ni,ij,nj->n", rest, spread.astype(rest.dtype), rest))


def _deviation(rest: NDArray, spread: NDArray) -> NDArray[np.float32]:
    """Return the length [H, W] of residuals [H, W, c] under the inverse covariance [c, c]."""
    whitened = cv2.transform(rest, np.linalg.cholesky(spread).T)
    return np.sqrt((whitened**2).sum(axis=2))


def _slope(lab: NDArray[np.float32], difference: NDArray[np.float32]) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(lab, (0, 0), 1.2)
    across, down = cv2.Scharr(soft, cv2.CV_32F, 1, 0), cv2.Scharr(soft, cv2.CV_32F, 0, 1)
    slope = np.sqrt((across**2 + down**2).sum(axis=2)) / 32
    table = difference < LIKE_TABLE
    usual = np.percentile(slope[table], 95) if table.any() else 1.0
    return (slope / max(float(usual), 0.2)).astype(np.float32)
