"""Compatibility: scores of edge pairs, dense or top-k."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.atomic import replacing
from azulejar.errors import AzulejarError

FORMAT = "azulejar-scores/1"


@dataclass(frozen=True)
class Compatibility:
    """How well edges fit; higher is better.

    Dense: ``scores`` float32 [4n, 4n], row and column an edge number, and ``index`` is None.
    Top-k: ``scores`` [4n, k] are the values of the edges in ``index`` [4n, k], best first.
    Pairs that were not scored count as the row's minimum.
    """

    scores: NDArray[np.float32]
    files: tuple[str, ...]
    measure: str
    index: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        """Number of tiles."""
        return len(self.files)

    def best(self, k: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The k best partners of each edge, best first: edges [4n, k] and their scores [4n, k]."""
        k = min(k, self.scores.shape[1])
        if self.index is not None:
            return self.index[:, :k], self.scores[:, :k]
        top = np.argpartition(-self.scores, k - 1, axis=1)[:, :k]
        value = np.take_along_axis(self.scores, top, axis=1)
        order = np.lexsort((top, -value), axis=1)
        top = np.take_along_axis(top, order, axis=1).astype(np.int32)
        return top, np.take_along_axis(self.scores, top, axis=1)

    def pairs(self, a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.float32]:
        """Scores of edges ``b`` as partners of edges ``a``, element by element."""
        if self.index is None:
            return np.asarray(self.scores[a, b])
        hit = self.index[a] == np.asarray(b)[..., None]
        floor = self.scores.min(axis=1)[a]
        return np.where(hit.any(-1), (self.scores[a] * hit).sum(-1), floor).astype(np.float32)

    def save(self, path: Path) -> None:
        """Write ``scores.npz`` as the file contract has it."""
        about = {"files": np.array(self.files), "measure": self.measure, "format": FORMAT}
        data = {"scores": self.scores}
        if self.index is not None:
            data = {"index": self.index, "value": self.scores}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **data, **about)

    @classmethod
    def load(cls, path: Path) -> "Compatibility":
        """Read a ``scores.npz``, ours or a researcher's own."""
        try:
            with np.load(path, allow_pickle=False) as data:
                found = {name: data[name] for name in data.files}
        except FileNotFoundError:
            raise AzulejarError(f"There is no file {path}.", "Check the path.") from None
        except Exception as error:
            raise AzulejarError(
                f"{path} is not a readable .npz file ({error}).", "Make it again: azulejar score."
            ) from error
        return cls._checked(found, path)

    @classmethod
    def _checked(cls, found: dict[str, NDArray], path: Path) -> "Compatibility":
        files = tuple(str(name) for name in found.get("files", ()))
        edges = 4 * len(files)
        index = found.get("index")
        scores = found.get("scores" if index is None else "value")
        wanted = (edges, edges) if index is None else (edges, index.shape[-1])
        problem = None
        if not files or scores is None:
            problem = "lacks 'files' and 'scores' (or 'index' and 'value')"
        elif scores.shape != wanted:
            problem = f"has scores of shape {scores.shape}; {len(files)} files need {wanted}"
        elif index is not None and (index.shape != wanted or not _are_edges(index, edges)):
            problem = f"has an 'index' that is not edge numbers from 0 to {edges - 1}"
        elif not np.isfinite(scores).all():
            problem = "holds scores that are not finite numbers"
        if problem or scores is None:
            raise AzulejarError(
                f"{path} {problem}.", "See the file contract in docs/formats.md."
            )
        return cls(
            np.ascontiguousarray(scores, np.float32),
            files,
            str(found.get("measure", "unknown")),
            None if index is None else np.ascontiguousarray(index, np.int32),
        )


def _are_edges(index: NDArray, edges: int) -> bool:
    return np.issubdtype(index.dtype, np.integer) and bool(
        ((index >= 0) & (index < edges)).all()
    )
