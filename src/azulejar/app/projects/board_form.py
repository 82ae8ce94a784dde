"""The normal form of a board: how one is built from its parts, and keys that compare them.

In it lists are sorted, no two tiles share a place, tiles in the tray are at row 0, col 0 and not
locked, no tile lies in a place that is marked as missing, and no joint is of a tile that is not
there.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    Pair,
    PanelOutline,
    PanelPlace,
    PanelReference,
    Placed,
)
from azulejar.core.mask import parse_mask, write_rows

PlaceKey = tuple[int, int, int]  # panel, row, col
PairKey = tuple[int, int, int, int]  # tile, side, other, its side


def build_board(
    placed: Iterable[Placed],
    locked: Iterable[int],
    judged: Sequence[Iterable[PairKey]],
    missing: Iterable[PlaceKey],
    panels: list[str],
    outlines: dict[int, PanelOutline],
    pictures: dict[int, PanelReference],
) -> Board:
    """Build a board; ``judged`` holds the forbidden and the accepted joints."""
    lies = sorted(placed, key=lambda each: each.tile)
    known = {each.tile for each in lies}
    laid = {each.tile for each in lies if each.panel != LOOSE}
    taken = {place_key(each) for each in lies}
    forbidden, accepted = (
        sorted_pairs(key for key in keys if key[0] in known and key[2] in known) for keys in judged
    )
    return Board(
        placed=lies,
        locked=sorted(laid.intersection(locked)),
        forbidden=forbidden,
        accepted=accepted,
        missing=sorted_places(key for key in missing if key not in taken),
        outlines=[outlines[panel] for panel in sorted(outlines) if panel < len(panels)],
        references=[pictures[panel] for panel in sorted(pictures) if panel < len(panels)],
        panels=panels,
    )


def outlines_by_panel(
    known: Iterable[PanelOutline], drawn: Iterable[PanelOutline] = ()
) -> dict[int, PanelOutline]:
    """Return the outlines by panel, those in ``drawn`` in place of earlier ones, cut to fit."""
    outlines = {each.panel: each for each in known}
    for each in drawn:
        outlines.pop(each.panel, None)
        if each.places():
            mask = parse_mask(each.mask)
            where = np.argwhere(mask)
            (top, left), (bottom, right) = where.min(axis=0), where.max(axis=0)
            cut = write_rows(mask[top : bottom + 1, left : right + 1])
            place = {"row": each.row + int(top), "col": each.col + int(left)}
            outlines[each.panel] = each.model_copy(update={"mask": cut, **place})
    return outlines


def references_by_panel(
    known: Iterable[PanelReference], given: Iterable[PanelReference] = ()
) -> dict[int, PanelReference]:
    """Return the old pictures by panel, those ``given`` in place of earlier ones."""
    pictures = {each.panel: each for each in [*known, *given]}
    return {panel: each for panel, each in pictures.items() if each.file is not None}


def lift(each: Placed) -> Placed:
    """Return a tile as it lies in the tray."""
    return each.model_copy(update={"panel": LOOSE, "row": 0, "col": 0})


def place_key(place: PanelPlace | Placed) -> PlaceKey:
    """Return panel, row and column."""
    return place.panel, place.row, place.col


def sorted_places(keys: Iterable[PlaceKey]) -> list[PanelPlace]:
    """Return places from their keys."""
    return [PanelPlace(panel=panel, row=row, col=col) for panel, row, col in sorted(keys)]


def _pair_key(pair: Pair) -> PairKey:
    """Return a key that is the same for both orders of the pair."""
    first, second = sorted([(pair.tile, pair.side), (pair.other, pair.other_side)])
    return first + second


def pair_keys(pairs: Iterable[Pair]) -> set[PairKey]:
    """Return keys that are the same for both orders of a pair."""
    return {_pair_key(pair) for pair in pairs}


def sorted_pairs(keys: Iterable[PairKey]) -> list[Pair]:
    """Return pairs from their keys."""
    return [
        Pair(tile=tile, side=side, other=other, other_side=other_side)
        for tile, side, other, other_side in sorted(keys)
    ]
