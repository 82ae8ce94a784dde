"""Panels of all kinds cut into tiles, and each tile photographed by itself.

DATA holds panels/train, panels/val, pictures/books and benchmark/mit_432.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.learning.pictures import picture_files
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles
from hold_out import set_aside
from stored_cases import Case

CELL, SIZE = 64, 50  # pixels of a cell before trimming, and of the tile that is scored
INKS = np.array(
    [
        [(247, 246, 243), (120, 150, 200), (24, 40, 110)],  # cobalt
        [(246, 243, 238), (170, 126, 160), (66, 34, 72)],  # manganese
        [(243, 245, 236), (120, 176, 140), (22, 72, 58)],  # copper
        [(247, 245, 232), (226, 182, 92), (112, 66, 22)],  # antimony
    ],
    float,
)
GREY = np.array([0.3, 0.59, 0.11])


@dataclass
class Cut:
    """Cells [n, 64, 64, 3] of one panel, and where each lies."""

    cells: NDArray[np.uint8]
    rows: int
    cols: int


def of_kind(
    kind: str, judge: bool, data: Path, case: Case, rng: np.random.Generator, most: int
) -> Cut:
    if kind == "painted":
        return painted(case, rng, most, judge)
    if kind == "train":
        files = sorted((data / "panels" / "train").glob("*.jpg"))
        return of_panel(files[rng.integers(len(files))], case, rng, most)
    if kind == "photographs":
        files = sorted(path for path in (data / "benchmark" / "mit_432").iterdir()
                       if path.suffix in (".png", ".jpg", ".webp"))  # fmt: skip
        return of_picture(files[rng.integers(len(files))], case, rng, most)
    files = picture_files([data / "pictures" / "books"])
    aside = set_aside(files)
    files = [path for path in files if (path in aside) == judge]
    return of_picture(files[rng.integers(len(files))], case, rng, most, blue=rng.random() < 0.5)


def small(data: Path, case: Case, rng: np.random.Generator, most: int) -> Cut:
    """Draw a small panel of any kind, such as people try the program out with."""
    judge = "judge" in case.kind
    kinds = ["books", "painted", "photographs" if judge else "train"]
    kind = str(rng.choice(kinds, p=[0.3, 0.4, 0.3]))
    if kind == "painted":
        return painted(case, rng, most, judge, unworn=True)
    return of_kind(kind, judge, data, case, rng, most)


def several(data: Path, case: Case, rng: np.random.Generator, most: int, count: int) -> list[Cut]:
    """Draw so many panels of any kind; several painted ones share subject and frame."""
    judge = "judge" in case.kind
    kinds = rng.choice(["books", "painted", "val" if judge else "train"], count)
    found = []
    for kind in kinds:
        size = int(most / count * rng.uniform(0.5, 1))
        if kind == "val":
            files = sorted((data / "panels" / "val").glob("*.jpg"))
            found.append(of_panel(files[rng.integers(len(files))], case, rng, size))
        else:
            found.append(of_kind(str(kind), judge, data, case, rng, size))
    return found


def of_panel(
    path: Path, case: Case, rng: np.random.Generator, most: int, whole: bool = False
) -> Cut:
    """Cut a panel, or a part of it that has about ``most`` tiles."""
    rows, cols = map(int, path.stem.split("__")[1].split("x"))
    case.sources.append(path.stem)
    cells = cells_of(np.asarray(Image.open(path).convert("RGB")), rows, cols)
    grid = cells.reshape(rows, cols, CELL, CELL, 3)
    if not whole and rows * cols > most:
        tall = int(np.clip(round(np.sqrt(most * rng.uniform(0.5, 1.6))), 3, rows))
        wide = int(np.clip(most // tall, 3, cols))
        top, left = rng.integers(rows - tall + 1), rng.integers(cols - wide + 1)
        grid = grid[top : top + tall, left : left + wide]
    case.sizes.append(grid.shape[:2])
    return Cut(grid.reshape(-1, CELL, CELL, 3), *grid.shape[:2])


def of_picture(
    path: Path, case: Case, rng: np.random.Generator, most: int, blue: bool = False
) -> Cut:
    """Cut a picture as it is, or as if it were painted on tiles that have aged."""
    picture = np.asarray(Image.open(path).convert("RGB"))
    height, width = picture.shape[:2]
    cell = int(np.clip(np.sqrt(height * width / most), 28, min(height, width) / 3))
    rows, cols = height // cell, width // cell
    if rows * cols > most:  # only a part of the picture
        rows = max(3, min(rows, round(np.sqrt(most))))
        cols = max(3, min(cols, most // rows))
    top, left = rng.integers(height - rows * cell + 1), rng.integers(width - cols * cell + 1)
    picture = picture[top : top + rows * cell, left : left + cols * cell]
    case.sources.append(path.stem + (" blue" if blue else ""))
    case.sizes.append((rows, cols))
    if blue:
        picture = coloured(picture, INKS[rng.choice(len(INKS), p=[0.7, 0.1, 0.1, 0.1])])
    cells = cells_of(picture, rows, cols)
    return Cut(age_tiles(cells, rng, rng.uniform(0.2, 1.2)) if blue else cells, rows, cols)


def painted(
    case: Case, rng: np.random.Generator, most: int, judge: bool, *, unworn: bool = False
) -> Cut:
    """Paint a practice panel; those to be judged have an odd number of rows."""
    fewest = 3 if unworn else 4
    most = int(np.clip(most, fewest * (fewest + 1), 260))
    rows = int(np.clip(round(np.sqrt(most * rng.uniform(0.5, 2))), fewest, 18))
    rows += (rows % 2 == 0) == judge
    cols = int(np.clip(most // rows, fewest, 20))
    seed = int(rng.integers(10**6))
    case.sources.append(f"painted {seed}")
    case.sizes.append((rows, cols))
    picture = paint_panel(rows, cols, CELL, seed=seed)
    if rng.random() < 0.3:
        picture = coloured(picture, INKS[rng.integers(1, len(INKS))])
    cells = cells_of(picture, rows, cols)
    wear = 0.0 if unworn else float(rng.choice([0, 0.5, rng.uniform(0, 1.2)]))
    return Cut(age_tiles(cells, rng, wear), rows, cols)


def coloured(picture: NDArray[np.uint8], inks: NDArray[np.float64]) -> NDArray[np.uint8]:
    ink = np.clip((243 - picture @ GREY) / 205, 0, 1)
    rgb = np.stack([np.interp(ink, (0.0, 0.5, 1.0), inks[:, c]) for c in range(3)], axis=2)
    return np.round(rgb).astype(np.uint8)


def cells_of(picture: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.uint8]:
    return cut(picture, rows, cols, 0.0, CELL)
