"""Solution: an assembly with the tiles' names and how it came about; ``solution.json``."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, Field, ValidationError, model_validator

from azulejar.core.assembly import Assembly
from azulejar.core.halves import Halved, half_names, halved_by_names
from azulejar.core.limits import LONGEST, MOST_PANELS, most_places
from azulejar.core.tiles import DESCRIBING, Record
from azulejar.errors import AzulejarError
from azulejar.system.atomic import replacing
from azulejar.system.json_text import json_text
from azulejar.system.reading import read_bytes, validation_problem


class PlacedTile(BaseModel):
    """One tile of a solution; ``turn`` in degrees clockwise from its file.

    ``inventory`` to ``note`` are what ``tiles.csv`` says of it (see ``Record``). ``half`` says
    which measures of a half or quarter tile, as its file shows it, are half as long.
    """

    file: str
    row: int = Field(ge=0, lt=LONGEST)
    col: int = Field(ge=0, lt=LONGEST)
    turn: Literal[0, 90, 180, 270]
    panel: int = Field(0, ge=-1, lt=MOST_PANELS)
    confidence: float | None = Field(None, ge=0, le=1)
    inventory: str | None = None
    crate: str | None = None
    code: str | None = None
    mark: str | None = None
    thickness: float | None = None
    wall: str | None = None
    level: str | None = None
    section: str | None = None
    iiif: str | None = None
    note: str | None = None
    half: Literal["height", "width", "both"] | None = None

    @property
    def number(self) -> str:
        """Inventory number, which is by default the file's name without its suffix."""
        return self.inventory or Path(self.file).stem


