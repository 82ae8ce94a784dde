"""Compatibility: scores of edge pairs, dense or top-k."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.edges import opposite
from azulejar.errors import AzulejarError
from azulejar.system.array_file import ArrayFile, open_arrays
from azulejar.system.atomic import replacing

FORMAT = "azulejar-scores/1"
LARGEST = np.finfo(np.float32).max
MOST_TILES = 10**6
_MOST_NAMES = 1 << 27  # bytes of the names of all tiles
_MOST_TEXT = 1 << 16  # bytes of the name of a measure or format
BLOCK = 4_000_000  # scores handled at a time, to bound memory


@dataclass(frozen=True)
class Compatibility:
    """How well the edges of n tiles fit each other; higher is better.

    Edge ``4 * tile + side``, with the sides 0 top, 1 right, 2 bottom, 3 left of the tile as its
    file shows it.

    Args:
        scores: Dense: float32 [4n, 4n], row and column an edge number. Top-k: float32 [4n, k],
            the scores of the edges in ``index``, best first. Pairs that were not scored count as
            the row's minimum.
        files: The n names of the tiles.
        measure: Name of the measure, for the record.
        index: None for dense scores, else int32 [4n, k].

    Raises:
        AzulejarError: If a score is no finite real number.

    Examples:
        >>> import numpy as np
        >>> from azulejar import Assembly, Compatibility
        >>> scores = np.zeros((8, 8), np.float32)
        >>> scores[1, 7] = scores[7, 1] = 0.9  # right of tile 0, left of tile 1
        >>> compatibility = Compatibility(scores, ("a.png", "b.png"), "my own")
        >>> round(compatibility.fitness(Assembly.of([0, 0], [0, 1], [0, 0])), 6)
        0.9
    """

    scores: NDArray[np.float32]
    files: tuple[str, ...]
    measure: str
    index: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        # A sum reads the scores once, and is not finite if one of them is not.
        if self.scores.dtype.kind not in "fiub" or not np.isfinite(self.scores.sum(dtype=float)):
            raise AzulejarError(
                "scores-not-real",
                "There are scores that are not finite real numbers.",
                "Give pairs that cannot meet a low score instead.",
            )

    def __len__(self) -> int:
        """Number of tiles."""
        return len(self.files)

    def best(self, k: int, upright: bool = False) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the k best partners of each edge, best first: edges [4n, k] and scores [4n, k].

        Edges of the same tile are no partners, nor, if ``upright``, sides that are not opposite.
        Where there are fewer than k partners, the edge is -1 and the score 0.
        """
        edges = len(self.scores)
        partner = np.full((edges, k), -1, np.int32)
        value = np.zeros((edges, k), np.float32)
        k = min(k, self.scores.shape[1])
        step = max(1, BLOCK // self.scores.shape[1])
        for start in range(0, edges, step):
            rows = slice(start, min(start + step, edges))
            partner[rows, :k], value[rows, :k] = self._best_of(rows, k, upright)
        return partner, value

    def _best_of(
        self, rows: slice, k: int, upright: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        edge = np.arange(rows.start, rows.stop)[:, None]
        other = np.arange(len(self.scores))[None] if self.index is None else self.index[rows]
        allowed = edge // 4 != other // 4
        if upright:
            allowed &= opposite(edge) == other % 4
        score = np.where(allowed, self.scores[rows], -np.inf)
        top = np.argpartition(-score, k - 1, axis=1)[:, :k]
        top = np.take_along_axis(top, np.argsort(-np.take_along_axis(score, top, 1), 1), 1)
        value = np.take_along_axis(score, top, 1)
        partner = np.take_along_axis(np.broadcast_to(other, score.shape), top, 1)
        missing = np.isneginf(value)
        return np.where(missing, -1, partner), np.where(missing, 0, value)

    def pairs(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float32]:
        """Return the scores of edges ``b`` as partners of edges ``a``, element by element."""
        a, b = np.broadcast_arrays(a, b)
        if self.index is None:
            return np.asarray(self.scores[a, b])
        found = self.scores.min(axis=1)[a].ravel()
        step = max(1, BLOCK // self.scores.shape[1])
        for start in range(0, a.size, step):
            edge, other = a.ravel()[start : start + step], b.ravel()[start : start + step]
            at, rank = np.nonzero(self.index[edge] == other[:, None])
            found[start + at] = self.scores[edge[at], rank]
        return found.reshape(a.shape)

    def mutual(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of the scores of each pair seen from either edge, element by element."""
        there, back = self.pairs(a, b), self.pairs(b, a)
        return (there.astype(np.float64) + back) / 2

    def fitness(self, assembly: Assembly) -> float:
        """Return the sum of the mutual scores of all joints (paper, section 3)."""
        joints = assembly.joints()
        return float(self.mutual(joints[:, 0], joints[:, 1]).sum())

    def ordered(self, files: tuple[str, ...]) -> "Compatibility":
        """Return the same scores with the tiles in another order."""
        if files == self.files:
            return self
        old = {file: i for i, file in enumerate(self.files)}
        return self.take([old[file] for file in files])

    def take(self, tiles: ArrayLike) -> "Compatibility":
        """Return the scores among some of the tiles, in the order given."""
        tile = np.asarray(tiles, np.intp)
        files = tuple(self.files[i] for i in tile)
        edge = (4 * tile[:, None] + np.arange(4)).ravel()
        if self.index is None:
            return Compatibility(self.scores[np.ix_(edge, edge)], files, self.measure)
        new = np.full(len(self.scores), -1, np.int32)
        new[edge] = np.arange(len(edge))
        index, value = new[self.index[edge]], self.scores[edge]
        # A partner that is left out is replaced by the edge itself, which is nobody's partner.
        gone = index < 0
        index = np.where(gone, np.arange(len(edge), dtype=np.int32)[:, None], index)
        value = np.where(gone, value.min(axis=1, keepdims=True), value)
        scores, index = _best_first(value, index)
        return Compatibility(scores, files, self.measure, index)

    def with_scores(self, scores: NDArray[np.float32]) -> "Compatibility":
        """Return the same pairs with other scores; top-k ones are sorted again, best first."""
        if self.index is None:
            return Compatibility(scores, self.files, self.measure)
        scores, index = _best_first(scores, self.index)
        return Compatibility(scores, self.files, self.measure, index)

    def with_part(self, part: "Compatibility") -> "Compatibility":
        """Return these scores with those among the tiles of ``part`` replaced by its own.

        Tiles are known by their files; those that are only in ``part`` are left out. A part of
        top-k scores replaces all or nothing.
        """
        at = {file: i for i, file in enumerate(self.files)}
        known = [i for i, file in enumerate(part.files) if file in at]
        part = part.take(known) if len(known) < len(part) else part
        if self.index is not None or part.index is not None:
            return part.ordered(self.files) if len(part) == len(self) else self
        tile = np.array([at[file] for file in part.files], np.intp)
        edge = (4 * tile[:, None] + np.arange(4)).ravel()
        scores = self.scores.copy()
        scores[np.ix_(edge, edge)] = part.scores
        return self.with_scores(scores)

    def within(self, kinds: NDArray) -> "Compatibility":
        """Return the same scores, but 0 for edges of different ``kinds`` [4n], which never meet."""
        other = np.arange(len(kinds))[None] if self.index is None else self.index
        return self.with_scores(self.scores * (kinds[:, None] == kinds[other]))

    def dense(self) -> NDArray[np.float32]:
        """Return all scores as [4n, 4n]; those of a top-k compatibility are spread out."""
        if self.index is None:
            return self.scores
        edges = len(self.scores)
        full = np.repeat(self.scores.min(axis=1, keepdims=True), edges, axis=1)
        np.put_along_axis(full, self.index.astype(np.int64), self.scores, axis=1)
        return full

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``scores.npz`` (see docs/formats.md)."""
        data: dict[str, Any] = {"scores": self.scores}
        if self.index is not None:
            data = {"index": self.index, "value": self.scores}
        data |= {"files": np.array(self.files), "measure": self.measure, "format": FORMAT}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **data)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], files: Sequence[str] | None = None
    ) -> "Compatibility":
        """Read a ``scores.npz``, ours or one of your own.

        Args:
            path: The file.
            files: The tiles that it must hold, in any order; by default, any.

        Raises:
            AzulejarError: If the file cannot be read, its arrays do not have the right shapes, or
                it holds scores of other tiles. Scores are read once all this is checked.
        """
        try:
            with open_arrays(path) as arrays:
                return cls._read(arrays, str(path), files)
        except FileNotFoundError:
            raise AzulejarError(
                "file-missing", "There is no file {path}.", "Check the path.", path=str(path)
            ) from None
        except (OSError, ValueError) as error:
            raise AzulejarError(
                "scores-unreadable",
                "{path} is not a readable .npz file ({reason}).",
                "Make it again.",
                path=str(path),
                reason=str(error),
            ) from error

    @classmethod
    def _read(cls, arrays: ArrayFile, path: str, wanted: Sequence[str] | None) -> "Compatibility":
        found = str(arrays.read("format", _MOST_TEXT)) if "format" in arrays else FORMAT
        if found != FORMAT:
            raise ValueError(f"its format is {found[:40]!r}, not {FORMAT!r}")
        listed = "index" in arrays
        name = "value" if listed else "scores"
        files = _read_files(arrays) if "files" in arrays else ()
        if not files or name not in arrays:
            raise AzulejarError(
                "scores-incomplete",
                "{path} lacks 'files' and 'scores' (or 'index' and 'value').",
                "See the file contract in docs/formats.md.",
                path=path,
            )
        if wanted is not None and sorted(files) != sorted(wanted):
            raise AzulejarError(
                "scores-of-other-tiles",
                "{path} holds scores of other tiles ({file} is only in one of the two).",
                "Score these tiles again.",
                path=path,
                file=min(set(files) ^ set(wanted), default=files[0]),
            )
        edges = 4 * len(files)
        index = _read_index(arrays, path, edges) if listed else None
        shape, dtype = arrays.layout(name)
        if shape != (needed := (edges, edges) if index is None else index.shape):
            raise AzulejarError(
                "scores-wrong-shape",
                "{path} has scores of shape {shape}; {files} files need {wanted}.",
                "See the file contract in docs/formats.md.",
                path=path,
                shape=str(shape),
                files=len(files),
                wanted=str(needed),
            )
        real = dtype.kind in "fiu"
        scores = arrays.read(name, edges**2 * dtype.itemsize) if real else None
        if scores is None or not (np.abs(scores) <= LARGEST).all():
            raise AzulejarError(
                "scores-not-finite",
                "{path} holds scores that are not finite real numbers.",
                "See the file contract in docs/formats.md.",
                path=path,
            )
        measure = str(arrays.read("measure", _MOST_TEXT)) if "measure" in arrays else "unknown"
        return cls(np.ascontiguousarray(scores, np.float32), files, measure, index)


def _read_files(arrays: ArrayFile) -> tuple[str, ...]:
    shape, _ = arrays.layout("files")
    if math.prod(shape) > MOST_TILES:
        raise ValueError(f"it says that it has {math.prod(shape):,} tiles")
    return tuple(str(each) for each in arrays.read("files", _MOST_NAMES).ravel())


def _read_index(arrays: ArrayFile, path: str, edges: int) -> NDArray[np.int32]:
    shape, dtype = arrays.layout("index")
    if len(shape) == 2 and shape[0] == edges >= shape[1] > 0 and dtype.kind in "iu":
        index = arrays.read("index", edges**2 * dtype.itemsize)
        if ((index >= 0) & (index < edges)).all():
            return np.ascontiguousarray(index, np.int32)
    raise AzulejarError(
        "scores-wrong-index",
        "{path} has an 'index' that is not {edges} rows of edge numbers from 0 to {last}.",
        "See the file contract in docs/formats.md.",
        path=path,
        edges=edges,
        last=edges - 1,
    )


def _best_first(
    scores: NDArray[np.float32], index: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Sort the scores [4n, k] of each edge, and its partners ``index`` with them, best first."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.take_along_axis(scores, order, 1), np.take_along_axis(index, order, 1)
