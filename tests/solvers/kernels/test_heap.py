"""The compiled heap against Python's heapq."""

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.solvers.kernels.heap import new_heap, pop, push

keys = st.floats(width=32, allow_nan=False, allow_infinity=False) | st.integers(0, 3).map(float)


@given(st.lists(keys | st.none(), max_size=80))
def test_pushes_and_pops_in_any_order_give_what_heapq_gives(todo):
    """A key is pushed, None pops; among equal keys any entry may come first."""
    heap = new_heap(len(todo) + 1)
    slow, waiting = [], {}
    for number, one in enumerate([*todo, *[None] * len(todo)]):
        if one is not None:
            push(heap, one, number, -number)
            heapq.heappush(slow, -one)
            waiting.setdefault(one, set()).add(number)
        elif slow:
            top, first, second = pop(heap)
            assert top == -heapq.heappop(slow)
            assert second == -first
            waiting[top].remove(first)
        assert heap.size[0] == len(slow)
    assert not slow


def test_a_heap_may_be_filled_to_its_capacity():
    heap = new_heap(50)
    order = np.random.default_rng(0).permutation(50)
    for number in order:
        push(heap, number / 8, number, 0)
    assert [pop(heap)[1] for _ in range(50)] == list(range(50))[::-1]
