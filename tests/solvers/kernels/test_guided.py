"""Best-first growth against a slow one, and what leads it."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.solvers.kernels.constraints import FREE_FRAME
from azulejar.solvers.kernels.guided import Guide, grow_guided
from azulejar.solvers.kernels.streams import stream

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
GUESSES = 24


class SlowGuided:
    """The same with a dict for the kernel, and all candidates in one list."""

    def __init__(self, joints, best, parents, weights, size, upright, random):
        self.score = {
            (edge, int(joints.other[at])): float(joints.score[at])
            for edge in range(len(best))
            for at in range(joints.start[edge], joints.start[edge + 1])
        }
        self.best, self.parents, self.random = best, parents, random
        self.bonus, self.toll, self.noise = weights[:2], weights[2], weights[3]
        self.size, self.upright = size, upright
        self.free = list(range(len(best) // 4))
        self.tile_at, self.lies = {}, {}
        self.candidates, self.bag = [], []

    def grow(self):
        tile = self.random.below(len(self.free))
        self.put(tile, (0, 0), 0)
        while self.free:
            self.offer(tile)
            tile, place, turn = self.take() or self.any_fit()
            self.put(tile, place, turn)
        return [self.lies[tile] for tile in sorted(self.lies)]

    def put(self, tile, place, turn):
        self.tile_at[place] = tile
        self.lies[tile] = [*place, turn]
        self.free[self.free.index(tile)] = self.free[-1]
        self.free.pop()

    def faces(self, edge):
        row, col, turn = self.lies[edge // 4]
        direction = (edge % 4 + turn) % 4
        return direction, (row + STEPS[direction][0], col + STEPS[direction][1])

    def is_open(self, place):
        height, width = (
            max(axis) - min(axis) + 1 for axis in zip(*self.tile_at, place, strict=True)
        )
        boxes = [self.size] if self.upright else [self.size, self.size[::-1]]
        fits = any(height <= high and width <= wide for high, wide in boxes)
        return place not in self.tile_at and (fits or not self.size[0])

    def gain(self, tile, turn, place):
        """Scores of all joints that the tile closes, less the toll, and the parents' bonus."""
        total = 0.0
        for direction, (down, along) in enumerate(STEPS):
            other = self.tile_at.get((place[0] + down, place[1] + along))
            if other is not None:
                met = 4 * other + (direction + 2 - self.lies[other][2]) % 4
                own = 4 * tile + (direction - turn) % 4
                total += self.score.get((met, own), 0.0) - self.toll
                for parent, bonus in zip(self.parents, self.bonus, strict=True):
                    total += bonus if parent[met] == own else 0.0
        return total

    def offer(self, tile):
        for edge in range(4 * tile, 4 * tile + 4):
            direction, place = self.faces(edge)
            if not self.is_open(place):
                continue
            self.bag.append(edge)
            for partner in [*self.best[edge], *(parent[edge] for parent in self.parents)]:
                if partner >= 0 and partner // 4 in self.free:
                    turn = (direction + 2 - partner) % 4
                    hoped = (
                        self.gain(partner // 4, turn, place) + self.noise * self.random.uniform()
                    )
                    self.candidates.append((np.float32(hoped), edge, int(partner)))

    def take(self):
        while self.candidates:
            highest = max(self.candidates)
            self.candidates.remove(highest)
            hoped, edge, partner = highest
            direction, place = self.faces(edge)
            if partner // 4 in self.free and self.is_open(place):
                turn = (direction + 2 - partner) % 4
                worth = self.gain(partner // 4, turn, place)
                if worth >= hoped - self.noise - 1e-3:
                    return partner // 4, place, turn
                self.candidates.append((np.float32(worth), edge, partner))
        return None

    def any_fit(self):
        place = None
        while place is None or not self.is_open(place):
            pick = self.random.below(len(self.bag))
            _, place = self.faces(self.bag[pick])
            self.bag[pick] = self.bag[-1]
            self.bag.pop()
        left = len(self.free)
        tried = (
            self.free
            if left <= GUESSES
            else [self.free[self.random.below(left)] for _ in range(GUESSES)]
        )
        turns = [0] if self.upright else range(4)
        options = [(tile, place, turn) for tile in tried for turn in turns]
        return max(options, key=lambda one: self.gain(one[0], one[2], one[1]))


def compiled(joints, best, parents, weights, size=(0, 0), upright=False, seed=0):
    state = stream(seed, 0, 0)
    guide = Guide(joints.table, best, np.asarray(parents, np.int32), np.asarray(weights, float))
    nowhere = np.zeros((len(best) // 4, 3), np.int32)
    kernel, kept = grow_guided(guide, None, FREE_FRAME, nowhere, *size, upright, state)
    assert kept
    return kernel.placed, int(state[0])


def orphan(n):
    """Two parents in which nothing meets."""
    return np.full((2, 4 * n), -1, np.int32)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("rows", "cols"), [(1, 5), (2, 2), (3, 4), (5, 6)])
def test_a_child_equals_the_slow_one_draw_for_draw(
    make_truth, noise_scores, slow_stream, variant, rows, cols, seed
):
    upright, known = variant
    size = (rows, cols) if known else (0, 0)
    rng = np.random.default_rng(seed)
    joints = Joints.of(noise_scores(rows * cols, seed), upright)
    best = joints.best(int(rng.integers(1, 5)))
    parents = np.stack([make_truth(rows, cols, upright, s).neighbours() for s in (seed, seed + 1)])
    parents[:, rng.random(parents.shape[1]) < 0.5] = -1
    weights = [*rng.random(2) * 0.5, 0.1, 0.05 + 0.1 * rng.random()]
    slow = SlowGuided(
        joints, best, parents, weights, size, upright, slow_stream(stream(seed, 0, 0)[0])
    )
    expected = slow.grow()
    placed, state = compiled(joints, best, parents, weights, size, upright, seed)
    assert placed.tolist() == expected
    assert state == slow.random.state


@pytest.mark.parametrize("n", [9, 30])
def test_without_candidates_the_first_of_the_best_free_tiles_is_laid(as_scores, slow_stream, n):
    """Scores that know nothing tie everywhere; of many tiles only some are tried."""
    joints = Joints.of(as_scores(np.zeros((4 * n, 4 * n))), upright=False)
    nobody = np.full((4 * n, 1), -1, np.int32)
    weights = [0, 0, 0.1, 0]
    for seed in range(5):
        random = slow_stream(stream(seed, 0, 0)[0])
        slow = SlowGuided(joints, nobody, orphan(n), weights, (0, 0), False, random)
        expected = slow.grow()
        placed, state = compiled(joints, nobody, orphan(n), weights, seed=seed)
        assert placed.tolist() == expected
        assert state == random.state


def from_tile_0(scored, n, parents, weights, as_scores):
    """Joints of the children that start with tile 0, where only the given pairs score."""
    scores = np.zeros((4 * n, 4 * n))
    for (a, b), score in scored.items():
        scores[a, b] = scores[b, a] = score
    joints = Joints.of(as_scores(scores), upright=True)
    children = (
        compiled(joints, joints.best(3), parents, weights, upright=True, seed=seed)[0]
        for seed in range(40)
    )
    # The first tile lies in row 0, col 0.
    found = [Assembly.of(*placed.T).joints() for placed in children if not placed[0].any()]
    assert len(found) > 3
    return [{tuple(joint) for joint in one.tolist()} for one in found]


def test_the_surer_joint_is_laid_first(as_scores):
    """Two tiles want to lie right of tile 0."""
    scored = {(1, 7): 0.6, (1, 11): 0.9}
    for joined in from_tile_0(scored, 3, orphan(3), [0, 0, 0, 0], as_scores):
        assert (1, 11) in joined


def test_a_tile_counts_all_the_joints_that_it_closes(as_scores):
    """Of the tiles for a square's corner, tile 3 fits both neighbours, tile 4 one, but better."""
    neighbours = {(1, 7): 1.0, (2, 8): 1.0}
    corner = {(9, 15): 0.5, (6, 12): 0.5}
    scored = neighbours | corner | {(9, 19): 0.8}
    for joined in from_tile_0(scored, 5, orphan(5), [0, 0, 0, 0], as_scores):
        assert {*neighbours, *corner} <= joined


def test_the_toll_makes_a_tile_wait_that_fits_only_one_of_its_neighbours(as_scores):
    """Tile 3 fits one of two neighbours in a square's corner; elsewhere it closes one joint."""
    neighbours = {(1, 7): 1.0, (2, 8): 1.0}
    scored = neighbours | {(9, 15): 0.7, (5, 15): 0.6}
    for toll, winner in ((0.0, (9, 15)), (0.2, (5, 15))):
        for joined in from_tile_0(scored, 4, orphan(4), [0, 0, toll, 0], as_scores):
            assert winner in joined


@pytest.mark.parametrize("parent", [0, 1])
def test_a_bonus_makes_a_parent_s_joint_win(as_scores, parent):
    scored = {(1, 7): 0.6, (1, 11): 0.5}
    parents = orphan(3)
    parents[parent, 1], parents[parent, 11] = 11, 1
    for bonus, winner in ((0.0, (1, 7)), (0.3, (1, 11))):
        weights = [bonus if parent == p else 0.0 for p in range(2)] + [0, 0]
        for joined in from_tile_0(scored, 3, parents, weights, as_scores):
            assert winner in joined


def test_a_panel_that_both_parents_have_comes_back(make_truth, as_scores, variant):
    """Even if the scores know nothing."""
    upright, known = variant
    truth = make_truth(4, 5, upright)
    parents = np.tile(truth.neighbours(), (2, 1))
    joints = Joints.of(as_scores(np.zeros((80, 80))), upright)
    for seed in range(5):
        placed, _ = compiled(
            joints, joints.best(1), parents, [0.5, 0.5, 0.1, 0.1], (4, 5) if known else (0, 0),
            upright, seed,
        )  # fmt: skip
        assert Assembly.of(*placed.T).neighbours().tolist() == truth.neighbours().tolist()
