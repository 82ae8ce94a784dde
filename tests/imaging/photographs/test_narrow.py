"""Tiles that were cut parallel to a side."""

import numpy as np
import pytest
from PIL import Image

from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import import_tiles
from azulejar.imaging.photographs.narrow import Narrow, measure_narrow
from azulejar.imaging.photographs.quads import UNIT
from azulejar.imaging.picture import resize
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.scenes.objects import cut_parallel


class Table:
    """A table on which pixels are tiles."""

    def to_table(self, quad):
        return quad


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((0.8, 1), Narrow("wide", 0.8)),
        ((1, 0.8), Narrow("high", 0.8)),
        ((1, 0.97), None),
        ((1, 0.5), None),
        ((0.8, 0.8), None),
        ((0.9, 0.7), None),
    ],
)
def test_a_tile_is_narrow_if_only_one_measure_is_short(size, expected):
    assert measure_narrow(Table(), UNIT * size) == expected


def test_an_askew_outline_is_no_narrow_tile():
    assert measure_narrow(Table(), UNIT * (0.8, 1) + [[0, 0], [0.05, 0], [0, 0], [0, 0]]) is None


def test_narrow_tiles_are_imported_with_their_size(painted, tmp_path):
    random = np.random.default_rng(1)
    large = [resize(tile, 256, 256) for tile in painted[:2]]
    cut = [cut_parallel(tile, kept, random, chipped=False)
           for tile, kept in zip(large, (0.65, 0.8), strict=True)]  # fmt: skip
    photo = render_scene(SCENES["wood"], [*cut, *painted[-4:]], (480, 720), 1)
    Image.fromarray(photo.picture).save(tmp_path / "wood.png")
    import_tiles([tmp_path / "wood.png"], tmp_path / "tiles")
    tiles = ImportLog(tmp_path / "tiles").all()[0].tiles
    assert len(tiles) == 6
    notes = sorted(tile.note for tile in tiles if "may be cut" in tile.note)
    assert [note[:13] for note in notes] == ["doubtful: 64%", "doubtful: 80%"]
