"""Messages about tiles: their records, photographs, fragments and pictures on the table."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from azulejar.app.schemas.messages import Name, Schema
from azulejar.core.tiles import Record

Side = Literal["top", "right", "bottom", "left"]
TileId = Annotated[int, Field(ge=0, lt=2**31)]


class NewProjectTile(Schema):
    """The record of a tile; ``doubt`` says why an imported tile should be checked.

    ``code`` is written on the back; ``thickness`` is in millimetres; ``outer`` names the sides that
    lay at the outline of the panel, of the picture in the file, such as "top left".
    """

    file: str
    number: str
    crate: str | None = None
    code: str | None = None
    note: str | None = None
    doubt: str | None = None
    thickness: float | None = None
    outer: str | None = None

    def record(self, known: Record) -> Record:
        """Return the record ``known`` from tiles.csv, updated by the project."""
        return replace(
            known,
            inventory=self.number,
            crate=self.crate,
            code=self.code,
            note=self.note,
            thickness=self.thickness,
            outer=self.outer,
        )


class ProjectTile(NewProjectTile):
    """A tile of a project, with its id."""

    tile: TileId


Point = tuple[Annotated[float, Field(ge=-1e6, le=1e6)], Annotated[float, Field(ge=-1e6, le=1e6)]]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]  # clockwise, in pixels


class TileSource(Schema):
    """Where a file was cut out; ``corners`` start at the tile's top left, as its file shows it.

    ``folder`` is that of the photograph, within the project or museum.
    """

    file: str
    folder: str
    photo: str
    corners: Corners


class SourceName(Schema):
    """The file name of the photograph that a tile was cut from, or None if there is none."""

    photo: str | None


class SourceView(Schema):
    """A photograph, a tile's corners in it, and the ``box`` (left, top, right, bottom) around."""

    photo: str
    width: int
    height: int
    corners: Corners
    box: tuple[int, int, int, int]


class CutAgain(Schema):
    """New corners of a tile in its photograph."""

    corners: Corners
    label: Name


class RecordChange(Schema):
    """New field values for some tiles, as one action; omitted fields stay unchanged.

    An empty text removes a value.
    """

    FIELDS: ClassVar[frozenset[str]] = frozenset({"code", "note", "thickness"})

    tiles: Annotated[list[TileId], Field(min_length=1, max_length=20_000)]
    code: Annotated[str, Field(max_length=120)] | None = None
    note: Annotated[str, Field(max_length=2000)] | None = None
    thickness: Annotated[float, Field(gt=0, le=1000)] | None = None

    def values(self) -> dict[str, str | float | None]:
        """Return the new values by field name."""
        given = self.model_dump(include=self.model_fields_set & self.FIELDS)
        return {
            name: (value.strip() or None) if isinstance(value, str) else value
            for name, value in given.items()
        }


class CatalogueChange(RecordChange):
    """New field values for tiles of a museum, each of which is in a crate.

    An inventory number can be given to one tile only.
    """

    FIELDS = RecordChange.FIELDS | {"crate"}

    number: Name | None = None
    crate: Annotated[str, Field(pattern=r"\S", max_length=120)] = ""


class TileChange(RecordChange):
    """New field values for tiles of a project, which also have a number, a crate and outer sides.

    An inventory number can be given to one tile only. ``outer`` says which sides, as the tiles lie
    on the table, are outer sides; omitted sides stay unchanged.
    """

    FIELDS = RecordChange.FIELDS | {"number", "crate"}

    label: Name
    number: Name | None = None
    crate: Annotated[str, Field(max_length=120)] | None = None
    outer: dict[Side, bool] | None = None


class FragmentJoin(Schema):
    """A proposed join of fragments into one tile.

    ``made`` says whether the joined tile is in the project, either because a person confirmed it
    (``verdict``) or because the program is sure.
    """

    join: str
    fragments: list[str]
    probability: float | None
    made: bool
    verdict: bool | None


class Fragments(Schema):
    """The names of all fragments of broken tiles in a project, and their proposed joins."""

    fragments: list[str]
    joins: list[FragmentJoin]


class JoinVerdict(Schema):
    """A person's verdict on a join: right, wrong, or None to withdraw it."""

    verdict: bool | None
    label: Name


class Atlas(Schema):
    """All tiles as square cells of a few large pictures, at each size in ``levels`` (px).

    On a level, ``columns`` cells of the level's size make a row and ``per_page`` cells a page;
    the cell of a tile is its position in ``tiles``. Page k of level s is at
    ``…/atlas/{stamp}/{s}/{k}``. ``stamp`` changes when tiles are added.
    """

    stamp: str
    levels: list[int]
    columns: list[int]
    per_page: list[int]
    tiles: list[TileId]
