"""Small painted panels, and results without a search."""

import shutil

import pytest

from azulejar.evaluation.tables.results import SearchResult

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
def painted(tmp_path_factory, folder):
    """The same panels by other names: first__4x5.png and second__5x4.png; tests only read them."""
    path = tmp_path_factory.mktemp("painted")
    shutil.copy(folder / "a__4x5.png", path / "first__4x5.png")
    shutil.copy(folder / "b__5x4.png", path / "second__5x4.png")
    return path
