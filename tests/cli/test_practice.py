"""``azulejar practice``: photographs of one tile each; the walk-through has those of tables."""

import numpy as np
from PIL import Image

from azulejar.cli import practice
from azulejar.imaging.photographs.find import find_tiles


def test_one_by_one_each_photograph_has_one_tile_in_its_own_light(azulejar, monkeypatch, tmp_path):
    small = {"ROWS": 2, "COLS": 3, "STRANGERS": 2, "TILE": 60, "SHAPE": (300, 400),
             "SINGLE_SHAPE": (350, 400)}  # fmt: skip
    for name, value in small.items():
        monkeypatch.setattr(practice, name, value)
    azulejar("practice", "--one-by-one", "-o", "lit")
    paths = sorted((tmp_path / "lit" / "photographs").iterdir())
    assert [path.name for path in paths] == [f"tile_{i:02}.jpg" for i in range(1, 5)]
    pictures = [np.asarray(Image.open(path)) for path in paths]
    assert len(find_tiles(pictures[0]).tiles) == 1
    assert np.std([picture.mean() for picture in pictures]) > 5
    assert (tmp_path / "lit" / "other_crate" / "crate_7.jpg").is_file()


def test_shaped_tiles_lie_beside_whole_ones(invoke, tmp_path):
    result = invoke("practice", "--shaped", "--one-by-one", "-o", "cut")
    assert result.returncode == 2
    assert "Shaped tiles cannot be photographed one by one." in result.stderr
    assert not (tmp_path / "cut").exists()
