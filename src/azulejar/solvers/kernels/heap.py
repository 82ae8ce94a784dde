"""A binary heap in plain arrays for compiled code: the highest key comes out first.

``key`` float32 [capacity] and ``entry`` int32 [capacity, 2] hold it; ``size`` int64 [1] counts.
"""

import numpy as np

from azulejar.system.compiling import allocating, lean


@allocating
def new_heap(capacity):
    """An empty heap."""
    key = np.empty(capacity, np.float32)
    return key, np.empty((capacity, 2), np.int32), np.zeros(1, np.int64)


@lean
def _set(key, entry, at, new_key, first, second):
    key[at] = new_key
    entry[at, 0] = first
    entry[at, 1] = second


@lean
def push(key, entry, size, new_key, first, second):
    """Add an entry of two numbers."""
    at = size[0]
    size[0] += 1
    while at > 0:
        parent = (at - 1) >> 1
        if key[parent] >= new_key:
            break
        _set(key, entry, at, key[parent], entry[parent, 0], entry[parent, 1])
        at = parent
    _set(key, entry, at, new_key, first, second)


@lean
def pop(key, entry, size):
    """Take out the entry with the highest key: the key and its two numbers."""
    top_key, top_first, top_second = key[0], entry[0, 0], entry[0, 1]
    size[0] -= 1
    last = size[0]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and key[child + 1] > key[child]:
            child += 1
        if key[child] <= key[last]:
            break
        _set(key, entry, at, key[child], entry[child, 0], entry[child, 1])
        at = child
    _set(key, entry, at, key[last], entry[last, 0], entry[last, 1])
    return top_key, top_first, top_second
