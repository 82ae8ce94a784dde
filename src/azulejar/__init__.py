"""azulejar puts Portuguese tile panels back together.

>>> import azulejar
>>> tiles = azulejar.load_tiles("my_tiles")                         # doctest: +SKIP
>>> scores = azulejar.get_measure("mgc").score(tiles)               # doctest: +SKIP
>>> assembly = azulejar.solve(scores, azulejar.Knowns(rows=10))     # doctest: +SKIP
>>> azulejar.write_result("result", tiles, scores, assembly)        # doctest: +SKIP
"""

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.picture import write_picture
from azulejar.imaging.render import render
from azulejar.knowns import Knowns
from azulejar.measures import MEASURES, get_measure
from azulejar.outputs.result import write_result
from azulejar.solution import Solution
from azulejar.solvers import SOLVERS, Budget, solve
from azulejar.tiles import TileSet
from azulejar.version import __version__

__all__ = [
    "MEASURES",
    "SOLVERS",
    "Assembly",
    "AzulejarError",
    "Budget",
    "Compatibility",
    "Knowns",
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
