"""Several searches, of which the fittest counts."""

import threading

import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.solvers import KernelGrowth, Progress, Solver
from azulejar.solvers import runs as module
from azulejar.solvers.runs import best_of


class Rehearsed(Solver):
    """A solver whose runs are laid down: the first tile's right side meets these edges in turn."""

    name = "rehearsed"

    def __init__(self, *edges, takes=0.0, clock=None):
        self.edges = list(edges)
        self.takes, self.clock = takes, clock
        self.seeds, self.budgets, self.knowns = [], [], []

    @property
    def compiled(self):
        raise NotImplementedError

    def solve(self, compatibility, knowns, seed, budget, on_progress):
        edge = self.edges[len(self.seeds)]
        self.seeds.append(seed)
        self.budgets.append(budget)
        self.knowns.append(knowns)
        if self.clock is not None:
            self.clock[0] += self.takes
        assembly = Assembly.of([0, 0], [0, 1], [0, (3 - edge) % 4])
        on_progress(Progress(0.5, 1, 0.1, float(edge), assembly))
        return assembly


@pytest.fixture
def scores(noise_scores):
    return noise_scores(2)


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])
    return now


def test_the_fittest_run_counts(scores):
    worth = {edge: (scores.scores[1, edge] + scores.scores[edge, 1]) / 2 for edge in range(4, 8)}
    best = max(worth, key=worth.get)
    for first in range(4):
        edges = [4 + (first + i) % 4 for i in range(4)]
        run = best_of(scores, Knowns(), Rehearsed(*edges), runs=4)
        assert run.assembly.joints().tolist() == [[1, best]]
        assert run.fitness == pytest.approx(worth[best])
        assert run.fitness == scores.fitness(run.assembly)
        assert [entry[1:] for entry in run.history] == [(1, best)]


def test_the_first_of_equals_stays(scores):
    solver = Rehearsed(5, 5, 5)
    assert best_of(scores, Knowns(), solver, runs=3, seed=8).seed == 8


def test_seeds_start_with_the_one_given_and_all_differ(scores):
    many, few, other = Rehearsed(*[4] * 6), Rehearsed(4, 4), Rehearsed(*[4] * 6)
    best_of(scores, Knowns(), many, runs=6, seed=11)
    best_of(scores, Knowns(), few, runs=2, seed=11)
    best_of(scores, Knowns(), other, runs=6, seed=12)
    assert many.seeds[0] == 11
    assert len({*many.seeds, *other.seeds}) == 12
    assert few.seeds == many.seeds[:2]


def test_budget_and_knowns_are_passed_on(scores):
    solver, stop = Rehearsed(4), threading.Event()
    best_of(scores, Knowns(rows=1), solver, stop=stop)
    (budget,) = solver.budgets
    assert budget.seconds is None
    assert budget.stop is stop
    assert solver.knowns == [Knowns(1, 2)]


def test_time_is_shared_among_the_runs_that_are_left(scores, clock):
    solver = Rehearsed(*[4] * 4, takes=3, clock=clock)
    best_of(scores, Knowns(), solver, runs=4, seconds=10)
    assert [b.seconds for b in solver.budgets] == pytest.approx([10 / 4, 7 / 3, 4 / 2, 1])


def test_runs_that_find_no_time_are_left_out(scores, clock):
    solver = Rehearsed(*[4] * 4, takes=6, clock=clock)
    best_of(scores, Knowns(), solver, runs=4, seconds=10)
    assert len(solver.budgets) == 2


def test_stop_ends_all_runs_but_the_first(scores):
    solver, stop = Rehearsed(4, 5, 6), threading.Event()
    told = []

    def stop_in_the_second(number, progress):
        told.append((number, progress.fitness))
        if number == 1:
            stop.set()

    best_of(scores, Knowns(), solver, runs=3, stop=stop, on_progress=stop_in_the_second)
    assert told == [(0, 4), (1, 5)]
    stopped = Rehearsed(4, 5)
    run = best_of(scores, Knowns(), stopped, runs=2, stop=stop)
    assert len(stopped.seeds) == 1
    assert len(run.assembly) == 2


@pytest.mark.parametrize("runs", [0, -1])
def test_no_runs_are_refused(scores, runs):
    with pytest.raises(AzulejarError, match="1 run or more"):
        best_of(scores, Knowns(), Rehearsed(), runs=runs)


def test_more_runs_than_could_ever_end_are_refused(scores):
    with pytest.raises(AzulejarError, match="10000 runs at most"):
        best_of(scores, Knowns(), Rehearsed(), runs=10**20)


def test_real_runs_keep_their_history(noise_scores):
    scores = noise_scores(9)
    small = KernelGrowth(population=6, generations=5)
    told = []
    run = best_of(
        scores, Knowns(), small, runs=3, seed=2, on_progress=lambda number, p: told.append(number)
    )
    assert told == [0] * 5 + [1] * 5 + [2] * 5
    assert [generation for _, generation, _ in run.history] == [1, 2, 3, 4, 5]
    seconds = [second for second, _, _ in run.history]
    assert seconds == sorted(seconds)
    assert run.history[-1][2] == pytest.approx(run.fitness, rel=1e-6)
    singles = [best_of(scores, Knowns(), small, seed=s) for s in module.seeds(2, 3)]
    assert run.fitness == max(single.fitness for single in singles)
