"""The compiled crossover against a slow one, draw for draw, and each of its phases alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.solvers.kernels.growth import crossover, grow
from azulejar.solvers.kernels.streams import stream

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
NEVER = np.zeros(6)
PAPER = np.array([0.1, 0.1, 0.2, 0, 0, 0])
I, II, III, IV, V, VI = range(6)  # noqa: E741


class SlowGrowth:
    """The paper's section 3 with a dict for the kernel and lists for the free boundaries.

    Before each draw all boundaries that a phase could use are listed anew, to see that a phase
    gives way to the next only when it is exhausted.
    """

    def __init__(self, partners, skip, rows, cols, upright, random):
        self.partners, self.skip, self.random = partners, skip, random
        self.rows, self.cols, self.upright = rows, cols, upright
        self.free = list(range(partners.shape[1] // 4))
        self.tile_at, self.lies = {}, {}
        self.bags = [[] for _ in range(6)]
        self.used = [0] * 6

    def grow(self):
        tile = self.random.below(len(self.free))
        self.put(tile, (0, 0), 0)
        while self.free:
            self.expose(tile)
            for phase in range(6):
                if self.skip[phase] > 0 and self.random.uniform() < self.skip[phase]:
                    continue
                joint = self.draw(phase)
                if joint:
                    edge, partner = joint
                    direction, place = self.faces(edge)
                    tile = partner // 4
                    # The partner's edge looks back at the edge that it meets.
                    self.put(tile, place, (direction + 2 - partner % 4) % 4)
                    self.used[phase] += 1
                    break
        return [self.lies[tile] for tile in sorted(self.lies)]

    def put(self, tile, place, turn):
        self.tile_at[place] = tile
        self.lies[tile] = [*place, turn]
        # The last free tile takes the position of the one that goes.
        self.free[self.free.index(tile)] = self.free[-1]
        self.free.pop()

    def faces(self, edge):
        row, col, turn = self.lies[edge // 4]
        direction = (edge % 4 + turn) % 4
        return direction, (row + STEPS[direction][0], col + STEPS[direction][1])

    def is_open(self, place):
        if place in self.tile_at:
            return False
        height, width = (
            max(axis) - min(axis) + 1 for axis in zip(*self.tile_at, place, strict=True)
        )
        fits = height <= self.rows and width <= self.cols
        on_side = not self.upright and height <= self.cols and width <= self.rows
        return not self.rows or fits or on_side

    def can_use(self, phase, edge):
        partner = None if phase == VI else self.partners[phase, edge]
        if partner is not None and (partner < 0 or partner // 4 not in self.free):
            return False
        return self.is_open(self.faces(edge)[1])

    def expose(self, tile):
        for edge in range(4 * tile, 4 * tile + 4):
            for phase in range(6):
                if self.can_use(phase, edge):
                    self.bags[phase].append(edge)

    def draw(self, phase):
        boundaries = [4 * tile + side for tile in self.lies for side in range(4)]
        usable = {edge for edge in boundaries if self.can_use(phase, edge)}
        bag = self.bags[phase]
        while bag:
            pick = self.random.below(len(bag))
            edge = bag[pick]
            bag[pick] = bag[-1]
            bag.pop()
            partner = self.wanted(phase, edge)
            if edge in usable:
                return edge, partner
        assert not usable, "a phase was left before it was exhausted"
        return None

    def wanted(self, phase, edge):
        if phase < VI:
            return int(self.partners[phase, edge])
        tile = self.free[self.random.below(len(self.free))]
        return 4 * tile + ((edge + 2) % 4 if self.upright else self.random.below(4))


def compiled(partners, skip=NEVER, size=(0, 0), upright=False, seed=0):
    """A child as [n, 3] and the tiles that each phase placed."""
    used = np.zeros(6, np.int64)
    kernel = grow(partners, skip, *size, upright, stream(seed, 0, 0), used)
    return kernel.placed, used.tolist()


def met_of(placed):
    return Assembly.of(*np.asarray(placed).T).neighbours()


def blank(n):
    return np.full(4 * n, -1, np.int32)


def random_partners(rng, n, upright):
    """An edge of another tile for most edges."""
    edge = np.arange(4 * n)
    other = rng.integers(0, 4 * n, 4 * n)
    if upright:
        other = other // 4 * 4 + (edge + 2) % 4
    other[(other // 4 == edge // 4) | (rng.random(4 * n) < 0.2)] = -1
    return other.astype(np.int32)


def random_parent(rng, n, size, upright):
    """A chromosome grown from nothing but random partners."""
    partners = np.tile(blank(n), (5, 1))
    partners[IV] = random_partners(rng, n, upright)
    return met_of(compiled(partners, NEVER, size, upright, int(rng.integers(99)))[0])


def sibling(rng, met):
    """The chromosome after two tiles have changed places."""
    a, b = (4 * tile + np.arange(4) for tile in rng.integers(0, len(met) // 4, 2))
    new = np.arange(len(met))
    new[a], new[b] = b, a
    changed = np.empty_like(met)
    changed[new] = np.where(met < 0, -1, new[met])
    return changed


def rich_joints(rng, met):
    lucky = rng.random(len(met)) < 0.5
    return (met >= 0) & lucky & lucky[met]


@st.composite
def crossings(draw):
    """Two parents that have much in common, their rich joints, and two partners of each edge."""
    rows, cols = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    size = (rows, cols) if draw(st.booleans()) else (0, 0)
    upright = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = rows * cols
    fitter = random_parent(rng, n, size, upright)
    other = sibling(rng, fitter)
    rich = rich_joints(rng, fitter), rich_joints(rng, other)
    choices = random_partners(rng, n, upright), random_partners(rng, n, upright)
    return (fitter, other, *rich, *choices), size, upright


@settings(max_examples=200)
@given(crossings(), st.integers(0, 2**31), st.sampled_from([NEVER, PAPER]))
def test_a_child_equals_the_slow_one_draw_for_draw(slow_stream, crossing, seed, skip):
    parents, size, upright = crossing
    partners = crossover(*parents)
    state, used = stream(seed, 0, 0), np.zeros(6, np.int64)
    slow = SlowGrowth(partners, skip, *size, upright, slow_stream(state[0]))
    expected = slow.grow()
    kernel = grow(partners, skip, *size, upright, state, used)
    assert kernel.placed.tolist() == expected
    assert used.tolist() == slow.used
    assert int(state[0]) == slow.random.state


@given(crossings())
def test_phases_want_what_the_paper_says(crossing):
    (fitter, other, rich_fitter, rich_other, first, second), _, _ = crossing
    partners = crossover(fitter, other, rich_fitter, rich_other, first, second)
    for edge in range(len(fitter)):
        assert partners[I, edge] == (fitter[edge] if rich_fitter[edge] else -1)
        assert partners[II, edge] == (other[edge] if rich_other[edge] else -1)
        assert partners[III, edge] == (fitter[edge] if fitter[edge] == other[edge] else -1)
        assert partners[IV, edge] == first[edge]
        assert partners[V, edge] == second[edge]


def one_phase(phase, met):
    """What a crossover wants when a single phase knows the panel."""
    no, none = blank(len(met) // 4), np.zeros(len(met), np.bool_)
    rich = met >= 0
    return crossover(
        *{
            I: (met, no, rich, none, no, no),
            II: (no, met, none, rich, no, no),
            III: (met, met, none, none, no, no),
            IV: (no, no, none, none, met, no),
            V: (no, no, none, none, no, met),
        }[phase]
    )


@pytest.mark.parametrize("phase", [I, II, III, IV, V])
@pytest.mark.parametrize("seed", range(3))
def test_one_phase_alone_lays_the_whole_panel(make_truth, variant, phase, seed):
    upright, known = variant
    truth = make_truth(3, 4, upright, seed)
    partners = one_phase(phase, truth.neighbours())
    placed, used = compiled(partners, NEVER, (3, 4) if known else (0, 0), upright, seed)
    assert used == [11 if p == phase else 0 for p in range(6)]
    assert met_of(placed).tolist() == truth.neighbours().tolist()


def test_phase_six_alone_lays_any_tile_anywhere(variant):
    upright, known = variant
    partners = np.full((5, 48), -1, np.int32)
    children = [
        compiled(partners, NEVER, (3, 4) if known else (0, 0), upright, seed) for seed in range(40)
    ]
    for placed, used in children:
        assert used == [0, 0, 0, 0, 0, 11]
        assert len({tuple(place) for place in placed[:, :2].tolist()}) == 12
        box = Assembly.of(*placed.T)
        assert not known or {box.rows, box.cols} == {3, 4}
        assert not upright or not placed[:, 2].any()
    met = np.concatenate([met_of(placed) for placed, _ in children])
    assert len({(a % 48, b) for a, b in enumerate(met.tolist()) if b >= 0}) > (
        250 if upright else 700
    )


@pytest.mark.parametrize(
    ("earlier", "later"), [(a, b) for a in range(V) for b in range(a + 1, V + 1)]
)
def test_a_phase_waits_until_the_earlier_ones_are_exhausted(make_truth, earlier, later):
    """In a row of 9 tiles the earlier phase knows the joints of the left 5, the later one all."""
    truth = make_truth(1, 9, upright=False)
    met = truth.neighbours()
    partners = np.full((5, 36), -1, np.int32)
    partners[later] = met
    left = np.repeat(truth.col < 5, 4) & (met >= 0) & (truth.col[met // 4] < 5)
    partners[earlier, left] = met[left]
    for seed in range(12):
        placed, used = compiled(partners, seed=seed)
        assert (used[earlier], used[later]) == (4, 4)
        assert met_of(placed).tolist() == met.tolist()


def test_where_parents_differ_the_fitter_comes_first(make_truth):
    fitter, other = (make_truth(3, 3, False, seed).neighbours() for seed in (1, 2))
    partners = crossover(fitter, other, fitter >= 0, other >= 0, blank(9), blank(9))
    for seed in range(5):
        assert met_of(compiled(partners, seed=seed)[0]).tolist() == fitter.tolist()
        skip_first = np.array([1.0, 0, 0, 0, 0, 0])
        placed, used = compiled(partners, skip_first, seed=seed)
        assert used == [0, 8, 0, 0, 0, 0]
        assert met_of(placed).tolist() == other.tolist()


def test_phases_are_skipped_as_often_as_in_the_paper(make_truth):
    met = make_truth(8, 8, False).neighbours()
    partners = np.tile(met, (5, 1))
    total = np.zeros(6)
    for seed in range(60):
        total += compiled(partners, PAPER, seed=seed)[1]
    share = total / total.sum()
    expected = [0.9, 0.1 * 0.9, 0.01 * 0.8, 0.01 * 0.2, 0, 0]
    assert share == pytest.approx(expected, abs=0.02)
    assert share[1] == pytest.approx(0.09, abs=0.02)
    assert 0.004 < share[2] < 0.013
    assert 0 < share[3] < 0.005


def test_the_box_is_kept_against_what_the_phases_want(make_truth):
    """All want a row of 8, but the panel is known to have 2 rows and 4 cols."""
    for upright in (True, False):
        partners = np.tile(make_truth(1, 8, upright).neighbours(), (5, 1))
        boxes = set()
        for seed in range(20):
            placed, used = compiled(partners, NEVER, (2, 4), upright, seed)
            box = Assembly.of(*placed.T)
            boxes.add((box.rows, box.cols))
            assert used[VI] > 0
        assert boxes == ({(2, 4)} if upright else {(2, 4), (4, 2)})


def test_one_tile_needs_no_phase():
    placed, used = compiled(np.full((5, 4), -1, np.int32))
    assert placed.tolist() == [[0, 0, 0]]
    assert used == [0] * 6
