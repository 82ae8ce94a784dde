"""Engine ``ray``: the processes of a Ray cluster, or of one that is started on this machine.

Blocks travel as arguments and shared arrays through Ray's object store. Both belong to this
process, so that a node can take nothing with it when it dies; Ray does its blocks again.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines.base import DEATHS, B, R, Task, TaskError, given_up, pack, unpack
from azulejar.collection.engines.reaching import reach
from azulejar.errors import AzulejarError
from azulejar.system.threads import thread_count
from azulejar.version import __version__

AHEAD = 2  # blocks under way for each processor: one at work and one on its way
USAGE = "RAY_USAGE_STATS_ENABLED"  # a museum's computers tell nobody what they do


class RayEngine:
    """See Engine. ``address`` is HOST:PORT of a cluster; without it, one is started here."""

    name = "ray"

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self._ray = _import_ray()
        self._limit = workers
        # A program that is in a cluster already stays there, and leaves it by itself.
        self._ours = not self._ray.is_initialized()
        address = address or os.environ.get("RAY_ADDRESS")
        if self._ours and address:
            reach(address)
            self._join(address)
        elif self._ours:
            self._join("local", num_cpus=workers or thread_count(), include_dashboard=False)
        self._remote = _make_remote(self._ray)

    def _join(self, address: str, **options: Any) -> None:
        try:
            self._ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise AzulejarError(
                f"Ray could not be started or joined ({address}): {' '.join(str(error).split())}",
                "See docs/cluster.md, or choose the engine local.",
            ) from error

    @property
    def workers(self) -> int:
        """As many as the cluster has processors now, unless fewer were asked for."""
        processors = int(self._ray.cluster_resources().get("CPU", 0))
        return max(1, min(processors, self._limit or processors))

    def share(self, array: NDArray) -> Any:
        return self._ray.put(np.ascontiguousarray(array).view(np.ndarray))

    def map(
        self,
        task: Task[B, R],
        blocks: Iterable[B],
        shared: Sequence[Any] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        remote = self._remote.options(num_gpus=self._gpus(task))
        jobs = enumerate(pack(task, block) for block in blocks)
        under_way: dict[Any, int] = {}
        done = 0
        # Nothing is cancelled when the caller leaves early: a block that ends just as Ray cancels
        # it takes this process with it (ray-project/ray, pull request 54798). Those under way
        # end by themselves, or with our connection.
        while True:
            for number, packed in islice(jobs, max(0, self._room() - len(under_way))):
                under_way[remote.remote(__version__, packed, *shared)] = number
            if not under_way:
                return
            (ready,), _ = self._ray.wait(list(under_way))
            number = under_way.pop(ready)
            result = self._result(ready, number)
            del ready  # so that Ray forgets it
            done += 1
            if on_done is not None:
                on_done(done)
            yield number, result

    def _room(self) -> int:
        """How many blocks may be under way; no more than were asked for on others' machines."""
        return self.workers if self._limit else AHEAD * self.workers

    def _gpus(self, task: Task[B, R]) -> int:
        offered = self._ray.cluster_resources().get("GPU", 0) >= 1
        return int(offered and getattr(task, "wants_gpu", False))

    def _result(self, reference: Any, number: int) -> Any:
        try:
            host, version, outcome = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise TaskError(str(error)) from None
        except self._ray.exceptions.RayError as error:
            raise given_up(number, type(error).__name__) from error
        if version != __version__:
            raise AzulejarError(
                f"{host} has azulejar {version}, and this machine has {__version__}.",
                f"Install the same there: pip install 'azulejar[cluster]=={__version__}'.",
            )
        return unpack(outcome)

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _import_ray() -> ModuleType:
    os.environ.setdefault(USAGE, "0")
    try:
        return import_module("ray")
    except ImportError as error:
        raise AzulejarError(
            "The engine ray needs Ray, which is not installed.",
            "Install it with: pip install 'azulejar[cluster]', or choose the engine local.",
        ) from error


def _make_remote(ray: ModuleType) -> Any:
    """What Ray runs on a node; made here, so that it travels whole even where we are missing."""

    @ray.remote(max_retries=DEATHS - 1, num_cpus=1)
    def work_there(wanted: str, packed: bytes, *arrays: NDArray) -> tuple[str, str, bytes]:
        import os
        import socket

        try:
            from azulejar.version import __version__ as version
        except ImportError:
            version = "of no known version"
        if version != wanted:
            return socket.gethostname(), version, b""
        from azulejar.collection.engines.base import work
        from azulejar.system.processes import ONE_THREAD

        os.environ.update(ONE_THREAD)
        return socket.gethostname(), version, work(packed, arrays)

    return work_there
