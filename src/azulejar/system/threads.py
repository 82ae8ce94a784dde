"""Work on all cores in threads, which suffice because compiled functions release the GIL."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from azulejar.errors import AzulejarError

Item = TypeVar("Item")
Result = TypeVar("Result")


def thread_count() -> int:
    """Return what ``AZULEJAR_THREADS`` says, or how many cores this process may use."""
    wanted = os.environ.get("AZULEJAR_THREADS")
    if wanted is None:
        allowed = getattr(os, "sched_getaffinity", None)
        return len(allowed(0)) if allowed else os.cpu_count() or 1
    if not wanted.isdecimal() or int(wanted) < 1:
        raise AzulejarError(
            "threads-invalid",
            "AZULEJAR_THREADS is {value!r}, which is no number of threads.",
            "Set 1 or more.",
            value=wanted,
        )
    return int(wanted)


def in_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield what ``work`` returns for each item, in their order.

    Items that have not begun when the caller stops are left undone.
    """
    with ThreadPoolExecutor(thread_count()) as pool:
        yield from pool.map(work, items)


def share_out(work: Callable[[int, int], object], count: int, chunk: int) -> None:
    """Call ``work(first, stop)`` for ranges that cover ``count`` items, in threads.

    Each item must write to places of its own; then the result does not depend on the threads.
    """
    ranges = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    for _ in in_threads(lambda each: work(*each), ranges):
        pass
