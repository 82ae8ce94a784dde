"""Engine ``local``: processes of this machine, one thread each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Self

from numpy.typing import NDArray

from azulejar.collection.engines.base import DEATHS, B, R, Task, given_up, pack, unpack, work
from azulejar.collection.engines.sharing import Mapped, Shelf
from azulejar.system.processes import Worker, dismiss, hire, serve
from azulejar.system.threads import thread_count


class _Job(NamedTuple):
    number: int
    packed: bytes
    arrays: tuple[Mapped, ...]


_Busy = dict[Any, tuple[Worker, _Job]]  # by the line to the worker


class LocalEngine:
    """See Engine. Its processes start when they are first needed, and stay until it is closed."""

    name = "local"

    def __init__(self, workers: int | None = None) -> None:
        self.workers = thread_count() if workers is None else workers
        self._shelf = Shelf()
        self._crew: list[Worker] = []
        self._idle: list[Worker] = []

    def share(self, array: NDArray) -> Mapped:
        return self._shelf.lay(array)

    def map(
        self,
        task: Task[B, R],
        blocks: Iterable[B],
        shared: Sequence[Mapped] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        jobs = (_Job(i, pack(task, block), tuple(shared)) for i, block in enumerate(blocks))
        busy: _Busy = {}
        deaths: Counter[int] = Counter()
        again: list[_Job] = []
        ended: list[tuple[int, bytes]] = []
        done = 0
        try:
            while True:
                again += islice(jobs, self.workers - len(busy) - len(again))
                self._give(again, busy)
                again = []
                # Only now, so that nobody waits while the caller is at the results.
                for number, packed in ended:
                    result = unpack(packed)
                    done += 1
                    if on_done is not None:
                        on_done(done)
                    yield number, result
                if not busy:
                    return
                ended = []
                for line in wait(list(busy)):
                    worker, job = busy.pop(line)
                    outcome = self._listen(worker)
                    if outcome is not None:
                        ended.append((job.number, outcome))
                        continue
                    again.append(job)
                    deaths[job.number] += 1
                    if deaths[job.number] == DEATHS:
                        raise given_up(job.number, f"status {worker.process.exitcode}")
        finally:
            self._dismiss([worker for worker, _ in busy.values()])

    def _give(self, jobs: list[_Job], busy: _Busy) -> None:
        """Give each job to a worker, who is hired if nobody is idle."""
        # All start before the first is given anything, which takes until it listens.
        while len(self._idle) < len(jobs):
            self._crew.append(hire(_life))
            self._idle.append(self._crew[-1])
        for job in jobs:
            worker = self._idle.pop()
            busy[worker.line] = worker, job
            worker.give(job)

    def _listen(self, worker: Worker) -> bytes | None:
        """What a worker made of its job; None if it has died."""
        try:
            outcome = worker.listen()
        except EOFError:
            self._crew.remove(worker)
            return None
        self._idle.append(worker)
        return outcome

    def _dismiss(self, workers: list[Worker]) -> None:
        dismiss(workers)
        self._crew = [worker for worker in self._crew if worker not in workers]

    def close(self) -> None:
        self._dismiss(self._crew)
        self._idle = []
        self._shelf.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _life(line: Connection) -> None:
    serve(line, _answers)


def _answers(job: _Job) -> list[Any]:
    return [work(job.packed, (array.open() for array in job.arrays))]
