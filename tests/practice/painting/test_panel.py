"""The demo panel must look like cobalt on white, and be worth solving."""

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.measures.l1 import L1
from azulejar.practice.painting.panel import paint_panel

ROWS, COLS, TILE = 10, 14, 64


@pytest.fixture(scope="module")
def panel() -> NDArray[np.uint8]:
    return paint_panel(ROWS, COLS, TILE)


@pytest.fixture(scope="module")
def tiles(panel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grid = panel.reshape(ROWS, TILE, COLS, TILE, 3).swapaxes(1, 2)
    return grid.reshape(ROWS * COLS, TILE, TILE, 3)


@pytest.fixture(scope="module")
def small() -> NDArray[np.uint8]:
    return paint_panel(4, 5, 24)


@pytest.mark.parametrize(("rows", "cols", "tile"), [(4, 4, 32), (8, 5, 24)])
def test_panel_has_the_size_asked_for(rows: int, cols: int, tile: int) -> None:
    picture = paint_panel(rows, cols, tile)
    assert picture.shape == (rows * tile, cols * tile, 3)
    assert picture.dtype == np.uint8


def test_seed_decides_the_picture(small: NDArray[np.uint8]) -> None:
    assert np.array_equal(paint_panel(4, 5, 24, seed=0), small)
    other = paint_panel(4, 5, 24, seed=1)
    assert (np.abs(small.astype(int) - other).max(2) > 8).mean() > 0.2


def test_tile_size_changes_the_scale_and_not_the_subject(small: NDArray[np.uint8]) -> None:
    shrunk = paint_panel(4, 5, 48).reshape(4 * 24, 2, 5 * 24, 2, 3).mean((1, 3))
    assert np.corrcoef(shrunk.ravel(), small.ravel())[0, 1] > 0.9


def test_panel_is_blue_and_white(panel: NDArray[np.uint8]) -> None:
    red, green, blue = (panel[:, :, c].astype(int) for c in range(3))
    white, dark = panel.min(2) > 200, panel.max(2) < 150
    assert ((red <= green + 6) & (green <= blue + 12)).mean() > 0.99
    assert white.mean() > 0.15
    assert dark.mean() > 0.15
    assert (blue - red)[~white].mean() > 60


def test_every_tile_carries_detail(tiles: NDArray[np.uint8]) -> None:
    spread = tiles.std((1, 2)).mean(1)
    assert spread.min() > 10
    assert (spread > 25).mean() > 0.97


def test_tiles_can_be_told_apart_however_turned(tiles: NDArray[np.uint8]) -> None:
    small = tiles.reshape(-1, 8, 8, 8, 8, 3).mean((2, 4))
    turned = np.concatenate([np.rot90(small, k, axes=(1, 2)) for k in range(4)])
    flat = turned.reshape(len(turned), -1)
    squares = (flat**2).sum(1)
    distance = squares[:, None] + squares - 2 * flat @ flat.T
    np.fill_diagonal(distance, np.inf)
    assert np.sqrt(distance.min() / flat.shape[1]) > 5


def test_most_joints_can_be_found(tiles: NDArray[np.uint8]) -> None:
    n = len(tiles)
    measure = L1()
    measure.prepare(tiles)
    dissimilarity = measure.dissimilarity(np.arange(4 * len(tiles)))
    own = np.arange(4 * n) // 4
    dissimilarity[own[:, None] == own] = np.inf
    row, col = np.divmod(np.arange(n), COLS)
    met = Assembly.of(row, col, np.zeros(n)).neighbours()
    inner = met >= 0
    assert (dissimilarity.argmin(1) == met)[inner].mean() > 0.95
