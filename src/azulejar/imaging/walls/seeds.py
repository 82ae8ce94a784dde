"""Windows of a photograph that show joints: where a grid can grow from."""

from typing import NamedTuple

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import panel_between, warp_from
from azulejar.imaging.walls.densest import densest
from azulejar.imaging.walls.lattice import Lattice, find_lattice
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.refine import followed, seen
from azulejar.imaging.walls.warp import Warp

FEWEST, MOST = 4.0, 16.0  # tiles along a window


class Seed(NamedTuple):
    """The lattice in a window with these ``corners``, the crossings where joints are seen, and how
    many more joints than usual these have.
    """

    lattice: Lattice
    corners: Points
    crossings: Points
    gain: float


def seed_in(photo: Photo, corners: Points) -> Seed | None:
    """The lattice in a window; none where it is too small for tiles."""
    try:
        lattice = find_lattice(photo, corners, fewest=FEWEST, most=MOST)
        flat = Warp.flat(*panel_between(lattice.homography, corners, None, None))
    except AzulejarError:
        return None
    gain, beyond = densest(seen(photo, flat))
    return Seed(lattice, corners, flat.cropped(*beyond).crossings(), gain)


def laid(photo: Photo, seed: Seed) -> Warp:
    """The part of a seed where joints are seen, laid on them."""
    warp = followed(photo, warp_from(photo, seed.lattice, seed.corners, None, None))
    _, beyond = densest(seen(photo, warp))
    return warp.cropped(*beyond)
