"""``knowns.json``: what people know of a panel beyond the record of each tile."""

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from azulejar.core.knowns import Knowns, Lock
from azulejar.errors import AzulejarError
from azulejar.system.atomic import replacing

SIDES = ("top", "right", "bottom", "left")

Side = Literal["top", "right", "bottom", "left"]
Turn = Literal[0, 90, 180, 270]
Count = Annotated[int, Field(ge=0, lt=10**6)]
Size = Annotated[int, Field(ge=1, lt=10**6)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Locked(_Strict):
    """A tile whose row, col or turn is known."""

    tile: str
    row: Count | None = None
    col: Count | None = None
    turn: Turn | None = None


class Held(_Strict):
    """A tile among others that lie so to each other."""

    tile: str
    row: int = Field(gt=-(10**6), lt=10**6)
    col: int = Field(gt=-(10**6), lt=10**6)
    turn: Turn = 0


class Refused(_Strict):
    """Two tiles, or two of their sides, that must not meet."""

    tile: str
    other: str
    side: Side | None = None
    other_side: Side | None = None


class Place(_Strict):
    """A place whose tile is missing."""

    row: Count
    col: Count


class Statements(_Strict):
    """What ``knowns.json`` holds; rows and cols count from 0, as in ``solution.json``."""

    format: Literal["azulejar-knowns/1"] = "azulejar-knowns/1"
    rows: Size | None = None
    cols: Size | None = None
    upright: bool | None = None
    locked: list[Locked] = []
    joined: list[list[Held]] = []
    apart: list[Refused] = []
    together: list[list[str]] = []
    empty: list[Place] = []

    @classmethod
    def load(cls, path: Path) -> "Statements":
        """Read and check."""
        try:
            return cls.model_validate_json(Path(path).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise AzulejarError(
                f"Cannot read {path}: {error.strerror}.", "Check the path."
            ) from error
        except UnicodeDecodeError as error:
            raise AzulejarError(f"{path} is not UTF-8 text.", "Save it as UTF-8.") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = _where(first["loc"])
            raise AzulejarError(
                f"{path}{f', {where}' if where else ''}: {first['msg']}.",
                "See knowns.json in docs/formats.md.",
            ) from error

    def save(self, path: Path) -> None:
        """Write as JSON, one statement a line."""
        data = self.model_dump(exclude_none=True)
        parts = []
        for key, value in data.items():
            if isinstance(value, list):
                lines = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
                parts.append(f' "{key}": [\n  {lines}\n ]' if value else f' "{key}": []')
            else:
                parts.append(f' "{key}": {json.dumps(value)}')
        with replacing(path) as temporary:
            temporary.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")

    def knowns(self, names: Sequence[Sequence[str]]) -> Knowns:
        """For the tiles that go by these ``names``: of each its file, stem, inventory number."""
        tiles = _Names(names)
        return Knowns(
            self.rows,
            self.cols,
            bool(self.upright),
            locks=tuple(tiles.lock(one, f"locked {i}") for i, one in enumerate(self.locked, 1)),
            joined=tuple(
                tuple(tiles.lock(one, f"joined {i}") for one in held)
                for i, held in enumerate(self.joined, 1)
            ),
            apart=tuple(
                pair
                for i, one in enumerate(self.apart, 1)
                for pair in tiles.refused(one, f"apart {i}")
            ),
            empty=tuple((one.row, one.col) for one in self.empty),
            together=tuple(
                tuple(tiles.find(name, f"together {i}") for name in group)
                for i, group in enumerate(self.together, 1)
            ),
        )


class _Names:
    """Tiles by any of their names."""

    def __init__(self, names: Sequence[Sequence[str]]) -> None:
        self._tile: dict[str, int] = {}
        for rank in range(max(map(len, names), default=0)):
            for tile, own in enumerate(names):
                if rank < len(own):
                    self._tile.setdefault(own[rank], tile)

    def find(self, name: str, where: str) -> int:
        if name not in self._tile:
            raise AzulejarError(
                f"{where} speaks of a tile {name} that is not here.",
                "Give a file name or an inventory number of the folder.",
            )
        return self._tile[name]

    def lock(self, one: Locked | Held, where: str) -> Lock:
        turn = None if one.turn is None else one.turn // 90
        return Lock(self.find(one.tile, where), one.row, one.col, turn, where)

    def refused(self, one: Refused, where: str) -> list[tuple[int, int]]:
        tile, other = self.find(one.tile, where), self.find(one.other, where)
        if tile == other:
            raise AzulejarError(f"{where} names one tile twice.", "Name two tiles.")
        return [
            (4 * tile + a, 4 * other + b)
            for a, b in product(_sides(one.side), _sides(one.other_side))
        ]


def _sides(side: Side | None) -> Sequence[int]:
    return range(4) if side is None else (SIDES.index(side),)


def _where(location: Sequence[int | str]) -> str:
    """A place in the file, counted from 1, as people do."""
    return " ".join(str(part + 1) if isinstance(part, int) else str(part) for part in location)
