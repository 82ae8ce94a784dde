"""Pictures and panels for training, held on the device as a whole."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from azulejar.errors import AzulejarError
from azulejar.learning.views import SIZE

Image.MAX_IMAGE_PIXELS = None
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff"}
SQUARE = 640  # pixels: side of the squares that panels are cropped from
CELL = 64  # pixels: side of a tile of a real panel
MARGIN = 1  # tiles around a window of a real panel


@dataclass(frozen=True)
class Panel:
    """A real panel: its name and its cells [rows, cols, 3, 64, 64] uint8, joints on the rims."""

    name: str
    cells: NDArray[np.uint8]

    @property
    def rows(self) -> int:
        return self.cells.shape[0]

    @property
    def cols(self) -> int:
        return self.cells.shape[1]


def picture_files(folders: Sequence[Path]) -> list[Path]:
    """Return all pictures under the folders, in a fixed order."""
    files = []
    for folder in folders:
        if not folder.is_dir():
            raise AzulejarError(
                "training-pictures-no-folder",
                "There is no folder {folder}.",
                "Name a folder of pictures.",
                folder=str(folder),
            )
        files += sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    return files


def load_squares(
    folders: Sequence[Path], device: torch.device, on_progress: Callable[[float], None]
) -> tuple[Tensor, Tensor]:
    """Return squares [n, 3, 640, 640] uint8 of all pictures, and how often to draw each [n].

    A long picture gives several squares, which share its weight.
    """
    files = picture_files(folders)
    if not files:
        raise AzulejarError(
            "pictures-none",
            "The folders hold no pictures.",
            "Name folders with .jpg or .png files.",
        )
    squares: list[Tensor] = []
    weights: list[float] = []
    with ThreadPoolExecutor(16) as pool:
        for done, found in enumerate(pool.map(cut_squares, files)):
            squares += [torch.from_numpy(square).to(device) for square in found]
            weights += [1 / len(found)] * len(found)
            on_progress((done + 1) / len(files))
    return torch.stack(squares), torch.tensor(weights, device=device)


def _open_picture(path: Path) -> Image.Image:
    try:
        with Image.open(path) as opened:
            return opened.convert("RGB")
    except OSError as error:
        raise AzulejarError(
            "training-picture-unreadable",
            "{path} is no picture that can be read.",
            "Remove it.",
            path=str(path),
        ) from error


def cut_squares(path: Path) -> list[NDArray[np.uint8]]:
    """Return squares [3, 640, 640] that together show all or nearly all of the picture."""
    picture = _open_picture(path)
    scale = SQUARE / min(picture.size)
    size = [max(SQUARE, round(side * scale)) for side in picture.size]
    method = Image.Resampling.BICUBIC if scale > 1 else Image.Resampling.LANCZOS
    pixels = np.asarray(picture.resize((size[0], size[1]), method)).transpose(2, 0, 1)
    excess = max(size) - SQUARE
    count = 1 if excess < 0.15 * SQUARE else 2 if excess < 1.2 * SQUARE else 3
    starts = [excess // 2] if count == 1 else np.linspace(0, excess, count).round().astype(int)
    tall = size[1] >= size[0]
    cuts = [(slice(s, s + SQUARE), slice(None)) if tall else (slice(None), slice(s, s + SQUARE))
            for s in starts]  # fmt: skip
    return [np.ascontiguousarray(pixels[:, rows, cols]) for rows, cols in cuts]


def load_panels(folder: Path) -> list[Panel]:
    """Return the panels ``NAME__RxC.jpg`` of a folder; tiles are resized to 64 px."""
    found = []
    for path in picture_files([folder]):
        size = re.search(r"__([1-9]\d*)x([1-9]\d*)$", path.stem)
        if not size:
            raise AzulejarError(
                "training-panel-without-size",
                "{path} does not say how many tiles it shows.",
                "Name panels like church__8x12.jpg: 8 rows, 12 columns.",
                path=str(path),
            )
        rows, cols = int(size[1]), int(size[2])
        picture = _open_picture(path)
        if picture.size != (cols * CELL, rows * CELL):
            picture = picture.resize((cols * CELL, rows * CELL), Image.Resampling.LANCZOS)
        pixels = np.asarray(picture).reshape(rows, CELL, cols, CELL, 3)
        found.append(Panel(path.stem, np.ascontiguousarray(pixels.transpose(0, 2, 4, 1, 3))))
    if not found:
        raise AzulejarError(
            "training-panels-none",
            "{folder} holds no panels.",
            "Put pictures NAME__RxC.jpg there.",
            folder=str(folder),
        )
    return found


def trim_tiles(panel: Panel, trim: float) -> Tensor:
    """Return the panel's tiles [n, 3, 50, 50] uint8, cut by the fraction ``trim`` at each side."""
    cells = panel.cells.reshape(-1, 3, CELL, CELL).transpose(0, 2, 3, 1)
    box = (CELL * trim, CELL * trim, CELL - CELL * trim, CELL - CELL * trim)
    tiles = [
        np.asarray(Image.fromarray(cell).resize((SIZE, SIZE), Image.Resampling.BICUBIC, box))
        for cell in np.ascontiguousarray(cells)
    ]
    return torch.from_numpy(np.stack(tiles).transpose(0, 3, 1, 2).copy())
