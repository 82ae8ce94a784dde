"""Conversion between the page's board and the library's assembly."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from azulejar.app.schemas.boards import LOOSE, Board, Placed
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.core.assembly import Assembly
from azulejar.system.natural_order import natural_order


class Frame(NamedTuple):
    """The bounding box of a panel's tiles, missing places and outline, in rows and cols of the
    board."""

    top: int
    left: int
    rows: int
    cols: int


def in_library_order(tiles: Iterable[ProjectTile]) -> list[ProjectTile]:
    """Return tiles in the order in which the library reads them."""
    return sorted(tiles, key=lambda tile: natural_order(tile.file))


def panel_frame(board: Board, panel: int) -> Frame | None:
    """Return the bounding box of a panel; None if it is empty."""
    places = [(each.row, each.col) for each in board.placed if each.panel == panel]
    places += [(each.row, each.col) for each in board.missing if each.panel == panel]
    places += [place for each in board.outlines if each.panel == panel for place in each.places()]
    if not places:
        return None
    (top, left), (bottom, right) = (tuple(map(f, zip(*places, strict=True))) for f in (min, max))
    return Frame(top, left, bottom - top + 1, right - left + 1)


def board_assembly(
    board: Board, tiles: Sequence[ProjectTile], panels: Collection[int] | None = None
) -> Assembly:
    """Return the assembly of the tiles, in rows and cols of the board.

    Tiles in other panels than ``panels``, if given, are loose.
    """
    by_tile = {each.tile: each for each in board.placed}
    nowhere = Placed(tile=0, panel=LOOSE)
    placed = [by_tile.get(tile.tile, nowhere) for tile in tiles]
    poses = [(each.row, each.col, each.turn // 90, each.panel) for each in placed]
    row, col, turn, panel = np.array(poses, np.int32).reshape(-1, 4).T
    if panels is not None:
        panel = np.where(np.isin(panel, list(panels)), panel, LOOSE).astype(np.int32)
    loose = panel == LOOSE
    return Assembly(np.where(loose, 0, row), np.where(loose, 0, col), turn, panel)


def panel_assembly(board: Board, tiles: Sequence[ProjectTile], panels: Collection[int]) -> Assembly:
    """Return the assembly for outputs, with rows and cols counted from 0 in each panel's frame.

    A single panel has the size of its frame, so that missing places at its rim count.
    """
    assembly = board_assembly(board, tiles, panels)
    row, col = assembly.row.copy(), assembly.col.copy()
    frames = {panel: frame for panel in panels if (frame := panel_frame(board, panel))}
    for panel, frame in frames.items():
        here = assembly.panel == panel
        row[here] -= frame.top
        col[here] -= frame.left
    sizes = [(frame.rows, frame.cols) for frame in frames.values()]
    size = sizes[0] if len(sizes) == 1 else None
    return Assembly(row, col, assembly.turn, assembly.panel, size)


def assembly_places(assembly: Assembly, tiles: Sequence[ProjectTile]) -> list[Placed]:
    """Return the tiles of an assembly as the page places them."""
    arrays = (assembly.panel, assembly.row, assembly.col, 90 * assembly.turn)
    values = zip(*(array.tolist() for array in arrays), strict=True)
    return [
        Placed(tile=tile.tile, panel=panel, row=row, col=col, turn=turn)
        for tile, (panel, row, col, turn) in zip(tiles, values, strict=True)
    ]
