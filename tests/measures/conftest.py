"""Tiles, and what every measure is compared with: a loop over all pairs of edges."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from azulejar.core.tiles import TileSet
from azulejar.measures import MEASURES, get_measure
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.weights import load_model

PAPER = ("red", "green", "blue", "rgb", "dlcm-paper")


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


@pytest.fixture(scope="session")
def painted():
    """The first n tiles [n, 50, 50, 3] of a painted panel of 3 × 4."""
    tiles = cut(paint_panel(3, 4, 50), 3, 4)
    return lambda n: tiles[:n].copy()


@pytest.fixture
def scorer(request, monkeypatch):
    """Get a measure by name; learned ones have tiny or untrained networks and keep no scores."""
    monkeypatch.setenv("AZULEJAR_CACHE", "off")

    def get(name, **settings):
        if not MEASURES[name].learned:
            return get_measure(name)
        model = request.getfixturevalue("paper_model" if name in PAPER else "tiny")
        return get_measure(name, device="cpu", model=str(model), **settings)

    return get


@pytest.fixture(scope="session")
def network(tiny):
    """The tiny network in torch."""
    from azulejar.learning.recipes import load_network

    return load_network(tiny, load_model(str(tiny)).card)


@pytest.fixture(scope="session")
def turned_to_the_right():
    """Tile [S, S, 3] of an edge as float tensor [1, 3, S, S] from 0 to 1, the edge on the right."""
    torch = pytest.importorskip("torch")

    def view(pixels, tile, side):
        quarters_clockwise = (1 - side) % 4
        turned = np.rot90(pixels[tile], -quarters_clockwise)
        return torch.tensor(turned.transpose(2, 0, 1)[None] / 255, dtype=torch.float32)

    return view
