"""Where the joints of a panel cross in a photograph: ``grid.json``, and how two grids compare."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field
from scipy.spatial import cKDTree

from azulejar.core.limits import LONGEST
from azulejar.errors import AzulejarError
from azulejar.imaging.walls.photo import FARTHEST, Points
from azulejar.system.atomic import replacing
from azulejar.system.reading import parse_json, read_bytes, unreadable

SAME = 0.05  # tiles by which crossings of the same joints may differ
COMMON = 0.75  # most tiles to the other grid's nearest crossing where both grids lie
OVERLAP = 0.5  # share of one grid's crossings that must lie in the other
FEWEST_COMMON = 20  # crossings: fewer may fit by chance


@dataclass(frozen=True)
class Grid:
    """The grid of a panel's joints in a photograph.

    ``crossings`` [rows + 1, cols + 1, 2] are in pixels, (x, y) from the picture's top left corner.
    ``clear_down`` [rows, cols + 1] and ``clear_across`` [rows + 1, cols] say how clearly the joint
    from one crossing to the next was seen, 0 to 1; ``confidence``, 0 to 1, how sure the grid is.
    """

    crossings: NDArray[np.float64]
    clear_down: NDArray[np.float64]
    clear_across: NDArray[np.float64]
    confidence: float

    @property
    def rows(self) -> int:
        return len(self.crossings) - 1

    @property
    def cols(self) -> int:
        return self.crossings.shape[1] - 1

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners [4, 2], clockwise from the top left."""
        return self.crossings[[0, 0, -1, -1], [0, -1, -1, 0]]

    @property
    def side(self) -> float:
        """Median length of a tile's sides in the photograph, in pixels."""
        across, down = (np.diff(self.crossings, axis=axis) for axis in (1, 0))
        lengths = [np.linalg.norm(step, axis=-1).ravel() for step in (across, down)]
        return float(np.median(np.concatenate(lengths)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``grid.json``."""
        file = _File(
            rows=self.rows,
            cols=self.cols,
            confidence=round(self.confidence, 3),
            crossings=self.crossings.round(2).tolist(),
            clear_down=self.clear_down.round(2).tolist(),
            clear_across=self.clear_across.round(2).tolist(),
        )
        with replacing(Path(path)) as temporary:
            temporary.write_text(file.model_dump_json(indent=1), encoding="utf-8")


class _File(BaseModel):
    format: Literal["azulejar-grid/1"] = "azulejar-grid/1"
    rows: int = Field(ge=1, le=LONGEST)
    cols: int = Field(ge=1, le=LONGEST)
    confidence: float | None = None
    crossings: list[list[tuple[float, float]]]
    clear_down: list[list[float]] | None = None
    clear_across: list[list[float]] | None = None


def load_grid(path: str | os.PathLike[str]) -> Grid:
    """Read a ``grid.json``; rows, cols and crossings must agree, and every tile must be convex."""
    try:
        file = _File.model_validate(parse_json(read_bytes(path).decode("utf-8")))
    except UnicodeDecodeError as error:
        raise unreadable(path, "it is not text") from error
    except ValueError as error:
        raise AzulejarError(
            "grid-invalid",
            "{path} is no grid.json.",
            "Give one that came with a cut wall, edited or not.",
            path=str(path),
        ) from error
    shape = (file.rows + 1, file.cols + 1)
    if len(file.crossings) != shape[0] or any(len(row) != shape[1] for row in file.crossings):
        raise AzulejarError(
            "grid-wrong-shape",
            "{path} does not hold {lists} lists of {points} crossings.",
            "Each row of crossings needs one more point than there are cols.",
            path=str(path),
            lists=shape[0],
            points=shape[1],
        )
    crossings = np.array(file.crossings, np.float64)
    if not (np.abs(crossings) <= FARTHEST).all() or (_turns(crossings) <= 0).any():
        raise AzulejarError(
            "grid-folded",
            "{path} has crossings that fold over or coincide.",
            "Check that they go from left to right and from top to bottom.",
            path=str(path),
        )
    down, across = np.ones((file.rows, file.cols + 1)), np.ones((file.rows + 1, file.cols))
    return Grid(crossings, down, across, 1.0)


def _turns(crossings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return twice the areas of the triangles at every tile's corners; all positive if convex."""
    corners = [crossings[:-1, :-1], crossings[:-1, 1:], crossings[1:, 1:], crossings[1:, :-1]]
    turns = []
    for corner in range(4):
        first, second, third = (corners[(corner + step) % 4] for step in range(3))
        one, two = second - first, third - second
        turns.append(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0])
    return np.stack(turns)


def shared_crossings(one: Points, other: Points) -> float:
    """Return the share of crossings that two grids [rows + 1, cols + 1, 2] share where both lie.

    It is 0 if the grids hardly overlap.
    """
    shares, same = zip(*(_common(*pair) for pair in ((one, other), (other, one))), strict=True)
    if min(map(len, same)) < FEWEST_COMMON or max(shares) < OVERLAP:
        return 0.0
    return min(float(each.mean()) for each in same)


def tiles_off(points: Points, crossings: Points) -> NDArray[np.float64]:
    """Return how far ``points`` lie from ``crossings``, both [rows + 1, cols + 1, 2].

    Distances are in tiles, as if the wall were seen from straight ahead.
    """
    return _length_in_tiles(points - crossings, _sides(crossings))


def _common(one: Points, other: Points) -> tuple[float, NDArray[np.bool_]]:
    """Return the share of one grid that lies in the other, and which crossings there coincide."""
    points = other.reshape(-1, 2)
    _, which = cKDTree(points).query(one)
    apart = points[which] - one
    own = _length_in_tiles(apart, _sides(one))
    others = _length_in_tiles(apart, _sides(other).reshape(-1, 2, 2)[which])
    common = np.minimum(own, others) < COMMON  # tiles of either: those of one may be smaller
    return float(common.mean()), own[common] < SAME


def _sides(crossings: Points) -> NDArray[np.float64]:
    """Return the steps from every crossing along its row and down its col, as matrix columns."""
    return np.stack([np.gradient(crossings, axis=1), np.gradient(crossings, axis=0)], axis=-1)


def _length_in_tiles(apart: Points, sides: NDArray[np.float64]) -> NDArray[np.float64]:
    tiles = np.linalg.solve(sides, apart[..., None])[..., 0]
    return np.asarray(np.linalg.norm(tiles, axis=-1), np.float64)
