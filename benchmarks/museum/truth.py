"""The truth of a museum, in the order of a collection's tiles."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly

SCENE = "saobento_procession"  # a panel that was photographed in three parts


@dataclass(frozen=True)
class Truth:
    """The truth of n tiles.

    ``assembly`` has a panel for each, strays by themselves; ``kind`` and ``scene`` [n], where parts
    of one scene have the same number; ``names`` of the panels.
    """

    assembly: Assembly
    kind: NDArray[np.str_]
    scene: NDArray[np.int64]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    def panels(self, *kinds: str) -> list[int]:
        """Return the panels of these kinds."""
        return np.unique(self.assembly.panel[np.isin(self.kind, kinds)]).tolist()

    def tiles(self, panel: int) -> NDArray[np.int64]:
        """Return the tiles of a panel."""
        return np.flatnonzero(self.assembly.panel == panel)


def read_truth(museum: Path, inventories: Sequence[str]) -> Truth:
    """Return the truth of the tiles with these inventory numbers, which are the files' stems."""
    with (museum / "truth.csv").open(newline="", encoding="utf-8") as file:
        rows = {Path(row["file"]).stem: row for row in csv.DictReader(file)}
    listed = [rows[inventory] for inventory in inventories]
    names, panel = np.unique([row["panel"] for row in listed], return_inverse=True)
    scenes = [SCENE if row["panel"].startswith(SCENE) else row["panel"] for row in listed]
    row, col, turn = (
        np.array([int(each[name]) for each in listed], np.int32) for name in ("row", "col", "turn")
    )
    return Truth(
        Assembly(row, col, turn // 90, panel.astype(np.int32)),
        np.array([row["kind"] for row in listed]),
        np.unique(scenes, return_inverse=True)[1],
        tuple(map(str, names)),
    )
