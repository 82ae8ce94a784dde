"""Small painted panels, and results without a search."""

import pytest
from PIL import Image

from azulejar.evaluation.tables.results import SearchResult
from azulejar.practice.painting import paint_panel

RESULT = {
    "table": "reconstruct", "set": "panels", "panel": "first__2x2", "rows": 2, "cols": 2,
    "trim": 0.03, "size": 50, "corruption": "none", "amount": 0.0, "upright": True, "known": True,
    "solver": "default", "measure": "dlcm", "seed": 0, "neighbour": 0.5, "direct": 0.25,
    "perfect": False, "largest": 0.75, "seconds": 1.5, "worth": 3.0, "truth_worth": 4.0,
    "outscored": 0.25, "place": [[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]],
    "history": [[0.1, 2.0], [0.4, 3.0]],
}  # fmt: skip


@pytest.fixture(scope="session")
def make_result():
    """A result, with what is given instead of the usual."""
    return lambda **fields: SearchResult.from_dict(RESULT | fields)


@pytest.fixture(scope="session")
def painted(tmp_path_factory):
    """A folder of two panels of 20 tiles; tests only read it."""
    path = tmp_path_factory.mktemp("painted")
    Image.fromarray(paint_panel(4, 5, 32, seed=1)).save(path / "first__4x5.png")
    Image.fromarray(paint_panel(5, 4, 32, seed=2)).save(path / "second__5x4.png")
    return path
