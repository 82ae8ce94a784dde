"""A panel of the board as a puzzle for a solver, and the solution back on the board."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from azulejar.app.projects.board import check_outline
from azulejar.app.projects.convert import Frame, board_assembly, panel_frame
from azulejar.app.schemas.boards import LOOSE, Board, PanelOutline, Placed
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.core.alignment import ANY_TURN, Motion, motion_between
from azulejar.core.assembly import Assembly
from azulejar.core.edges import SIDES
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import (
    EmptyPlace,
    JoinedTile,
    KnownsFile,
    LockedTile,
    RefusedPair,
    gather_knowns,
)


class PanelPuzzle:
    """The tiles ``which`` (numbers in the project's order) that make one panel.

    Locked tiles come back exactly where they were. If an outline was drawn, the tiles are laid in
    it, whatever the settings say. If the panel has the known size, or missing places are marked in
    it, they are locked to its rows and cols; otherwise only to each other, so that the panel may
    grow to any side of them.
    """

    def __init__(
        self,
        board: Board,
        tiles: Sequence[ProjectTile],
        which: Sequence[int],
        panel: int,
        settings: SolveSettings,
    ) -> None:
        self.panel, self.which = panel, list(which)
        self.tiles = [tiles[i] for i in which]
        self.shown = board_assembly(board, self.tiles, [panel])
        locked = set(board.locked)
        fast = np.array([tile.tile in locked for tile in self.tiles], bool)
        self.held = replace(self.shown, panel=np.where(fast, self.shown.panel, LOOSE))
        marked = [(each.row, each.col) for each in board.missing if each.panel == panel]
        self.outline = next((each for each in board.outlines if each.panel == panel), None)
        if self.outline is not None:
            self._fill(self.outline, board, marked, settings)
            return
        frame = panel_frame(board, panel)
        self.settings = settings = self._sized(settings, frame, len(marked))
        as_large = frame is not None and (settings.rows, settings.cols) == (frame.rows, frame.cols)
        sized = settings.rows is not None or settings.cols is not None
        bound = self.locked and (marked or as_large)
        self.frame = frame if bound or (marked and sized) else None
        self.statements = self._statements(board, marked)

    def _fill(
        self,
        outline: PanelOutline,
        board: Board,
        marked: list[tuple[int, int]],
        settings: SolveSettings,
    ) -> None:
        """Take size and places from the outline that was drawn."""
        places = set(outline.places())
        marked = [place for place in marked if place in places]
        self._check_outline(outline, board, len(places) - len(marked))
        size = {"rows": len(outline.mask), "cols": len(outline.mask[0])}
        self.settings = settings.model_copy(update=size)
        self.frame = Frame(outline.row, outline.col, **size)
        stated = self._statements(board, marked)
        self.statements = stated.model_copy(update={"mask": outline.mask})

    def _check_outline(self, outline: PanelOutline, board: Board, places: int) -> None:
        check_outline(outline, (each for each in board.placed if each.tile in self._locked_ids()))
        if places < len(self.tiles):
            raise AzulejarError(
                "outline-too-small",
                "The outline has {places} places, but there are {tiles} tiles to lay.",
                "Draw more places, or leave tiles out.",
                places=places,
                tiles=len(self.tiles),
            )

    def _sized(self, settings: SolveSettings, frame: Frame | None, marked: int) -> SolveSettings:
        """Return settings with the size of the panel's frame if only missing places are known and
        the frame can hold all tiles."""
        known = self.locked or settings.rows or settings.cols
        if known or not marked or frame is None:
            return settings
        if frame.rows * frame.cols - marked < len(self.tiles):
            return settings
        return settings.model_copy(update={"rows": frame.rows, "cols": frame.cols})

    @property
    def locked(self) -> list[int]:
        """Numbers, in ``which``, of the locked tiles."""
        return np.flatnonzero(self.held.panel != LOOSE).tolist()

    def knowns(self, pictures: TileSet) -> Knowns:
        """Return what is known of the panel; the board takes precedence over ``tiles.csv``."""
        mine = pictures.take(self.which)
        records = list(mine.records)
        for tile in self.locked if records else ():
            records[tile] = replace(records[tile], row=None, col=None, turn=None)
        mine = replace(mine, records=tuple(records))
        rows, cols, upright = self.settings.rows, self.settings.cols, self.settings.upright
        return gather_knowns(mine, self.statements, rows, cols, upright)

    def back(self, assembly: Assembly, *, standing: bool = False) -> Assembly:
        """Return a solution as placed on the board, turned and shifted as little as possible.

        One that is ``standing`` is only shifted, unless locked tiles say otherwise.
        """
        laid = self._motion(assembly, standing)(assembly)
        placed = laid.panel != LOOSE
        self.shown = replace(laid, panel=np.where(placed, self.panel, LOOSE).astype(np.int32))
        return self.shown

    def _motion(self, assembly: Assembly, standing: bool) -> Motion:
        if self.frame is not None:
            return Motion(0, self.frame.top, self.frame.left)
        if self.locked:
            return motion_between(assembly, self.held)
        return motion_between(assembly, self.shown, (0,) if standing else self._quarters())

    def _quarters(self) -> Sequence[int]:
        """Return the quarter turns by which the whole panel may be turned to match the board."""
        if self.settings.upright:
            return (0,)
        return (0, 2) if self.settings.rows or self.settings.cols else ANY_TURN

    def _statements(self, board: Board, marked: list[tuple[int, int]]) -> KnownsFile:
        number = {tile.tile: tile.file for tile in self.tiles}
        apart = [
            RefusedPair(
                tile=number[pair.tile],
                other=number[pair.other],
                side=SIDES[pair.side],  # type: ignore[arg-type]
                other_side=SIDES[pair.other_side],  # type: ignore[arg-type]
            )
            for pair in board.forbidden
            if {pair.tile, pair.other} <= number.keys()
        ]
        held = [each for each in board.placed if each.tile in self._locked_ids()]
        if self.frame is not None:
            locked = [_locked(number, each, self.frame) for each in held]
            top, left = self.frame.top, self.frame.left
            empty = [EmptyPlace(row=row - top, col=col - left) for row, col in marked]
            return KnownsFile(locked=locked, apart=apart, empty=empty)
        joined = [
            JoinedTile(tile=number[each.tile], row=each.row, col=each.col, turn=each.turn)
            for each in held
        ]
        # In a panel of known size, the board also tells which way is up.
        standing = self.settings.rows is not None or self.settings.cols is not None
        turned = [LockedTile(tile=each.tile, turn=each.turn) for each in joined[:1] if standing]
        return KnownsFile(locked=turned, joined=[joined] if len(joined) > 1 else [], apart=apart)

    def _locked_ids(self) -> set[int]:
        return {self.tiles[i].tile for i in self.locked}


def _locked(number: dict[int, str], each: Placed, frame: Frame) -> LockedTile:
    row, col = each.row - frame.top, each.col - frame.left
    return LockedTile(tile=number[each.tile], row=row, col=col, turn=each.turn)
