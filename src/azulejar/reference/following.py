"""Solve with an old picture of the panel as a guide, as far as sure joints prove it right."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.alignment import ANY_TURN, motion_between
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_picture
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.islands import islands
from azulejar.reference.guidance import reweigh, tile_places
from azulejar.reference.registration import Registration, register
from azulejar.reference.shown_grid import ShownGrid
from azulejar.reference.structure import tile_windows, to_grey
from azulejar.solvers import solve
from azulejar.solvers.log_fitness import LogFitness

# Probabilities of joints from which they prove a picture right or wrong; the lower, if too few are
# so sure: islands that are wrong are not found in the picture, and prove nothing.
SURE = (0.8, 0.5)
# By how much more than chance a picture must tell the places of sure tiles, in nats, times the
# share of what there is to tell. On training panels, the most of a wrong picture was 11;
# photographs and drawings of the panel had 13 to 150.
BELIEVED = 15.0
DOUBT = 1e-3  # probabilities below count as none where two assemblies are compared
SMALLEST, LARGEST = 64, 2000  # px of the shorter and the longer side of a picture
PLAIN = 3.0  # standard deviation of grey levels below which a picture shows nothing


@dataclass(frozen=True)
class Followed:
    """The result of solving with a reference picture.

    Args:
        assembly: Where the tiles lie: the assembly without the picture, unless it is believed.
        compatibility: The scores that the assembly was made with.
        tiles: On how many sure tiles the picture was tried.
        bits: How much it tells of the place of each of them, beyond chance, as a mean.
        most: How much a picture could tell of a place at most.
        mirrored: Whether the picture is believed and is the panel's mirror image.
        beside: The picture as it shows the panel's places [H, W, 3]; None if it is not believed.
        shown: Where the picture shows them, in shares of its width and height.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> other = azulejar.render(*azulejar.practice_puzzle(3, 5, size=24, seed=1))
        >>> found = azulejar.solve_with_reference(tiles, scores, other, preset="fast")
        >>> found.believed, found.mirrored
        (False, False)
    """

    assembly: Assembly
    compatibility: Compatibility
    tiles: int = 0
    bits: float = 0.0
    most: float = 0.0
    mirrored: bool = False
    beside: NDArray[np.uint8] | None = None
    shown: ShownGrid | None = None

    @property
    def believed(self) -> bool:
        """Whether the picture was used."""
        return self.beside is not None


def solve_with_reference(
    tiles: TileSet,
    compatibility: Compatibility,
    picture: NDArray[np.uint8],
    knowns: Knowns | None = None,
    **options: Any,
) -> Followed:
    """Assemble a panel with an old picture of it as a guide.

    The panel is solved without the picture first. Its sure parts are then looked for in the
    picture, at any scale, turn and perspective, and as a mirror image; only as far as their tiles
    prove to be told apart by it, the picture changes how likely joints are, and the panel is solved
    again. A picture that proves nothing changes nothing.

    Args:
        tiles: The n tiles.
        compatibility: Their scores.
        picture: A photograph, drawing or engraving of the panel, of all or most of it: uint8
            [H, W, 3].
        knowns: What is known beforehand; nothing, by default.
        **options: Those of ``solve``.

    Raises:
        AzulejarError: If the picture is too small, or plain, or as ``solve`` does.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> photograph = azulejar.render(tiles, truth)
        >>> found = azulejar.solve_with_reference(tiles, scores, photograph, preset="fast")
        >>> azulejar.evaluate(found.assembly, truth, upright=False).perfect
        True
    """
    check_reference(picture)
    knowns = (knowns or Knowns()).for_tiles(len(tiles))
    first = solve(compatibility, knowns, **options)
    return follow_reference(
        tiles, compatibility, picture, knowns, first,
        lambda scores: solve(scores, knowns, **options),
    )  # fmt: skip


def read_reference(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Read a picture [H, W, 3] that may serve as a reference.

    Raises:
        AzulejarError: If it cannot be read, is too small, or plain.
    """
    picture = read_picture(path)
    check_reference(picture, str(path))
    return picture


