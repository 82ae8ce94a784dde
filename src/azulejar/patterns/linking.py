"""Links of designs: which of them continue in one another, and so belong to one pattern.

Each design begins as a part of its own, with its mirror image; the two parts that most likely
belong together are joined, and so on. Four things speak for or against a link:

- The default measure says how likely each edge meets each other. Where a module is mirrored, an
  edge fits its own mirror image best, whatever lies beside it; so a design and its mirror image
  count as one, and share out all their probability among the others. Few designs would be linked
  for want of better ones; they compete with decoys, whose edges run through their middle.
- An edge that continues better in its own part than across the link needs no other partner.
- The designs of a pattern share its pigments.
- They occur in fixed proportions: equally often, unless a turn leaves them as they are. That is
  true of a wall, and roughly of what is left of it, so much more or fewer tiles speak against a
  link, but do not rule it out.

A part of many designs says more of its pigments, proportions and edges than a single one.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from scipy.sparse import coo_matrix, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.special import logit

from azulejar.core.edges import edge_strips
from azulejar.core.joints import Joints
from azulejar.core.tiles import TileSet
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.patterns.designs import match_copies
from azulejar.patterns.likeness import FINE, copy_tiles
from azulejar.patterns.repeats import edge_misfits
from azulejar.patterns.symmetry import SAME_DESIGN, count_turns

CROWD = 64  # designs and decoys, at least
BLANK = 8.0  # grey levels by which an edge differs from its mean; below, it fits any blank edge
LEAST_SHARE = 0.1  # of the probability of an edge, for one partner
SURE = 0.01, 0.99  # between which the shares of two parts count
# Odds of a link: weights of the share's log-odds, of alike pigments, of the log-odds of the stock
# and of a worse fit, fitted on random designs; and what they add up to, at least.
SHARE, PIGMENTS, STOCK, WORSE = 0.86, 1.8, 2.0, 1.1
LINKED = 3.8
GOOD = 16.0  # misfit in grey levels; a better one is no better
LEVELS = 16  # of each colour in a palette
# Of the logarithm of two numbers of tiles: its spread in a pattern, and among patterns; and how
# often it is that of another small proportion.
SPREAD, ANY_SPREAD = 0.25, 1.0
PROPORTIONS = ((1, 0.84), (2, 0.05), (1 / 2, 0.05), (4, 0.03), (1 / 4, 0.03))
LEAST_ODDS = -1.0  # log-odds of the stock: who knows what became of the other tiles


def group_designs(
    pictures: NDArray[np.uint8],
    stock: NDArray[np.integer],
    names: Sequence[str | None] | None = None,
) -> NDArray[np.int64]:
    """Return the number of the pattern of each design: [k].

    Args:
        pictures: The designs [k, S, S, 3].
        stock: Tiles of each [k].
        names: What people call the pattern of each, None where they do not say. Designs of one name
            are one pattern, and those of two names are not.
    """
    k = len(pictures)
    kind = _join_mirrored(pictures)
    known = np.array([name or "" for name in names or [None] * k])
    one, other = np.meshgrid(np.arange(k), np.arange(k))
    differ = (known[one] != known[other]) & (known[one] != "") & (known[other] != "")
    called = (known[one] == known[other]) & (known[one] != "")
    part = _connected((kind[one] == kind[other]) & ~differ | called)
    if part.max(initial=0) == 0:
        return part
    edge, met, share = _likely_pairs(pictures, kind)
    misfits = edge_misfits(pictures)
    palettes = _palettes(pictures)
    turned = stock * count_turns(pictures)
    odds = np.full(len(edge), -np.inf)
    changed = np.unique(part)
    while len(edge):
        ends = part[edge // 4], part[met // 4]
        stale = np.isin(ends[0], changed) | np.isin(ends[1], changed)
        for a, b in np.unique(np.sort(np.stack(ends)[:, stale], axis=0), axis=1).T:
            rows = stale & (np.minimum(*ends) == a) & (np.maximum(*ends) == b)
            parts = np.flatnonzero(part == a), np.flatnonzero(part == b)
            if a == b or differ[np.ix_(*parts)].any():
                odds[rows] = -np.inf
                continue
            alike = [np.sqrt(palettes[each].mean(axis=0)) for each in parts]
            pigments = alike[0] @ alike[1] / np.prod([np.linalg.norm(each) for each in alike])
            both = PIGMENTS * pigments + STOCK * _stock_odds(stock, turned, *parts)
            across = misfits[edge[rows], met[rows]]
            own = [_own_misfits(misfits, part, each[rows]) for each in (edge, met)]
            worse = np.maximum(across, GOOD) / np.maximum(np.minimum(*own), GOOD)
            odds[rows] = both + SHARE * share[rows] - WORSE * np.maximum(np.log(worse), 0)
        best = int(odds.argmax())
        if odds[best] < LINKED:
            break
        changed = np.array([ends[0][best]])
        part[part == ends[1][best]] = ends[0][best]
    return np.unique(part, return_inverse=True)[1]


def _connected(linked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return numbers of the connected parts of links [k, k]."""
    return connected_components(coo_matrix(linked), directed=False)[1].astype(np.int64)


