"""Which tiles fit a hole, all its sides taken together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.errors import AzulejarError
from azulejar.measures.probability import Probabilities

UNFIT = 0.01  # probability of a joint below which it speaks against the tile
DIRECTIONS = ("above", "right", "below", "left")


class Place(NamedTuple):
    """Where a tile may lie; all count from 0. Rows and cols may be one beyond the panel."""

    panel: int
    row: int
    col: int


@dataclass(frozen=True)
class Candidate:
    """A tile that may fit, at the ``turn`` (clockwise quarters) that fits best.

    ``joints`` are the probabilities of the joints above, right, below and left; None where nothing
    lies.
    """

    tile: int
    turn: int
    probability: float
    joints: tuple[float | None, ...]


def surroundings(assembly: Assembly, place: Place) -> dict[int, int]:
    """The edges that face a place, by the direction in which they lie; raises if there are none."""
    found = {}
    for direction in range(4):
        row = place.row + ROW_STEP[direction]
        col = place.col + COL_STEP[direction]
        lies = (assembly.panel == place.panel) & (assembly.row == row) & (assembly.col == col)
        for tile in np.flatnonzero(lies).tolist():
            found[direction] = 4 * tile + (direction + 2 - int(assembly.turn[tile])) % 4
    if not found:
        raise AzulejarError(
            f"No tile lies beside row {place.row + 1}, col {place.col + 1}.",
            "Choose a place that touches the panel; rows and cols count from 1.",
        )
    return found


def candidates_for(
    compatibility: Compatibility,
    assembly: Assembly,
    place: Place,
    tiles: Sequence[int],
    *,
    upright: bool = False,
) -> tuple[list[Candidate], float]:
    """The ``tiles`` by how well they fit, best first, and how likely none of them does.

    Each joint multiplies the odds of a tile by its probability over ``UNFIT``; those of none stay
    as they are. The tiles around the place are left out, since they cannot lie beside themselves.
    """
    around = surroundings(assembly, place)
    directions, met = np.array(list(around)), np.array(list(around.values()))
    loose = np.setdiff1d(np.asarray(tiles, np.int64), met // 4)
    turns = np.arange(1 if upright else 4)
    edges = 4 * loose[:, None, None] + (directions - turns[:, None]) % 4
    logs = Probabilities.of(compatibility).log(edges, np.broadcast_to(met, edges.shape))
    evidence = (logs - np.log(UNFIT)).sum(axis=-1)
    highest = max(0.0, float(evidence.max(initial=0.0)))
    odds = np.exp(evidence - highest)
    total = float(odds.sum() + np.exp(-highest))
    found = []
    for i in np.argsort(-odds.max(axis=1, initial=0.0), kind="stable").tolist():
        turn = int(odds[i].argmax())
        by_direction = dict(zip(directions.tolist(), np.exp(logs[i, turn]).tolist(), strict=True))
        joints = tuple(by_direction.get(direction) for direction in range(4))
        found.append(Candidate(int(loose[i]), turn, float(odds[i, turn]) / total, joints))
    return found, float(np.exp(-highest)) / total
