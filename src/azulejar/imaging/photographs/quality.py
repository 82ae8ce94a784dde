"""Assess a tile's picture: blur, glare, missing glaze, and how sure its outline is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.background import LIKE_TABLE, Background, to_lab
from azulejar.imaging.photographs.find import DetectedTile
from azulejar.imaging.photographs.geometry import Lens
from azulejar.imaging.photographs.quads import pixel_places, straighten
from azulejar.imaging.photographs.sides import is_clay

LOOKED_AT = 128  # pixels a side of the copy that is assessed
BLURRED = 1 / 64  # of the side: a pixel of the 64 at which tiles are compared
SMOOTHING, SECOND_BLUR = 0.8, 1.5  # pixels, of those looked at
LEAST_SLOPE = 3.0  # grey levels a pixel: more than noise has
FEWEST_EDGES = 8
RIM = 20  # the outermost of so many parts of a side is left out
STRONGEST, SHARPEST = 1 / 3, 0.25  # share of all edges that counts; quantile of their blur
CLIPPED = 250
GLARING = 0.01  # of the tile, from which glare is noted
LACKING = 0.005  # of the tile, from which missing corners are noted
SMALLEST_GLARE = 0.001
PAINTED = 0.01  # of the tile: more of a colour away from the corners is paint
LARGEST_CHIP = 0.12  # of the tile: more at one corner is painting that looks like table or clay
SURE = 0.6
MISFIT = 0.06  # fraction by which a tile may differ from the others without doubt
SMALL = 40  # pixels a side


@dataclass(frozen=True)
class Quality:
    """``blur`` as a share of the side, ``glare`` and ``missing`` as shares of the tile,
    ``confidence`` from 0 to 1 that this is a tile and its corners are right; ``doubts`` in words;
    ``shaped`` whether it was cut to a shape.
    """

    blur: float
    glare: float
    missing: float
    confidence: float
    doubts: tuple[str, ...]
    shaped: bool = False

    @property
    def note(self) -> str:
        """The quality in words, empty if there is nothing to note."""
        words = list(self.doubts)
        if self.blur > BLURRED:
            words.append("blurred")
        if self.glare > GLARING:
            words.append(f"glare on {self.glare:.0%}")
        if self.shaped:
            words.append(f"cut to a shape, {self.missing:.0%} of the square missing")
        elif self.missing > LACKING:
            words.append(f"about {self.missing:.1%} missing at the corners")
        return "; ".join(words)


def assess_quality(
    tile: NDArray[np.uint8], found: DetectedTile, lost: NDArray[np.bool_]
) -> Quality:
    """Assess a straightened ``tile`` [S, S, 3] that was found in a photograph.

    ``lost`` tells where its glaze is missing.
    """
    confidence = found.support * float(np.exp(-((found.misfit / (2 * MISFIT)) ** 2)))
    doubts = []
    if found.whole_frame:
        doubts.append("doubtful: no table seen, the whole picture was taken for the tile")
    elif confidence < SURE or found.misfit > MISFIT:
        seen = f"its outline is seen along {found.support:.0%}"
        odd = f", it differs by {found.misfit:.0%} from a square like the others"
        doubts.append(f"doubtful: {seen}{odd if found.misfit > MISFIT else ''}")
    if found.narrow is not None:
        one, other = found.narrow.sides
        size = f"{found.narrow.share:.0%} as {found.narrow.word} as the others"
        doubts.append(f"doubtful: {size}, its {one} or {other} may be cut")
    if len(tile) < SMALL:
        doubts.append(f"doubtful: only {len(tile)} pixels wide")
    measured = blur_of(tile), glare_of(tile), float(lost.mean())
    return Quality(*measured, confidence, tuple(doubts), found.glaze is not None)


def blur_of(tile: NDArray[np.uint8]) -> float:
    """Return how wide the sharpest edges of the picture [S, S, 3] are.

    The result is the standard deviation of the blur that would make them so, as a share of the
    side; 0 where nothing has an edge. A second blur flattens an edge the less the wider it is
    already (Zhuo and Sim, Defocus map estimation from a single image, 2011).
    """
    size = min(len(tile), LOOKED_AT)
    small = cv2.resize(tile, (size, size), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    once, again = _slope(grey, SMOOTHING), _slope(grey, float(np.hypot(SMOOTHING, SECOND_BLUR)))
    edges = (once >= cv2.dilate(once, np.ones((3, 3)))) & (once > LEAST_SLOPE)
    if edges.sum() < FEWEST_EDGES:
        return 0.0
    strength = once[edges]
    strong = strength >= np.quantile(strength, 1 - STRONGEST)
    flattened = (strength[strong] / np.maximum(again[edges][strong], 1e-3)) ** 2
    variance = SECOND_BLUR**2 / np.maximum(flattened - 1, 1e-3) - SMOOTHING**2
    return float(np.sqrt(max(float(np.quantile(variance, SHARPEST)), 0.0)) / size)


def _slope(grey: NDArray[np.float32], smoothing: float) -> NDArray[np.float32]:
    """Return the slope in grey levels a pixel, without the rim, where clay begins."""
    smooth = cv2.GaussianBlur(grey, (0, 0), smoothing)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    rim = len(grey) // RIM
    return np.hypot(across, down)[rim : len(grey) - rim, rim : len(grey) - rim]


def glare_of(tile: NDArray[np.uint8]) -> float:
    """Return the share of the tile [S, S, 3] in which glare has taken all colour."""
    clipped = (tile.min(axis=2) >= CLIPPED).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(clipped)
    areas = stats[1:, cv2.CC_STAT_AREA]
    return float(areas[areas > SMALLEST_GLARE * clipped.size].sum() / clipped.size)


def missing_glaze(
    picture: NDArray[np.uint8], found: DetectedTile, lens: Lens, background: Background
) -> NDArray[np.bool_]:
    """Return where the tile was cut to a shape, or broke off at its corners, so that table or clay
    shows: [128, 128].

    Colours of table and clay that occur within the tile as well are taken for paint.
    """
    if found.glaze is not None:
        return ~found.glaze
    lost = np.zeros((LOOKED_AT, LOOKED_AT), bool)
    if found.whole_frame:
        return lost
    lab = to_lab(straighten(picture, found.corners, lens, LOOKED_AT))
    places = pixel_places(found.corners, lens, LOOKED_AT)
    for seen in (background.unlike_table(lab, places) < LIKE_TABLE, is_clay(lab)):
        at_corners = _from_corners(seen)
        if (seen & ~at_corners).mean() < PAINTED:
            lost |= seen
    return _from_corners(lost)


def _from_corners(lost: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the parts of [S, S] that reach a corner and are no larger than a chip."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lost.astype(np.uint8))
    at_corners = {int(labels[i, j]) for i in (2, -3) for j in (2, -3)} - {0}
    chips = [k for k in at_corners if stats[k, cv2.CC_STAT_AREA] < LARGEST_CHIP * labels.size]
    return np.isin(labels, chips)
