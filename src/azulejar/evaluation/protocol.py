"""The protocol: known panels, cut on their grids and shuffled into puzzles.

A panel is a picture named NAME__RxC, such as ``procession__17x12.jpg``: 17 rows, 12 cols.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.system.natural_order import natural_order

SIZE = 50  # side of a tile in pixels
NAME = re.compile(r".+__(\d+)x(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class KnownPanel:
    """A picture of a whole panel of ``rows`` × ``cols`` tiles."""

    path: Path
    rows: int
    cols: int

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.path.stem


@dataclass(frozen=True)
class KnownPuzzle:
    """The shuffled tiles of a panel; ``upright``, or each turned at random."""

    panel: KnownPanel
    trim: float
    upright: bool
    tiles: TileSet
    truth: Assembly


def find_panels(path: str | os.PathLike[str]) -> list[KnownPanel]:
    """Return the panels in a folder in natural order, or the one in the file ``path``."""
    path = Path(path)
    if not path.exists():
        raise AzulejarError(
            "panels-not-found",
            "There is no file or folder {path}.",
            "Check the path.",
            path=str(path),
        )
    if not path.is_dir():
        return [_panel(path)]
    found = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
    pictures = sorted(filter(is_picture, found), key=lambda entry: natural_order(entry.name))
    if not pictures:
        raise AzulejarError(
            "panels-none-in-folder",
            "{path} holds no pictures.",
            "Give a folder of panels named NAME__RxC.jpg.",
            path=str(path),
        )
    panels = [_panel(picture) for picture in pictures]
    for one, other in pairwise(panels):
        if one.name == other.name:
            raise AzulejarError(
                "panels-same-name",
                "{one} and {other} have the same name.",
                "Rename or remove one of them.",
                one=one.path.name,
                other=other.path.name,
            )
    return panels


def make_puzzles(
    panels: Sequence[KnownPanel],
    trims: Sequence[float],
    *,
    size: int | None = SIZE,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> list[KnownPuzzle]:
    """Make puzzles of every panel at every trim, upright and turned, with tiles of ``size`` px.

    Without a ``size``, tiles are as large as what the trim leaves of them.
    """
    puzzles = []
    for i, panel in enumerate(panels):
        picture = read_picture(panel.path)
        for trim in trims:
            cells = _cells(panel, picture, trim, size)
            puzzles += [_shuffle(panel, cells, trim, upright, seed) for upright in (True, False)]
        if on_progress is not None:
            on_progress((i + 1) / len(panels))
    return puzzles


def _panel(path: Path) -> KnownPanel:
    match = NAME.fullmatch(path.stem)
    if match is None:
        raise AzulejarError(
            "panel-name-without-size",
            "The name {file} does not tell rows and cols.",
            "Rename it to NAME__RxC, such as procession__17x12.jpg for 17 rows and 12 cols.",
            file=path.name,
        )
    rows, cols = int(match[1]), int(match[2])
    if rows * cols < 2:
        raise AzulejarError(
            "panel-without-joints",
            "{file} has no two tiles that meet.",
            "Give panels of two tiles or more.",
            file=path.name,
        )
    return KnownPanel(path, rows, cols)


def _cells(
    panel: KnownPanel, picture: NDArray[np.uint8], trim: float, size: int | None
) -> NDArray[np.uint8]:
    try:
        return cut(picture, panel.rows, panel.cols, trim, size)
    except AzulejarError as error:
        raise AzulejarError(
            "panel-not-cut",
            "{file}: {problem}",
            "{remedy}",
            file=panel.path.name,
            problem=error.problem,
            remedy=error.remedy,
        ) from error


def _shuffle(
    panel: KnownPanel, cells: NDArray[np.uint8], trim: float, upright: bool, seed: int
) -> KnownPuzzle:
    pixels, truth = make_puzzle(cells, panel.rows, panel.cols, turned=not upright, seed=seed)
    tiles = TileSet(pixels, tuple(str(tile) for tile in range(len(pixels))))
    return KnownPuzzle(panel, trim, upright, tiles, truth)
