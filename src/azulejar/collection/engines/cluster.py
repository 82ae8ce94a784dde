"""Engine ``ray``: the processes of a Ray cluster, or of one that is started on this machine.

Blocks travel as arguments and shared arrays through Ray's object store. Both belong to this
process, so that nothing is lost when a node dies; Ray does its blocks again.
"""

import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines.base import (
    ATTEMPTS,
    B,
    BlockFunction,
    R,
    TaskError,
    block_given_up,
    pack_block,
    unpack_result,
)
from azulejar.errors import AzulejarError
from azulejar.system.threads import thread_count
from azulejar.version import __version__

AHEAD = 2  # blocks under way for each processor: one that is done and one on its way
USAGE = "RAY_USAGE_STATS_ENABLED"  # off: a museum's computers report nothing
CONNECT_SECONDS = 4.0
JOIN_SECONDS = 11.0  # to join a cluster and leave it again
# In a process of its own, which can be ended while Ray is still trying.
SCRIPT = """
import logging, sys, ray
try:
    ray.init(address=sys.argv[1], log_to_driver=False, logging_level=logging.ERROR)
except Exception as error:
    sys.exit(" ".join(str(error).split()))
if not ray.cluster_resources().get("CPU"):
    sys.exit("No processors.")
"""


class RayEngine:
    """See Engine. ``address`` is HOST:PORT of a cluster; without it, one is started here."""

    name = "ray"

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self._ray = _import_ray()
        self._limit = workers
        # A program that has joined a cluster already stays there, and leaves it by itself.
        self._ours = not self._ray.is_initialized()
        address = address or os.environ.get("RAY_ADDRESS")
        if self._ours and address:
            check_cluster(address)
            self._join(address)
        elif self._ours:
            self._join("local", num_cpus=workers or thread_count(), include_dashboard=False)
        self._remote = _make_remote(self._ray)

    def _join(self, address: str, **options: Any) -> None:
        try:
            self._ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise AzulejarError(
                "ray-not-joined",
                "Ray could not be started or joined ({address}): {reason}",
                "See docs/cluster.md, or choose the engine local.",
                address=address,
                reason=" ".join(str(error).split()),
            ) from error

    @property
    def workers(self) -> int:
        """The number of processors of the cluster now, unless fewer were asked for."""
        processors = int(self._ray.cluster_resources().get("CPU", 0))
        return max(1, min(processors, self._limit or processors))

    def share(self, array: NDArray) -> Any:
        return self._ray.put(np.ascontiguousarray(array).view(np.ndarray))

    def map(
        self,
        function: BlockFunction[B, R],
        blocks: Iterable[B],
        shared: Sequence[Any] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        remote = self._remote.options(num_gpus=self._gpus(function))
        jobs = enumerate(pack_block(function, block) for block in blocks)
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
        """Return how many blocks may be under way; on others' machines no more than asked for."""
        return self.workers if self._limit else AHEAD * self.workers

    def _gpus(self, function: BlockFunction[B, R]) -> int:
        offered = self._ray.cluster_resources().get("GPU", 0) >= 1
        return int(offered and getattr(function, "wants_gpu", False))

    def _result(self, reference: Any, number: int) -> Any:
        try:
            host, version, outcome = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise TaskError(str(error)) from None
        except self._ray.exceptions.RayError as error:
            raise block_given_up(number, type(error).__name__) from error
        if version != __version__:
            raise AzulejarError(
                "cluster-other-version",
                "{host} has azulejar {found}, and this machine has {version}.",
                "Install the same there: pip install 'azulejar[cluster]=={version}'.",
                host=host,
                found=version,
                version=__version__,
            )
        return unpack_result(outcome)

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
            "ray-missing",
            "The engine ray needs Ray, which is not installed.",
            "Install it with: pip install 'azulejar[cluster]', or choose the engine local.",
        ) from error


def _make_remote(ray: ModuleType) -> Any:
    """Return what Ray runs on a node; a closure, so that it arrives even without azulejar there."""

    @ray.remote(max_retries=ATTEMPTS - 1, num_cpus=1)
    def run_remotely(wanted: str, packed: bytes, *arrays: NDArray) -> tuple[str, str, bytes]:
        import os
        import socket

        try:
            from azulejar.version import __version__ as version
        except ImportError:
            version = "of no known version"
        if version != wanted:
            return socket.gethostname(), version, b""
        from azulejar.collection.engines.base import run_block
        from azulejar.system.processes import ONE_THREAD

        os.environ.update(ONE_THREAD)
        return socket.gethostname(), version, run_block(packed, arrays)

    return run_remotely


def check_cluster(address: str) -> None:
    """Raise unless the cluster at HOST:PORT can be joined; Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal()) or "/" in address:
        raise AzulejarError(
            "cluster-address-invalid",
            "{address!r} is not an address of a Ray cluster.",
            "Give HOST:PORT of its head, such as 192.168.1.20:6379.",
            address=address,
        )
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, getattr(error, "strerror", None) or str(error)) from error
    code, why = _try_joining(address)
    if code == 0:
        return
    if "token" in why.lower():
        raise AzulejarError(
            "cluster-token",
            "The Ray cluster at {address} does not know this machine's token.",
            "Copy ~/.ray/auth_token of the head to here, and set RAY_AUTH_MODE=token.",
            address=address,
        )
    if "ersion mismatch" in why:
        raise AzulejarError(
            "cluster-ray-version",
            "The Ray cluster at {address} has another version of Ray or Python: {reason}",
            "Install the same versions on all machines.",
            address=address,
            reason=why,
        )
    if "No processors" in why:
        raise AzulejarError(
            "cluster-without-processors",
            "The Ray cluster at {address} has no processors to offer.",
            "Start a node with ray start --address, and let it offer processors.",
            address=address,
        )
    raise _unreachable(address, "no answer that Ray would give")


def _try_joining(address: str) -> tuple[int, str]:
    """Join and leave in another process; return its exit status and its last message."""
    why = ""
    script = [sys.executable, "-c", SCRIPT, address]
    with subprocess.Popen(script, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        timer = threading.Timer(JOIN_SECONDS, process.kill)
        timer.start()
        try:
            for why in process.stderr or ():
                if "AuthToken" in why:  # Ray would ask again and again
                    break
            else:
                process.wait()
        finally:
            timer.cancel()
            process.kill()
    return process.returncode, why


def _unreachable(address: str, why: str) -> AzulejarError:
    return AzulejarError(
        "cluster-unreachable",
        "No Ray cluster can be reached at {address} ({reason}).",
        "Is its head running (ray start --head), is the port open, and is this machine a node?",
        address=address,
        reason=why,
    )