def check_reference(picture: NDArray[np.uint8], name: str = "The reference picture") -> None:
    """Raise unless a picture is large enough and shows something."""
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST:
        raise AzulejarError(
            "reference-too-small",
            "{name} has {width}×{height} px, too few to tell tiles apart.",
            "Give a picture of at least {least}×{least} px.",
            name=name,
            width=width,
            height=height,
            least=SMALLEST,
        )
    step = -(-max(height, width) // LARGEST)
    if float(to_grey(picture[::step, ::step]).std()) < PLAIN:
        raise AzulejarError(
            "reference-plain",
            "{name} is of one colour: it shows nothing.",
            "Give a photograph, a drawing or an engraving of the panel.",
            name=name,
        )


def follow_reference(
    tiles: TileSet,
    compatibility: Compatibility,
    picture: NDArray[np.uint8],
    knowns: Knowns,
    first: Assembly,
    search: Callable[[Compatibility], Assembly],
    on_step: Callable[[], None] = lambda: None,
) -> Followed:
    """Solve again with what a picture tells, if it proves right where ``first`` is sure.

    ``search`` solves with the scores that it is given. What it finds is kept only if edges and
    picture together speak for it rather than for ``first``. ``on_step`` is called many times a
    second while the picture is searched, and stops that by raising an exception.
    """
    picture = _at_most(picture, LARGEST)
    windows = tile_windows(tiles.pixels)
    flipped = np.ascontiguousarray(picture[:, ::-1])
    mirrored, found = False, None
    judged = joint_confidence(compatibility, first)
    for sure in SURE:
        parts = islands(first, *judged, sure)
        for side, seen in ((False, picture), (True, flipped)):
            quarters = (0,) if knowns.upright else ANY_TURN
            here = register(to_grey(seen), windows, parts, quarters, on_step)
            if here is not None and (found is None or here.evidence > found.evidence):
                mirrored, found = side, here
        if found is not None and is_believed(found):
            break
    if found is None:
        return Followed(first, compatibility)
    told: dict[str, Any] = {
        "tiles": len(found.tiles),
        "bits": max(found.evidence, 0.0) / len(found.tiles) / float(np.log(2)),
        "most": float(np.log2(found.likeness.choices)),
    }
    if not is_believed(found):
        return Followed(first, compatibility, **told)
    scores = reweigh(compatibility, tile_places(found.likeness, found.weights, knowns.upright))
    fitness = LogFitness.of(scores, knowns.upright, DOUBT)
    led = max(search(scores), first, key=lambda each: fitness.total(scores, each))
    led = _turn_like(led, found.laid, knowns)
    grid = found.grid.before(motion_between(led, found.laid)).box(0, 0, led.rows, led.cols)
    beside = grid.straighten(flipped if mirrored else picture)
    shown = _in_shares(grid, picture.shape, mirrored)
    return Followed(led, scores, mirrored=mirrored, beside=beside, shown=shown, **told)


def is_believed(found: Registration) -> bool:
    """Whether a picture tells the places of sure tiles, as far as it shows them, beyond chance."""
    most = len(found.tiles) * float(np.log(found.likeness.choices))
    return found.evidence > 0 and found.evidence**2 / most >= BELIEVED


def _at_most(picture: NDArray[np.uint8], longest: int) -> NDArray[np.uint8]:
    factor = longest / max(picture.shape[:2])
    if factor >= 1:
        return picture
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8)


def _turn_like(assembly: Assembly, laid: Assembly, knowns: Knowns) -> Assembly:
    """Turn the assembly as the picture shows it, where nothing else says what is up."""
    if knowns.upright or knowns.constrained:
        return assembly
    quarters = motion_between(assembly, laid).quarters
    turned = assembly.turned(quarters)
    rows, cols = knowns.frame
    fits = not rows or (turned.rows <= rows and turned.cols <= cols)
    return turned if fits else assembly


def _in_shares(grid: ShownGrid, shape: tuple[int, ...], mirrored: bool) -> ShownGrid:
    """Return the grid in shares of the height and width of the picture as it was given."""
    height, width = shape[:2]
    scale = np.diag([1 / width, 1 / height, 1])
    flip = np.array([[-1.0, 0, 1], [0, 1, 0], [0, 0, 1]]) if mirrored else np.eye(3)
    return ShownGrid(flip @ scale @ grid.matrix, grid.top, grid.left, grid.rows, grid.cols)
