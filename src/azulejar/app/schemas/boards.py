"""Messages about boards: tile positions, edits, confidence and versions."""

from typing import Annotated, Literal

from pydantic import Field

from azulejar.app.schemas.messages import Name, PlainName, Schema
from azulejar.app.schemas.tiles import TileId
from azulejar.core.limits import LONGEST
from azulejar.core.mask import TILE

LOOSE = -1  # the panel number of tiles in the tray
BEYOND = 4  # sides of a picture, at most, by which a corner lies outside of it
MOST_OUTLINED = 500  # rows, or cols, of an outline that is drawn
Panel = Annotated[int, Field(ge=LOOSE, lt=10_000)]
Coordinate = Annotated[int, Field(ge=-LONGEST, le=LONGEST)]  # may be above or left of the panel
Turn = Literal[0, 90, 180, 270]  # clockwise from the tile's file
Count = Annotated[int, Field(ge=1, le=LONGEST)]
Share = Annotated[float, Field(ge=-BEYOND, le=1 + BEYOND)]  # of a picture's side


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
    """The shape of a panel, drawn as rows of ``#`` (tile) and ``.`` (no tile).

    The first row and col of the ``mask`` are ``row`` and ``col``; an edit without a mask takes the
    outline away.
    """

    mask: Annotated[
        list[Annotated[str, Field(max_length=MOST_OUTLINED, pattern=r"^[#.]*$")]],
        Field(max_length=MOST_OUTLINED),
    ]

    def places(self) -> list[tuple[int, int]]:
        """Return the row and column on the board of every place that takes a tile."""
        return [
            (self.row + row, self.col + col)
            for row, line in enumerate(self.mask)
            for col, letter in enumerate(line)
            if letter == TILE
        ]


class PanelReference(Schema):
    """An old picture of a panel, stored in the project's ``references`` folder.

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
    locked: list[TileId] = Field(default=[])
    forbidden: list[Pair] = Field(default=[])
    accepted: list[Pair] = Field(default=[])
    missing: list[PanelPlace] = Field(default=[])
    outlines: list[PanelOutline] = Field(default=[])
    references: list[PanelReference] = Field(default=[])
    panels: list[Name] = Field(default=["1"])


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
        """Whether this edit changes only old pictures."""
        lists = self.model_fields_set - {"revision", "label", "references"}
        return bool(self.references) and not any(getattr(self, name) for name in lists)


class BoardState(Schema):
    """The current board, and the labels of the actions that ``who`` can undo and redo next.

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
    tiles: list[TileConfidence] = Field(default=[])
    mean: float | None = None
    probably_wrong: bool = False


class CandidateFit(Schema):
    """A candidate tile for a place, in its best-fitting turn.

    ``joints``: probabilities clockwise from the top, None where there is no neighbour.
    ``placed``: whether the tile lies in a panel at present.
    """

    tile: TileId
    turn: Turn
    probability: float
    joints: list[float | None]
    placed: bool


class Candidates(Schema):
    """Candidate tiles for a place, best first; ``none`` is the probability that none fits."""

    place: PanelPlace
    fits: list[CandidateFit]
    none: float


class Version(Schema):
    """A saved board. ``source``: solve, sort, cut, hand or open."""

    version: int
    name: str
    source: str
    created: str
    panels: int
    placed: int
    confidence: float | None = None


class NewVersion(Schema):
    """Save the current board under a name."""

    name: Name


class VersionBoard(Schema):
    """A version with its board."""

    version: Version
    board: Board
