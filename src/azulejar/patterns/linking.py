"""Links of designs: which of them continue in one another, and so belong to one pattern.

The default measure says how likely each edge of a design meets each edge of the others. Where a
module is mirrored, an edge fits its own mirror image best of all, whatever lies beside it; so a
design and its mirror image count as one, and share out all their probability among the others. Few
designs would be linked for want of better ones; they compete with decoys, which are designs whose
edges run through their middle. An edge that continues far better in its own design, or its mirror
image, needs no other. Designs of one pattern also share its pigments.
"""

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

MIRRORED = 0.88  # least likeness of a design and the mirror image of another
CROWD = 64  # designs and decoys, at least
BLANK = 8.0  # grey levels by which an edge differs from its mean; below, it fits any blank edge
LEAST_SHARE = 0.1  # of the probability of an edge, for one partner
# Odds of a link: probability, both ways, of designs whose pigments are as alike as USUAL; those of
# more or less alike pigments have better or worse odds. Chosen on random designs.
LINKED, USUAL, PIGMENTS = 0.8, 0.85, 7.0
# Most misfit of two edges: of either with its own design or mirror image, or in grey levels.
OWN, GOOD = 2.0, 16.0
LEVELS = 16  # of each colour in a palette


def link_designs(pictures: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which designs [k, S, S, 3] continue in which, or are their mirror images: [k, k]."""
    k = len(pictures)
    kind = _join_mirrored(pictures)
    linked = kind[:, None] == kind
    if kind.max(initial=0) == 0:
        return linked
    shares = _share_out(_joint_probabilities(pictures), kind)
    edge, other = shares.nonzero()
    of_kind = csr_array((np.ones(4 * k), (np.arange(4 * k), np.repeat(kind, 4))))
    to_kind = shares @ of_kind
    there = to_kind[edge, kind[other // 4]]
    back = to_kind[other, kind[edge // 4]]
    both = np.clip(np.sqrt(there * back), 1e-6, 1 - 1e-6)
    palette = _palettes(pictures)
    alike = np.einsum("np,np->n", palette[edge // 4], palette[other // 4])
    misfits = edge_misfits(pictures)
    own = np.where(np.repeat(np.repeat(linked, 4, axis=0), 4, axis=1), misfits, np.inf).min(axis=1)
    outer = edge_strips(pictures, 1)[:, 0]
    content = np.abs(outer - outer.mean(axis=1, keepdims=True)).mean(axis=(1, 2))
    sure = (
        (np.minimum(shares[edge, other], shares[other, edge]) >= LEAST_SHARE)
        & (np.minimum(content[edge], content[other]) >= BLANK)
        & (misfits[edge, other] <= np.maximum(OWN * np.minimum(own[edge], own[other]), GOOD))
        & (logit(both) + PIGMENTS * (alike - USUAL) >= logit(LINKED))
    )
    linked[edge[sure] // 4, other[sure] // 4] = True
    return linked


def _join_mirrored(pictures: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return a number for each design that its mirror image shares: [k]."""
    k = len(pictures)
    flipped = copy_tiles(np.ascontiguousarray(pictures[:, :, ::-1]), FINE)
    image, likeness, _ = match_copies(flipped, copy_tiles(pictures, FINE))
    one = np.flatnonzero(likeness >= MIRRORED)
    graph = coo_matrix((np.ones(len(one)), (one, image[one])), (k, k))
    return connected_components(graph, directed=False)[1]


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


def _share_out(joints: csr_array, kind: NDArray[np.int32]) -> csr_array:
    """Return the share of each edge in the probability of another, without its kind: [4k, 4k]."""
    edges = 4 * len(kind)
    pairs = joints[:edges].tocoo()
    own = np.full(joints.shape[0] // 4, -1)
    own[: len(kind)] = kind
    pairs.data = np.where(own[pairs.row // 4] == own[pairs.col // 4], 0, pairs.data)
    total = np.maximum(pairs.sum(axis=1), 1e-12)
    shares = (diags_array(1 / total) @ pairs.tocsr())[:, :edges].tocsr()
    shares.eliminate_zeros()
    return shares


def _palettes(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how often each colour occurs in each design, blurred, as vectors of length 1."""
    palettes = np.zeros((len(pictures), LEVELS, LEVELS, LEVELS))
    for palette, picture in zip(palettes, pictures, strict=True):
        small = cv2.resize(picture, (FINE, FINE), interpolation=cv2.INTER_AREA)
        level = small.reshape(-1, 3) // (256 // LEVELS)
        np.add.at(palette, tuple(level.T), 1)
        palette[:] = np.sqrt(gaussian_filter(palette, 1.0))
    flat = palettes.reshape(len(pictures), -1)
    return flat / np.linalg.norm(flat, axis=1, keepdims=True)
