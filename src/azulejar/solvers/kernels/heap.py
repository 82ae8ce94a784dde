"""A binary heap in plain arrays for compiled code: the highest key comes out first."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.system.compiling import allocating, lean


class Heap(NamedTuple):
    """``key`` and ``entry`` [capacity, 2], of which the first ``size[0]`` are in use."""

    key: NDArray[np.float32]
    entry: NDArray[np.int32]
    size: NDArray[np.int64]


@allocating
def new_heap(capacity):
    """Return an empty heap."""
    key = np.empty(capacity, np.float32)
    return Heap(key, np.empty((capacity, 2), np.int32), np.zeros(1, np.int64))


@lean
def _set(heap, at, key, first, second):
    heap.key[at] = key
    heap.entry[at, 0] = first
    heap.entry[at, 1] = second


@lean
def _move(heap, source, at):
    heap.key[at] = heap.key[source]
    heap.entry[at, 0] = heap.entry[source, 0]
    heap.entry[at, 1] = heap.entry[source, 1]


@lean
def push(heap, key, first, second):
    """Add an entry of two numbers."""
    at = heap.size[0]
    heap.size[0] += 1
    while at > 0:
        parent = (at - 1) >> 1
        if heap.key[parent] >= key:
            break
        _move(heap, parent, at)
        at = parent
    _set(heap, at, key, first, second)


@lean
def pop(heap):
    """Remove the entry with the highest key; return the key and the two numbers."""
    top_key, top_first, top_second = heap.key[0], heap.entry[0, 0], heap.entry[0, 1]
    heap.size[0] -= 1
    last = heap.size[0]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and heap.key[child + 1] > heap.key[child]:
            child += 1
        if heap.key[child] <= heap.key[last]:
            break
        _move(heap, child, at)
        at = child
    _move(heap, last, at)
    return top_key, top_first, top_second
