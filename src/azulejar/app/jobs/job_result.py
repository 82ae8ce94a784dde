"""The result of a job: written by its worker to a file, applied by the server to the project."""

from pathlib import Path

from pydantic import Field, ValidationError

from azulejar.app.http.events import Hub
from azulejar.app.projects.atlas import start_atlas
from azulejar.app.projects.board import merge_boards
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    PanelOutline,
    PanelPlace,
    PanelReference,
    Placed,
)
from azulejar.app.schemas.jobs import AuditFinding, Intake, Job, WallGrid, WallMatch
from azulejar.app.schemas.messages import Name, Schema
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile, TileSource
from azulejar.system.atomic import replacing


class ResultTile(Schema):
    """The new place of a tile, by its file, as a new tile has no id yet."""

    file: str
    panel: int
    row: int = 0
    col: int = 0
    turn: int = 0


class JobResult(Schema):
    """Everything that the server has to apply.

    ``laid`` are the tiles that the job knew, ``seen`` says where they lay when it began, if what
    people have moved since stays; ``panels``, ``missing`` and ``outlines`` are None where they stay
    as they are. ``references`` are those old pictures that change.
    """

    stopped: bool = False
    tiles: list[NewProjectTile] = Field(default=[])
    sources: list[TileSource] = Field(default=[])
    laid: list[ResultTile] = Field(default=[])
    seen: list[ResultTile] = Field(default=[])
    panels: list[Name] | None = None
    missing: list[PanelPlace] | None = None
    outlines: list[PanelOutline] | None = None
    references: list[PanelReference] = Field(default=[])
    label: str = ""
    source: str = ""
    confidence: float | None = None
    findings: list[AuditFinding] | None = None
    download: str | None = None
    grid: WallGrid | None = None
    match: WallMatch | None = None
    revision: int | None = None  # of the board that was audited
    intake: Intake | None = None


def clean_panel_name(text: str) -> str:
    """Return text of unknown origin, such as a file name, as the name of a panel."""
    return "".join(letter for letter in text if letter.isprintable())[:120].strip() or "?"


def result_path(folder: Path, job: int) -> Path:
    """Return the path of a job's result."""
    return folder / "work" / f"{job}.json"


def save_result(folder: Path, job: int, result: JobResult) -> None:
    """Write a result, completely or not at all."""
    with replacing(result_path(folder, job)) as temporary:
        temporary.write_text(result.model_dump_json(), encoding="utf-8")


def load_result(folder: Path, job: int) -> JobResult | None:
    """Return the result that a worker has written, None if there is none."""
    try:
        return JobResult.model_validate_json(result_path(folder, job).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def lay_by_file(tiles: list[ProjectTile], placed: list[Placed]) -> list[ResultTile]:
    """Return places by the files of their tiles; tiles that are gone are left out."""
    file = {tile.tile: tile.file for tile in tiles}
    return [
        ResultTile(file=file[each.tile], **each.model_dump(exclude={"tile"}))
        for each in placed
        if each.tile in file
    ]


def lay_on_board(board: Board, result: JobResult, tiles: list[ProjectTile]) -> Board:
    """Return the board with a result applied.

    Tiles that are locked by now, or that people have moved since the job began, stay where they
    are; those of the result whose places they have go to the tray. Tiles that the job did not know
    stay too, unless one of its tiles takes their place. Empty panels at the end are removed.
    """
    number = {tile.file: tile.tile for tile in tiles}
    kept = set(board.locked) | moved_since(board, result, tiles)
    placed = [each for each in board.placed if each.tile in kept]
    taken = {(each.panel, each.row, each.col) for each in placed}
    for each in result.laid:
        tile = number.get(each.file)
        if tile is None or tile in kept:
            continue
        panel = LOOSE if (each.panel, each.row, each.col) in taken else each.panel
        pose = {"panel": panel, "row": each.row, "col": each.col, "turn": each.turn}
        placed.append(Placed.model_validate({"tile": tile, **pose}))
    wanted = board.model_copy(
        update={
            "placed": placed,
            "panels": board.panels if result.panels is None else result.panels,
            "missing": board.missing if result.missing is None else result.missing,
            "outlines": board.outlines if result.outlines is None else result.outlines,
            "references": _same_pictures(board, result),
        }
    )
    return _drop_empty_panels(merge_boards(board, wanted))


def moved_since(board: Board, result: JobResult, tiles: list[ProjectTile]) -> set[int]:
    """Return the tiles that people have laid, turned or lifted since the job of a result began."""
    seen = {each.file: _pose(each) for each in result.seen}
    file = {tile.tile: tile.file for tile in tiles}
    return {
        each.tile
        for each in board.placed
        if _pose(each) != seen.get(file.get(each.tile, ""), _pose(each))
    }


def apply_result(store: ProjectStore, project: str, hub: Hub, job: Job, result: JobResult) -> Job:
    """Write a result into its project and publish it; return the finished job.

    Applying a result a second time changes nothing.
    """
    if result.tiles:
        store.put_sources(result.sources)
        store.add_tiles(result.tiles, job.who, job.request.kind)
        hub.publish(project, "tiles", store.tiles())
        start_atlas(store)
    version, revision = None, result.revision
    if result.laid:
        before, tiles = store.state().board, store.tiles()
        if moved := moved_since(before, result, tiles):
            job = job.note(
                "kept-by-hand",
                "Tiles that were moved by hand meanwhile stay where they are: {count}.",
                count=len(moved),
            )
        board = lay_on_board(before, result, tiles)
        state, kept = store.put_board(
            board, result.label, result.source, result.confidence, who=job.who
        )
        version, revision = None if kept is None else kept.version, state.revision
        hub.publish(project, "board", state)
        hub.publish(project, "versions", store.versions())
    elif result.tiles:
        hub.publish(project, "board", store.state(job.who))
    changes = {
        "state": "stopped" if result.stopped else "done",
        "fraction": job.fraction if result.stopped else 1.0,
        "seconds_left": None,
        "confidence": result.confidence if result.confidence is not None else job.confidence,
        "findings": result.findings,
        "download": result.download,
        "version": version,
        "revision": revision,
        "intake": result.intake,
        "grid": result.grid,
        "match": result.match,
    }
    return job.model_copy(update=changes)


def _pose(each: Placed | ResultTile) -> tuple[int, ...]:
    """Return the place and turn of a tile; all places in the tray are the same."""
    return (LOOSE,) if each.panel == LOOSE else (each.panel, each.row, each.col, each.turn)


def _same_pictures(board: Board, result: JobResult) -> list[PanelReference]:
    """Return the old pictures as the result has them, unless they were replaced meanwhile."""
    new = {(each.panel, each.file): each for each in result.references}
    return [new.get((each.panel, each.file), each) for each in board.references]


def _drop_empty_panels(board: Board) -> Board:
    used = [each.panel for each in board.placed]
    used += [each.panel for each in [*board.missing, *board.outlines]]
    used += [each.panel for each in board.references]
    count = max(used, default=LOOSE) + 1
    return board.model_copy(update={"panels": board.panels[: max(1, count)]})
