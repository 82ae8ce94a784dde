"""Tiles: n square pictures as one array, and what the museum has on record of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Record:
    """What ``tiles.csv`` says of one tile; None where it says nothing.

    ``code`` is written on the tile's back, ``mark`` is the workshop's or mason's sign there;
    ``thickness`` is in millimetres; ``turn`` counts clockwise quarters, ``row`` and ``col`` count
    from 0, and a row below 0 from the bottom, which is -1; ``panel`` names the panel that the tile
    belongs to, ``pattern`` its pattern; ``wall``, ``level`` (from the floor up) and ``section``
    (from the left) say where in a building it was; ``iiif`` is its address on an image server;
    ``outer`` names the sides that lay at the outline of the panel, such as "top left"; ``half``
    tells whether the "height", the "width" or "both" are those of a half or quarter tile;
    ``photo`` names the photograph that its picture was cut from; ``line`` is the line of
    ``tiles.csv``, for messages.
    """

    inventory: str | None = None
    crate: str | None = None
    code: str | None = None
    turn: int | None = None
    row: int | None = None
    col: int | None = None
    panel: str | None = None
    note: str | None = None
    line: int | None = None
    mark: str | None = None
    thickness: float | None = None
    wall: str | None = None
    level: str | None = None
    section: str | None = None
    iiif: str | None = None
    pattern: str | None = None
    outer: str | None = None
    half: str | None = None
    photo: str | None = None


# Of a record, what goes with a tile into a solution.
DESCRIBING = (
    "inventory",
    "crate",
    "code",
    "mark",
    "thickness",
    "wall",
    "level",
    "section",
    "iiif",
    "note",
)


@dataclass(frozen=True)
class TileSet:
    """Tiles at one working size, in the order of their file names.

    Args:
        pixels: Pictures of the tiles, sRGB: uint8 [n, S, S, 3].
        files: The n names.
        folder: Where the full pictures lie, if anywhere.
        notes: What was left out or changed while reading.
        records: What ``tiles.csv`` says of each tile; empty if there is none.
        halved: Whether each tile is half as high, and half as wide, as a whole one: bool [n, 2];
            None if all are whole. Pictures of halves are stretched to squares.
        half_share: What half a side is of a whole one; less than 0.5 where edges are lost.

    Examples:
        >>> import numpy as np
        >>> from azulejar import TileSet
        >>> tiles = TileSet(np.zeros((2, 32, 32, 3), np.uint8), ("a.png", "b.png"))
        >>> len(tiles), tiles.size, tiles.numbers
        (2, 32, ('a', 'b'))
    """

    pixels: NDArray[np.uint8]
    files: tuple[str, ...]
    folder: Path | None = None
    notes: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    halved: NDArray[np.bool_] | None = None
    half_share: float = 0.5

    def __len__(self) -> int:
        return len(self.files)

    @property
    def size(self) -> int:
        """Side of a tile, in pixels."""
        return int(self.pixels.shape[1])

    @property
    def numbers(self) -> tuple[str, ...]:
        """Inventory numbers, which are by default the files' names without their suffix."""
        records = self.records or (Record(),) * len(self)
        return tuple(
            known.inventory or Path(file).stem
            for known, file in zip(records, self.files, strict=True)
        )

    def take(self, which: Sequence[int]) -> "TileSet":
        """Return some of the tiles, in the order given."""
        return replace(
            self,
            pixels=self.pixels[list(which)],
            files=tuple(self.files[i] for i in which),
            records=tuple(self.records[i] for i in which) if self.records else (),
            halved=None if self.halved is None else self.halved[list(which)],
        )

    def with_others(self, others: Mapping[str, "TileSet"]) -> "TileSet":
        """Return these tiles and those of other folders, whose files are named with their folder.

        All tiles must be of one size. Folder, notes and records are left out.
        """
        sets = (self, *others.values())
        pixels = np.concatenate([each.pixels for each in sets])
        files = (f"{name}/{file}" for name, each in others.items() for file in each.files)
        halved = None
        if any(each.halved is not None for each in sets):
            whole = (np.zeros((len(each), 2), bool) for each in sets)
            halved = np.concatenate(
                [none if each.halved is None else each.halved
                 for none, each in zip(whole, sets, strict=True)]
            )  # fmt: skip
        return TileSet(pixels, (*self.files, *files), halved=halved, half_share=self.half_share)
