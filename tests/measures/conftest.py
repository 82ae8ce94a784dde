"""Tiles, and what every measure is compared with: a loop over all pairs of edges."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from azulejar.tiles import TileSet


def _side_by_side(pixels, a, b):
    """Picture [S, 2S, 3] of two tiles that are turned so that edge a meets edge b.

    The anchor lies on the left and faces right, the partner on the right and faces left.
    """
    quarters_a = (1 - a % 4) % 4
    quarters_b = (3 - b % 4) % 4
    left = np.rot90(pixels[a // 4], -quarters_a)
    right = np.rot90(pixels[b // 4], -quarters_b)
    return np.concatenate([left, right], axis=1).astype(float)


def _every_pair(dissimilarity, pixels):
    """[4n, 4n]: what ``dissimilarity`` says of each pair's picture and where the joint lies."""
    edges, size = 4 * len(pixels), pixels.shape[1]
    table = np.empty((edges, edges))
    for a in range(edges):
        for b in range(edges):
            table[a, b] = dissimilarity(_side_by_side(pixels, a, b), size)
    return table


def _tile_set(pixels):
    return TileSet(pixels, tuple(f"{i}.png" for i in range(len(pixels))))


@st.composite
def _pixels(draw, largest=4):
    """A few small tiles: noise, or what hypothesis makes of them (plain, extreme, alike)."""
    shape = (draw(st.integers(1, 3)), *[draw(st.integers(2, largest))] * 2, 3)
    if draw(st.booleans()):
        seed = draw(st.integers(0, 2**16))
        return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    return draw(hnp.arrays(np.uint8, shape))


@pytest.fixture(scope="session")
def every_pair():
    return _every_pair


@pytest.fixture(scope="session")
def tile_set():
    return _tile_set


@pytest.fixture(scope="session")
def pixels_of():
    """Noise tiles [n, S, S, 3]."""
    return lambda n, size=6, seed=0: np.random.default_rng(seed).integers(
        0, 256, (n, size, size, 3), dtype=np.uint8
    )


@pytest.fixture(scope="session")
def any_pixels():
    """Strategy for small tiles."""
    return _pixels()
