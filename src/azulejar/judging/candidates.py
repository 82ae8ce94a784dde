"""Which tiles fit a hole, or the place of another tile, all sides taken together.

A tile that lies in the place is as likely to belong there as its confidence says; the others share
the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly, Place
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP, edge_towards, opposite
from azulejar.errors import AzulejarError
from azulejar.judging.confidence import tile_confidence
from azulejar.judging.evidence import UNFIT, Rivals
from azulejar.measures.probability import Probabilities

DIRECTIONS = ("above", "right", "below", "left")


@dataclass(frozen=True)
class Candidate:
    """A tile that may fit a place, at the ``turn`` (clockwise quarters) that fits best.

    ``joints`` are the probabilities of the joints above, right, below and left; None where no
    tile lies.
    """

    tile: int
    turn: int
    probability: float
    joints: tuple[float | None, ...]


class _Fits(NamedTuple):
    """How well tiles fit a place.

    ``tiles`` [m]; ``directions`` [sides] in which neighbours lie; ``logs`` [m, turns, sides], the
    log-probabilities of the joints; ``probability`` [m, turns]; ``none``, the probability that no
    tile belongs there.
    """

    tiles: NDArray[np.int64]
    directions: NDArray[np.int64]
    logs: NDArray[np.float64]
    probability: NDArray[np.float64]
    none: float


def surroundings(assembly: Assembly, place: Place) -> dict[int, int]:
    """Return the edges that face a place, by the direction in which they lie.

    Raises:
        AzulejarError: No tile lies beside the place.
    """
    found = {}
    for direction in range(4):
        row = place.row + int(ROW_STEP[direction])
        col = place.col + int(COL_STEP[direction])
        lies = (assembly.panel == place.panel) & (assembly.row == row) & (assembly.col == col)
        for tile in np.flatnonzero(lies).tolist():
            found[direction] = edge_towards(tile, int(assembly.turn[tile]), opposite(direction))
    if not found:
        raise AzulejarError(
            "place-without-neighbours",
            "No tile lies beside row {row}, col {col}.",
            "Choose a place that touches the panel; rows and cols count from 1.",
            row=place.row + 1,
            col=place.col + 1,
        )
    return found


def tiles_to_try(
    assembly: Assembly, place: Place, numbers: Sequence[str], *, placed_too: bool = False
) -> list[int]:
    """Return the tiles that may belong at a place: those that have none.

    Args:
        assembly: Where the tiles lie.
        place: A hole that touches the panel.
        numbers: The inventory number of each tile.
        placed_too: Return all tiles, and take places where a tile lies.

    Raises:
        AzulejarError: A tile lies there, no tile lies beside, or there is no tile to try.
    """
    here = (assembly.panel == place.panel) & (assembly.row == place.row)
    lies = np.flatnonzero(here & (assembly.col == place.col))
    if len(lies) and not placed_too:
        raise AzulejarError(
            "place-is-no-hole",
            "Row {row}, col {col} is no hole: {tile} lies there.",
            "Choose an empty place, or let tiles that have a place be tried too.",
            row=place.row + 1,
            col=place.col + 1,
            tile=numbers[lies[0]],
        )
    surroundings(assembly, place)
    chosen = np.arange(len(assembly)) if placed_too else np.flatnonzero(assembly.panel < 0)
    if not len(chosen):
        raise AzulejarError(
            "no-loose-tiles",
            "All tiles have a place, so none is loose.",
            "Add tiles of other folders, or let tiles that have a place be tried too.",
        )
    return chosen.tolist()


def candidates_for(
    compatibility: Compatibility,
    assembly: Assembly,
    place: Place,
    tiles: Sequence[int] | None = None,
    *,
    upright: bool = False,
    rivals: Rivals | None = None,
) -> tuple[list[Candidate], float]:
    """Rank ``tiles`` by how well they fit a place.

    The tiles around the place are left out, since a tile cannot lie beside itself.

    Args:
        compatibility: Scores of all tiles.
        assembly: Where the tiles lie.
        place: A hole, or the place of a tile.
        tiles: The tiles that may be meant; by default those that have no place.
        upright: Try each tile only as its file shows it.
        rivals: Those of the compatibility, if they are computed already.

    Returns:
        The candidates, best first, and the probability that none of them belongs there.

    Raises:
        AzulejarError: If no tile lies beside the place.

    Examples:
        >>> import numpy as np
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> place = azulejar.Place(0, int(truth.row[5]), int(truth.col[5]))
        >>> panel = np.where(np.arange(16) == 5, -1, 0)  # tile 5 is taken out
        >>> holed = azulejar.Assembly.of(truth.row, truth.col, truth.turn, panel, size=(4, 4))
        >>> candidates, none = azulejar.candidates_for(scores, holed, place)
        >>> candidates[0].tile
        5
    """
    if tiles is None:
        tiles = np.flatnonzero(assembly.panel < 0).tolist()
    fits = _try_tiles(compatibility, assembly, place, tiles, upright)
    here = (assembly.panel == place.panel) & (assembly.row == place.row)
    for tile in np.flatnonzero(here & (assembly.col == place.col)).tolist():
        sure = float(tile_confidence(compatibility, assembly, rivals)[tile])
        fits = _with_present(fits, tile, int(assembly.turn[tile]), sure)
    return _rank(fits), fits.none


def alternatives_for(
    compatibility: Compatibility,
    assembly: Assembly,
    tile: int,
    *,
    upright: bool = False,
    rivals: Rivals | None = None,
) -> list[Candidate]:
    """Rank the other tiles by how well they fit the place of ``tile``.

    All tiles but the neighbours compete for the place, ranked as by ``candidates_for``; the rest
    to a probability of 1 is that of ``tile`` itself and that of none.
    """
    place = Place(int(assembly.panel[tile]), int(assembly.row[tile]), int(assembly.col[tile]))
    ranked, _ = candidates_for(
        compatibility, assembly, place, range(len(assembly)), upright=upright, rivals=rivals
    )
    return [candidate for candidate in ranked if candidate.tile != tile]


def weigh_fits(logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Turn the joints that each way of filling a hole would make into its probability.

    Each joint multiplies the odds of a way by its probability over ``UNFIT``; the odds of leaving
    the hole empty are 1.

    Args:
        logs: Log-probabilities of the joints, [..., sides].

    Returns:
        The probability of each way [...], and that of none.
    """
    evidence = (logs - np.log(UNFIT)).sum(axis=-1)
    highest = max(0.0, float(evidence.max(initial=0.0)))
    odds = np.exp(evidence - highest)
    none = np.exp(-highest)
    total = odds.sum() + none
    return odds / total, float(none / total)


