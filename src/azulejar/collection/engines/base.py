"""What an engine is, and what becomes of a task in the process that works on it."""

import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

from numpy.typing import NDArray

from azulejar.errors import AzulejarError

B = TypeVar("B")
R = TypeVar("R")

Task = Callable[[tuple[NDArray[Any], ...], B], R]
Shared = Any  # what ``share`` gives; only the engine that gave it can open it
DEATHS = 3  # of the workers of one block, before it is given up


class Engine(Protocol):
    """Works on blocks with several processes, of this machine or of many.

    A task is a top-level function of a module that every worker can import. It is given the
    shared arrays, which it may only read, and a block. It has no side effects, since a block
    may be worked on twice, and reads no files, since other machines have others. A task whose
    attribute ``wants_gpu`` is true gets a GPU wherever the engine has one to offer.
    """

    name: str

    @property
    def workers(self) -> int:
        """How many blocks are worked on at once."""

    def share(self, array: NDArray) -> Shared:
        """Lay an array where all workers can read it, until the engine is closed."""

    def map(
        self,
        task: Task[B, R],
        blocks: Iterable[B],
        shared: Sequence[Shared] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        """The number of a block, from 0, and its result, in whatever order they end.

        Blocks are taken from ``blocks`` only as workers become free. The block of a worker that
        dies is done again by another. What a task raises ends the map: AzulejarError as it is,
        anything else as TaskError. ``on_done`` is told how many blocks are done.
        """

    def close(self) -> None:
        """End all workers and forget what was shared."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class TaskError(Exception):
    """A mistake in a task, with the traceback of the process it was made in."""


def pack(task: Task[B, R], block: B) -> bytes:
    """As it travels to a worker."""
    return pickle.dumps((task, block), protocol=5)


def work(packed: bytes, arrays: Iterable[NDArray]) -> bytes:
    """In the worker: do a packed task. Whatever happens travels back, packed as well."""
    try:
        task, block = pickle.loads(packed)
        return pickle.dumps((task(tuple(arrays), block), None, None), protocol=5)
    except AzulejarError as error:
        return pickle.dumps((None, (error.problem, error.remedy), None))
    except Exception:
        return pickle.dumps((None, None, traceback.format_exc()))


def unpack(outcome: bytes) -> Any:
    """The result of the task, or what it raised."""
    result, refusal, mistake = pickle.loads(outcome)
    if refusal is not None:
        raise AzulejarError(*refusal)
    if mistake is not None:
        raise TaskError(mistake)
    return result


def given_up(number: int, why: str) -> AzulejarError:
    """What to say of a block whose workers keep dying."""
    return AzulejarError(
        f"Block {number} was given up: {DEATHS} workers died of it, the last of {why}.",
        "If memory was short, try again with fewer workers; what was done is kept.",
    )
