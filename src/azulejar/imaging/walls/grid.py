"""Grid: where the joints of a panel cross in a photograph; ``grid.json``."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, ValidationError

from azulejar.errors import AzulejarError
from azulejar.system.atomic import replacing


@dataclass(frozen=True)
class Grid:
    """``crossings`` [rows + 1, cols + 1, 2] in pixels, (x, y) from the picture's top left corner.

    ``clear_down`` [rows, cols + 1] and ``clear_across`` [rows + 1, cols] say how clearly the joint
    from one crossing to the next was seen, 0 to 1; ``confidence``, 0 to 1, how sure the whole is.
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
        """[4, 2] from the top left one clockwise."""
        return self.crossings[[0, 0, -1, -1], [0, -1, -1, 0]]

    @property
    def side(self) -> float:
        """Median length of a tile's sides in the photograph, in pixels."""
        across, down = (np.diff(self.crossings, axis=axis) for axis in (1, 0))
        lengths = [np.linalg.norm(step, axis=-1).ravel() for step in (across, down)]
        return float(np.median(np.concatenate(lengths)))

    def save(self, path: Path) -> None:
        """Write ``grid.json``."""
        file = _File(
            rows=self.rows,
            cols=self.cols,
            confidence=round(self.confidence, 3),
            crossings=self.crossings.round(2).tolist(),
            clear_down=self.clear_down.round(2).tolist(),
            clear_across=self.clear_across.round(2).tolist(),
        )
        with replacing(path) as temporary:
            temporary.write_text(file.model_dump_json(indent=1), encoding="utf-8")


class _File(BaseModel):
    format: Literal["azulejar-grid/1"] = "azulejar-grid/1"
    rows: int = Field(ge=1, le=10_000)
    cols: int = Field(ge=1, le=10_000)
    confidence: float | None = None
    crossings: list[list[tuple[float, float]]]
    clear_down: list[list[float]] | None = None
    clear_across: list[list[float]] | None = None


def load_grid(path: Path) -> Grid:
    """Read a ``grid.json``; rows, cols and the crossings must agree and every tile be convex."""
    try:
        file = _File.model_validate(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise AzulejarError(f"Cannot read {path}: {reason}.", "Check the path.") from error
    except (json.JSONDecodeError, ValidationError) as error:
        raise AzulejarError(
            f"{path} is no grid.json.", "Give one that azulejar cut wrote, edited or not."
        ) from error
    shape = (file.rows + 1, file.cols + 1)
    if len(file.crossings) != shape[0] or any(len(row) != shape[1] for row in file.crossings):
        raise AzulejarError(
            f"{path} does not hold {shape[0]} lists of {shape[1]} crossings.",
            "Each row of crossings needs one more point than there are cols.",
        )
    crossings = np.array(file.crossings, np.float64)
    if not np.isfinite(crossings).all() or (_turns(crossings) <= 0).any():
        raise AzulejarError(
            f"{path} has crossings that fold over or coincide.",
            "Check that they go from left to right and from top to bottom.",
        )
    down, across = np.ones((file.rows, file.cols + 1)), np.ones((file.rows + 1, file.cols))
    return Grid(crossings, down, across, 1.0)


def _turns(crossings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the area of the triangles at the corners of every tile; all positive if convex."""
    corners = [crossings[:-1, :-1], crossings[:-1, 1:], crossings[1:, 1:], crossings[1:, :-1]]
    turns = []
    for corner in range(4):
        first, second, third = (corners[(corner + step) % 4] for step in range(3))
        one, two = second - first, third - second
        turns.append(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0])
    return np.stack(turns)
