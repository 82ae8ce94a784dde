"""What people did on the tables of a museum, stated to its collection before a sort or solve."""

from contextlib import suppress
from itertools import groupby

from azulejar.app.museum.tables import find_tables, is_touched
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import LOOSE, Board, Placed
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import (
    save_laid_panels,
    save_outlines,
    save_table_statements,
)
from azulejar.core.edges import SIDES
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import (
    EmptyPlace,
    JoinedTile,
    KnownsFile,
    LockedTile,
    RefusedPair,
)


def state_tables(collection: Collection) -> None:
    """Pass on to the collection what people placed, locked, refused and drew on its tables."""
    laid: dict[str, str] = {}
    outlines: dict[str, KnownsFile] = {}
    stated = KnownsFile()
    for folder, name in find_tables(collection.folder):
        with suppress(AzulejarError):  # a damaged table must not block the others
            store = ProjectStore(folder)
            try:
                if not is_touched(store):
                    continue
                number = {tile.tile: tile.number for tile in store.tiles()}
                board = store.state().board
            finally:
                store.close()
            laid |= _laid_panels(board, number, name)
            outlines |= _outlines(board, number, name)
            stated.locked += _locked(board, number)
            stated.joined += _joined(board, number)
            stated.apart += [
                RefusedPair.model_validate(
                    {
                        "tile": number[pair.tile],
                        "side": SIDES[pair.side],
                        "other": number[pair.other],
                        "other_side": SIDES[pair.other_side],
                    }
                )
                for pair in board.forbidden
            ]
    known = set(collection.inventories())
    save_laid_panels(collection, {tile: panel for tile, panel in laid.items() if tile in known})
    save_table_statements(collection, stated)
    save_outlines(collection, outlines)


def _names(board: Board, name: str) -> dict[int, str]:
    """Return what the panels of a table are called; a second one has a name of its own."""
    return {
        panel: name if panel == 0 else f"{name}-{called}"
        for panel, called in enumerate(board.panels)
    }


def _laid_panels(board: Board, number: dict[int, str], name: str) -> dict[str, str]:
    """Return the panel of each laid tile."""
    names = _names(board, name)
    return {number[each.tile]: names[each.panel] for each in board.placed if each.panel in names}


def _outlines(board: Board, number: dict[int, str], name: str) -> dict[str, KnownsFile]:
    """Return the outlines, by panel, with locked tiles and missing places in rows and cols of
    theirs."""
    names, found = _names(board, name), {}
    for outline in board.outlines:
        inside = set(outline.places())
        found[names[outline.panel]] = KnownsFile(
            mask=outline.mask,
            empty=[
                EmptyPlace(row=each.row - outline.row, col=each.col - outline.col)
                for each in board.missing
                if each.panel == outline.panel and (each.row, each.col) in inside
            ],
            locked=[
                LockedTile(
                    tile=number[each.tile],
                    row=each.row - outline.row,
                    col=each.col - outline.col,
                    turn=each.turn,
                )
                for block in _locked_blocks(board, drawn=True)
                for each in block
                if each.panel == outline.panel and (each.row, each.col) in inside
            ],
        )
    return found


def _locked(board: Board, number: dict[int, str]) -> list[LockedTile]:
    """Return the turn of each tile that is locked alone in its panel."""
    return [
        LockedTile(tile=number[block[0].tile], turn=block[0].turn)
        for block in _locked_blocks(board)
        if len(block) == 1
    ]


def _joined(board: Board, number: dict[int, str]) -> list[list[JoinedTile]]:
    """Return the locked tiles of each panel that has several."""
    return [
        [
            JoinedTile(tile=number[each.tile], row=each.row, col=each.col, turn=each.turn)
            for each in block
        ]
        for block in _locked_blocks(board)
        if len(block) > 1
    ]


def _locked_blocks(board: Board, *, drawn: bool = False) -> list[list[Placed]]:
    """Return the locked tiles of each panel whose outline is ``drawn``, or is not."""
    locked, outlined = set(board.locked), {each.panel for each in board.outlines}
    laid = [
        each
        for each in board.placed
        if each.tile in locked and each.panel != LOOSE and (each.panel in outlined) == drawn
    ]
    laid.sort(key=lambda each: each.panel)
    return [list(block) for _, block in groupby(laid, key=lambda each: each.panel)]
