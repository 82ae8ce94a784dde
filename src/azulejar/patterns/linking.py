"""Links of designs: which of them continue in one another, and so belong to one pattern.

Each design begins as a part of its own, with its mirror image; the two parts that most likely
belong together are joined, and so on. Three things speak for or against a link:

- The default measure says how likely each edge meets each other. On a wall, each edge of a design
  meets one edge only; so these probabilities are balanced until those of each edge add up to one,
  and an edge that is sure of its partner is none for others. Designs compete with themselves, as
  two copies, and with decoys, whose edges run through their middle, lest they be linked for want
  of better ones. Where a module is mirrored, an edge fits its own mirror image best, whatever lies
  beside it; that does not count, and the two looks at a joint and its mirror image are averaged.
- The designs of a pattern share its pigments.
- They occur in fixed proportions: equally often, unless a turn leaves them as they are. That is
  true of a wall, and roughly of what is left of it: how roughly, the numbers of designs tell that
  surely lie side by side, and those within a part.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, coo_matrix, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.special import logit

from azulejar.core.edges import edge_strips
from azulejar.core.joints import Joints
from azulejar.core.tiles import TileSet
from azulejar.imaging.pigments import read_palettes
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.patterns.designs import match_copies
from azulejar.patterns.likeness import FINE, compare_copies, copy_tiles, turn_copies
from azulejar.patterns.symmetry import SAME_DESIGN, count_turns

CROWD = 64  # designs and decoys, at least
BLANK = 8.0  # grey levels by which an edge differs from its mean; below, it fits any blank edge
UNMET = 0.0005  # probability that an edge meets nothing that is known
ROUNDS = 150  # of balancing
LEAST = 0.05  # probability of a link that is considered
SURE = 0.01, 0.99  # between which probabilities count
# Odds of a link: weights of the log-odds that edges meet and of alike pigments, beside the log-odds
# of the stock, chosen on random designs; and what they add up to, at least.
MET, PIGMENTS = 0.8, 3.0
LINKED = 2.9
# Of the logarithm of a number of tiles: its spread in a pattern beside that of chance, as a guess
# that counts for some pairs of designs whose edges surely meet, and for some designs of a part; its
# spread among patterns; and how often a pattern has two numbers in another small proportion.
SPREAD, SURELY, PAIRS, GUESS, ANY_SPREAD = 0.15, 0.9, 5, 3, 1.0
PROPORTIONS = ((1, 0.952), (2, 0.015), (1 / 2, 0.015), (4, 0.009), (1 / 4, 0.009))
# Log-odds of the stock: who knows what became of the other tiles, and patterns of equal numbers
# occur.
ODDS = -2.0, 1.8

Indices = NDArray[np.int64]


def group_designs(
    pictures: NDArray[np.uint8],
    stock: NDArray[np.integer],
    names: Sequence[str | None] | None = None,
) -> Indices:
    """Return the number of the pattern of each design: [k].

    Args:
        pictures: The designs [k, S, S, 3].
        stock: Tiles of each [k].
        names: What people call the pattern of each, None where they do not say. Designs of one name
            are one pattern, and those of two names are not.
    """
    k = len(pictures)
    edge, image = _mirrored_edges(pictures)
    known = np.array([name or "" for name in names or [None] * k])
    one, other = np.meshgrid(np.arange(k), np.arange(k))
    differ = (known[one] != known[other]) & (known[one] != "") & (known[other] != "")
    linked = (known[one] == known[other]) & (known[one] != "")
    linked[edge // 4, image // 4] = True
    part = _connected(linked & ~differ)
    if part.max(initial=0) == 0:
        return part
    mirrored = coo_array((np.ones(len(edge)), (edge, image)), (4 * k, 4 * k)).tocsr()
    one, other, odds = _likely_links(pictures, mirrored)
    pigments = _common_pigments(pictures)
    turned = stock * count_turns(pictures)
    sure = odds >= logit(SURELY)
    spread = _spread_of_stock(stock, turned, one[sure], other[sure])
    total = np.full(len(one), -np.inf)
    changed = np.unique(part)
    while len(one):
        ends = part[one], part[other]
        stale = np.isin(ends[0], changed) | np.isin(ends[1], changed)
        for a, b in np.unique(np.sort(np.stack(ends)[:, stale], axis=0), axis=1).T:
            rows = stale & (np.minimum(*ends) == a) & (np.maximum(*ends) == b)
            parts = np.flatnonzero(part == a), np.flatnonzero(part == b)
            if a == b or differ[np.ix_(*parts)].any():
                total[rows] = -np.inf
                continue
            within = [pigments[np.ix_(each, each)].mean() for each in parts]
            alike = pigments[np.ix_(*parts)].mean() / np.sqrt(np.prod(within))
            both = PIGMENTS * alike + _stock_odds(stock, turned, *parts, spread)
            total[rows] = MET * odds[rows] + both
        best = int(total.argmax())
        if total[best] < LINKED:
            break
        changed = np.array([ends[0][best]])
        part[part == ends[1][best]] = ends[0][best]
    return np.unique(part, return_inverse=True)[1]


def _connected(linked: NDArray[np.bool_]) -> Indices:
    """Return numbers of the connected parts of links [k, k]."""
    return connected_components(coo_matrix(linked), directed=False)[1].astype(np.int64)


def _mirrored_edges(pictures: NDArray[np.uint8]) -> tuple[Indices, Indices]:
    """Return pairs of edges of which each shows the mirror image of the other."""
    copies = copy_tiles(pictures, FINE)
    flipped = copy_tiles(np.ascontiguousarray(pictures[:, :, ::-1]), FINE)
    image = match_copies(flipped, copies)[0]
    edges, images = [], []
    for turn in range(4):
        likeness = compare_copies(turn_copies(flipped, turn), copies[image])
        design = np.flatnonzero(likeness >= SAME_DESIGN)
        for side in range(4):
            edges.append(4 * design + side)
            images.append(4 * image[design] + (turn - side) % 4)
    edge, shown = np.concatenate(edges), np.concatenate(images)
    return np.concatenate([edge, shown]), np.concatenate([shown, edge])


def _likely_links(
    pictures: NDArray[np.uint8], mirrored: csr_array
) -> tuple[Indices, Indices, NDArray[np.float64]]:
    """Return pairs of designs that may lie side by side, and the log-odds that they do."""
    outer = edge_strips(pictures, 1)[:, 0]
    content = np.abs(outer - outer.mean(axis=1, keepdims=True)).mean(axis=(1, 2))
    met = _balance(*_joint_probabilities(pictures), mirrored).tocoo()
    edge, other = met.coords
    likely = (
        (edge // 4 < other // 4)
        & (met.data >= LEAST)
        & (np.minimum(content[edge], content[other]) >= BLANK)
    )
    return edge[likely] // 4, other[likely] // 4, logit(np.clip(met.data[likely], *SURE))


def _joint_probabilities(
    pictures: NDArray[np.uint8],
) -> tuple[csr_array, NDArray[np.float64]]:
    """Return how likely edges of designs meet [4k, 4k], and how likely each meets a decoy [4k]."""
    k, size = len(pictures), pictures.shape[1]
    shown = [pictures, pictures]
    for step in range(max(1, -(-CROWD // k) - 1)):
        # Halves, quarters and so on; every other time mirrored.
        down, right = (size // 2, size // 2) if step < 2 else (size * step // 11, size * step // 7)
        rolled = np.roll(pictures, (down, right), axis=(1, 2))
        shown.append(rolled[:, :, ::-1] if step % 2 else rolled)
    tiles = np.concatenate(shown)
    named = TileSet(tiles, tuple(map(str, range(len(tiles)))))
    joints = Joints.of(get_measure(DEFAULT_MEASURE).score(named, post=()), upright=False).matrix()
    own = joints[: 4 * k]
    return own[:, : 4 * k] + own[:, 4 * k : 8 * k], np.asarray(own[:, 8 * k :].sum(axis=1)).ravel()


def _balance(joints: csr_array, decoys: NDArray[np.float64], mirrored: csr_array) -> csr_array:
    """Return the probabilities that edges meet [4k, 4k], so that those of each edge add up to one.

    They are scaled by edges as Sinkhorn and Knopp do (1967); the rest of an edge's probability is
    that of ``decoys`` [4k], or of meeting nothing that is known. ``mirrored`` [4k, 4k] has ones at
    edges and their mirror images.
    """
    mirrored = (mirrored > 0).astype(float)
    joints = (joints + joints.T) / 2
    images = mirrored.sum(axis=1)
    has_image = diags_array((images > 0).astype(float))
    mean = diags_array(1 / np.maximum(images, 1)) @ mirrored
    twice = has_image @ joints @ has_image
    both_looks = twice.multiply(mean @ joints @ mean.T).sqrt()
    joints = joints - twice + both_looks
    joints = (joints - joints.multiply(mirrored)).tocsr()
    scale = np.ones(len(decoys))
    for _ in range(ROUNDS):
        scale = np.sqrt(scale / (joints @ scale + decoys + UNMET))
    return diags_array(scale) @ joints @ diags_array(scale)


def _common_pigments(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how far designs are painted in the same pigments: [k, k]."""
    palettes = read_palettes(pictures).astype(np.float64)
    alike = palettes @ palettes.T
    np.fill_diagonal(alike, 1.0)
    return alike


