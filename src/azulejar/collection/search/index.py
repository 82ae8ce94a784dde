"""The index of a collection: short keys of all edges, searched for the likely partners of one.

Two edges score a·p' + p·a' for their descriptions a and p as anchor and partner. With
s = (a + p)/√2 and d = (a − p)/√2 that is s·s' − d·d', of which a few hundred directions hold almost
everything. They are found from the collection itself. The last number of each key subtracts half of
how well the edge fits all others, so that plain edges do not crowd them out.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from azulejar.errors import AzulejarError
from azulejar.system.threads import thread_count

WIDTH = 192  # directions that are kept
SAMPLE = 16_384  # edges from which the directions are found
CROWD = 1024  # edges that stand for all others
PENALTY = 0.5  # share of an edge's fit with all others that is subtracted
LARGEST_EXACT = 50_000  # tiles; beyond, only the nearest lists are searched
LISTS_PER_ROOT = 4  # number of lists over the square root of the edges
PROBED = 0.06  # share of the lists that is searched
SEED = 0
BLOCK = 8192


@dataclass(frozen=True)
class Keys:
    """``keys`` float32 [4n, d + 1]; multiplied by ``signs`` [d + 1], a key becomes a query.

    Keys of further edges are made with ``basis`` [1600, d], the directions of s where the sign is 1
    and of d where it is -1, and with ``crowd``, the numbers of the edges that stand for all others.
    """

    keys: NDArray[np.float32]
    signs: NDArray[np.float32]
    basis: NDArray[np.float32]
    crowd: NDArray[np.int64]

    @classmethod
    def of(cls, descriptions: NDArray[np.int8], scales: NDArray[np.float32]) -> "Keys":
        """Compute the keys from descriptions [4n, 2, 1600] and their scales [4n, 2]."""
        edges = len(descriptions)
        rng = np.random.default_rng(SEED)
        sample = np.sort(rng.choice(edges, min(SAMPLE, edges), replace=False))
        both = [_directions(half) for half in _halves(descriptions[sample], scales[sample])]
        weight = np.concatenate([variance for variance, _ in both])
        kept = np.argsort(-weight, kind="stable")[:WIDTH] < len(both[0][0])
        width = int(kept.sum()), int((~kept).sum())
        bases = [basis[:, :count] for (_, basis), count in zip(both, width, strict=True)]
        signs = np.ones(sum(width) + 1, np.float32)
        signs[width[0] : -1] = -1
        basis = np.concatenate(bases, axis=1)
        keys = _project(descriptions, scales, basis, signs)
        crowd = np.sort(rng.choice(edges, min(CROWD, edges), replace=False))
        keys[:, -1] = -PENALTY * _fit_with(keys, keys[crowd] * signs)
        return cls(keys, signs, basis, crowd)

    def more(
        self, descriptions: NDArray[np.int8], scales: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the keys of further edges, along the directions of those that are there."""
        keys = _project(descriptions, scales, self.basis, self.signs)
        keys[:, -1] = -PENALTY * _fit_with(keys, self.keys[self.crowd] * self.signs)
        return keys


def build_index(keys: Keys, *, exact: bool | None = None) -> Any:
    """Build a faiss index: exact for up to 50,000 tiles, by lists of similar edges beyond."""
    faiss = import_faiss()
    edges, width = keys.keys.shape
    if exact is None:
        exact = edges <= 4 * LARGEST_EXACT
    if exact:
        index = faiss.IndexFlatIP(width)
    else:
        lists = round(LISTS_PER_ROOT * edges**0.5)
        coarse = faiss.IndexFlatIP(width)
        index = faiss.IndexIVFFlat(coarse, width, lists, faiss.METRIC_INNER_PRODUCT)
        index.cp.seed = SEED
        index.cp.niter = 10
        index.cp.max_points_per_centroid = 64
        index.nprobe = max(1, round(PROBED * lists))
        # The trained lists must not depend on how the work is shared out.
        faiss.omp_set_num_threads(thread_count())
        index.train(keys.keys)
    index.add(keys.keys)
    return index


def pack_index(keys: Keys) -> NDArray[np.uint8]:
    """Serialize the index; an exact one to no bytes, since the keys are all of it."""
    index = build_index(keys)
    return import_faiss().serialize_index(index) if hasattr(index, "nprobe") else np.empty(0, "u1")


def unpack_index(content: NDArray[np.uint8], keys: NDArray[np.float32]) -> Any:
    """Restore the index, to be searched with one thread."""
    faiss = import_faiss()
    faiss.omp_set_num_threads(1)
    if len(content):
        return faiss.deserialize_index(np.array(content))
    index = faiss.IndexFlatIP(keys.shape[1])
    index.add(np.ascontiguousarray(keys))
    return index


def extend_index(
    content: NDArray[np.uint8], keys: NDArray[np.float32], edges: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return a serialized index with the keys of new or changed edges in its lists.

    One without lists stays as it is.
    """
    if not len(content):
        return content
    faiss = import_faiss()
    index = faiss.deserialize_index(np.array(content))
    index.remove_ids(edges)
    index.add_with_ids(keys, edges)
    return faiss.serialize_index(index)


def import_faiss() -> Any:
    """Return the module faiss; raise an error that says how to install it."""
    try:
        import faiss
    except ImportError:
        raise AzulejarError(
            "faiss-missing",
            "Searching a collection needs faiss, which is not installed.",
            'Install it: pip install "azulejar[large]".',
        ) from None
    return faiss


def _project(
    descriptions: NDArray[np.int8],
    scales: NDArray[np.float32],
    basis: NDArray[np.float32],
    signs: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the keys of edges, without their last number."""
    keys = np.zeros((len(descriptions), len(signs)), np.float32)
    width = int((signs[:-1] > 0).sum())
    for start in range(0, len(keys), BLOCK):
        rows = slice(start, start + BLOCK)
        halves = _halves(descriptions[rows], scales[rows])
        bases = basis[:, :width], basis[:, width:]
        keys[rows, :-1] = np.concatenate(
            [half @ own for half, own in zip(halves, bases, strict=True)], axis=1
        )
    keys[:, :-1] *= signs[:-1]
    return keys


def _halves(
    descriptions: NDArray[np.int8], scales: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return s and d of b edges, [b, 1600] each."""
    anchor, partner = (
        descriptions[:, role].astype(np.float32) * scales[:, role, None] for role in range(2)
    )
    root = np.float32(2**-0.5)
    return (anchor + partner) * root, (anchor - partner) * root


def _directions(half: NDArray[np.float32]) -> tuple[NDArray, NDArray[np.float32]]:
    """Return the mean squares along the principal directions, falling, and these as columns."""
    if 2 * len(half) < half.shape[1]:
        _, length, rows = np.linalg.svd(half, full_matrices=False)
        return (length**2 / len(half))[:WIDTH], np.ascontiguousarray(rows[:WIDTH].T)
    square = half.T @ half / len(half)
    last = len(square) - 1
    variance, basis = eigh(square, subset_by_index=(last - WIDTH + 1, last))
    return variance[::-1], np.ascontiguousarray(basis[:, ::-1])


def _fit_with(keys: NDArray[np.float32], crowd: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log of the mean odds of each edge with a crowd: [4n]."""
    fit = np.empty(len(keys), np.float32)
    for start in range(0, len(keys), BLOCK):
        scores = keys[start : start + BLOCK, :-1] @ crowd[:, :-1].T
        highest = scores.max(axis=1)
        fit[start : start + BLOCK] = highest + np.log(np.exp(scores - highest[:, None]).mean(1))
    return fit
