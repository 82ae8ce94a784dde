"""New tile pictures on their way into the project's folder."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.bench import Bench
from azulejar.app.schemas import NewTile
from azulejar.app.uploads import MAX_FILES
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture


def refuse_too_many(bench: Bench, files: Iterable[str]) -> None:
    """Raise if the project would have more tiles than it takes."""
    if len({tile.file for tile in bench.tiles} | set(files)) > MAX_FILES:
        raise AzulejarError(f"A project takes {MAX_FILES:,} tiles.", "Make a second project.")


def write_tiles(bench: Bench, files: Sequence[str], tiles: NDArray[np.uint8]) -> list[NewTile]:
    """Write pictures [n, S, S, 3] under new names; those of a job that fails are nobody's."""
    refuse_too_many(bench, files)
    for done, (file, tile) in enumerate(zip(files, tiles, strict=True), 1):
        write_picture(bench.folder / "tiles" / file, tile)
        bench.fraction(done / len(files))
    return [NewTile(file=file, number=Path(file).stem) for file in files]
