"""``knowns.json``, and all that is known of a panel put together for a solver."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from azulejar.core.edges import SIDES
from azulejar.core.knowns import Knowns, Lock
from azulejar.core.limits import LONGEST
from azulejar.core.mask import Mask, empty_places, parse_mask, write_rows
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.constraints import Constraints, check_reach
from azulejar.knowledge.inventory import locks_of, outer_of, panels_of
from azulejar.system.atomic import replacing
from azulejar.system.json_text import json_text
from azulejar.system.reading import read_bytes, repeated_key, validation_problem

LISTS = ("locked", "joined", "apart", "together", "empty", "mask")

Side = Literal["top", "right", "bottom", "left"]
Turn = Literal[0, 90, 180, 270]
Count = Annotated[int, Field(ge=0, lt=LONGEST)]
Size = Annotated[int, Field(ge=1, le=LONGEST)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LockedTile(_Strict):
    """A tile whose row, col or turn is known."""

    tile: str
    row: Count | None = None
    col: Count | None = None
    turn: Turn | None = None


class JoinedTile(_Strict):
    """A tile of a joined set: its place and turn relative to the others."""

    tile: str
    row: int = Field(gt=-LONGEST, lt=LONGEST)
    col: int = Field(gt=-LONGEST, lt=LONGEST)
    turn: Turn = 0


class RefusedPair(_Strict):
    """Two tiles, or two of their sides, that must not meet."""

    tile: str
    other: str
    side: Side | None = None
    other_side: Side | None = None


class EmptyPlace(_Strict):
    """A place whose tile is missing."""

    row: Count
    col: Count


class KnownsFile(_Strict):
    """What ``knowns.json`` holds; rows and cols count from 0, as in ``solution.json``."""

    format: Literal["azulejar-knowns/1"] = "azulejar-knowns/1"
    rows: Size | None = None
    cols: Size | None = None
    upright: bool | None = None
    locked: list[LockedTile] = []
    joined: list[list[JoinedTile]] = []
    apart: list[RefusedPair] = []
    together: list[list[str]] = []
    empty: list[EmptyPlace] = []
    mask: list[str] = Field(default=[], max_length=LONGEST)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "KnownsFile":
        """Read and check a ``knowns.json``."""
        try:
            text = read_bytes(path).decode("utf-8-sig")
            knowns = cls.model_validate_json(text, strict=True)
        except UnicodeDecodeError as error:
            raise AzulejarError(
                "knowns-not-utf8", "{path} is not UTF-8 text.", "Save it as UTF-8.", path=str(path)
            ) from error
        except ValidationError as error:
            where, reason = validation_problem(error)
            raise _invalid(f"{path}, {where}" if where else str(path), reason) from error
        if (key := repeated_key(text)) is not None:
            raise _invalid(str(path), f"gives {key!r} twice")
        return knowns

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write as JSON, one entry a line."""
        with replacing(path) as temporary:
            text = json_text(self.model_dump(exclude_none=True), LISTS)
            temporary.write_text(text, encoding="utf-8")

    def with_mask(self, mask: Mask) -> "KnownsFile":
        """Return these knowns with ``mask`` added."""
        if self.mask:
            raise AzulejarError(
                "mask-given-twice",
                "A mask is given, and the knowns hold one too.",
                "Give one of them.",
            )
        return self.model_copy(update={"mask": write_rows(mask)})

    def knowns(self, names: Sequence[Sequence[str]]) -> Knowns:
        """Return these knowns for tiles that may be called by ``names`` (see ``tile_names``)."""
        tiles = _TilesByName(names)
        mask = parse_mask(self.mask) if self.mask else None
        rows, cols = (None, None) if mask is None else mask.shape
        outside = () if mask is None else empty_places(mask)
        return Knowns(
            _agree("rows", rows, self.rows),
            _agree("cols", cols, self.cols),
            bool(self.upright),
            locks=tuple(tiles.lock(one, f"locked {i}") for i, one in enumerate(self.locked, 1)),
            joined=tuple(
                tuple(tiles.lock(one, f"joined {i}") for one in block)
                for i, block in enumerate(self.joined, 1)
            ),
            apart=tuple(
                pair
                for i, one in enumerate(self.apart, 1)
                for pair in tiles.refused(one, f"apart {i}")
            ),
            empty=tuple(sorted({*outside, *((one.row, one.col) for one in self.empty)})),
            together=tuple(
                tuple(tiles.find(name, f"together {i}") for name in group)
                for i, group in enumerate(self.together, 1)
            ),
        )


