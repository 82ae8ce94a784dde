"""azulejar puts Portuguese tile panels back together.

>>> import azulejar
>>> tiles = azulejar.load_tiles("my_tiles")                         # doctest: +SKIP
>>> scores = azulejar.get_measure("mgc").score(tiles)               # doctest: +SKIP
>>> assembly = azulejar.solve(scores, azulejar.Knowns(rows=10))     # doctest: +SKIP
>>> azulejar.write_result("result", tiles, scores, assembly)        # doctest: +SKIP

Three tables say which names there are, those of installed plug-ins included:

>>> "mgc" in azulejar.MEASURES, "son" in azulejar.SOLVERS, "fast" in azulejar.PRESETS
(True, True, True)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from azulejar.version import __version__

if TYPE_CHECKING:
    from azulejar.collection.engines import get_engine as get_engine
    from azulejar.collection.intake.adding import add_tiles as add_tiles
    from azulejar.collection.intake.repair import repair_collection as repair_collection
    from azulejar.collection.pattern_match import match_wall as match_wall
    from azulejar.collection.search.query import find_edge as find_edge
    from azulejar.collection.search.query import find_hole as find_hole
    from azulejar.collection.storage.backup import backup_collection as backup_collection
    from azulejar.collection.storage.backup import restore_collection as restore_collection
    from azulejar.collection.storage.catalogue import Collection as Collection
    from azulejar.core.assembly import Assembly as Assembly
    from azulejar.core.assembly import Place as Place
    from azulejar.core.compatibility import Compatibility as Compatibility
    from azulejar.core.edges import edge_strips as edge_strips
    from azulejar.core.knowns import Knowns as Knowns
    from azulejar.core.knowns import Lock as Lock
    from azulejar.core.solution import Solution as Solution
    from azulejar.core.tiles import TileSet as TileSet
    from azulejar.errors import AzulejarError as AzulejarError
    from azulejar.evaluation.metrics import evaluate as evaluate
    from azulejar.imaging.folder import load_tiles as load_tiles
    from azulejar.imaging.fragments.joins import join_imported as join_imported
    from azulejar.imaging.photographs.importing import import_tiles as import_tiles
    from azulejar.imaging.picture import write_picture as write_picture
    from azulejar.imaging.render import render as render
    from azulejar.judging.audit import audit as audit
    from azulejar.judging.candidates import candidates_for as candidates_for
    from azulejar.judging.confidence import joint_confidence as joint_confidence
    from azulejar.judging.confidence import tile_confidence as tile_confidence
    from azulejar.judging.islands import islands as islands
    from azulejar.knowledge.knowns_file import load_knowns as load_knowns
    from azulejar.measures import MEASURES as MEASURES
    from azulejar.measures import Measure as Measure
    from azulejar.measures import get_measure as get_measure
    from azulejar.measures.scores_file import load_scores as load_scores
    from azulejar.outputs.collection.stages import list_patterns as list_patterns
    from azulejar.outputs.collection.stages import name_patterns as name_patterns
    from azulejar.outputs.collection.stages import report_collection as report_collection
    from azulejar.outputs.collection.stages import solve_collection as solve_collection
    from azulejar.outputs.collection.stages import sort_collection as sort_collection
    from azulejar.outputs.joint_list import write_joint_list as write_joint_list
    from azulejar.outputs.lido import write_lido as write_lido
    from azulejar.outputs.linked_art import write_linked_art as write_linked_art
    from azulejar.outputs.placement import write_placement as write_placement
    from azulejar.outputs.plan.document import write_plan as write_plan
    from azulejar.outputs.plan.sheets import PlanScale as PlanScale
    from azulejar.outputs.records import Provenance as Provenance
    from azulejar.outputs.result import write_result as write_result
    from azulejar.outputs.spreadsheets import ListStyle as ListStyle
    from azulejar.outputs.tile_folders import cut_wall as cut_wall
    from azulejar.practice.samples import practice_puzzle as practice_puzzle
    from azulejar.reference.following import Followed as Followed
    from azulejar.reference.following import solve_with_reference as solve_with_reference
    from azulejar.solvers import PRESETS as PRESETS
    from azulejar.solvers import SOLVERS as SOLVERS
    from azulejar.solvers import Budget as Budget
    from azulejar.solvers import Progress as Progress
    from azulejar.solvers import Solver as Solver
    from azulejar.solvers import get_preset as get_preset
    from azulejar.solvers import get_solver as get_solver
    from azulejar.solvers import solve as solve
    from azulejar.sorting import sort_tiles as sort_tiles

# Loaded when first asked for: training on a bare server has no numba, no pydantic.
_HOME = {
    "Assembly": "azulejar.core.assembly",
    "AzulejarError": "azulejar.errors",
    "Budget": "azulejar.solvers",
    "Collection": "azulejar.collection.storage.catalogue",
    "Compatibility": "azulejar.core.compatibility",
    "Followed": "azulejar.reference.following",
    "Knowns": "azulejar.core.knowns",
    "ListStyle": "azulejar.outputs.spreadsheets",
    "Lock": "azulejar.core.knowns",
    "MEASURES": "azulejar.measures",
    "Measure": "azulejar.measures",
    "PRESETS": "azulejar.solvers",
    "Place": "azulejar.core.assembly",
    "PlanScale": "azulejar.outputs.plan.sheets",
    "Progress": "azulejar.solvers",
    "Provenance": "azulejar.outputs.records",
    "SOLVERS": "azulejar.solvers",
    "Solution": "azulejar.core.solution",
    "Solver": "azulejar.solvers",
    "TileSet": "azulejar.core.tiles",
    "add_tiles": "azulejar.collection.intake.adding",
    "audit": "azulejar.judging.audit",
    "backup_collection": "azulejar.collection.storage.backup",
    "candidates_for": "azulejar.judging.candidates",
    "cut_wall": "azulejar.outputs.tile_folders",
    "edge_strips": "azulejar.core.edges",
    "evaluate": "azulejar.evaluation.metrics",
    "find_edge": "azulejar.collection.search.query",
    "find_hole": "azulejar.collection.search.query",
    "get_engine": "azulejar.collection.engines",
    "get_measure": "azulejar.measures",
    "get_preset": "azulejar.solvers",
    "get_solver": "azulejar.solvers",
    "import_tiles": "azulejar.imaging.photographs.importing",
    "islands": "azulejar.judging.islands",
    "join_imported": "azulejar.imaging.fragments.joins",
    "joint_confidence": "azulejar.judging.confidence",
    "list_patterns": "azulejar.outputs.collection.stages",
    "load_knowns": "azulejar.knowledge.knowns_file",
    "load_scores": "azulejar.measures.scores_file",
    "load_tiles": "azulejar.imaging.folder",
    "match_wall": "azulejar.collection.pattern_match",
    "name_patterns": "azulejar.outputs.collection.stages",
    "practice_puzzle": "azulejar.practice.samples",
    "render": "azulejar.imaging.render",
    "repair_collection": "azulejar.collection.intake.repair",
    "report_collection": "azulejar.outputs.collection.stages",
    "restore_collection": "azulejar.collection.storage.backup",
    "solve": "azulejar.solvers",
    "solve_collection": "azulejar.outputs.collection.stages",
    "solve_with_reference": "azulejar.reference.following",
    "sort_collection": "azulejar.outputs.collection.stages",
    "sort_tiles": "azulejar.sorting",
    "tile_confidence": "azulejar.judging.confidence",
    "write_joint_list": "azulejar.outputs.joint_list",
    "write_lido": "azulejar.outputs.lido",
    "write_linked_art": "azulejar.outputs.linked_art",
    "write_picture": "azulejar.imaging.picture",
    "write_placement": "azulejar.outputs.placement",
    "write_plan": "azulejar.outputs.plan.document",
    "write_result": "azulejar.outputs.result",
}

__all__ = [
    "MEASURES",
    "PRESETS",
    "SOLVERS",
    "Assembly",
    "AzulejarError",
    "Budget",
    "Collection",
    "Compatibility",
    "Followed",
    "Knowns",
    "ListStyle",
    "Lock",
    "Measure",
    "Place",
    "PlanScale",
    "Progress",
    "Provenance",
    "Solution",
    "Solver",
    "TileSet",
    "__version__",
    "add_tiles",
    "audit",
    "backup_collection",
    "candidates_for",
    "cut_wall",
    "edge_strips",
    "evaluate",
    "find_edge",
    "find_hole",
    "get_engine",
    "get_measure",
    "get_preset",
    "get_solver",
    "import_tiles",
    "islands",
    "join_imported",
    "joint_confidence",
    "list_patterns",
    "load_knowns",
    "load_scores",
    "load_tiles",
    "match_wall",
    "name_patterns",
    "practice_puzzle",
    "render",
    "repair_collection",
    "report_collection",
    "restore_collection",
    "solve",
    "solve_collection",
    "solve_with_reference",
    "sort_collection",
    "sort_tiles",
    "tile_confidence",
    "write_joint_list",
    "write_lido",
    "write_linked_art",
    "write_picture",
    "write_placement",
    "write_plan",
    "write_result",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'azulejar' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
