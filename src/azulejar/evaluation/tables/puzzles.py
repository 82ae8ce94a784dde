"""Recipe: how a puzzle is made of a picture, again and again the same."""

from dataclasses import dataclass

from azulejar.core.tiles import TileSet
from azulejar.evaluation.protocol import Puzzle
from azulejar.evaluation.tables.sources import Source
from azulejar.imaging.picture import read_picture
from azulejar.practice.corruption import stain, take_away
from azulejar.practice.puzzles import cut, make_puzzle


@dataclass(frozen=True)
class Recipe:
    """Cut a panel into tiles of ``size`` px, shuffle them by ``seed``, corrupt them.

    With ``crop``, tiles are cut pixel for pixel from the top left and what remains is lost;
    otherwise the grid covers the whole picture.
    """

    source: Source
    upright: bool
    seed: int
    trim: float
    size: int
    crop: bool = False
    corruption: str = "none"
    amount: float = 0.0

    def make(self) -> Puzzle:
        """The puzzle and its truth."""
        panel = self.source.panel
        rows, cols = panel.rows, panel.cols
        picture = read_picture(panel.path)
        if self.crop:
            picture = picture[: rows * self.size, : cols * self.size]
        cells = cut(picture, rows, cols, self.trim, self.size)
        pixels, truth = make_puzzle(cells, rows, cols, turned=not self.upright, seed=self.seed)
        if self.corruption == "content":
            pixels = stain(pixels, self.amount, self.seed)
        elif self.corruption == "missing":
            pixels, truth = take_away(pixels, truth, self.amount, self.seed)
        tiles = TileSet(pixels, tuple(str(tile) for tile in range(len(pixels))))
        return Puzzle(panel, self.trim, self.upright, tiles, truth)

    @property
    def identity(self) -> tuple[object, ...]:
        """Differs whenever the puzzle does; where the picture lies does not matter."""
        return (
            self.source.identity, self.upright, self.seed, self.trim, self.size, self.crop,
            self.corruption, self.amount,
        )  # fmt: skip

    @property
    def title(self) -> str:
        """What a person would call the puzzle."""
        kind = "upright" if self.upright else "turned"
        lost = "" if self.corruption == "none" else f", {self.corruption} {self.amount:.0%}"
        return f"{self.source.set}/{self.source.panel.name}, trim {self.trim:.3g}{lost}, {kind}"
