"""The job demo: the painted tiles of the command line."""

import numpy as np
import pytest

from azulejar.app.jobs.context import Stopped
from azulejar.app.schemas.jobs import DemoRequest
from azulejar.imaging.picture import read_picture


def test_a_stop_in_the_middle_leaves_no_tiles(make_store, work, monkeypatch):
    pixels = np.zeros((3, 8, 8, 3), np.uint8)
    monkeypatch.setattr("azulejar.app.jobs.demo_job.worn_puzzle", lambda seed: (pixels, None))
    store = make_store(rows=0)
    with pytest.raises(Stopped):
        work(store, DemoRequest(), stop="painting")
    assert not any((store.folder / "tiles").iterdir())


def test_the_demo_is_the_one_of_the_command_line(make_store, work, painting, monkeypatch):
    pixels = np.zeros((140, 8, 8, 3), np.uint8)
    monkeypatch.setattr("azulejar.app.jobs.demo_job.worn_puzzle", lambda seed: (pixels, None))
    store = make_store(rows=0)
    work(store, DemoRequest())
    assert [tile.file for tile in store.tiles()][:2] == ["tile_0001.png", "tile_0002.png"]
    assert len(store.tiles()) == 140
    assert read_picture(store.folder / "tiles" / "tile_0140.png").shape == (8, 8, 3)
