"""Tiles that are solved as one panel."""

import threading
from functools import partial

import numpy as np
import pytest

from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure
from azulejar.panel.solving import solve_panel
from azulejar.patterns.finding import recognise_wall
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.solvers import get_preset
from azulejar.solvers.runs import best_of

SOLVER = get_preset("fast")


def _tiles(picture, rows, cols):
    tiles = np.stack(cut(picture, rows, cols))
    return TileSet(tiles, tuple(f"{i:02}" for i in range(len(tiles))))


@pytest.fixture(scope="session")
def painted():
    """The tiles of a painted panel of 3 × 4."""
    return _tiles(paint_panel(3, 4, 32, seed=3), 3, 4)


@pytest.fixture(scope="session")
def wall():
    """The tiles of a wall of 4 × 4 alike tiles."""
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    return _tiles(paint_pattern(design, 4, 4, 40), 4, 4)


@pytest.fixture
def solved():
    """A function that solves tiles, with a quick search unless another is given."""

    def solve(tiles, knowns=None, *, search=None, stop=None, **options):
        return solve_panel(
            tiles,
            get_measure("mgc").score(tiles),
            knowns or Knowns(),
            SOLVER,
            search or partial(best_of, solver=SOLVER),
            patterns=options.pop("patterns", recognise_wall(tiles.pixels)),
            stop=stop or threading.Event(),
            **options,
        )

    return solve
