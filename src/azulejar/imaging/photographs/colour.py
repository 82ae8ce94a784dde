"""Balance the colours of a photograph by a grey card or by the grey world."""

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.background import to_lab
from azulejar.imaging.photographs.quads import Quad, side_of

EVEN = 2.5  # Lab: how much a card's colour may vary
GREY = (25.0, 85.0)  # lightness of grey cards, whatever the exposure
CAST = 22.0  # Lab: how far a lamp may tint a card
OBLONG = 2.2  # a card's longer side over its shorter


class Colour(StrEnum):
    """How colours are balanced."""

    NONE = "none"
    GREY_WORLD = "grey-world"
    CARD = "card"


def grey_world(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the gains [3] under which the photograph is grey on average."""
    return _gains(picture.reshape(-1, 3).mean(axis=0))


def card_gains(picture: NDArray[np.uint8], card: Quad) -> NDArray[np.float64]:
    """Return the gains [3] under which the card is grey."""
    return _gains(np.median(_inside(picture, card).reshape(-1, 3), axis=0))


def find_card(picture: NDArray[np.uint8], quads: list[Quad]) -> Quad:
    """Return the grey card among outlines [4, 2] of what lies on the table."""
    cards = [(unevenness, k) for k, quad in enumerate(quads)
             if (unevenness := _card_unevenness(picture, quad)) < EVEN]  # fmt: skip
    if not cards:
        raise AzulejarError(
            "grey-card-missing",
            "No grey card was found.",
            "Lay one flat beside the tiles, or balance the colours another way.",
        )
    return quads[min(cards)[1]]


def balance(picture: NDArray[np.uint8], gains: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Multiply the channels of a picture [H, W, 3] by the gains [3]."""
    table = np.clip(np.arange(256)[:, None] * gains, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def _gains(mean: NDArray) -> NDArray[np.float64]:
    return mean.mean() / np.maximum(mean, 1.0)


def _card_unevenness(picture: NDArray[np.uint8], quad: Quad) -> float:
    """Return how uneven the inside is, infinite if it is no grey rectangle of a card's shape."""
    lengths = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    if side_of(quad) < 8 or lengths.max() > OBLONG * lengths.min():
        return np.inf
    lab = to_lab(_inside(picture, quad)).reshape(-1, 3)
    middle = np.median(lab, axis=0)
    if not GREY[0] < middle[0] < GREY[1] or np.hypot(*middle[1:]) > CAST:
        return np.inf
    return float(np.median(np.linalg.norm(lab - middle, axis=1)))


def _inside(picture: NDArray[np.uint8], quad: Quad) -> NDArray[np.uint8]:
    """Return the middle of a quad as [32, 32, 3]."""
    inner = quad.mean(axis=0) + 0.75 * (quad - quad.mean(axis=0))
    target = np.array([[0, 0], [31, 0], [31, 31], [0, 31]], np.float32)
    low = np.maximum(np.floor(inner.min(axis=0)).astype(int), 0)
    high = np.ceil(inner.max(axis=0)).astype(int) + 2
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    matrix = cv2.getPerspectiveTransform((inner - low).astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(part, matrix, (32, 32), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
