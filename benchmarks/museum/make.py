"""Make a museum: tiles of many panels, aged, trimmed, turned, mixed over crates, with the truth.

python benchmarks/museum/make.py ../shared/data/benchmark/* -o MUSEUM --tiles 10000 --seed 1
python benchmarks/museum/make.py ../shared/data/benchmark/* --crowd ../shared/data/pictures/* \
    --real ../shared/data/panels/val -o MUSEUM --tiles 100000 --seed 1

With a crowd, PICTURES give 10,000 tiles (--judged) and the crowd's pictures the rest: the same
panels, with the same seed, in crowds of any size. The network was trained on data/pictures and on
panels/train, and never on data/benchmark and panels/val: give the latter to measure, and the
former with --kind seen to choose settings.
"""

import argparse
import csv
import re
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from paint import ALIKE, Style, draw_tiles
from plan import Crop, Room, plan_panels

from azulejar.cli.console import bar
from azulejar.imaging.picture import is_picture
from azulejar.system.atomic import new_folder

CRATE = 30  # tiles
REAL_TILE = 64  # pixels
COLUMNS = (
    "file", "crate", "panel", "row", "col", "turn", "rows", "cols", "source", "kind",
)  # fmt: skip


def make_museum(
    folder: Path, parts: Sequence[Sequence[Crop]], seed: int, style: Style | None = None
) -> None:
    """Write ``folder``/crates/NUMBER/*.png and ``folder``/truth.csv; same seed, same museum."""
    crops = [(part, i, crop) for part, some in enumerate(parts) for i, crop in enumerate(some)]
    with new_folder(folder, "truth.csv") as temporary, bar("Making tiles") as show:
        rows: list[list[object]] = []
        drawn = temporary / "drawn"
        drawn.mkdir()
        for number, (*place, crop) in enumerate(crops, 1):
            tiles = draw_tiles(crop, np.random.default_rng([seed, *place]), style)
            for photograph, cell, turn in zip(*tiles, strict=True):
                _write(drawn / f"{len(rows)}.png", photograph)
                rows.append(_row(crop, int(cell), int(turn)))
            show(number / len(crops))
        _fill_crates(temporary, rows, np.random.default_rng(seed))
        drawn.rmdir()
    panels = sum(crop.kind != "stray" for *_, crop in crops)
    print(f"{len(rows)} tiles of {panels} panels in {folder}")


def _write(path: Path, tile: NDArray[np.uint8]) -> None:
    quick = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    cv2.imwrite(str(path), cv2.cvtColor(tile, cv2.COLOR_RGB2BGR), quick)


def _row(crop: Crop, cell: int, turn: int) -> list[object]:
    """Return the columns of truth.csv for a tile after its file and crate."""
    source = f"{crop.picture.parent.name}/{crop.picture.name}"
    place = (*divmod(cell, crop.cols), 90 * turn, crop.rows, crop.cols)
    return [crop.name, *place, source, crop.kind]


def _fill_crates(folder: Path, rows: list[list[object]], rng: np.random.Generator) -> None:
    """Move the tiles in random order from ``folder``/drawn into crates, and write the truth."""
    with (folder / "truth.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for place, number in enumerate(rng.permutation(len(rows))):
            crate = f"{place // CRATE + 1:04d}"
            name = f"{place + 1:06d}.png"
            (folder / "crates" / crate).mkdir(parents=True, exist_ok=True)
            (folder / "drawn" / f"{number}.png").rename(folder / "crates" / crate / name)
            writer.writerow([name, crate, *rows[number]])


def real_panels(folder: Path) -> list[Crop]:
    """Return all panels NAME__RxC.jpg of a folder, whole."""
    crops = []
    for path in sorted(folder.glob("*__*x*.jpg")):
        rows, cols = map(int, re.findall(r"__(\d+)x(\d+)$", path.stem)[0])
        crops.append(Crop(path.stem.split("__")[0], "real", path, rows, cols, REAL_TILE))
    return crops


def pictures_in(folders: Sequence[Path]) -> list[Path]:
    """Return all pictures under the folders, in a fixed order."""
    return [path for folder in folders for path in sorted(folder.rglob("*")) if is_picture(path)]


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("pictures", nargs="+", type=Path, help="folders of pictures")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--tiles", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("unseen", "seen"), default="unseen")
    parser.add_argument("--crowd", nargs="*", type=Path, default=[], help="seen pictures")
    parser.add_argument("--judged", type=int, default=10000, help="tiles not of the crowd")
    parser.add_argument("--real", type=Path, help="folder of real panels")
    parser.add_argument("--alike", action="store_true", help="all panels in the same blue")
    given = parser.parse_args()
    real = real_panels(given.real) if given.real else []
    judged = min(given.tiles, given.judged) if given.crowd else given.tiles
    crowd = given.tiles - judged - sum(crop.rows * crop.cols for crop in real)
    parts = [real]
    for folders, kind, tiles in (
        (given.pictures, given.kind, judged),
        (given.crowd, "seen", crowd),
    ):
        rng = np.random.default_rng([given.seed, len(parts)])
        parts.append(plan_panels(Room.of(pictures_in(folders), kind), tiles, rng))
    make_museum(given.out, parts, given.seed, ALIKE if given.alike else None)


if __name__ == "__main__":
    main()
