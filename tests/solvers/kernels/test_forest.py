"""Segments that grow side by side."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.solvers.kernels.forest import join, new_forest


def slowly(n, pairs):
    """The same by dictionaries: each tile's segment, and the edges that meet."""
    segments = [{t: (0, 0, 0)} for t in range(n)]
    for a, b in pairs:
        one = next(s for s in segments if a // 4 in s)
        other = next(s for s in segments if b // 4 in s)
        if one is other:
            continue
        row, col, turn = one[a // 4]
        direction = (a + turn) % 4
        row, col = [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)][direction]
        moved = other
        while (moved[b // 4][2] + b) % 4 != (direction + 2) % 4:
            moved = {t: (c, -r, (q + 1) % 4) for t, (r, c, q) in moved.items()}
        down, right = row - moved[b // 4][0], col - moved[b // 4][1]
        moved = {t: (r + down, c + right, q) for t, (r, c, q) in moved.items()}
        places = {p[:2] for p in one.values()}
        if any(p[:2] in places for p in moved.values()):
            continue
        segments.remove(other)
        one.update(moved)
    return segments


def met_of(segments, n):
    row, col, turn, panel = (np.zeros(n, int) for _ in range(4))
    for number, segment in enumerate(segments):
        for tile, (r, c, q) in segment.items():
            row[tile], col[tile], turn[tile], panel[tile] = r, c, q, number
    return Assembly.of(row, col, turn, panel).neighbours().tolist()


@settings(max_examples=200)
@given(st.integers(2, 14), st.data())
def test_segments_join_as_in_a_slow_and_obvious_version(n, data):
    edge = st.integers(0, 4 * n - 1)
    pairs = data.draw(st.lists(st.tuples(edge, edge), max_size=40))
    forest = new_forest(n)
    place, root, chain, members, _ = forest
    for a, b in pairs:
        join(forest, a, b)
    slow = slowly(n, pairs)
    fast = [
        {t: tuple(place[t]) for t in range(n) if root[t] == r} for r in sorted(set(root.tolist()))
    ]
    assert {frozenset(s) for s in slow} == {frozenset(s) for s in fast}
    assert met_of(slow, n) == met_of(fast, n)
    for r in set(root.tolist()):
        walked, tile = [], r
        while tile >= 0:
            walked.append(tile)
            tile = chain[tile]
        assert sorted(walked) == [t for t in range(n) if root[t] == r]
        assert members[r] == len(walked)


def test_two_tiles_cannot_share_a_place():
    forest = new_forest(4)
    # 1 lies right of 0, 2 below 1; 3 left of 2 is below 0, so 3 cannot take 2's place as well.
    assert join(forest, 1, 7)
    assert join(forest, 6, 8)
    assert join(forest, 11, 13)
    assert not join(forest, 2, 12)
    place, root = forest[:2]
    assert len({(int(r), int(c)) for r, c, _ in place}) == 4
    assert len(set(root.tolist())) == 1