def load_knowns(
    tiles: TileSet,
    path: str | os.PathLike[str] | None = None,
    *,
    rows: int | None = None,
    cols: int | None = None,
    upright: bool = False,
) -> Knowns:
    """Gather what is known of one panel: from ``tiles.csv``, a ``knowns.json`` and arguments.

    Args:
        tiles: The tiles, with what is on record of them.
        path: A ``knowns.json`` (see docs/formats.md).
        rows: Rows of the panel; has to agree with the file.
        cols: Cols of the panel; has to agree with the file.
        upright: Whether no tile is turned.

    Raises:
        AzulejarError: If the file is invalid, names other tiles, or contradicts the rest.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "knowns.json"
        ...     _ = path.write_text('{"cols": 4, "locked": [{"tile": "03.png", "turn": 90}]}')
        ...     knowns = azulejar.load_knowns(tiles, path)
        >>> knowns.rows, knowns.locks[0].tile, knowns.locks[0].turn
        (4, 3, 1)
    """
    stated = None if path is None else KnownsFile.load(path)
    return gather_knowns(tiles, stated, rows, cols, upright)


def gather_knowns(
    tiles: TileSet,
    stated: KnownsFile | None = None,
    rows: int | None = None,
    cols: int | None = None,
    upright: bool = False,
    *,
    few_of_many: bool = False,
) -> Knowns:
    """Return the knowns of one panel of these tiles, free of contradictions.

    What the tiles' records say and what is ``stated`` count together; sizes that are given twice
    have to agree. Where no size is known, rows and cols may not lie beyond what the tiles can fill,
    unless they are a ``few_of_many``, which a program has sorted out.
    """
    stated = stated or KnownsFile()
    if upright and stated.upright is False:
        raise AzulejarError(
            "knowns-upright-disagrees",
            "The tiles are to be upright, but the knowns say that they are turned.",
            "Correct one of them.",
        )
    known = stated.knowns(tile_names(tiles))
    source = "the mask has" if stated.mask else "the knowns say"
    if stated.mask:
        _check_mask(known, len(tiles))
    knowns = replace(
        known,
        rows=_agree("rows", rows, known.rows, source),
        cols=_agree("cols", cols, known.cols, source),
        upright=upright or known.upright,
        together=known.together + tuple(panels_of(tiles.records).values()),
        outer=outer_of(tiles.records),
    ).for_tiles(len(tiles))
    locks = locks_of(tiles.records, knowns.rows) + known.locks
    knowns = replace(knowns, locks=locks).for_tiles(len(tiles))
    if not few_of_many:
        check_reach(knowns, len(tiles), tiles.numbers)
    Constraints.of(knowns, len(tiles), tiles.numbers)
    return knowns


def _check_mask(known: Knowns, tiles: int) -> None:
    """Raise unless the mask, which has told size and empty places, has a place for each tile."""
    places = (known.rows or 0) * (known.cols or 0) - len(known.empty)
    if places < tiles:
        raise AzulejarError(
            "mask-too-small",
            "The mask has {places} places, but there are {tiles} tiles.",
            "Draw a place for each tile, # in text and dark in a picture, or check the folder for "
            "extra tiles.",
            places=places,
            tiles=tiles,
        )


def tile_names(tiles: TileSet) -> list[tuple[str, ...]]:
    """Return the names that each tile may be called by: its file, inventory number and stem."""
    return [
        (file, number, Path(file).stem)
        for file, number in zip(tiles.files, tiles.numbers, strict=True)
    ]


def _agree(
    what: str, asked: int | None, stated: int | None, source: str = "the knowns say"
) -> int | None:
    if asked is not None and stated is not None and asked != stated:
        raise AzulejarError(
            "knowns-size-disagrees",
            "The panel is to have {asked} {what}, but {source} {stated}.",
            "Correct one of them.",
            asked=asked,
            what=what,
            source=source,
            stated=stated,
        )
    return stated if asked is None else asked


class _TilesByName:
    """Tiles by any of their names; of equal names, the earlier kind counts."""

    def __init__(self, names: Sequence[Sequence[str]]) -> None:
        self._tile: dict[str, int] = {}
        for rank in range(max(map(len, names), default=0)):
            for tile, own in enumerate(names):
                if rank < len(own):
                    self._tile.setdefault(own[rank], tile)

    def find(self, name: str, where: str) -> int:
        if name not in self._tile:
            raise AzulejarError(
                "knowns-unknown-tile",
                "{where} speaks of a tile {name} that is not here.",
                "Give a file name or an inventory number of the folder.",
                where=where,
                name=name,
            )
        return self._tile[name]

    def lock(self, one: LockedTile | JoinedTile, where: str) -> Lock:
        turn = None if one.turn is None else one.turn // 90
        return Lock(self.find(one.tile, where), one.row, one.col, turn, where)

    def refused(self, one: RefusedPair, where: str) -> list[tuple[int, int]]:
        tile, other = self.find(one.tile, where), self.find(one.other, where)
        if tile == other:
            raise AzulejarError(
                "knowns-tile-named-twice",
                "{where} names one tile twice.",
                "Name two tiles.",
                where=where,
            )
        return [
            (4 * tile + a, 4 * other + b)
            for a, b in product(_sides(one.side), _sides(one.other_side))
        ]


def _sides(side: Side | None) -> Sequence[int]:
    return range(4) if side is None else (SIDES.index(side),)


def _invalid(place: str, reason: str) -> AzulejarError:
    return AzulejarError(
        "knowns-invalid",
        "{place}: {reason}.",
        "See knowns.json in docs/formats.md.",
        place=place,
        reason=reason,
    )
