"""Cutting, shuffling and turning a panel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.render import render
from azulejar.practice.puzzles import cut, make_puzzle

SIDE = 6
counts = st.integers(1, 6)


def noise(height: int, width: int) -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)


@settings(max_examples=60, deadline=None)
@given(rows=counts, cols=counts, seed=st.integers(0, 2**32), turned=st.booleans())
def test_a_rendered_truth_is_the_picture(rows: int, cols: int, seed: int, turned: bool) -> None:
    picture = noise(rows * SIDE, cols * SIDE)
    tiles, truth = make_puzzle(cut(picture, rows, cols), rows, cols, turned=turned, seed=seed)
    files = tuple(f"{i}.png" for i in range(len(tiles)))
    np.testing.assert_array_equal(render(TileSet(tiles, files), truth), picture)
    assert turned or not truth.turn.any()


def test_the_seed_decides_on_places_and_turns() -> None:
    cells = cut(noise(60, 60), 5, 5)
    first, _ = make_puzzle(cells, 5, 5, turned=True, seed=1)
    again, _ = make_puzzle(cells, 5, 5, turned=True, seed=1)
    other, truth = make_puzzle(cells, 5, 5, turned=True, seed=2)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert set(truth.turn.tolist()) == {0, 1, 2, 3}
    assert (truth.row * 5 + truth.col).tolist() != list(range(25))


@settings(max_examples=60, deadline=None)
@given(rows=counts, cols=counts, slack=st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_any_picture_can_be_cut_and_no_neighbour_is_read(
    rows: int, cols: int, slack: tuple[int, int]
) -> None:
    height, width = 24 * rows + slack[0], 24 * cols + slack[1]
    y, x = np.mgrid[:height, :width]
    # Each pixel's owner is the cell in which its middle lies.
    owner = ((y + 0.5) * rows // height) * cols + (x + 0.5) * cols // width
    colours = np.random.default_rng(0).integers(0, 256, (rows * cols, 3), dtype=np.uint8)
    for trim in (0.0, 0.01, 0.07):
        cells = cut(colours[owner.astype(int)], rows, cols, trim)
        np.testing.assert_array_equal(cells, np.broadcast_to(colours[:, None, None], cells.shape))


def test_exact_cells_are_copies_in_reading_order() -> None:
    picture = noise(20, 30)
    cells = cut(picture, 2, 3)
    assert cells.shape == (6, 10, 10, 3)
    np.testing.assert_array_equal(cells[4], picture[10:20, 10:20])


@pytest.mark.parametrize("trim", [0.03, 0.05, 0.07])
def test_trim_follows_the_protocol(trim: float) -> None:
    picture = noise(128, 192)
    cells = cut(picture, 2, 3, trim, tile_size=50)
    lost = 64 * trim
    expected = Image.fromarray(picture[64:128, 128:192]).resize(
        (50, 50), Image.Resampling.BICUBIC, box=(lost, lost, 64 - lost, 64 - lost)
    )
    np.testing.assert_array_equal(cells[5], np.asarray(expected))


def test_trim_lowers_the_default_size() -> None:
    assert cut(noise(128, 128), 2, 2, 0.07).shape == (4, 55, 55, 3)


def test_uneven_cells_keep_their_places() -> None:
    y, x = np.mgrid[:100, :140]
    ramp = np.stack([y, x, 0 * x], axis=2).astype(np.uint8)
    means = cut(ramp, 7, 9, 0.1).reshape(7, 9, -1, 3).mean(2)
    np.testing.assert_allclose(means[:, 0, 0], (np.arange(7) + 0.5) * 100 / 7 - 0.5, atol=0.6)
    np.testing.assert_allclose(means[0, :, 1], (np.arange(9) + 0.5) * 140 / 9 - 0.5, atol=0.6)


@pytest.mark.parametrize(
    ("rows", "cols", "trim", "size", "message"),
    [
        (0, 3, 0.0, None, "0 rows"),
        (3, -1, 0.0, None, "-1 cols"),
        (3, 3, 0.5, None, "trim of 0.5"),
        (3, 3, -0.1, None, "trim of -0.1"),
        (3, 3, float("nan"), None, "trim of nan"),
        (30, 30, 0.0, None, "less than 4 px"),
        (3, 3, 0.45, None, "less than 4 px"),
        (1, 9, 0.0, None, "no square tiles"),
        (3, 3, 0.0, 0, "tiles of 0 px"),
        (3, 3, 0.0, 9000, "tiles of 9000 px"),
    ],
)
def test_impossible_cuts(rows: int, cols: int, trim: float, size: int | None, message: str) -> None:
    with pytest.raises(AzulejarError, match=message):
        cut(noise(90, 90), rows, cols, trim, size)