class Solution(BaseModel):
    """An assembly with the tiles' names, as ``solution.json`` and ``truth.json`` have it.

    ``rows`` and ``cols`` are those of the largest panel. ``folder`` is where the tiles' pictures
    lie; ``fitness`` is on the scale of ``measure``; ``seconds`` is the time the solver took.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from azulejar import Assembly, Solution
        >>> solution = Solution.of(Assembly.of([0, 0], [0, 1], [0, 3]), ("a.png", "b.png"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     solution.save(Path(folder) / "solution.json")
        ...     again = Solution.load(Path(folder) / "solution.json")
        >>> again.rows, again.cols, again.tiles[1].turn
        (1, 2, 270)
    """

    format: Literal["azulejar-solution/1"] = "azulejar-solution/1"
    rows: int = Field(ge=0, le=LONGEST)
    cols: int = Field(ge=0, le=LONGEST)
    tiles: list[PlacedTile]
    folder: str | None = None
    upright: bool = False
    measure: str | None = None
    solver: str | None = None
    preset: str | None = None
    seed: int | None = None
    fitness: float | None = None
    seconds: float | None = None
    version: str | None = None

    @model_validator(mode="after")
    def _no_clashes(self) -> "Solution":
        files: set[str] = set()
        places: set[tuple[int, int, int]] = set()
        for tile in self.tiles:
            if tile.file in files:
                raise ValueError(f"lists {tile.file} twice")
            files.add(tile.file)
            place = (tile.panel, tile.row, tile.col)
            if tile.panel >= 0 and place in places:
                raise ValueError(f"has two tiles in row {tile.row}, col {tile.col}")
            places.add(place)
        self._check_places()
        return self

    def _check_places(self) -> None:
        """Raise where few tiles lie so far apart that no panel of theirs can be meant."""
        reach: dict[int, tuple[int, int]] = {0: (self.rows, self.cols)}
        for tile in self.tiles:
            if tile.panel >= 0:
                rows, cols = reach.get(tile.panel, (0, 0))
                reach[tile.panel] = max(rows, tile.row + 1), max(cols, tile.col + 1)
        places = sum(rows * cols for rows, cols in reach.values())
        if places > (most := most_places(len(self.tiles))):
            raise ValueError(
                f"has {places:,} places for {len(self.tiles):,} tiles; {most:,} are possible"
            )

    @classmethod
    def of(
        cls,
        assembly: Assembly,
        files: tuple[str, ...],
        confidence: np.ndarray | None = None,
        records: Sequence[Record] = (),
        halved: Halved | None = None,
        **about: Any,
    ) -> "Solution":
        """Make a solution of an assembly of n tiles.

        Args:
            assembly: Where the tiles lie.
            files: Their n names.
            confidence: How sure each tile's place is, from 0 to 1 [n].
            records: What is on record of each tile, if anything.
            halved: Whether each tile is half as high, and half as wide [n, 2]; None if none is.
            **about: The other fields, such as ``measure`` and ``seed``.
        """
        known = records or (Record(),) * len(files)
        half = half_names(halved, len(files))
        tiles = [
            PlacedTile(
                file=file,
                row=int(assembly.row[i]),
                col=int(assembly.col[i]),
                turn=int(assembly.turn[i]) * 90,  # type: ignore[arg-type]
                panel=int(assembly.panel[i]),
                confidence=None if confidence is None else round(float(confidence[i]), 4),
                **{name: getattr(known[i], name) for name in DESCRIBING},
                half=half[i],  # type: ignore[arg-type]
            )
            for i, file in enumerate(files)
        ]
        return cls(rows=assembly.rows, cols=assembly.cols, tiles=tiles, **about)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(tile.file for tile in self.tiles)

    @property
    def mean_confidence(self) -> float | None:
        """The share of the placed tiles that is likely to lie right; None if that is unknown."""
        known = [tile.confidence for tile in self.tiles if tile.panel >= 0]
        sure = [confidence for confidence in known if confidence is not None]
        return sum(sure) / len(sure) if sure else None

    def with_records(self, records: Sequence[Record]) -> "Solution":
        """Return this solution with what the records of its tiles, in their order, say anew."""
        tiles = [
            tile.model_copy(
                update={
                    name: value
                    for name in DESCRIBING
                    if (value := getattr(known, name)) is not None
                }
            )
            for tile, known in zip(self.tiles, records, strict=True)
        ]
        return self.model_copy(update={"tiles": tiles})

    def with_loose(self, files: Sequence[str]) -> "Solution":
        """Return this solution with those of ``files`` that it lacks added as unplaced tiles."""
        new = set(files) - set(self.files)
        loose = [
            PlacedTile(file=file, row=0, col=0, turn=0, panel=-1, confidence=None)
            for file in files
            if file in new
        ]
        return self.model_copy(update={"tiles": self.tiles + loose})

    def assembly(self, files: tuple[str, ...] | None = None) -> Assembly:
        """Return the assembly of the tiles ``files``, in their order; of all tiles by default.

        Raises:
            AzulejarError: If the solution lacks one of the files.
        """
        tiles = self._tiles(files)
        return Assembly.of(
            [t.row for t in tiles],
            [t.col for t in tiles],
            [t.turn // 90 for t in tiles],
            [t.panel for t in tiles],
            self._size(),
        )

    def halved(self, files: tuple[str, ...] | None = None) -> Halved | None:
        """Return whether each of the tiles ``files`` is half as high, and half as wide [n, 2].

        None if all are whole.
        """
        return halved_by_names([tile.half for tile in self._tiles(files)])

    def _tiles(self, files: tuple[str, ...] | None) -> list[PlacedTile]:
        by_file = {tile.file: tile for tile in self.tiles}
        try:
            return [by_file[file] for file in (self.files if files is None else files)]
        except KeyError as error:
            raise AzulejarError(
                "solution-lacks-tile",
                "The solution has no tile {file}.",
                "Give a solution and tiles that belong together.",
                file=error.args[0],
            ) from None

    def _size(self) -> tuple[int, int] | None:
        """Return rows and cols if there is one panel and all its tiles lie within."""
        placed = [tile for tile in self.tiles if tile.panel >= 0]
        one = len({tile.panel for tile in placed}) == 1
        within = all(tile.row < self.rows and tile.col < self.cols for tile in placed)
        return (self.rows, self.cols) if one and within else None

    def save(
        self,
        path: str | os.PathLike[str],
        seen_from: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write as JSON, one tile a line.

        ``folder`` becomes relative to the folder where the file is going to lie: ``seen_from``,
        or that of ``path``.
        """
        data = self.model_dump(exclude_none=True)
        if self.folder is not None:
            home = os.path.realpath(seen_from or Path(path).parent)
            data["folder"] = Path(os.path.relpath(self.folder, home)).as_posix()
        data["tiles"] = data.pop("tiles")  # last, since it is long
        with replacing(path) as temporary:
            temporary.write_text(json_text(data), encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Solution":
        """Read and check a solution; a relative ``folder`` is taken from where the file lies.

        Raises:
            AzulejarError: If the file cannot be read, or is no solution.
        """
        path = Path(path)
        try:
            solution = cls.model_validate_json(read_bytes(path).decode("utf-8-sig"), strict=True)
            if solution.folder is not None:
                # Unlike Path.resolve, it does not fail where links lead in a circle.
                solution.folder = os.path.realpath(path.parent / solution.folder)
        except ValueError as error:
            if isinstance(error, ValidationError):
                where, reason = validation_problem(error)
            elif isinstance(error, UnicodeDecodeError):
                where, reason = "", "is not UTF-8 text"
            else:  # of realpath, at a NUL or half of a character
                where, reason = "folder", "is no path"
            raise AzulejarError(
                "solution-invalid",
                "{path} is not a solution: {where} {reason}.",
                "See the file contract in docs/formats.md.",
                path=str(path),
                where=where or "it",
                reason=reason,
            ) from error
        return solution
