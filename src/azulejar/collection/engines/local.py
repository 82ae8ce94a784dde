"""Engine ``local``: processes of this machine, one thread each, and arrays that they share."""

import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines.base import (
    ATTEMPTS,
    B,
    BlockFunction,
    R,
    block_given_up,
    pack_block,
    run_block,
    unpack_result,
)
from azulejar.errors import AzulejarError
from azulejar.system.processes import Died, Worker, WorkerPool
from azulejar.system.threads import thread_count

LOOK = 0.1  # seconds between two looks whether to stop


@dataclass(frozen=True)
class MappedArray:
    """Where an array lies in a file; ``offset`` in bytes."""

    path: Path
    dtype: np.dtype
    shape: tuple[int, ...]
    offset: int = 0

    def open(self) -> NDArray:
        """Map the array into memory, read-only."""
        if 0 in self.shape:  # an empty array cannot be mapped
            return np.empty(self.shape, self.dtype)
        array = np.memmap(self.path, self.dtype, "r", self.offset, self.shape)
        return array.view(np.ndarray)


def find_mapped(array: NDArray) -> MappedArray | None:
    """Return where a memory-mapped array, or a part of one without gaps, lies in its file."""
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    # Changes to a private copy (mode "c") are not in the file.
    if not isinstance(whole, np.memmap) or whole.filename is None or whole.mode == "c":
        return None
    if not array.flags.c_contiguous or array.dtype.hasobject:
        return None
    # NumPy gives a part the offset of the whole.
    offset = whole.offset + _address(array) - _address(whole)
    return MappedArray(Path(whole.filename).absolute(), array.dtype, array.shape, offset)


def _address(array: NDArray) -> int:
    return array.__array_interface__["data"][0]


class SharedArrays:
    """Arrays in files that all processes of this machine can map into memory."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory | None = None
        self._count = 0

    def add(self, array: NDArray) -> MappedArray:
        """Return where an array lies in a file; write it to a temporary one if it lies in none."""
        mapped = find_mapped(array)
        return self._write(array) if mapped is None else mapped

    def _write(self, array: NDArray) -> MappedArray:
        array = np.ascontiguousarray(array)
        try:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    prefix="azulejar-", ignore_cleanup_errors=True
                )
            path = Path(self._folder.name) / f"{self._count}.bin"
            self._count += 1
            array.tofile(path)
        except OSError as error:
            raise AzulejarError(
                "shared-array-unwritable",
                "Could not write {megabytes} MB into {folder} for the workers: {reason}.",
                "Free some space there, or set TMPDIR to a folder on a larger disk.",
                megabytes=round(array.nbytes / 1e6),
                folder=tempfile.gettempdir(),
                reason=str(error.strerror or error),
            ) from error
        return MappedArray(path, array.dtype, array.shape)

    def clear(self) -> None:
        """Delete the temporary files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class _Job(NamedTuple):
    number: int
    packed: bytes
    arrays: tuple[MappedArray, ...]


class LocalEngine:
    """See Engine. Processes start when they are first needed, and stay until it is closed.

    Once ``stop`` is set, workers end at once, whatever they or the caller are doing, and the map
    ends with a KeyboardInterrupt.
    """

    name = "local"

    def __init__(self, workers: int | None = None, stop: threading.Event | None = None) -> None:
        self.workers = thread_count() if workers is None else workers
        self._stop = stop
        self._closed = threading.Event()
        self._shared = SharedArrays()
        self._pool = WorkerPool(_run)
        if stop is not None:
            threading.Thread(target=self._obey, args=(stop,), daemon=True).start()

    def share(self, array: NDArray) -> MappedArray:
        return self._shared.add(array)

    def map(
        self,
        function: BlockFunction[B, R],
        blocks: Iterable[B],
        shared: Sequence[MappedArray] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        jobs = (
            _Job(i, pack_block(function, block), tuple(shared)) for i, block in enumerate(blocks)
        )
        busy: dict[Worker, _Job] = {}
        deaths: Counter[int] = Counter()
        again: list[_Job] = []
        ended: list[tuple[int, bytes]] = []
        done = 0
        try:
            while True:
                again += islice(jobs, self.workers - len(busy) - len(again))
                busy |= zip(self._pool.send(again), again, strict=True)
                again = []
                # Only now, so that no worker waits while the caller uses the results.
                for number, packed in ended:
                    result = unpack_result(packed)
                    done += 1
                    if on_done is not None:
                        on_done(done)
                    yield number, result
                if not busy:
                    return
                ended = []
                answers = self._pool.receive(busy)
                if self._stop is not None and self._stop.is_set():
                    raise KeyboardInterrupt
                for worker, answer in answers:
                    job = busy.pop(worker)
                    if not isinstance(answer, Died):
                        self._pool.release(worker)
                        ended.append((job.number, answer))
                        continue
                    again.append(job)
                    deaths[job.number] += 1
                    if deaths[job.number] == ATTEMPTS:
                        raise block_given_up(job.number, f"status {answer.exitcode}")
        finally:
            self._pool.terminate(busy)

    def _obey(self, stop: threading.Event) -> None:
        """Kill workers once ``stop`` is set, in a thread of its own."""
        while not self._closed.wait(LOOK):
            if stop.is_set():
                self._pool.kill_busy()

    def close(self) -> None:
        self._closed.set()
        self._pool.close()
        self._shared.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _run(job: _Job) -> list[Any]:
    return [run_block(job.packed, (array.open() for array in job.arrays))]
