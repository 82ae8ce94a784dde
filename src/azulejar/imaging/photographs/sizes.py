"""Sizes of photographed tiles in cm, once the side of whole tiles is known."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from azulejar.core.halves import halved_by_names
from azulejar.core.limits import LEAST_SIDE, MOST_SIDE
from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.import_log import ImportedPhoto, ImportedTile
from azulejar.imaging.photographs.narrow import WIDEST
from azulejar.imaging.photographs.quads import Quad

KINDS = ("whole", "half", "quarter", "narrow")


class KindSize(NamedTuple):
    """How many tiles of a kind there are, and the medians of their sides in cm.

    ``least`` and ``most`` are the shortest and the longest side of any of them.
    """

    kind: str
    tiles: int
    long: float
    short: float
    least: float
    most: float


def check_side(side: float) -> None:
    """Raise if whole tiles cannot have a side of this many cm."""
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise AzulejarError(
            "tile-side-unusable",
            "No tile has a side of {side:g} cm.",
            "Give the side of a whole tile in cm, from {least:g} to {most:g}.",
            side=side,
            least=LEAST_SIDE,
            most=MOST_SIDE,
        )


def measure(plane: Plane, corners: Quad) -> tuple[float, float]:
    """Return width and height of a tile [4, 2], its first side on top, in sides of a whole tile."""
    flat = plane.to_table(corners)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=0), axis=1)
    return float(sides[[0, 2]].mean()), float(sides[[1, 3]].mean())


def sizes_by_kind(records: Sequence[ImportedPhoto], side: float) -> list[KindSize]:
    """Return how many tiles of which size there are, if whole ones have a ``side`` in cm.

    Every photograph is measured by its own whole tiles. Tiles that lie on no table, that were
    joined of fragments or that an earlier version has imported are not measured.
    """
    of_kind: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
    for tile in (tile for record in records for tile in record.tiles):
        if tile.width and tile.height:
            of_kind[_kind_of(tile)].append((tile.width, tile.height))
    found = []
    for kind, sizes in of_kind.items():
        if sizes:
            cm = side * np.sort(sizes, axis=1)
            short, long = np.median(cm, axis=0).tolist()
            found.append(KindSize(kind, len(cm), long, short, float(cm.min()), float(cm.max())))
    return found


def _kind_of(tile: ImportedTile) -> str:
    halved = halved_by_names([tile.half or None])
    if halved is not None:
        return "quarter" if halved.all() else "half"
    assert tile.width and tile.height
    return "narrow" if min(tile.width, tile.height) < WIDEST else "whole"