def _join_mirrored(pictures: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return a number for each design that its mirror image shares: [k]."""
    k = len(pictures)
    flipped = copy_tiles(np.ascontiguousarray(pictures[:, :, ::-1]), FINE)
    image, likeness, _ = match_copies(flipped, copy_tiles(pictures, FINE))
    linked = np.zeros((k, k), bool)
    one = np.flatnonzero(likeness >= SAME_DESIGN)
    linked[one, image[one]] = True
    return _connected(linked)


def _likely_pairs(
    pictures: NDArray[np.uint8], kind: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return edges, the edges of other kinds that they may meet, and log-odds of their shares."""
    shares = _share_out(_joint_probabilities(pictures), kind)
    edge, met = shares.nonzero()
    outer = edge_strips(pictures, 1)[:, 0]
    content = np.abs(outer - outer.mean(axis=1, keepdims=True)).mean(axis=(1, 2))
    likely = (
        (kind[edge // 4] < kind[met // 4])
        & (np.minimum(shares[edge, met], shares[met, edge]) >= LEAST_SHARE)
        & (np.minimum(content[edge], content[met]) >= BLANK)
    )
    edge, met = edge[likely], met[likely]
    to_kind = shares @ np.repeat(np.eye(kind.max() + 1)[kind], 4, axis=0)
    there, back = to_kind[edge, kind[met // 4]], to_kind[met, kind[edge // 4]]
    return edge, met, logit(np.clip(np.sqrt(there * back), *SURE))


def _joint_probabilities(pictures: NDArray[np.uint8]) -> csr_array:
    """Return how likely edges of designs and decoys meet: [4m, 4m], the k designs first."""
    size = pictures.shape[1]
    shown = [pictures]
    for step in range(-(-CROWD // len(pictures)) - 1):
        # Halves, quarters and so on; every other time mirrored.
        down, right = (size // 2, size // 2) if step < 2 else (size * step // 11, size * step // 7)
        rolled = np.roll(pictures, (down, right), axis=(1, 2))
        shown.append(rolled[:, :, ::-1] if step % 2 else rolled)
    tiles = np.concatenate(shown)
    named = TileSet(tiles, tuple(map(str, range(len(tiles)))))
    return Joints.of(get_measure(DEFAULT_MEASURE).score(named, post=()), upright=False).matrix()


def _share_out(joints: csr_array, kind: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of each edge in the probability of another, without its kind: [4k, 4k]."""
    edges = 4 * len(kind)
    pairs = joints[:edges].tocoo()
    own = np.full(joints.shape[0] // 4, -1)
    own[: len(kind)] = kind
    pairs.data = np.where(own[pairs.row // 4] == own[pairs.col // 4], 0, pairs.data)
    total = np.maximum(pairs.sum(axis=1), 1e-12)
    return (diags_array(1 / total) @ pairs.tocsr())[:, :edges].toarray()


def _palettes(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how often each colour, blurred, occurs in each design, as shares."""
    palettes = np.zeros((len(pictures), LEVELS, LEVELS, LEVELS))
    for palette, picture in zip(palettes, pictures, strict=True):
        small = cv2.resize(picture, (FINE, FINE), interpolation=cv2.INTER_AREA)
        level = small.reshape(-1, 3) // (256 // LEVELS)
        np.add.at(palette, tuple(level.T), 1)
        palette[:] = gaussian_filter(palette, 1.0)
    flat = palettes.reshape(len(pictures), -1)
    return flat / flat.sum(axis=1, keepdims=True)


def _own_misfits(
    misfits: NDArray[np.float64], part: NDArray[np.int64], edges: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how badly each of some edges continues in its own part, at best."""
    of_edge = np.repeat(part, 4)
    return np.array([misfits[edge, of_edge == of_edge[edge]].min() for edge in edges])


def _stock_odds(
    stock: NDArray[np.integer],
    turned: NDArray[np.integer],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
) -> float:
    """Return the log-odds that two parts of a stock come from one wall, by their numbers.

    ``turned`` is the stock of each design, times the turns in which it looks the same: on a wall
    that such a turn leaves as it is, a design has so many times fewer places.
    """
    spread = float(np.sqrt(1 / stock[one].sum() + 1 / stock[other].sum() + SPREAD**2))
    plain, by_turns = (
        float(np.log(np.median(each[one]) / np.median(each[other]))) for each in (stock, turned)
    )
    same = sum(
        weight / 2 * _normal(ratio, np.log(proportion), spread)
        for ratio in (plain, by_turns)
        for proportion, weight in PROPORTIONS
    )
    return max(LEAST_ODDS, float(np.log(same / _normal(plain, 0, np.hypot(ANY_SPREAD, spread)))))


def _normal(value: float, mean: float, spread: float) -> float:
    """Return the normal density; ``scipy.stats`` takes half a second to load."""
    return float(np.exp(-(((value - mean) / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi)))
