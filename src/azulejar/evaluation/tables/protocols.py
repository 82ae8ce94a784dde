"""Public benchmarks with eroded borders: how their puzzles are made, and what others reached.

**ImageNet-LSEJ** (2026, github.com/ChangxinYe/ImageNet-LSEJ): the central square of a picture in
10×10 or 20×20 pieces of 50 px, each cropped by 2, 5 or 8 px a side and resized back, upright, size
known.

**Eroded boundaries** (Bridger, Danon and Tal, CVPR 2020): the standard sets in pieces of 64 px,
eroded by 7 or 14 %, upright and turned.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import KnownPanel
from azulejar.evaluation.tables.puzzle_recipes import PanelSource, Recipe, picture_files
from azulejar.imaging.picture import read_picture

LSEJ_SIZE = 50  # side of a piece in pixels, before and after the crop
LSEJ_GRIDS = (10, 20)  # pieces a side
LSEJ_CROPS = (2, 5, 8)  # pixels lost at each side of a piece
LSEJ_SQUARE = 1000  # side in pixels of the benchmark's own pictures
ERODED_SIZE = 64  # side of a piece in pixels before it is eroded
ERODED_CROPS = (4, 9)  # pixels lost at each side: 7 and 14 %, in whole pixels
LANCZOS = Image.Resampling.LANCZOS

# PA, AA and SRA in % on the 2,000 test pictures, 10×10, at 2 px and at 5 px.
LSEJ_SOURCE = "https://github.com/ChangxinYe/RG-LNS"
LSEJ_PUBLISHED = {
    "Gallagher 2012": ((8.3, 39.9, 62.8), (0.0, 3.1, 23.7)),
    "Edge2Vec 2022": ((18.2, 55.7, 75.3), (0.2, 10.8, 39.8)),
    "ViT-T + Pomeranz + RG-LNS": ((54.8, 86.7, 92.1), (23.2, 59.8, 77.6)),
    "ViT-T + LP + RG-LNS": ((55.9, 85.7, 91.2), (18.6, 50.6, 72.0)),
}


@dataclass(frozen=True)
class LsejRecipe(Recipe):
    """Cut the central square of a picture as ImageNet-LSEJ does, with Lanczos throughout."""

    def cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Cut ``picture`` [H, W, 3] into pieces [count², 50, 50, 3] in reading order."""
        count = self.source.panel.rows
        crop = round(self.trim * LSEJ_SIZE)
        square = _central_square(picture).resize((count * LSEJ_SIZE,) * 2, LANCZOS)
        pieces = []
        for row in range(count):
            for col in range(count):
                top, left = row * LSEJ_SIZE + crop, col * LSEJ_SIZE + crop
                bottom, right = (row + 1) * LSEJ_SIZE - crop, (col + 1) * LSEJ_SIZE - crop
                # Cropped first: resized with a box, a piece would read pixels of its neighbours.
                piece = square.crop((left, top, right, bottom))
                pieces.append(np.array(piece.resize((LSEJ_SIZE,) * 2, LANCZOS)))
        return np.stack(pieces)

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that differs from that of a puzzle cut in any other way."""
        return ("lsej", *super().identity)


def find_squares(path: str | os.PathLike[str]) -> list[PanelSource]:
    """Return the pictures in a folder and its subfolders, each as a puzzle of 10×10 pieces.

    Those that are large enough are returned a second time, as 20×20. Each piece must have 50 px in
    the picture, so that none is enlarged.

    Raises:
        AzulejarError: If a picture is too small for 10×10 pieces.
    """
    found = []
    for picture in picture_files(path):
        side = min(read_picture(picture).shape[:2])
        if side < LSEJ_GRIDS[0] * LSEJ_SIZE:
            raise AzulejarError(
                "picture-side-too-short",
                "The shorter side of {path} has {side} px instead of {least} or more.",
                "Remove it, or take a larger picture.",
                path=str(picture),
                side=side,
                least=LSEJ_GRIDS[0] * LSEJ_SIZE,
            )
        grids = [count for count in LSEJ_GRIDS if side >= count * LSEJ_SIZE]
        found += [_source(picture, count) for count in grids]
    return found


def _source(picture: Path, count: int) -> PanelSource:
    return PanelSource.of(KnownPanel(picture, count, count))


def _central_square(picture: NDArray[np.uint8]) -> Image.Image:
    """Return the largest central square, but no larger than the benchmark's own pictures."""
    height, width = picture.shape[:2]
    side = min(height, width, LSEJ_SQUARE)
    top, left = (height - side) // 2, (width - side) // 2
    return Image.fromarray(picture[top : top + side, left : left + side])
