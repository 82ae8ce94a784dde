"""Messages between the page, the server and its workers about jobs."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, JsonValue, field_validator

from azulejar.app.schemas.boards import Count, Pair, Placed
from azulejar.app.schemas.messages import Name, Problem, Schema, json_values
from azulejar.app.schemas.tiles import TileId
from azulejar.core.limits import LEAST_SIDE, MOST_SIDE
from azulejar.knowledge.headings import Language


class SolveSettings(Schema):
    """How the project is solved, as chosen last.

    With ``one_size`` all tiles are of one size, however large their pictures are.
    """

    rows: Count | None = None
    cols: Count | None = None
    upright: bool = False
    one_size: bool = False
    measure: str = "dlcm"
    preset: str = "standard"
    runs: Annotated[int, Field(ge=1, le=100)] = 1
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None


class SolveRequest(Schema):
    """Assemble one panel from its tiles and, if ``with_tray``, those of the tray.

    Locks, refused pairs, missing places and outlines are respected. ``panel`` None: each panel by
    itself. With ``reference``, panels that have an old picture are solved with it as a guide.
    """

    kind: Literal["solve"] = "solve"
    settings: SolveSettings = SolveSettings()
    panel: Annotated[int, Field(ge=0, lt=10_000)] | None = 0
    with_tray: bool = True
    islands: bool = False
    reference: bool = False


class SortRequest(Schema):
    """Sort a mixed crate into panels, and assemble each if ``solve``."""

    kind: Literal["sort"] = "sort"
    settings: SolveSettings = SolveSettings()
    panels: Count | None = None
    solve: bool = True


class AuditRequest(Schema):
    """Find tiles of a panel that seem to be in the wrong place or turned."""

    kind: Literal["audit"] = "audit"
    settings: SolveSettings = SolveSettings()
    panel: Annotated[int, Field(ge=0, lt=10_000)] = 0


class ImportRequest(Schema):
    """Find the tiles in the uploaded photographs, and bring these to one light.

    With ``half_tiles``, half and quarter tiles are looked for too. If ``side`` says how large whole
    tiles are, in cm, the sizes of all are told. Photographs of the names ``leave_out`` are first
    moved to the project's folder left-out.
    """

    kind: Literal["import"] = "import"
    leave_out: list[Name] = Field(default=[], max_length=5_000)
    colour: Literal["auto", "chart", "glaze", "off", "grey-world", "card", "none"] = "auto"
    half_tiles: bool = False
    side: float | None = Field(default=None, ge=LEAST_SIDE, le=MOST_SIDE)


class JoinRequest(Schema):
    """Look again which fragments of broken tiles are of one tile, as people have decided."""

    kind: Literal["join"] = "join"


class WallRequest(Schema):
    """What to do with an uploaded photograph of a laid panel or a wall, once its joints are found.

    ``corners``: x and y of its four corners, clockwise from the top left, in pixels. With ``look``
    nothing is done: the job shows the grid that it has found, which ``accepted``, the number of
    that job, then takes exactly so.
    """

    file: Name
    rows: Count | None = None
    cols: Count | None = None
    corners: Annotated[list[tuple[float, float]], Field(min_length=4, max_length=4)] | None = None
    look: bool = False
    accepted: Annotated[int, Field(ge=1, lt=2**31)] | None = None


class CutRequest(WallRequest):
    """Cut a photographed panel along its joints, each tile in its place."""

    kind: Literal["cut"] = "cut"


class DemoRequest(Schema):
    """Paint the demo panel, then age, shuffle and turn its tiles."""

    kind: Literal["demo"] = "demo"


class ExportRequest(Schema):
    """Write a file to download.

    picture (PNG or TIFF, ``joints``, ``before_after``), placement (CSV with headings in
    ``language`` and rows counted from ``rows_from``), inventory (tiles.csv of all tiles), joints
    (CSV of those with a probability of ``least``, accepted by ``by``), solution (JSON), plan (PDF),
    manifest (IIIF folder as a zip, painted with the panel or with ``each_tile``), record (a
    ``standard`` of museums, by ``by`` at ``museum``), report (HTML) or project (zip of the whole
    project).
    """

    kind: Literal["export"] = "export"
    what: Literal[
        "picture",
        "placement",
        "inventory",
        "joints",
        "solution",
        "plan",
        "manifest",
        "record",
        "report",
        "project",
    ]
    panel: Annotated[int, Field(ge=0, lt=10_000)] = 0
    format: Literal["png", "tiff"] = "png"
    joints: bool = False
    before_after: bool = False
    scale: Annotated[str, Field(pattern=r"^1:\d{1,3}(\.\d{1,2})?$")] = "1:5"
    tile_cm: Annotated[float, Field(ge=1, le=1000)] = 14.0
    paper: Literal["A4", "A3"] = "A4"
    base_url: Annotated[str, Field(max_length=500)] = "http://localhost:8000"
    each_tile: bool = False
    language: Language = "en"
    rows_from: Literal["top", "bottom"] = "top"
    least: Annotated[float, Field(ge=0, le=1)] = 0.9
    standard: Literal["lido", "linked-art"] = "lido"
    by: Annotated[str, Field(max_length=200)] = ""
    museum: Annotated[str, Field(max_length=200)] = ""


class MuseumAddRequest(Schema):
    """Add the uploaded files of crates to a museum.

    With ``photographs`` their photographs show several tiles each, which are found first.
    """

    kind: Literal["museum_add"] = "museum_add"
    crates: list[Name] = Field(min_length=1, max_length=10_000)
    photographs: bool = False
    colour: Literal["auto", "chart", "glaze", "off"] = "auto"


class MuseumSortRequest(Schema):
    """Sort the tiles of a museum into panels."""

    kind: Literal["museum_sort"] = "museum_sort"


class MuseumSolveRequest(Schema):
    """Solve panels of a museum; without names, all that have 12 tiles or more."""

    kind: Literal["museum_solve"] = "museum_solve"
    panels: list[Name] = Field(default=[], max_length=10_000)
    preset: str = "standard"


class MuseumPatternsRequest(Schema):
    """Look for alike tiles in great number, and how their designs repeat."""

    kind: Literal["museum_patterns"] = "museum_patterns"


class MuseumMatchRequest(WallRequest):
    """Tell which patterns of a museum continue a photographed wall."""

    kind: Literal["museum_match"] = "museum_match"


JobRequest = Annotated[
    SolveRequest
    | SortRequest
    | AuditRequest
    | ImportRequest
    | JoinRequest
    | CutRequest
    | DemoRequest
    | ExportRequest
    | MuseumAddRequest
    | MuseumSortRequest
    | MuseumSolveRequest
    | MuseumPatternsRequest
    | MuseumMatchRequest,
    Field(discriminator="kind"),
]


class AuditFinding(Schema):
    """Tiles that seem turned, swapped or moved; ``proposed`` is where they would belong.

    Nothing better was found for a ``doubtful`` tile: nothing is proposed.
    """

    kind: Literal["turned", "swapped", "moved", "doubtful"]
    tiles: list[TileId]
    probability: float
    proposed: list[Placed]


class WallGrid(Schema):
    """The grid of joints in a photograph of a panel, for people to look at before it is cut.

    ``crossings`` [rows + 1][cols + 1] are in pixels of a photograph of that size.
    """

    width: int
    height: int
    rows: int
    cols: int
    sure: bool
    crossings: list[list[tuple[float, float]]]


class WallPattern(Schema):
    """A pattern that continues a wall, of which it makes up a ``share``.

    ``places`` are rows of the wall: # shows the pattern, ? is to be mended with it. ``needed``,
    ``stock`` and ``lacking`` count the tiles that are to be mended, those that the museum has,
    and those that are missing even then; ``designs`` has the first two of each design that is
    needed.
    """

    pattern: str
    share: float
    places: list[str]
    needed: int
    stock: int
    lacking: int
    designs: list[tuple[int, int]]


class WallMatch(Schema):
    """The joints of a wall as its patterns have told, and the patterns, largest share first."""

    grid: WallGrid
    patterns: list[WallPattern]


class JobNote(Schema):
    """A sentence that people should read: in English, and as a code with its values."""

    code: str = "unnamed"
    values: dict[str, JsonValue] = Field(default={})
    text: str


class Intake(Schema):
    """The outcome of adding a crate; lists hold pictures as CRATE/FILE, at most 200 each.

    ``twice``: a picture and the one that it repeats; ``renamed``: a picture and the inventory
    number that it got, as its own was taken; ``broken`` cannot be read, ``refused`` show no whole
    tile; ``found``: the tiles found in the crates' ``photographs``; ``doubtful``: one of these,
    and why it should be checked.
    """

    new: int = 0
    known: int = 0
    updated: int = 0
    twice: list[tuple[str, str]] = Field(default=[])
    renamed: list[tuple[str, str]] = Field(default=[])
    broken: list[str] = Field(default=[])
    refused: list[str] = Field(default=[])
    photographs: int = 0
    found: int = 0
    doubtful: list[tuple[str, str]] = Field(default=[])


class Job(Schema):
    """The state of a job.

    ``step`` is reading, importing, joining, adding, scoring, searching, solving, looking, sorting,
    auditing, joints, cutting, comparing, compiling, drawing or painting; ``fraction`` is the part
    of that step that is done, from 0 to 1; ``seconds_left`` an upper estimate, None where it would
    have to rise. ``stopping``: a stop was asked for.
    While edges are judged, ``edges`` says how many there are and ``pairs`` are the likeliest so
    far. ``download`` is the name of an export's file, ``findings`` are those of an audit,
    ``version`` is the number of the version that a solve, sort or cut has saved, ``revision``
    that of the board which the outcome speaks of, ``who`` the name of the person who requested it.
    ``intake`` is what became of the pictures of crates; ``grid`` are the joints in a photograph
    that was only looked at, ``match`` the patterns that continue a wall.
    """

    job: int
    # Projects up to azulejar 0.6 call it "wish".
    request: JobRequest = Field(validation_alias=AliasChoices("request", "wish"))
    state: Literal["queued", "running", "done", "stopped", "failed"]
    step: str | None = None
    fraction: float = 0.0
    generation: int | None = None
    confidence: float | None = None
    seconds: float = 0.0
    seconds_left: float | None = None
    stopping: bool = False
    edges: int | None = None
    pairs: list[Pair] = Field(default=[])
    notes: list[JobNote] = Field(default=[])
    error: Problem | None = None
    download: str | None = None
    findings: list[AuditFinding] | None = None
    version: int | None = None
    revision: int | None = None
    who: str = ""
    intake: Intake | None = None
    grid: WallGrid | None = None
    match: WallMatch | None = None

    def note(self, code: str, template: str, **values: Any) -> "Job":
        """Return the job with one more note, as a code, a template and its values."""
        text = template.format_map(values)
        new = JobNote(code=code, values=json_values(values), text=text)
        return self.model_copy(update={"notes": [*self.notes, new]})

    @field_validator("notes", mode="before")
    @classmethod
    def _read_former_notes(cls, notes: Any) -> Any:
        """Read jobs of earlier versions: notes were plain text, and compiling was one."""
        known = [{"text": note} if isinstance(note, str) else note for note in notes]
        return [each for each in known if dict(each).get("code") != "solver-compiling"]


class LiveAssembly(Schema):
    """The best assembly so far of a running job."""

    job: int
    placed: list[Placed]
