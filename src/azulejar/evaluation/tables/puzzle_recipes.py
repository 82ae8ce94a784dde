"""Recipes that make the puzzles of a benchmark from pictures, reproducibly."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import KnownPanel, KnownPuzzle, find_panels
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.practice.corruption import stain, take_away
from azulejar.practice.photography import cut_one_by_one
from azulejar.practice.puzzles import make_puzzle
from azulejar.system.natural_order import natural_order
from azulejar.weights import sha256


@dataclass(frozen=True)
class PanelSource:
    """A panel, the name of the ``set`` it belongs to and the ``checksum`` of its file."""

    set: str
    panel: KnownPanel
    checksum: str

    @classmethod
    def of(cls, panel: KnownPanel) -> "PanelSource":
        """Compute the checksum of the panel's file; the set is named after its folder."""
        return cls(panel.path.absolute().parent.name, panel, sha256(panel.path))

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that differs whenever the picture or its grid does."""
        return self.checksum, self.panel.rows, self.panel.cols


@dataclass(frozen=True)
class Recipe:
    """How to cut a panel into tiles of ``size`` px, shuffle them by ``seed`` and corrupt them.

    With ``crop``, tiles are cut without resampling, starting at the top left, and the rest of the
    picture is dropped; cells are so large that ``size`` px remain after the trim. Otherwise the
    grid covers the whole picture. Unless ``light`` is ``none``, each tile is photographed by
    itself in light of that kind.
    """

    source: PanelSource
    upright: bool
    seed: int
    trim: float
    size: int
    crop: bool = False
    corruption: str = "none"
    amount: float = 0.0
    light: str = "none"

    def make(self) -> KnownPuzzle:
        """Make the puzzle and its true assembly."""
        panel = self.source.panel
        cells = self.cut(read_picture(panel.path))
        pixels, truth = make_puzzle(
            cells, panel.rows, panel.cols, turned=not self.upright, seed=self.seed
        )
        if self.corruption == "content":
            pixels = stain(pixels, self.amount, self.seed)
        elif self.corruption == "missing":
            pixels, truth = take_away(pixels, truth, self.amount, self.seed)
        tiles = TileSet(pixels, tuple(str(tile) for tile in range(len(pixels))))
        return KnownPuzzle(panel, self.trim, self.upright, tiles, truth)

    def cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Cut ``picture`` [H, W, 3] into tiles [rows·cols, size, size, 3] in reading order."""
        rows, cols = self.source.panel.rows, self.source.panel.cols
        if self.crop:
            cell = round(self.size / (1 - 2 * self.trim))
            picture = picture[: rows * cell, : cols * cell]
        return cut_one_by_one(
            picture, rows, cols, self.trim, self.size, light=self.light, seed=self.seed
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that differs whenever the puzzle does, whatever the picture's path."""
        return (
            self.source.identity, self.upright, self.seed, self.trim, self.size, self.crop,
            self.corruption, self.amount, *(() if self.light == "none" else (self.light,)),
        )  # fmt: skip

    @property
    def title(self) -> str:
        """A description of the puzzle for people."""
        kind = "upright" if self.upright else "turned"
        lost = "" if self.corruption == "none" else f", {self.corruption} {self.amount:.0%}"
        light = "" if self.light == "none" else f", {self.light} light"
        name = f"{self.source.set}/{self.source.panel.name}"
        return f"{name}, trim {self.trim:.3g}{lost}{light}, {kind}"


def find_sources(path: str | os.PathLike[str]) -> list[PanelSource]:
    """Return the panels named NAME__RxC in a folder, or the one panel that ``path`` is."""
    return [PanelSource.of(panel) for panel in find_panels(path)]


def find_pictures(path: str | os.PathLike[str], size: int) -> list[PanelSource]:
    """Return the pictures in a folder and its subfolders as panels of ``size`` px a tile."""
    return [PanelSource.of(_panel_of_picture(picture, size)) for picture in picture_files(path)]


def picture_files(path: str | os.PathLike[str]) -> list[Path]:
    """Return the picture files in a folder and its subfolders, in natural order.

    Raises:
        AzulejarError: If there is no such folder, or no picture in it.
    """
    path = Path(path)
    if not path.is_dir():
        raise AzulejarError(
            "pictures-no-folder", "There is no folder {path}.", "Check the path.", path=str(path)
        )
    sets = [path, *_in_order([entry for entry in path.iterdir() if entry.is_dir()])]
    found = [
        picture
        for each in sets
        for picture in _in_order([entry for entry in each.iterdir() if is_picture(entry)])
    ]
    if not found:
        raise AzulejarError(
            "pictures-none-in-folder",
            "{path} holds no pictures.",
            "Give a folder of pictures, or of folders of pictures.",
            path=str(path),
        )
    return found


def _panel_of_picture(path: Path, size: int) -> KnownPanel:
    """Return the panel of as many whole tiles of ``size`` px as the picture has room for."""
    height, width = read_picture(path).shape[:2]
    rows, cols = height // size, width // size
    if rows * cols < 2:
        raise AzulejarError(
            "picture-too-small-for-tiles",
            "{path} has no two tiles of {size} px.",
            "Remove it, or take a larger picture.",
            path=str(path),
            size=size,
        )
    return KnownPanel(path, rows, cols)


def _in_order(entries: Sequence[Path]) -> list[Path]:
    shown = [entry for entry in entries if not entry.name.startswith(".")]
    return sorted(shown, key=lambda entry: natural_order(entry.name))
