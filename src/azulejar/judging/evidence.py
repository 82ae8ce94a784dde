"""Compute the evidence for and against each joint of an assembly: features of a logistic model.

A measure says how likely two edges are neighbours when nothing else is known. An assembly tells
more: who else would rather have an edge or a place, how the other joints of both tiles fit, how the
joints nearby do, and how well the panel holds together as a whole. All numbers are natural
logarithms of probabilities, or differences of such.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import edge_towards, rotate_edge, turn_towards
from azulejar.core.joints import Joints
from azulejar.measures.loops import weigh_by_loops
from azulejar.measures.probability import Probabilities

RIVALS = 16  # best partners of each edge that may contest its joint
CLAIMANTS = 6  # best partners of each edge around a place that may contest the place
UNFIT = 0.01  # probability of a joint below which it speaks against the tile
MOST = 9.0  # a larger claim says no more
MOST_LEAD = 2.0  # nor does a larger lead
LEAST_IN_LOOPS = 1e-3  # probability
STEPS = 4  # joints over which evidence spreads
HOPELESS = 0.005  # a tile is a misfit if none of its joints is as probable
MISFIT_JOINTS = 3  # that a misfit has at least
# The most that a joint of a misfit is believed. Of all joints that solvers laid and the confidence
# was fitted or judged on but for panels/val, the weights alone give 18 of misfits more than 0.5; 14
# are wrong.
MISFIT = 0.2
AVERAGED = ("rival", "contest", "loops", "square", "around")  # evidence that panels have a mean of

Logs = NDArray[np.float64]


@dataclass(frozen=True)
class Rivals:
    """Evidence that depends on scores alone, so that many assemblies can share it.

    ``partner`` [4n, k] are the best partners of each edge, -1 for none, and ``value`` [4n, k] the
    logarithms of their probabilities. ``in_loops`` [4n, 4n], sparse, are the probabilities of
    likely pairs weighed by the squares of four tiles that they can be part of. ``copies`` [n] says
    how many alike tiles could lie in the place of each, itself among them; None if all differ.
    """

    probabilities: Probabilities
    partner: NDArray[np.int32]
    value: Logs
    in_loops: csr_array
    copies: NDArray[np.integer] | None = None

    @classmethod
    def of(
        cls, compatibility: Compatibility, copies: NDArray[np.integer] | None = None
    ) -> "Rivals":
        """Find the rivals of every edge."""
        probabilities = Probabilities.of(compatibility)
        partner, _ = compatibility.best(RIVALS)
        edge = np.arange(len(partner))[:, None]
        in_loops = weigh_by_loops(Joints.of(compatibility, upright=False)).matrix()
        log = probabilities.log(edge, partner)
        value = np.where(partner >= 0, log, probabilities.nothing)
        return cls(probabilities, partner, value, in_loops, copies)

    @property
    def lead(self) -> Logs:
        """How much likelier the best partner of each edge is than the second [4n]."""
        return np.minimum(self.value[:, 0] - self.value[:, 1], MOST_LEAD)

    def loops(self, joints: NDArray[np.int32]) -> Logs:
        """Return the log-probabilities of joints [m, 2] weighed by loops [m]."""
        return np.log(self.in_loops[joints[:, 0], joints[:, 1]] + LEAST_IN_LOOPS)

    def best_free(self, met: NDArray[np.int32]) -> Logs:
        """Return, for each edge, the log-probability of the best rival that is free [4n].

        ``met`` [4n] is the edge that each edge meets, -1 for none. A rival is free if it would
        rather have this edge than the one that it meets now.
        """
        present = self.present(met)
        free = (self.partner >= 0) & (self.partner != met[:, None])
        free &= self.value > present[self.partner]
        return np.where(free, self.value, self.probabilities.nothing).max(axis=1)

    def present(self, met: NDArray[np.int32]) -> Logs:
        """Return the log-probability of each edge with what it meets [4n]."""
        log = self.probabilities.log(np.arange(len(met)), met)
        return np.where(met >= 0, log, self.probabilities.nothing)


def contests(rivals: Rivals, assembly: Assembly, met: NDArray[np.int32]) -> Logs:
    """Return how far another tile, or another turn, has a claim to the place of each tile [n].

    A claim is how much better the other fits the place than the tile that lies there, or than it
    fits where it lies itself, whichever is less: above 0, both would gain by a change; about 0, two
    tiles are equally good; far below 0, nobody else fits. How well a tile fits is the sum over its
    joints, each counting the logarithm of its probability over ``UNFIT``.
    """
    n = len(assembly)
    direction = np.arange(4)
    own = edge_towards(np.arange(n)[:, None], assembly.turn[:, None], direction)  # [n, 4]
    facing = met[own]
    # Each of the best partners of an edge around a place claims it, turned to face that edge.
    claim = rivals.partner[facing, :CLAIMANTS]  # [n, 4, k]
    known = (claim >= 0) & (facing >= 0)[:, :, None]
    place, towards, _ = np.nonzero(known)
    edge = claim[known]
    other, turn = edge // 4, turn_towards(edge, towards)
    differs = (other != place) | (turn != assembly.turn[place])
    place, other, turn = place[differs], other[differs], turn[differs]
    # Joints between the two tiles, where they lie side by side, are left out.
    sides = (facing[place] >= 0) & (facing[place] // 4 != other[:, None])  # [claims, 4]
    candidate = edge_towards(other[:, None], turn[:, None], direction)
    log = np.zeros(sides.shape)
    log[sides] = rivals.probabilities.log(candidate[sides], facing[place][sides]) - np.log(UNFIT)
    counts = np.where(met >= 0, rivals.present(met) - np.log(UNFIT), 0)  # [4n]
    apart = (met.reshape(n, 4) // 4)[other] != place[:, None]
    fit = log.sum(axis=1)
    here = (counts[own[place]] * sides).sum(axis=1)
    elsewhere = (counts.reshape(n, 4)[other] * apart).sum(axis=1)
    gain = np.minimum(fit - here, np.where(other == place, np.inf, fit - elsewhere))
    found = np.full(n, -MOST)
    np.maximum.at(found, place, gain)
    return np.clip(found, -MOST, MOST)


def spread(values: Logs, nearby: NDArray[np.int64]) -> Logs:
    """Average each joint with those nearby, repeatedly, so that evidence spreads."""
    there = nearby >= 0
    for _ in range(STEPS):
        total = values + np.where(there, values[nearby], 0).sum(axis=1)
        values = total / (1 + there.sum(axis=1))
    return values


def joints_nearby(joints: NDArray[np.int32], met: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the numbers of the joints around each joint [m, 8], -1 for none.

    They are the joints at the opposite sides of both tiles, and the three others of the square of
    four tiles on either side.
    """
    number = np.full(len(met) + 1, -1)  # the last entry serves edge -1
    number[joints] = np.arange(len(joints))[:, None]
    a, b = joints.T
    found = [number[rotate_edge(a, 2)], number[rotate_edge(b, 2)]]
    for side in (1, 3):
        beside_a, beside_b = rotate_edge(a, side), rotate_edge(b, 4 - side)
        across = met[beside_a]
        closing = np.where(across >= 0, rotate_edge(across, side), -1)
        found += [number[beside_a], number[beside_b], number[closing]]
    return np.stack(found, axis=1)


