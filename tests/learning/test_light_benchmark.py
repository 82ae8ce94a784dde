"""What training for light is chosen by: tiles as photographed, pictures set aside."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import hold_out
from azulejar.learning.edge_network import EdgeNetwork
from azulejar.learning.views import grid_partners
from light_ranks import Puzzle, Ranks, picture_puzzles


@pytest.fixture
def cell():
    return np.random.default_rng(3).integers(0, 256, (64, 64, 3), dtype=np.uint8)


def test_pictures_become_panels_in_four_parts_that_do_not_meet(tmp_path):
    rng = np.random.default_rng(0)
    for number in range(5):
        pixels = rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
    (puzzle,) = picture_puzzles(tmp_path, 3)
    assert puzzle.cells.shape == (256, 64, 64, 3)
    edges = torch.arange(1024)
    known = puzzle.partners >= 0
    assert known.sum() == 4 * 2 * 112
    assert (edges[known] // 256 == puzzle.partners[known] // 256).all()
    assert (puzzle.partners[puzzle.partners[known]] == edges[known]).all()


def test_ranks_name_every_condition(cell, tiny):
    puzzle = Puzzle(np.stack([np.roll(cell, 7 * k, 0) for k in range(4)]), grid_partners(2, 2))
    conditions = [(0.03, "none"), (0.05, "strong")]
    ranks = Ranks({"noise": [puzzle, puzzle]}, torch.device("cpu"), conditions, workers=1)
    found = ranks(EdgeNetwork(**tiny))
    assert list(found["noise"]) == ["3%", "5% strong"]
    assert all(0 <= value <= 100 for pair in found["noise"].values() for value in pair)


def test_pictures_set_aside_are_spread_over_the_folder():
    files = [Path(f"{number:03d}") for number in range(100)]
    assert sorted(int(p.name) for p in hold_out.set_aside(files, 4)) == [12, 38, 62, 88]
    for count in (435, 494, 797, 821, 1972):
        assert len(hold_out.set_aside([Path(str(n)) for n in range(count)])) == 20