def _try_tiles(
    compatibility: Compatibility,
    assembly: Assembly,
    place: Place,
    tiles: Sequence[int],
    upright: bool,
) -> _Fits:
    facing = surroundings(assembly, place)
    directions, met = np.array(list(facing)), np.array(list(facing.values()))
    tried = np.setdiff1d(np.asarray(tiles, np.int64), met // 4)
    turns = np.arange(1 if upright else 4)
    edges = edge_towards(tried[:, None, None], turns[:, None], directions)
    logs = Probabilities.of(compatibility).log(edges, np.broadcast_to(met, edges.shape))
    return _Fits(tried, directions, logs, *weigh_fits(logs))


def _with_present(fits: _Fits, tile: int, turn: int, sure: float) -> _Fits:
    """Give the tile that lies there the probability ``sure``; the others share the rest."""
    probability = fits.probability.copy()
    own = np.flatnonzero(fits.tiles == tile)
    tried = len(own) > 0 and turn < probability.shape[1]
    if tried:
        probability[own[0], turn] = 0
    share = (1 - sure) / max(float(probability.sum()) + fits.none, 1e-12)
    probability *= share
    none = fits.none * share
    if tried:
        probability[own[0], turn] = sure
    else:
        none += sure
    return fits._replace(probability=probability, none=none)


def _rank(fits: _Fits) -> list[Candidate]:
    """Return each tile at its best turn, best first; equal tiles in rising order."""
    ranked = []
    for i in np.argsort(-fits.probability.max(axis=1, initial=0.0), kind="stable").tolist():
        turn = int(fits.probability[i].argmax())
        joints = np.exp(fits.logs[i, turn]).tolist()
        by_direction = dict(zip(fits.directions.tolist(), joints, strict=True))
        ranked.append(
            Candidate(
                int(fits.tiles[i]),
                turn,
                float(fits.probability[i, turn]),
                tuple(by_direction.get(direction) for direction in range(4)),
            )
        )
    return ranked
