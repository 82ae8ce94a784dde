"""The chromosomes of one generation."""

import numpy as np

from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.population import Population


def test_nothing_meets_in_an_empty_population_and_all_are_equally_fit():
    population = Population.empty(3, 5)
    assert population.placed.shape == (3, 5, 3)
    assert population.met.tolist() == [[-1] * 20] * 3
    assert population.fitness.tolist() == [1, 1, 1]


def test_the_fittest_chromosome_is_the_assembly():
    placed = np.zeros((2, 2, 3), np.int32)
    placed[1] = [[-4, 2, 3], [-4, 1, 0]]
    population = Population(placed, np.zeros((2, 8), np.int32), np.array([1.0, 2.0]))
    best = population.best()
    assert (best.row.tolist(), best.col.tolist()) == ([0, 0], [1, 0])
    assert best.turn.tolist() == [3, 0]


def test_progress_tells_how_the_search_stands():
    population = Population.empty(1, 1)
    clock = Clock(Budget(generations=4))
    clock.tick(7.0)
    clock.tick(6.0)
    progress = population.progress(clock)
    assert (progress.fraction, progress.generation, progress.fitness) == (0.5, 2, 7.0)
    assert 0 <= progress.seconds < 60
    assert len(progress.assembly) == 1
