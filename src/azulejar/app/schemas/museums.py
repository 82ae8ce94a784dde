"""Messages between the page and the server about museums."""

from typing import Annotated, Literal

from pydantic import Field

from azulejar.app.schemas.boards import PanelPlace, Turn
from azulejar.app.schemas.jobs import Job
from azulejar.app.schemas.messages import Name, ProjectId, Schema
from azulejar.collection.history import Moment
from azulejar.collection.search.tile_list import ListedCrate, ListedTile

TileNumber = Annotated[int, Field(ge=0, lt=2**31)]


class MuseumSummary(Schema):
    """A museum in the list.

    ``working`` is the kind of the running or next queued job of the museum, or of the table of a
    ``panel``.
    """

    museum: ProjectId
    name: str
    tiles: int
    archived: bool
    working: str | None = None
    fraction: float | None = None
    panel: str | None = None


class Museum(Schema):
    """The data with which the page of a museum starts.

    ``states`` counts tiles: grouped, doubtful, stray, new since the last sort, double, those
    photographed twice, and removed, which ``tiles`` does not count. ``panels`` are those of the
    last sort, of which ``solved`` are put together. ``one`` says whether the server serves this
    museum alone. ``pictures`` changes whenever the picture of a tile is replaced.
    ``patterns_sought`` is when patterns were looked for last. ``undo`` and ``redo`` are the labels
    of the moves that the person can undo and redo.
    """

    museum: ProjectId
    name: str
    tiles: int
    crates: int
    states: dict[str, int]
    sorted: bool
    panels: int
    solved: int
    one: bool
    pictures: int
    patterns_sought: str | None
    jobs: list[Job]
    undo: str | None
    redo: str | None


class TilePage(Schema):
    """One page of a list of ``total`` tiles."""

    total: int
    first: int
    tiles: list[ListedTile]


class CratePage(Schema):
    """One page of a list of ``total`` crates."""

    total: int
    first: int
    crates: list[ListedCrate]


class Fit(Schema):
    """A tile that fits: at which ``side`` of the given one, and how it is turned there."""

    tile: ListedTile
    side: Annotated[int, Field(ge=0, le=3)]
    turn: Turn
    probability: float


Seam = Literal["few", "doubtful", "mirrored"]
"""How a part that may be a second panel meets the rest: by few joints, by doubtful ones, or along a
seam whose sides mirror each other."""


class Panel(Schema):
    """A panel of the last sort; the fields from ``rows`` on are None until it is put together.

    ``probability``: that its tiles belong together; ``apart``: tiles of a part that may be a panel
    of its own; ``loose``: of a part that mostly doubtful joints connect, or, if ``mirrored``, a
    seam as between two panels. ``crates``: tiles by crate, most first, of ``crate_count``.
    ``outside``: tiles beyond the ``rows`` and ``cols``. ``outdated``: it was put together of other
    tiles than it has now. ``project``: the table on which it was opened; ``touched`` if somebody
    has laid tiles there.
    """

    name: str
    tiles: int
    probability: float
    apart: int = 0
    loose: int = 0
    mirrored: bool = False
    crates: list[tuple[str, int]]
    crate_count: int
    rows: int | None = None
    cols: int | None = None
    confidence: float | None = None
    doubtful: int | None = None
    holes: int | None = None
    outside: int | None = None
    complete: float | None = None
    outdated: bool = False
    project: str | None = None
    touched: bool = False


class PanelPage(Schema):
    """One page of a list of ``total`` panels."""

    total: int
    first: int
    panels: list[Panel]


class Pattern(Schema):
    """Alike tiles in great number, of so many ``designs``, and how they repeat.

    ``rows`` and ``cols`` are those of the module, ``drop`` the rows by which each hangs lower than
    the one to its left, ``symmetry`` the sign of its plane group; ``good``, ``worn`` and ``poor``
    count tiles by their condition.
    """

    name: str
    tiles: int
    designs: int
    rows: int
    cols: int
    drop: int
    symmetry: str
    good: int
    worn: int
    poor: int
    crates: list[str]


class PatternName(Schema):
    """The new name of a pattern; that of another one makes both one pattern."""

    pattern: Name
    name: Name


class PanelName(Schema):
    """A panel, by name."""

    panel: Name


class OpenedPanel(Schema):
    """The project in which a panel was opened, its table."""

    project: ProjectId


class KnownFile(Schema):
    """A file to be uploaded: its name and size in bytes."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    size: Annotated[int, Field(ge=0)]


class KnownFiles(Schema):
    """Files to be uploaded for a crate; ``photographs`` show several tiles each."""

    crate: Name
    photographs: bool = False
    files: list[KnownFile]


class MissingFiles(Schema):
    """The names of the files still missing."""

    missing: list[str]


class Move(Schema):
    """Move tiles into the panel named ``to``, creating it if necessary."""

    tiles: Annotated[list[TileNumber], Field(min_length=1)]
    to: Name


class Removal(Schema):
    """Remove tiles; one of them may be merged with another, which is ``kept``."""

    tiles: Annotated[list[TileNumber], Field(min_length=1, max_length=20_000)]
    kept: TileNumber | None = None


class Restoring(Schema):
    """Restore removed tiles."""

    tiles: Annotated[list[TileNumber], Field(min_length=1, max_length=20_000)]


class Gift(PanelPlace):
    """Place a tile of the museum in an open panel, and make it part of that panel."""

    project: ProjectId
    tile: TileNumber
    turn: Turn = 0


class Union(Schema):
    """Merge two panels: move all tiles of ``panel`` to ``to``."""

    panel: Name
    to: Name


class Report(Schema):
    """The figures of the director's report.

    ``shares`` counts tiles: in panels that are sure, fair or to be checked, waiting to be put
    together, new since the last sort, and strays; ``grouped`` are all that are in panels.
    ``apart`` counts panels that may hold two. ``selections``: crates to open together, with the
    share of a panel that they hold.
    """

    tiles: int
    crates: int
    panels: int
    solved: int
    grouped: int
    strays: int
    duplicates: int
    places: int
    placed: int
    whole: int
    doubtful: int
    apart: int
    outdated: int
    vanished: int
    shares: dict[Literal["sure", "fair", "check", "waiting", "new", "rest"], int]
    finest: list[Panel]
    selections: list[tuple[str, list[str], float]]
    days: list[tuple[str, int]]
    history: list[Moment]
