"""azulejar puts Portuguese tile panels back together.

>>> import azulejar
>>> tiles = azulejar.load_tiles("my_tiles")                         # doctest: +SKIP
>>> scores = azulejar.get_measure("mgc").score(tiles)               # doctest: +SKIP
>>> assembly = azulejar.solve(scores, azulejar.Knowns(rows=10))     # doctest: +SKIP
>>> azulejar.write_result("result", tiles, scores, assembly)        # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from azulejar.version import __version__

if TYPE_CHECKING:
    from azulejar.core.assembly import Assembly as Assembly
    from azulejar.core.compatibility import Compatibility as Compatibility
    from azulejar.core.knowns import Knowns as Knowns
    from azulejar.core.knowns import Lock as Lock
    from azulejar.core.solution import Solution as Solution
    from azulejar.core.tiles import TileSet as TileSet
    from azulejar.errors import AzulejarError as AzulejarError
    from azulejar.evaluation.metrics import evaluate as evaluate
    from azulejar.imaging.folder import load_tiles as load_tiles
    from azulejar.imaging.picture import write_picture as write_picture
    from azulejar.imaging.render import render as render
    from azulejar.measures import MEASURES as MEASURES
    from azulejar.measures import get_measure as get_measure
    from azulejar.outputs.result import write_result as write_result
    from azulejar.solvers import SOLVERS as SOLVERS
    from azulejar.solvers import Budget as Budget
    from azulejar.solvers import solve as solve

# Loaded when first asked for: training on a bare server has no numba, no pydantic.
_HOME = {
    "Assembly": "azulejar.core.assembly",
    "AzulejarError": "azulejar.errors",
    "Budget": "azulejar.solvers",
    "Compatibility": "azulejar.core.compatibility",
    "Knowns": "azulejar.core.knowns",
    "Lock": "azulejar.core.knowns",
    "MEASURES": "azulejar.measures",
    "SOLVERS": "azulejar.solvers",
    "Solution": "azulejar.core.solution",
    "TileSet": "azulejar.core.tiles",
    "evaluate": "azulejar.evaluation.metrics",
    "get_measure": "azulejar.measures",
    "load_tiles": "azulejar.imaging.folder",
    "render": "azulejar.imaging.render",
    "solve": "azulejar.solvers",
    "write_picture": "azulejar.imaging.picture",
    "write_result": "azulejar.outputs.result",
}

__all__ = [
    "MEASURES",
    "SOLVERS",
    "Assembly",
    "AzulejarError",
    "Budget",
    "Compatibility",
    "Knowns",
    "Lock",
    "Solution",
    "TileSet",
    "__version__",
    "evaluate",
    "get_measure",
    "load_tiles",
    "render",
    "solve",
    "write_picture",
    "write_result",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'azulejar' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
