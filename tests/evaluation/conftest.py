"""Small painted panels and what measures make of them."""

import pytest
from PIL import Image

from azulejar.evaluation.labelled_measures import parse_measures
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.ranks import rank_puzzles
from azulejar.practice.painting import paint_panel


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Two panels: a__4x5.png, of 4 rows and 5 cols, and b__5x4.png."""
    path = tmp_path_factory.mktemp("panels")
    Image.fromarray(paint_panel(4, 5, 32, seed=1)).save(path / "a__4x5.png")
    Image.fromarray(paint_panel(5, 4, 32, seed=2)).save(path / "b__5x4.png")
    return path


@pytest.fixture(scope="session")
def table(folder):
    """Both panels at two trims, by three measures."""
    puzzles = make_puzzles(find_panels(folder), [0.0, 0.1], size=20)
    return rank_puzzles(puzzles, parse_measures("ssd,l1,mgc:likelihood+symmetric"))
