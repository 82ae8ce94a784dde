"""Pictures of assemblies for pages: drawn, with joints marked, written beside the page."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.edges import COL_STEP, ROW_STEP, direction_of
from azulejar.core.tiles import TileSet
from azulejar.imaging.render import render
from azulejar.system.atomic import replacing

Colour = tuple[int, int, int]
HALO = (255, 255, 255)
PICTURES = "pictures"  # the folder beside a page that holds nothing but its pictures
QUALITY = 85


def joints_missing_from(assembly: Assembly, other: Assembly) -> NDArray[np.int32]:
    """Return the joints [m, 2] of an assembly that another of the same tiles does not have."""
    joints = assembly.joints()
    return joints[other.neighbours()[joints[:, 0]] != joints[:, 1]]


def draw_assembly(
    tiles: TileSet, assembly: Assembly, longest: int
) -> tuple[NDArray[np.uint8], int]:
    """Draw an assembly, at most about ``longest`` px long; return the side of a tile as well."""
    _, width = _lefts(assembly, 2)
    size = max(4, min(tiles.size, int(longest / max(assembly.rows, width / 2))))
    return render(tiles, assembly, size), size


def line_joints(
    picture: NDArray[np.uint8],
    assembly: Assembly,
    joints: NDArray[np.int32],
    size: int,
    colour: Colour,
) -> None:
    """Draw a line along each of the ``joints``, in a picture whose tiles are ``size`` px wide."""
    for top, left, bottom, right in joint_boxes(assembly, joints, size, max(1, size // 24)):
        picture[top:bottom, left:right] = colour


def frame_joints(
    picture: NDArray[np.uint8],
    assembly: Assembly,
    joints: NDArray[np.int32],
    size: int,
    colour: Colour,
) -> None:
    """Draw a frame with a pale seam around each of the ``joints``, leaving the joint in sight."""
    width = max(1, size // 24)
    for box in joint_boxes(assembly, joints, size, max(3, size // 5)):
        _frame(picture, box, width + 1, HALO)
        _frame(picture, box, width, colour)


def joint_boxes(
    assembly: Assembly, joints: NDArray[np.int32], size: int, reach: int
) -> list[tuple[int, int, int, int]]:
    """Return top, left, bottom and right of each joint's box, ``reach`` px to both sides of it."""
    lefts, _ = _lefts(assembly, size)
    boxes = []
    for edge in joints[:, 0].tolist():
        tile = edge // 4
        direction = direction_of(edge, int(assembly.turn[tile]))
        top = int(assembly.row[tile]) * size
        left = int(assembly.col[tile]) * size + lefts[int(assembly.panel[tile])]
        y, x = top + size * int(ROW_STEP[direction] > 0), left + size * int(COL_STEP[direction] > 0)
        if direction % 2:
            boxes.append((top, x - reach, top + size, x + reach))
        else:
            boxes.append((y - reach, left, y + reach, left + size))
    return boxes


def _frame(
    picture: NDArray[np.uint8], box: tuple[int, int, int, int], width: int, colour: Colour
) -> None:
    top, left, bottom, right = box
    inside = picture[top:bottom, left:right]
    for part in (inside[:width], inside[-width:], inside[:, :width], inside[:, -width:]):
        part[:] = colour


def _lefts(assembly: Assembly, size: int) -> tuple[dict[int, int], int]:
    """Return where `render` puts the left side of each panel, and the whole width, in px."""
    lefts, right = {}, -(size // 2)
    for panel in np.unique(assembly.panel[assembly.panel >= 0]).tolist():
        lefts[panel] = right + size // 2
        right = lefts[panel] + (int(assembly.col[assembly.panel == panel].max()) + 1) * size
    return lefts, right


def picture_file_name(panel: str, key: str) -> str:
    """Return a file name for a picture of a panel that no other picture has."""
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', panel)}-{key[:16]}.jpg"


def write_jpeg(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture [H, W, 3], whole or not at all."""
    # Without subsampling, which would wash out thin coloured lines.
    options = {"quality": QUALITY, "subsampling": 0, "optimize": True}
    with replacing(path) as temporary:
        Image.fromarray(picture).save(temporary, "JPEG", **options)


def remove_other_pictures(folder: Path, names: set[str]) -> None:
    """Remove the pictures that the page in ``folder`` no longer shows."""
    for path in (folder / PICTURES).glob("*.jpg"):
        if path.name not in names:
            path.unlink()
