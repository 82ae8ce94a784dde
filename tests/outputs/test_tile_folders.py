"""A puzzle written and read back."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.render import render
from azulejar.outputs.tile_folders import write_puzzle
from azulejar.practice.puzzles import cut, make_puzzle


def noise(height: int, width: int) -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_written_puzzle_reads_back(tmp_path: Path) -> None:
    picture = noise(24, 36)
    tiles, truth = make_puzzle(cut(picture, 2, 3), 2, 3, turned=True, seed=3)
    write_puzzle(tmp_path / "out", tiles, truth, upright=False, seed=3)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["tiles", "truth.json"]
    read = load_tiles(tmp_path / "out" / "tiles")
    solution = Solution.load(tmp_path / "out" / "truth.json")
    assert read.files == solution.files == tuple(f"tile_{i:04}.png" for i in range(1, 7))
    assert solution.folder == str((tmp_path / "out" / "tiles").resolve())
    assert (solution.upright, solution.seed) == (False, 3)
    np.testing.assert_array_equal(render(read, solution.assembly(read.files)), picture)


def test_an_existing_puzzle_is_kept_unless_told(tmp_path: Path) -> None:
    tiles, truth = make_puzzle(cut(noise(24, 24), 2, 2), 2, 2, turned=False, seed=0)
    write_puzzle(tmp_path / "out", tiles, truth, upright=True, seed=0)
    single, truth_of_single = make_puzzle(cut(noise(24, 24), 1, 1), 1, 1, turned=False, seed=0)
    with pytest.raises(AzulejarError, match="exists already"):
        write_puzzle(tmp_path / "out", single, truth_of_single, upright=True, seed=0)
    assert len(load_tiles(tmp_path / "out" / "tiles")) == 4
    write_puzzle(tmp_path / "out", single, truth_of_single, upright=True, seed=0, overwrite=True)
    assert len(load_tiles(tmp_path / "out" / "tiles")) == 1
