"""What the page and the server say to each other: the contract of every call."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

LOOSE = -1  # the panel of tiles that lie in the tray

TileId = Annotated[int, Field(ge=0, lt=2**31)]
Panel = Annotated[int, Field(ge=LOOSE, lt=10_000)]
Coordinate = Annotated[int, Field(ge=-10_000, le=10_000)]  # may be above or left of the panel
Turn = Literal[0, 90, 180, 270]  # clockwise from the tile's file
Count = Annotated[int, Field(ge=1, le=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
ProjectId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]


class Message(BaseModel):
    """Unknown fields are refused, so that a misspelt wish does not go unheard."""

    model_config = ConfigDict(extra="forbid")


class Problem(Message):
    """What went wrong, and what to do: the body of every answer of 400 and above."""

    problem: str
    remedy: str


# The board: where everything lies now.


class NewTile(Message):
    """What is on record of a tile; ``doubt`` says why an imported one should be looked at."""

    file: str
    number: str
    crate: str | None = None
    code: str | None = None
    note: str | None = None
    doubt: str | None = None


class Tile(NewTile):
    """A tile of the project."""

    tile: TileId


class Placed(Message):
    """Where a tile lies. ``row`` and ``col`` mean nothing in the tray."""

    tile: TileId
    panel: Panel
    row: Coordinate = 0
    col: Coordinate = 0
    turn: Turn = 0


class Place(Message):
    """A place of a panel."""

    panel: Annotated[int, Field(ge=0, lt=10_000)]
    row: Coordinate
    col: Coordinate


class Pair(Message):
    """Two sides of two tiles, 0 top, 1 right, 2 bottom, 3 left as their files show them."""

    tile: TileId
    side: Annotated[int, Field(ge=0, le=3)]
    other: TileId
    other_side: Annotated[int, Field(ge=0, le=3)]


class Board(Message):
    """The whole state that undo and versions speak of."""

    placed: list[Placed]
    locked: list[TileId] = []
    forbidden: list[Pair] = []
    missing: list[Place] = []
    panels: list[Name] = ["1"]


class Edit(Message):
    """One change by hand, made whole or not at all; ``revision`` is that of the board it meant.

    Lists hold only what changes. A tile may be placed where another lies only if that one is
    placed elsewhere by the same edit. Locked tiles are moved only by an edit that unlocks them.
    """

    revision: int = Field(ge=0)
    label: Name
    placed: list[Placed] = Field([], max_length=20_000)
    lock: list[TileId] = Field([], max_length=20_000)
    unlock: list[TileId] = Field([], max_length=20_000)
    forbid: list[Pair] = Field([], max_length=20_000)
    allow: list[Pair] = Field([], max_length=20_000)
    missing: list[Place] = Field([], max_length=20_000)
    present: list[Place] = Field([], max_length=20_000)


class BoardState(Message):
    """The board as it is after a change; ``undo`` and ``redo`` are the labels of what they do."""

    revision: int
    board: Board
    undo: str | None
    redo: str | None


class Revision(Message):
    """The board that an undo or redo means."""

    revision: int = Field(ge=0)


class TileConfidence(Message):
    """Probability that a tile lies right, and that its joints to the right and below do."""

    tile: TileId
    confidence: float
    right: float | None = None
    below: float | None = None


class Confidence(Message):
    """``scored`` is False until the edges have been scored: then nothing is known."""

    revision: int
    scored: bool
    tiles: list[TileConfidence] = []


class Fit(Message):
    """A tile that may lie in a place, at the turn that fits best; ``joints`` go clockwise from
    the top, None where nothing lies. ``placed``: it lies somewhere in a panel now."""

    tile: TileId
    turn: Turn
    probability: float
    joints: list[float | None]
    placed: bool


class Candidates(Message):
    """Best first; ``none`` is how likely none of them fits."""

    place: Place
    fits: list[Fit]
    none: float


# Versions


class Version(Message):
    """A board that is kept. ``source``: solve, sort, audit, cut, hand, import or open."""

    version: int
    name: str
    source: str
    created: str
    panels: int
    placed: int
    confidence: float | None = None


class NewVersion(Message):
    """Keep the board as it is under a name."""

    name: Name


class VersionBoard(Message):
    """A version with its board."""

    version: Version
    board: Board


# Jobs


class Settings(Message):
    """How the project is solved; what was chosen last."""

    rows: Count | None = None
    cols: Count | None = None
    upright: bool = False
    measure: str = "dlcm"
    preset: str = "standard"
    runs: Annotated[int, Field(ge=1, le=100)] = 1
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None


class Solve(Message):
    """Put one panel together from its tiles and, if wanted, those of the tray.

    Locks, refusals and missing places are kept. ``panel`` None: every panel by itself.
    """

    kind: Literal["solve"] = "solve"
    settings: Settings = Settings()
    panel: Annotated[int, Field(ge=0, lt=10_000)] | None = 0
    with_tray: bool = True
    islands: bool = False


class Sort(Message):
    """Tell the panels of a mixed crate apart, and put each together if ``solve``."""

    kind: Literal["sort"] = "sort"
    settings: Settings = Settings()
    panels: Count | None = None
    solve: bool = True


class Audit(Message):
    """Which tiles of a panel seem to be in the wrong place or turned."""

    kind: Literal["audit"] = "audit"
    settings: Settings = Settings()
    panel: Annotated[int, Field(ge=0, lt=10_000)] = 0


class Import(Message):
    """Find the tiles in the photographs that were uploaded."""

    kind: Literal["import"] = "import"
    colour: Literal["none", "grey-world", "card"] = "none"


class Cut(Message):
    """Cut an uploaded photograph of a laid panel along its joints, each tile in its place.

    ``corners``: x and y of the panel's four corners, clockwise from the top left, in pixels.
    """

    kind: Literal["cut"] = "cut"
    file: Name
    rows: Count | None = None
    cols: Count | None = None
    corners: Annotated[list[tuple[float, float]], Field(min_length=4, max_length=4)] | None = None


class Demo(Message):
    """Paint the demo panel, wear, shuffle and turn its tiles."""

    kind: Literal["demo"] = "demo"


class Export(Message):
    """Write a file to download.

    picture (PNG or TIFF, ``joints``, ``before_after``), placement (CSV), solution (JSON), plan
    (PDF), manifest (IIIF folder as a zip), report (HTML) or project (zip of the whole project).
    """

    kind: Literal["export"] = "export"
    what: Literal["picture", "placement", "solution", "plan", "manifest", "report", "project"]
    panel: Annotated[int, Field(ge=0, lt=10_000)] = 0
    format: Literal["png", "tiff"] = "png"
    joints: bool = False
    before_after: bool = False
    scale: Annotated[str, Field(pattern=r"^1:\d{1,3}(\.\d{1,2})?$")] = "1:5"
    tile_cm: Annotated[float, Field(ge=1, le=1000)] = 14.0
    paper: Literal["A4", "A3"] = "A4"
    base_url: Annotated[str, Field(max_length=500)] = "http://localhost:8000"


Wish = Annotated[Solve | Sort | Audit | Import | Cut | Demo | Export, Field(discriminator="kind")]


class Finding(Message):
    """Of an audit: ``tiles`` seem turned, swapped or moved; ``proposed`` is where they belong."""

    kind: Literal["turned", "swapped", "moved"]
    tiles: list[TileId]
    probability: float
    proposed: list[Placed]


class Job(Message):
    """A piece of work in its own process.

    ``step`` names what it does now (reading, importing, scoring, solving, sorting, auditing,
    cutting, drawing, painting); ``fraction`` of that step from 0 to 1; ``seconds_left`` at most.
    ``error`` says what went wrong; ``download`` is the name of an export's file; ``findings``
    are an audit's; ``version`` is what a solve, sort or cut has made.
    """

    job: int
    wish: Wish
    state: Literal["queued", "running", "done", "stopped", "failed"]
    step: str | None = None
    fraction: float = 0.0
    generation: int | None = None
    confidence: float | None = None
    seconds: float = 0.0
    seconds_left: float | None = None
    notes: list[str] = []
    error: Problem | None = None
    download: str | None = None
    findings: list[Finding] | None = None
    version: int | None = None


class Live(Message):
    """The best assembly so far of a running job."""

    job: int
    placed: list[Placed]


# Projects


class NewProject(Message):
    """An empty project."""

    name: Name


class ProjectSummary(Message):
    """A project in the list."""

    project: ProjectId
    name: str
    created: str
    changed: str
    tiles: int
    panels: int


class Project(Message):
    """Everything that the page needs to open a project, but for its pictures."""

    project: ProjectId
    name: str
    tiles: list[Tile]
    photographs: list[str]
    state: BoardState
    settings: Settings
    versions: list[Version]
    jobs: list[Job]


class Uploaded(Message):
    """What an upload brought: files taken, and what was passed over with the reason."""

    taken: list[str]
    passed_over: list[Problem]


class Atlas(Message):
    """All tiles as square cells of a few large pictures, once for each size in ``levels`` (px).

    On a level, ``columns`` cells of the level's size make a row and ``per_page`` cells a page;
    the cell of a tile is its position in ``tiles``. Page k of level s is at
    ``…/atlas/{stamp}/{s}/{k}``. ``stamp`` changes when tiles are added.
    """

    stamp: str
    levels: list[int]
    columns: list[int]
    per_page: list[int]
    tiles: list[TileId]


class About(Message):
    """What this server offers."""

    version: str
    measures: list[str]
    presets: list[str]
    max_files: int
    max_bytes: int
    max_pixels: int