def _spread_of_stock(
    stock: NDArray[np.integer], turned: NDArray[np.integer], one: Indices, other: Indices
) -> float:
    """Return how much the logarithms of the stock of a pattern's designs differ beside chance.

    Pairs of designs, ``one`` and ``other``, that surely lie side by side tell how evenly the
    walls of this collection have kept their tiles; see ``_stock_odds`` for ``turned``.
    """
    one, other = np.unique(np.stack([one, other]), axis=1)
    ratio = np.min([np.abs(np.log(own[one] / own[other])) for own in (stock, turned)], axis=0)
    variance = np.maximum(ratio**2 - 1 / stock[one] - 1 / stock[other], 0) / 2
    return float(np.sqrt((PAIRS * SPREAD**2 + variance.sum()) / (PAIRS + len(variance))))


def _stock_odds(
    stock: NDArray[np.integer],
    turned: NDArray[np.integer],
    one: Indices,
    other: Indices,
    usual: float,
) -> float:
    """Return the log-odds that two parts of a stock come from one wall, by their numbers.

    ``turned`` is the stock of each design, times the turns in which it looks the same: on a wall
    that such a turn leaves as it is, a design has so many times fewer places. ``usual`` is the
    spread within patterns of this collection.
    """
    chance = 1 / stock[np.concatenate([one, other])].mean()
    same, ratios = 0.0, []
    for numbers in (stock, turned):
        parts = np.log(numbers[one]), np.log(numbers[other])
        within = sum(float(((part - part.mean()) ** 2).sum()) for part in parts)
        variance = GUESS * (usual**2 + chance) + within
        variance /= GUESS + len(one) + len(other) - 2
        spread = float(np.sqrt(variance * (1 / len(one) + 1 / len(other))))
        ratios.append(float(parts[0].mean() - parts[1].mean()))
        same += sum(
            weight / 2 * _normal(ratios[-1], float(np.log(proportion)), spread)
            for proportion, weight in PROPORTIONS
        )
    differing = _normal(ratios[0], 0, float(np.hypot(ANY_SPREAD, spread)))
    return float(np.clip(np.log(max(same, 1e-30) / differing), *ODDS))


def _normal(value: float, mean: float, spread: float) -> float:
    """Return the normal density; ``scipy.stats`` takes half a second to load."""
    return float(np.exp(-(((value - mean) / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi)))
