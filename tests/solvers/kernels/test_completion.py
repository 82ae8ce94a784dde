"""From segments to a panel: trimming and filling."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.solvers.kernels.completion import _within_frame, complete

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def slow_trim(panel, rows, cols, upright):
    """Every frame, tile by tile: the largest number of tiles that one of them holds."""
    places = {(r, c) for r, c, _ in panel.values()}
    most = 0
    for height, width in {(rows, cols)} | (set() if upright else {(cols, rows)}):
        for top in {r for r, _ in places}:
            for left in {c for _, c in places}:
                inside = {
                    (r, c) for r, c in places
                    if top <= r < top + height and left <= c < left + width
                }  # fmt: skip
                most = max(most, len(inside))
    return most


def fits(places, knowns):
    if not knowns.rows:
        return True
    height = 1 + max(r for r, _ in places) - min(r for r, _ in places)
    width = 1 + max(c for _, c in places) - min(c for _, c in places)
    sizes = [(knowns.rows, knowns.cols)]
    if not knowns.upright:
        sizes.append((knowns.cols, knowns.rows))
    return any(height <= rows and width <= cols for rows, cols in sizes)


def slow_fill(panel, n, scores, knowns):
    """At every step all places, all free tiles and all turns are looked at."""
    while len(panel) < n:
        at = {(r, c): (t, q) for t, (r, c, q) in panel.items()}
        found = []
        for row, col in {(r + dr, c + dc) for r, c in at for dr, dc in STEPS} - set(at):
            if not fits([*at, (row, col)], knowns):
                continue
            here = []
            for tile in set(range(n)) - set(panel):
                for turn in range(1 if knowns.upright else 4):
                    total, neighbours = 0.0, 0
                    for direction, (dr, dc) in enumerate(STEPS):
                        if (row + dr, col + dc) in at:
                            other, quarters = at[row + dr, col + dc]
                            a = 4 * tile + (direction - turn) % 4
                            b = 4 * other + (direction + 2 - quarters) % 4
                            total += float(scores[a, b])
                            neighbours += 1
                    here.append((neighbours, total, tile, row, col, turn))
            found.append(here)
        every = sorted(one for here in found for one in here)
        # Where two are as good as each other, either is right.
        assume(len(every) < 2 or every[-1][0] > every[-2][0] or every[-1][1] > every[-2][1] + 1e-4)
        _, _, tile, row, col, turn = every[-1]
        panel = {**panel, tile: (row, col, turn)}
    return panel


def met_of(panel):
    at = {(r, c): (t, q) for t, (r, c, q) in panel.items()}
    met = np.full(4 * len(panel), -1)
    for (row, col), (tile, turn) in at.items():
        for direction, (dr, dc) in enumerate(STEPS):
            if (row + dr, col + dc) in at:
                other, quarters = at[row + dr, col + dc]
                met[4 * tile + (direction - turn) % 4] = 4 * other + (direction + 2 - quarters) % 4
    return met.tolist()


@st.composite
def segments(draw):
    """A first segment of some shape and turns, all other tiles by themselves, and knowns."""
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    upright = draw(st.booleans())
    places = draw(
        st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), unique=True, min_size=1)
    )
    n = rows * cols - draw(st.integers(0, 1) if rows * cols > 1 else st.just(0))
    places = places[:n]
    turns = [0 if upright else draw(st.integers(0, 3)) for _ in places]
    place = np.zeros((n, 3), np.int32)
    segment = np.arange(n, dtype=np.int32)
    place[: len(places)] = [(r, c, q) for (r, c), q in zip(places, turns, strict=True)]
    segment[: len(places)] = 0
    knowns = draw(st.sampled_from([Knowns(rows, cols, upright), Knowns(upright=upright)]))
    return place, segment, knowns


@given(segments(), st.integers(0, 2**32))
def test_completes_as_a_slow_and_obvious_version(noise_scores, puzzle, seed):
    place, segment, knowns = puzzle
    n = len(place)
    joints = Joints.of(noise_scores(n, seed), knowns.upright)
    assembly = complete(place, segment, joints, knowns)
    assert sorted(set(assembly.panel.tolist())) == [0]
    assert len(set(zip(assembly.row.tolist(), assembly.col.tolist(), strict=True))) == n
    assert fits(list(zip(assembly.row, assembly.col, strict=True)), knowns)
    panel = {t: tuple(map(int, place[t])) for t in range(n) if segment[t] == 0}
    if knowns.rows:
        kept = _within_frame(
            np.array(list(panel.values())), knowns.rows, knowns.cols, knowns.upright
        )
        assert kept.sum() == slow_trim(panel, knowns.rows, knowns.cols, knowns.upright)
        panel = {t: p for t, p in panel.items() if kept[t]}
        assert fits([p[:2] for p in panel.values()], knowns)
    slow = slow_fill(panel, n, joints.matrix().toarray(), knowns)
    assert assembly.neighbours().tolist() == met_of(slow)


def test_the_largest_segment_is_the_panel(noise_scores):
    place = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0]], np.int32)
    segment = np.array([7, 7, 3, 3, 3])
    joints = Joints.of(noise_scores(5), upright=True)
    assembly = complete(place, segment, joints, Knowns(upright=True))
    met = assembly.neighbours()
    assert met[[4 * 2 + 1, 4 * 3 + 1]].tolist() == [4 * 3 + 3, 4 * 4 + 3]


@pytest.mark.parametrize("upright", [True, False])
def test_the_frame_cuts_off_the_fewest(upright):
    """Four tiles in a column with one beside its foot; a lying frame can be stood up if turned."""
    place = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 1, 0]], np.int32)
    assert _within_frame(place, 4, 1, upright).tolist() == [True] * 4 + [False]
    lying = _within_frame(place, 1, 4, upright).tolist()
    assert lying == ([False] * 3 + [True] * 2 if upright else [True] * 4 + [False])


def test_what_is_cut_off_comes_back_where_it_belongs(make_truth, perfect_scores):
    truth = make_truth(4, 5, upright=False)
    place = np.stack([truth.row, truth.col, truth.turn], axis=1)
    corner = np.flatnonzero((truth.row == 0) & (truth.col == 0))[0]
    place[corner] = (-1, 2, 3)
    segment = np.zeros(20, int)
    joints = Joints.of(perfect_scores(truth), upright=False)
    assembly = complete(place, segment, joints, Knowns(4, 5))
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()


def test_places_with_more_neighbours_come_first(as_scores):
    """Tile 3 fits the far end of a corner of three well, but first the corner has to be filled."""
    scores = np.zeros((16, 16))
    scores[4 * 1 + 1, 4 * 3 + 3] = scores[4 * 3 + 3, 4 * 1 + 1] = 1
    place = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0]], np.int32)
    joints = Joints.of(as_scores(scores), upright=True)
    segment = np.array([0, 0, 0, 1])
    assembly = complete(place, segment, joints, Knowns(upright=True))
    assert (assembly.row[3], assembly.col[3]) == (1, 1)


def test_tiles_without_any_likely_joint_are_placed_too():
    n = 30
    none = Joints(np.zeros(4 * n + 1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))
    segment = np.arange(n)
    for knowns in (Knowns(), Knowns(5, 6), Knowns(6, 6, upright=True)):
        assembly = complete(np.zeros((n, 3), np.int32), segment, none, knowns)
        assert len(set(zip(assembly.row.tolist(), assembly.col.tolist(), strict=True))) == n
        assert fits(list(zip(assembly.row, assembly.col, strict=True)), knowns)
