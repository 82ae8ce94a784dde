"""What a job has made, on its way from the worker's file to the project."""

from pathlib import Path

from pydantic import Field, ValidationError

from azulejar.app.board import merged
from azulejar.app.schemas import (
    LOOSE,
    Board,
    Finding,
    Job,
    Live,
    Message,
    Name,
    NewTile,
    Place,
    Placed,
    Tile,
)
from azulejar.system.atomic import replacing


class Line(Message):
    """One line of what a worker tells while it works."""

    job: Job | None = None
    live: Live | None = None


class Laid(Message):
    """Where a tile comes to lie, by its file, since a new tile has no number yet."""

    file: str
    panel: int
    row: int = 0
    col: int = 0
    turn: int = 0


class Result(Message):
    """All that the server has to write down.

    ``laid`` are the tiles that the job knows; ``panels`` and ``missing`` are None where they stay
    as they are.
    """

    stopped: bool = False
    tiles: list[NewTile] = Field(default=[])
    laid: list[Laid] = Field(default=[])
    panels: list[Name] | None = None
    missing: list[Place] | None = None
    label: str = ""
    source: str = ""
    confidence: float | None = None
    findings: list[Finding] | None = None
    download: str | None = None


def panel_name(text: str) -> str:
    """Text from elsewhere, such as a file, as the name of a panel."""
    return "".join(letter for letter in text if letter.isprintable())[:120].strip() or "?"


def path_of(folder: Path, job: int) -> Path:
    """Where a worker leaves the result."""
    return folder / "work" / f"{job}.json"


def write(folder: Path, job: int, result: Result) -> None:
    """Leave a result, whole or not at all."""
    with replacing(path_of(folder, job)) as temporary:
        temporary.write_text(result.model_dump_json(), encoding="utf-8")


def read(folder: Path, job: int) -> Result | None:
    """A result that was left, if there is one."""
    try:
        return Result.model_validate_json(path_of(folder, job).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def laid_by(tiles: list[Tile], placed: list[Placed]) -> list[Laid]:
    """Places by the tiles' files."""
    file = {tile.tile: tile.file for tile in tiles}
    return [Laid(file=file[each.tile], **each.model_dump(exclude={"tile"})) for each in placed]


def on_board(board: Board, result: Result, tiles: list[Tile]) -> Board:
    """The board with a result laid on it.

    What is locked now stays where it is, and so do tiles that the job did not know unless one of
    its tiles comes to lie there. Panels that are empty at the end are gone.
    """
    number = {tile.file: tile.tile for tile in tiles}
    locked = set(board.locked)
    placed = [each for each in board.placed if each.tile in locked]
    taken = {(each.panel, each.row, each.col) for each in placed}
    for each in result.laid:
        tile = number.get(each.file)
        if tile is None or tile in locked:
            continue
        panel = LOOSE if (each.panel, each.row, each.col) in taken else each.panel
        pose = {"panel": panel, "row": each.row, "col": each.col, "turn": each.turn}
        placed.append(Placed.model_validate({"tile": tile, **pose}))
    wanted = board.model_copy(
        update={
            "placed": placed,
            "panels": board.panels if result.panels is None else result.panels,
            "missing": board.missing if result.missing is None else result.missing,
        }
    )
    return _without_empty_end(merged(board, wanted))


def _without_empty_end(board: Board) -> Board:
    used = [each.panel for each in board.placed] + [each.panel for each in board.missing]
    count = max(used, default=LOOSE) + 1
    return board.model_copy(update={"panels": board.panels[: max(1, count)]})
