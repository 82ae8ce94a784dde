"""Messages between the page and the server about museums."""

from typing import Annotated, Literal

from pydantic import Field

from azulejar.app.job_schemas import Job
from azulejar.app.schemas import Name, PanelPlace, ProjectId, Schema, Turn
from azulejar.collection.history import Moment
from azulejar.collection.search.tile_list import ListedCrate, ListedTile

TileNumber = Annotated[int, Field(ge=0, lt=2**31)]


class MuseumSummary(Schema):
    """A museum in the list."""

    museum: ProjectId
    name: str
    tiles: int


class Museum(Schema):
    """What the page of a museum begins with.

    ``states`` counts tiles: grouped, doubtful, stray, new since the last sort, and double, those
    photographed twice. ``panels`` are those of the last sort, of which ``solved`` are put together.
    ``one`` says whether the server serves this museum alone.
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
    jobs: list[Job]


class TilePage(Schema):
    """Some tiles of a list that has ``total`` of them."""

    total: int
    first: int
    tiles: list[ListedTile]


class CratePage(Schema):
    """Some crates of a list that has ``total`` of them."""

    total: int
    first: int
    crates: list[ListedCrate]


class Fit(Schema):
    """A tile that fits: at which ``side`` of the given one, and how it is turned there."""

    tile: ListedTile
    side: Annotated[int, Field(ge=0, le=3)]
    turn: Turn
    probability: float


class Panel(Schema):
    """A panel of the last sort; the fields from ``rows`` on are None until it is put together.

    ``probability``: that its tiles belong together. ``crates``: tiles by crate, most first, of
    ``crate_count``. ``outdated``: it was put together of other tiles than it has now. ``project``:
    the table on which it was opened; ``touched`` if somebody has laid tiles there.
    """

    name: str
    tiles: int
    probability: float
    crates: list[tuple[str, int]]
    crate_count: int
    rows: int | None = None
    cols: int | None = None
    confidence: float | None = None
    doubtful: int | None = None
    holes: int | None = None
    complete: float | None = None
    outdated: bool = False
    project: str | None = None
    touched: bool = False


class PanelPage(Schema):
    """Some panels of a list that has ``total`` of them."""

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


class PanelName(Schema):
    """Which panel is meant."""

    panel: Name


class OpenedPanel(Schema):
    """The project of a panel on the table."""

    project: ProjectId


class KnownFile(Schema):
    """A file that is to be uploaded, by name and bytes."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    size: Annotated[int, Field(ge=0)]


class KnownFiles(Schema):
    """Files of a crate that are to be uploaded; ``photographs`` show several tiles each."""

    crate: Name
    photographs: bool = False
    files: list[KnownFile]


class MissingFiles(Schema):
    """Names of those that have not arrived yet."""

    missing: list[str]


class Move(Schema):
    """Put tiles into a panel of that name, which may be new; what it had stays in it."""

    tiles: Annotated[list[TileNumber], Field(min_length=1)]
    to: Name


class Gift(PanelPlace):
    """Lay a tile of the museum in a place of the table of a panel, to which it then belongs."""

    project: ProjectId
    tile: TileNumber
    turn: Turn = 0


class Union(Schema):
    """Make one panel of two: all tiles of ``panel`` come to ``to``."""

    panel: Name
    to: Name


class Report(Schema):
    """What the director's report says, in numbers.

    ``shares`` counts tiles: in panels that are sure, fair or to be checked, waiting in groups, and
    strays. ``selections``: crates to open together, with the share of a panel that they hold.
    """

    tiles: int
    crates: int
    panels: int
    solved: int
    strays: int
    duplicates: int
    places: int
    placed: int
    whole: int
    doubtful: int
    outdated: int
    vanished: int
    shares: dict[Literal["sure", "fair", "check", "waiting", "rest"], int]
    finest: list[Panel]
    selections: list[tuple[str, list[str], float]]
    days: list[tuple[str, int]]
    history: list[Moment]
