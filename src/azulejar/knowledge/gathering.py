"""All that is known of a panel, from the command, ``knowns.json`` and ``tiles.csv``, as one."""

from dataclasses import replace
from pathlib import Path

from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.holds import Holds
from azulejar.knowledge.inventory import locks_of, panels_of
from azulejar.knowledge.statements import Statements


def gather(
    tiles: TileSet,
    statements: Statements | None = None,
    rows: int | None = None,
    cols: int | None = None,
    upright: bool = False,
) -> Knowns:
    """The knowns of one panel of these tiles, free of contradictions."""
    stated = (statements or Statements()).knowns(names_of(tiles))
    if statements and statements.upright is False and upright:
        raise AzulejarError(
            "The tiles are to be upright, but the knowns say that they are turned.",
            "Correct one of them.",
        )
    knowns = replace(
        stated,
        rows=_agreed("rows", rows, stated.rows),
        cols=_agreed("cols", cols, stated.cols),
        upright=upright or stated.upright,
        locks=locks_of(tiles.records) + stated.locks,
        together=stated.together + tuple(panels_of(tiles.records).values()),
    ).for_tiles(len(tiles))
    Holds.of(knowns, len(tiles), tiles.numbers)
    return knowns


def names_of(tiles: TileSet) -> list[tuple[str, ...]]:
    """The names by which each tile may be called: its file, inventory number and stem."""
    return [
        (file, number, Path(file).stem)
        for file, number in zip(tiles.files, tiles.numbers, strict=True)
    ]


def _agreed(name: str, asked: int | None, stated: int | None) -> int | None:
    if asked is not None and stated is not None and asked != stated:
        raise AzulejarError(
            f"--{name} is {asked}, but the knowns say {stated}.", "Correct one of them."
        )
    return stated if asked is None else asked
