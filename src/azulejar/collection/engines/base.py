"""The interface of an engine, and how work travels to a worker and its result back."""

import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

from numpy.typing import NDArray

from azulejar.errors import AzulejarError

B = TypeVar("B")
R = TypeVar("R")

BlockFunction = Callable[[tuple[NDArray[Any], ...], B], R]
Shared = Any  # what ``share`` returns; only the same engine can open it
ATTEMPTS = 3  # workers that may die of one block before it is given up


class Engine(Protocol):
    """Applies a function to blocks on several processes, of this machine or of many.

    The function is a top-level function of a module that every worker can import. It gets the
    shared arrays, which it may only read, and a block. It must have no side effects, since a block
    may be done twice, and must read no files, since other machines have others. A function whose
    attribute ``wants_gpu`` is true gets a GPU wherever the engine has one.
    """

    name: str

    @property
    def workers(self) -> int:
        """The number of blocks that are done at once."""

    def share(self, array: NDArray) -> Shared:
        """Put an array where all workers can read it, until the engine is closed."""

    def map(
        self,
        function: BlockFunction[B, R],
        blocks: Iterable[B],
        shared: Sequence[Shared] = (),
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, R]]:
        """Yield the number of each block, from 0, and its result, in the order they are done.

        Blocks are taken from ``blocks`` only as workers become free. The block of a worker that
        dies is done again by another. An AzulejarError of the function ends the map as it is, any
        other exception as a TaskError. ``on_done`` is called with the number of finished blocks.
        """

    def close(self) -> None:
        """End all workers and release the shared arrays."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class TaskError(Exception):
    """A bug in a function that a worker ran, with the traceback of its process."""


def pack_block(function: BlockFunction[B, R], block: B) -> bytes:
    """Serialize a block and the function for it."""
    return pickle.dumps((function, block), protocol=5)


def run_block(packed: bytes, arrays: Iterable[NDArray]) -> bytes:
    """Run a packed block in a worker, and return the serialized result or exception."""
    try:
        function, block = pickle.loads(packed)
        return pickle.dumps((function(tuple(arrays), block), None), protocol=5)
    except AzulejarError as error:
        return pickle.dumps((None, error))
    except Exception:
        return pickle.dumps((None, TaskError(traceback.format_exc())))


def unpack_result(packed: bytes) -> Any:
    """Return the result of a block, or raise its exception."""
    result, error = pickle.loads(packed)
    if error is not None:
        raise error
    return result


def block_given_up(number: int, why: str) -> AzulejarError:
    """Return the error for a block whose workers keep dying."""
    return AzulejarError(
        "block-given-up",
        "Block {number} was given up: {attempts} workers died of it, the last of {why}.",
        "If memory was short, try again with fewer workers; what was done is kept.",
        number=number,
        attempts=ATTEMPTS,
        why=why,
    )
