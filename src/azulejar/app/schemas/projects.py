"""Messages between the page and the server about boards, versions and projects."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from azulejar.core.limits import LONGEST
from azulejar.core.mask import TILE
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError

Side = Literal["top", "right", "bottom", "left"]
LOOSE = -1  # the panel number of tiles in the tray
BEYOND = 4  # sides of a picture, at most, by which a corner lies outside of it
MOST_OUTLINED = 500  # rows, or cols, of an outline that is drawn

TileId = Annotated[int, Field(ge=0, lt=2**31)]
Panel = Annotated[int, Field(ge=LOOSE, lt=10_000)]
Coordinate = Annotated[int, Field(ge=-LONGEST, le=LONGEST)]  # may be above or left of the panel
Turn = Literal[0, 90, 180, 270]  # clockwise from the tile's file
Count = Annotated[int, Field(ge=1, le=LONGEST)]
Share = Annotated[float, Field(ge=-BEYOND, le=1 + BEYOND)]  # of a picture's side
PlainName = Annotated[str, Field(max_length=220, pattern=r"^[^./\\\x00-\x1f][^/\\\x00-\x1f]*$")]
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
ProjectId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]


class Schema(BaseModel):
    """Base of all messages: unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """An error: the body of every reply of status 400 and above.

    ``problem`` and ``remedy`` are English sentences; a page in another language phrases its own
    from ``code`` and ``values``.
    """

    code: str = "unnamed"
    values: dict[str, JsonValue] = {}
    problem: str
    remedy: str

    @classmethod
    def of(cls, error: AzulejarError) -> "Problem":
        """Return the message for an error."""
        return cls(
            code=error.code,
            values=json_values(error.values),
            problem=error.problem,
            remedy=error.remedy,
        )


def json_values(values: dict[str, Any]) -> dict[str, JsonValue]:
    """Return the values of an error or note as JSON has them; what JSON lacks becomes text."""
    plain = (str, int, float, bool, type(None))
    return {
        name: value
        if isinstance(value, plain)
        else [str(each) for each in value]
        if isinstance(value, list | tuple)
        else str(value)
        for name, value in values.items()
    }


# The board


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
    """Where a file was cut out; ``corners`` start at the tile's top left, as its file shows it."""

    file: str
    folder: Literal["photographs", "panel"]
    photo: str
    corners: Corners


class FragmentJoin(Schema):
    """Fragments of one tile, joined; ``made`` if the tile is in the project, by a person's
    ``verdict`` or because it is sure.
    """

    join: str
    fragments: list[str]
    probability: float | None
    made: bool
    verdict: bool | None


class Fragments(Schema):
    """The fragments of broken tiles in a project, by their names, and their joins."""

    fragments: list[str]
    joins: list[FragmentJoin]


class JoinVerdict(Schema):
    """What a person says of a join: that it is right, wrong, or (None) nothing any more."""

    verdict: bool | None
    label: Name


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


class TileChange(Schema):
    """New values of fields of some tiles, as one action; fields that are not given stay.

    An empty text removes a value. An inventory number is given to one tile only. ``outer`` says of
    sides, as the tiles lie on the table, whether they are outer sides; sides not given stay.
    """

    tiles: Annotated[list[TileId], Field(min_length=1, max_length=20_000)]
    label: Name
    number: Name | None = None
    crate: Annotated[str, Field(max_length=120)] | None = None
    code: Annotated[str, Field(max_length=120)] | None = None
    note: Annotated[str, Field(max_length=2000)] | None = None
    thickness: Annotated[float, Field(gt=0, le=1000)] | None = None
    outer: dict[Side, bool] | None = None

    def values(self) -> dict[str, str | float | None]:
        """Return the new values by field, but for outer sides."""
        given = self.model_dump(include=self.model_fields_set - {"tiles", "label", "outer"})
        return {
            name: (value.strip() or None) if isinstance(value, str) else value
            for name, value in given.items()
        }


class Placed(Schema):
    """Position and turn of a tile; ``row`` and ``col`` have no meaning in the tray."""

    tile: TileId
    panel: Panel
    row: Coordinate = 0
    col: Coordinate = 0
    turn: Turn = 0


class PanelPlace(Schema):
    """A cell of a panel."""

    panel: Annotated[int, Field(ge=0, lt=10_000)]
    row: Coordinate
    col: Coordinate


class PanelOutline(PanelPlace):
    """The places of a panel, as rows of ``#`` (for a tile) and ``.`` (for none).

    The first row and col of the ``mask`` are ``row`` and ``col``; an edit without a mask takes the
    outline away.
    """

    mask: Annotated[
        list[Annotated[str, Field(max_length=MOST_OUTLINED, pattern=r"^[#.]*$")]],
        Field(max_length=MOST_OUTLINED),
    ]

    def places(self) -> list[tuple[int, int]]:
        """Return row and col, on the board, of each place for a tile."""
        return [
            (self.row + row, self.col + col)
            for row, line in enumerate(self.mask)
            for col, letter in enumerate(line)
            if letter == TILE
        ]


