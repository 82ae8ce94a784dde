"""The chromosomes of one generation."""

import numpy as np
import pytest

from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.population import Population, evolve, spin


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


def test_evolution_swaps_the_populations_and_tells_how_it_stands():
    fitness = [7.0, 6.0, 8.0, 5.0]
    parents, told = [], []

    def breed(now, following, generation):
        parents.append(float(now.fitness[0]))
        following.fitness[:] = fitness[generation]
        following.placed[0, 1, 1] = generation + 1

    last = evolve(1, 2, breed, Clock(Budget(), 4), told.append)
    assert parents == [1.0, 7.0, 6.0, 8.0]
    assert [p.fraction for p in told] == [0.25, 0.5, 0.75, 1.0]
    assert [p.generation for p in told] == [1, 2, 3, 4]
    assert [p.fitness for p in told] == [7.0, 7.0, 8.0, 8.0]
    assert [p.assembly.col.tolist() for p in told] == [[0, 1], [0, 2], [0, 3], [0, 4]]
    assert last.col.tolist() == [0, 4]


def test_chances_are_in_proportion_to_fitness():
    parents = spin(np.tile([5.0, 0.0, 1.0, 4.0], 2000), [3, 1])
    assert parents.shape == (8000, 2)
    share = np.bincount(parents.ravel() % 4, minlength=4) / parents.size
    assert share == pytest.approx([0.5, 0, 0.1, 0.4], abs=0.02)


def test_a_wheel_without_any_fitness_still_gives_somebody():
    parents = spin(np.zeros(5), [0, 0])
    assert ((parents >= 0) & (parents < 5)).all()
