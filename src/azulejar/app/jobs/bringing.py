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
    """Write pictures [n, S, S, 3] under new names, all or none."""
    refuse_too_many(bench, files)
    paths = [bench.folder / "tiles" / file for file in files]
    try:
        for done, (path, tile) in enumerate(zip(paths, tiles, strict=True), 1):
            write_picture(path, tile)
            bench.fraction(done / len(files))
    except BaseException:
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    return [NewTile(file=file, number=Path(file).stem) for file in files]
