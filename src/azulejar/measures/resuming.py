"""Runs of networks that were interrupted: kept, so that the same call goes on from there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.measures.cache import LIMIT, cache_folder
from azulejar.system.array_file import open_arrays
from azulejar.system.atomic import replacing


class InterruptedRuns:
    """The runs of one call, in order: the outputs of each, and how many items of them are done.

    The same call makes the same runs in the same order, so a run is known by its number. Without a
    ``path`` nothing is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._runs: list[tuple[str, Sequence[NDArray], list[int]]] = []
        self._stored = [] if path is None else _load(path)

    def begin(self, outputs: Sequence[NDArray], label: str = "") -> list[int]:
        """Fill ``outputs`` of the next run with what is stored of it under the same label.

        A label names the items, where they depend on more than the call.

        Returns:
            A list whose one entry is the number of items done; the run keeps it up to date.
        """
        done = [0]
        if self.path is None:  # nothing will be stored: what has been run must not be kept
            return done
        number = len(self._runs)
        if number < len(self._stored):
            same, count, arrays = self._stored[number]
            shapes = [each.shape for each in arrays]
            if same == label and shapes == [each.shape for each in outputs]:
                for output, array in zip(outputs, arrays, strict=True):
                    output[:count] = array[:count]
                done = [count]
        self._runs.append((label, outputs, done))
        return done

    def store(self) -> None:
        """Store all runs; on a full or read-only disk, or if they are too large, do nothing."""
        size = sum(array.nbytes for _, outputs, _ in self._runs for array in outputs)
        if self.path is None or size > LIMIT // 4:
            return
        arrays = {
            f"{run}-{i}": array
            for run, (_, outputs, _) in enumerate(self._runs)
            for i, array in enumerate(outputs)
        }
        labels = np.array([label for label, _, _ in self._runs])
        counts = np.array([done[0] for _, _, done in self._runs])
        with (
            suppress(AzulejarError, OSError),
            replacing(self.path) as temporary,
            temporary.open("wb") as file,
        ):
            np.savez(file, allow_pickle=False, labels=labels, done=counts, **arrays)

    def forget(self) -> None:
        """Remove what was stored."""
        if self.path is not None:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


@contextmanager
def resuming(name: str) -> Iterator[InterruptedRuns]:
    """Yield the runs of the call that ``name`` stands for; Ctrl-C in the block stores them."""
    folder = cache_folder()
    runs = InterruptedRuns(None if folder is None else folder / f"{name}.runs.npz")
    try:
        yield runs
    except KeyboardInterrupt:
        runs.store()
        raise
    runs.forget()


def _load(path: Path) -> list[tuple[str, int, list[NDArray]]]:
    """Return label, items done and arrays of each stored run; nothing if they are damaged."""
    try:
        with open_arrays(path) as data:
            runs = zip(data.read("labels"), data.read("done"), strict=True)
            return [
                (
                    str(label),
                    int(count),
                    [data.read(name) for name in data if name.startswith(f"{run}-")],
                )
                for run, (label, count) in enumerate(runs)
            ]
    except (OSError, ValueError, TypeError):
        return []
