"""How close an assembly comes to the truth."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Accuracy:
    """Agreement of an assembly with the truth, all from 0 to 1.

    - ``neighbour``: true joints that the assembly has too, edge to edge;
    - ``direct``: tiles in their true place and turn, counted from the top left of the box;
    - ``perfect``: whether all are;
    - ``largest``: share of tiles in the largest part whose joints are all true.

    The turn of the whole cannot be known where tiles are turned, so the best of four counts.
    """

    neighbour: float
    direct: float
    perfect: bool
    largest: float


def evaluate(assembly: Assembly, truth: Assembly, *, upright: bool) -> Accuracy:
    """Compare an assembly with the truth.

    Args:
        assembly: Where the tiles were put.
        truth: Where the same tiles belong, in the same order.
        upright: Whether the panel has to stand upright; else it may be turned as a whole.

    Returns:
        Neighbour accuracy, direct accuracy, whether all is right, and the largest right part, as
        fractions from 0 to 1.

    Examples:
        >>> import azulejar
        >>> truth = azulejar.Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0])
        >>> swapped = azulejar.Assembly.of([0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0])
        >>> azulejar.evaluate(swapped, truth, upright=True).direct
        0.5
    """
    quarters = range(1) if upright else range(4)
    direct = max(_direct(assembly.turned(q), truth) for q in quarters)
    return Accuracy(_neighbour(assembly, truth), direct, direct == 1.0, _largest(assembly, truth))


def evaluate_solution(solution: Solution, truth: Solution) -> Accuracy:
    """Compare a solution with the truth of the same tiles, whatever their order.

    Raises:
        AzulejarError: They are of other tiles, or there are none.
    """
    if sorted(solution.files) != sorted(truth.files):
        raise AzulejarError(
            "truth-of-other-tiles",
            "Solution and truth are of other tiles ({file} is only in one of the two).",
            "Give a solution and a truth that belong together.",
            file=sorted(set(solution.files) ^ set(truth.files))[0],
        )
    if not truth.files:
        raise AzulejarError(
            "truth-without-tiles", "The truth has no tiles.", "Give the truth of a puzzle."
        )
    return evaluate(solution.assembly(truth.files), truth.assembly(), upright=truth.upright)


def turn_like_truth(assembly: Assembly, truth: Assembly) -> Assembly:
    """Turn the whole assembly like the truth, which no solver of turned tiles can know."""
    turned = [assembly.turned(quarters) for quarters in range(4)]
    return max(turned, key=lambda each: evaluate(each, truth, upright=True).direct)


def _joints_in_place(assembly: Assembly, truth: Assembly) -> tuple[NDArray, NDArray]:
    """Tell for each edge whether it has a true neighbour, and whether the assembly has it too."""
    true = truth.neighbours()
    return true >= 0, (true >= 0) & (assembly.neighbours() == true)


def _neighbour(assembly: Assembly, truth: Assembly) -> float:
    has, right = _joints_in_place(assembly, truth)
    return float(right.sum() / has.sum()) if has.any() else 1.0


def _direct(assembly: Assembly, truth: Assembly) -> float:
    same = np.ones(len(truth), bool)
    for name in ("row", "col", "turn", "panel"):
        same &= getattr(assembly, name) == getattr(truth, name)
    return float(same.mean())


def _largest(assembly: Assembly, truth: Assembly) -> float:
    # Imported late: scipy is slow to load, and few commands compare assemblies.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, right = _joints_in_place(assembly, truth)
    edge = np.flatnonzero(right)
    tile, other = edge // 4, truth.neighbours()[edge] // 4
    n = len(truth)
    graph = coo_array((np.ones(len(tile)), (tile, other)), shape=(n, n))
    _, part = connected_components(graph, directed=False)
    return float(np.bincount(part).max() / n)