class PanelReference(Schema):
    """An old picture of a panel, a file of the project's folder references.

    ``corners`` are those of the panel in the picture, clockwise from the panel's top left, in
    shares of the picture's width and height; where it is cut off, they lie outside. None: they are
    not known. ``believed``: the panel was solved with it as a guide. An edit without a ``file``
    takes the picture away.
    """

    panel: Annotated[int, Field(ge=0, lt=10_000)]
    file: PlainName | None
    corners: Annotated[list[tuple[Share, Share]], Field(min_length=4, max_length=4)] | None = None
    believed: bool = False


class Pair(Schema):
    """Two sides of two tiles, 0 top, 1 right, 2 bottom, 3 left as their files show them."""

    tile: TileId
    side: Annotated[int, Field(ge=0, le=3)]
    other: TileId
    other_side: Annotated[int, Field(ge=0, le=3)]


class Board(Schema):
    """The whole state that undo and versions restore.

    ``accepted`` and ``forbidden`` are the joints that people have judged as right and as wrong;
    ``outlines`` are those of panels whose shape people have drawn, ``references`` old pictures of
    panels, one of each at most.
    """

    placed: list[Placed]
    locked: list[TileId] = []
    forbidden: list[Pair] = []
    accepted: list[Pair] = []
    missing: list[PanelPlace] = []
    outlines: list[PanelOutline] = []
    references: list[PanelReference] = []
    panels: list[Name] = ["1"]


class Edit(Schema):
    """One change by hand, made completely or not at all, to the board of that ``revision``.

    Lists hold only what changes. A tile may be placed where another lies only if that one is
    placed elsewhere by the same edit. Locked tiles are moved only by an edit that unlocks them.
    ``doubt`` takes back ``accept``, as ``allow`` takes back ``forbid``; ``remove`` takes tiles out
    of the project until that is undone.
    """

    revision: int = Field(ge=0)
    label: Name
    placed: list[Placed] = Field([], max_length=20_000)
    lock: list[TileId] = Field([], max_length=20_000)
    unlock: list[TileId] = Field([], max_length=20_000)
    forbid: list[Pair] = Field([], max_length=20_000)
    allow: list[Pair] = Field([], max_length=20_000)
    accept: list[Pair] = Field([], max_length=20_000)
    doubt: list[Pair] = Field([], max_length=20_000)
    remove: list[TileId] = Field([], max_length=20_000)
    missing: list[PanelPlace] = Field([], max_length=20_000)
    present: list[PanelPlace] = Field([], max_length=20_000)
    outlines: list[PanelOutline] = Field([], max_length=100)
    references: list[PanelReference] = Field([], max_length=100)

    @property
    def only_references(self) -> bool:
        """Whether it changes nothing but old pictures."""
        lists = self.model_fields_set - {"revision", "label", "references"}
        return bool(self.references) and not any(getattr(self, name) for name in lists)


class BoardState(Schema):
    """The present board, and the labels of the actions that ``who`` can undo and redo.

    ``tiles_changed``: whether tiles were removed or brought back, or their records changed.
    """

    revision: int
    board: Board
    undo: str | None
    redo: str | None
    who: str = ""
    tiles_changed: bool = False


class Revision(Schema):
    """The revision of the board that an undo, redo or restore applies to."""

    revision: int = Field(ge=0)


class TileConfidence(Schema):
    """Probability that a tile lies correctly, and that its joints to the right and below do."""

    tile: TileId
    confidence: float
    right: float | None = None
    below: float | None = None


class Confidence(Schema):
    """Confidence of all placed tiles; ``scored`` is False until the edges have been scored.

    ``mean`` is the share of the placed tiles that is likely to lie right; ``probably_wrong`` says
    whether people should be warned of that.
    """

    revision: int
    scored: bool
    tiles: list[TileConfidence] = []
    mean: float | None = None
    probably_wrong: bool = False


class CandidateFit(Schema):
    """A tile that may belong in a place, at the turn that fits best.

    ``joints``: probabilities clockwise from the top, None where there is no neighbour.
    ``placed``: whether the tile lies in a panel at present.
    """

    tile: TileId
    turn: Turn
    probability: float
    joints: list[float | None]
    placed: bool


class Candidates(Schema):
    """Tiles that may belong in a place, best first; ``none``: probability that none does."""

    place: PanelPlace
    fits: list[CandidateFit]
    none: float


# Versions


class Version(Schema):
    """A saved board. ``source``: solve, sort, audit, cut, hand, import or open."""

    version: int
    name: str
    source: str
    created: str
    panels: int
    placed: int
    confidence: float | None = None


class NewVersion(Schema):
    """Save the present board under a name."""

    name: Name


class VersionBoard(Schema):
    """A version with its board."""

    version: Version
    board: Board


# Projects


class NewProject(Schema):
    """The name of a new project, or a new name for one."""

    name: Name


class ProjectSummary(Schema):
    """A project in the list; ``working`` is the kind of its running or next queued job."""

    project: ProjectId
    name: str
    created: str
    changed: str
    tiles: int
    panels: int
    archived: bool = False
    working: str | None = None
    fraction: float | None = None


class DeletedProject(Schema):
    """A project in the bin; ``entry`` is its name there."""

    entry: str
    name: str
    deleted: str
    tiles: int


class Archived(Schema):
    """Whether a project is archived."""

    archived: bool


class Uploaded(Schema):
    """The outcome of an upload: accepted files, and why others were passed over."""

    taken: list[str]
    passed_over: list[Problem]


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