def best_square(own: Logs, nearby: NDArray[np.int64], nothing: float) -> Logs:
    """Return the weakest other joint of the better square beside each joint [m]."""
    squares = nearby[:, 2:].reshape(-1, 2, 3)
    weakest = np.where(squares >= 0, own[squares], nothing).min(axis=2)
    return weakest.max(axis=1)


def mean_of_seam(joints: NDArray[np.int32], assembly: Assembly, own: Logs) -> Logs:
    """Return the mean of ``own`` [m] over the unbroken line of joints around each joint [m]."""
    first, second = (joints // 4).T
    row, col = assembly.row, assembly.col
    upright = row[first] == row[second]  # the joint is, where its tiles lie side by side
    line = np.where(upright, np.minimum(col[first], col[second]),
                    np.minimum(row[first], row[second]))  # fmt: skip
    along = np.where(upright, row[first], col[first])
    keys = (along, line, upright, assembly.panel[first])
    order = np.lexsort(keys)
    step = np.diff(np.stack(keys)[:, order].astype(np.int64), axis=1)
    begins = np.append(True, (step[0] != 1) | (step[1:] != 0).any(axis=0))
    seam = np.cumsum(begins) - 1
    mean = np.bincount(seam, own[order]) / np.bincount(seam)
    found = np.empty(len(own))
    found[order] = mean[seam]
    return found


def joint_evidence(
    rivals: Rivals, assembly: Assembly, joints: NDArray[np.int32]
) -> dict[str, Logs]:
    """Return the features of each of the assembly's joints, by name [m].

    - lead: how much likelier the best partner of an edge is than its second, as a mean over all
      edges of the panel: how far these tiles can be told apart at all;
    - rival: the likeliest other partner of either edge, among those that would rather have that
      edge than the one that they meet now;
    - contest: the better claim of others to the place of either tile (``contests``);
    - loops: the pair, weighed by the squares of four tiles that it can be part of in any assembly;
    - square: the weakest other joint of the better square that it is part of in this assembly;
    - around: the mean over the joints nearby, itself included;
    - seam: the mean over the joints on one line with it, times the panel's loose ends: whole rows
      may lie on the wrong side of the panel.

    Rival, contest and loops are multiplied by the lead: they say more where tiles can be told
    apart. The same evidence says more, or less, in a large panel and in one that holds together as
    a whole. So these count too, each the same for all joints of a panel:

    - size: the logarithm of the number of its tiles;
    - filled: the logarithm of the share of its rectangle that its tiles fill;
    - loose ends: how likely edges at its rim have neighbours elsewhere;
    - all rival, all contest, all loops, all square, all around: the means over its joints.
    """
    met = assembly.neighbours()
    own = rivals.probabilities.log(joints[:, 0], joints[:, 1])
    nearby = joints_nearby(joints, met)
    free = rivals.best_free(met)
    tile = joints[:, 0] // 4
    panel = assembly.panel[tile]
    lead = _panel_mean(rivals.lead, np.ones(len(met), bool), assembly)[tile]
    loose_ends = _panel_mean(np.exp(free), met < 0, assembly)[tile]
    each = {
        "lead": lead,
        "rival": lead * free[joints].max(axis=1),
        "contest": lead * contests(rivals, assembly, met)[joints // 4].max(axis=1),
        "loops": lead * rivals.loops(joints),
        "square": best_square(own, nearby, rivals.probabilities.nothing),
        "around": spread(own, nearby),
        "seam": loose_ends * mean_of_seam(joints, assembly, own),
    }
    whole = {
        "size": np.log(np.bincount(assembly.panel[assembly.panel >= 0])[panel]),
        "filled": np.log(_filled(assembly)[panel]),
        "loose ends": loose_ends,
    }
    joints_of = np.bincount(panel)
    means = {
        f"all {name}": (np.bincount(panel, each[name]) / np.maximum(joints_of, 1))[panel]
        for name in AVERAGED
    }
    return each | whole | means


def most_believed(
    rivals: Rivals, assembly: Assembly, joints: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return the most that each joint can be believed, whatever else speaks for it [m].

    Joints of misfits are hardly believed. A joint that is in no square of four tiles, as in a
    single row or of a tile beyond the rim, is not believed more than the pair by itself, or in
    loops with any tiles: there a solver can choose the neighbour freely, so that what lies around
    confirms nothing.
    """
    misfit = misfits(rivals, joints)[joints // 4]
    found = np.where(misfit[:, 0] | misfit[:, 1], MISFIT, 1.0)
    nearby = joints_nearby(joints, assembly.neighbours())
    in_square = np.any((nearby[:, 2:].reshape(-1, 2, 3) >= 0).all(axis=2), axis=1)
    own = rivals.probabilities.log(joints[:, 0], joints[:, 1])
    alone = np.exp(np.maximum(own, rivals.loops(joints)))
    return np.where(in_square, found, np.minimum(found, alone))


def misfits(rivals: Rivals, joints: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which tiles [n] are misfits: none of their joints is at all likely.

    Where tiles are missing, one that is left over may fill a place in which nobody else fits
    either; all that is around it may be sure.
    """
    own = rivals.probabilities.log(joints[:, 0], joints[:, 1])
    tile = joints // 4
    best = np.full(len(rivals.partner) // 4, -np.inf)
    np.maximum.at(best, tile.ravel(), np.repeat(own, 2))
    several = np.bincount(tile.ravel(), minlength=len(best)) >= MISFIT_JOINTS
    return several & (best < np.log(HOPELESS))


def _filled(assembly: Assembly) -> NDArray[np.float64]:
    """Return the share of each panel's rectangle that its tiles fill."""
    placed = assembly.panel >= 0
    panel = assembly.panel[placed]
    places = np.ones(int(panel.max()) + 1)
    for at in (assembly.row[placed], assembly.col[placed]):
        first, last = np.full(len(places), at.max()), np.full(len(places), at.min())
        np.minimum.at(first, panel, at)
        np.maximum.at(last, panel, at)
        places *= np.maximum(last - first + 1, 1)
    return np.bincount(panel) / places


def _panel_mean(values: Logs, where: NDArray[np.bool_], assembly: Assembly) -> Logs:
    """Average the values of some edges [4n] over each panel, and return them by tile [n]."""
    panel = assembly.panel + 1  # 0 for tiles without a place
    edge = np.repeat(panel, 4)[where]
    most = int(panel.max()) + 1
    total, count = np.bincount(edge, values[where], most), np.bincount(edge, minlength=most)
    return (total / np.maximum(count, 1))[panel]
