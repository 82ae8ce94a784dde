"""The chromosomes of one generation."""

from typing import NamedTuple

import numpy as np
import pytest

from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.population import Population, evolve, spin


class Settings(NamedTuple):
    population: int
    elite: int


def test_nothing_meets_in_an_empty_population_and_all_are_equally_fit():
    population = Population.empty(3, 5)
    assert population.placed.shape == (3, 5, 3)
    assert population.met.tolist() == [[-1] * 20] * 3
    assert population.fitness.tolist() == [1, 1, 1]


def test_the_fittest_chromosome_is_the_assembly():
    placed = np.zeros((2, 2, 3), np.int32)
    placed[1] = [[-4, 2, 3], [-4, 1, 0]]
    nothing = np.zeros((2, 8), np.int32), np.array([1.0, 2.0]), np.zeros((2, 0), np.bool_)
    population = Population(placed, *nothing)
    best = population.best()
    assert (best.row.tolist(), best.col.tolist()) == ([0, 0], [1, 0])
    assert best.turn.tolist() == [3, 0]


def test_evolution_swaps_the_populations_and_tells_how_it_stands():
    fitness = [7.0, 6.0, 8.0, 5.0]
    parents, told = [], []

    def breed(generation):
        def grow(first, stop):
            parents.append(float(generation.now.fitness[0]))
            generation.following.fitness[first:stop] = fitness[generation.number]
            generation.following.placed[first:stop, 1, 1] = generation.number + 1

        return grow

    last = evolve(Settings(1, 0), 2, breed, Clock(Budget(), 4), told.append, chunk=1)
    assert parents == [1.0, 7.0, 6.0, 8.0]
    assert [p.fraction for p in told] == [0.25, 0.5, 0.75, 1.0]
    assert [p.generation for p in told] == [1, 2, 3, 4]
    assert [p.fitness for p in told] == [7.0, 7.0, 8.0, 8.0]
    assert [p.assembly.col.tolist() for p in told] == [[0, 1], [0, 2], [0, 3], [0, 4]]
    assert last.col.tolist() == [0, 4]


def test_the_elite_stays_as_it_is_and_all_others_are_bred():
    """Five chromosomes, told apart by the col of their second tile; the elite is not in order."""
    bred, seen = [], []

    def breed(generation):
        now, following = generation.now, generation.following
        seen.append([array.copy() for array in now])
        assert (np.diff(now.fitness[generation.order]) <= 0).all()

        def grow(first, stop):
            for child in range(first, stop):
                bred.append((generation.number, child))
                following.placed[child, 1, 1] = 10 * generation.number + child
                following.met[child, 0] = 7 + child
                following.fitness[child] = [3.0, 5.0, 1.0, 4.0, 2.0][child] - generation.number / 2
                following.marked[child] = child % 2

        return grow

    last = evolve(Settings(5, 2), 2, breed, Clock(Budget(), 3), lambda _: None, chunk=2, marks=True)
    assert sorted(bred) == [(0, c) for c in range(5)] + [(g, c) for g in (1, 2) for c in (2, 3, 4)]
    placed, met, fitness, marked = seen[2]
    assert placed[:, 1, 1].tolist() == [1, 3, 12, 13, 14]
    assert met[:, 0].tolist() == [8, 10, 9, 10, 11]
    assert fitness.tolist() == [5.0, 4.0, 0.5, 3.5, 1.5]
    assert marked[:, 0].tolist() == [True, True, False, True, False]
    assert last.col.tolist() == [0, 1]


def test_chances_are_in_proportion_to_fitness():
    parents = spin(np.tile([5.0, 0.0, 1.0, 4.0], 2000), [3, 1])
    assert parents.shape == (8000, 2)
    share = np.bincount(parents.ravel() % 4, minlength=4) / parents.size
    assert share == pytest.approx([0.5, 0, 0.1, 0.4], abs=0.02)


def test_a_wheel_without_any_fitness_still_gives_somebody():
    parents = spin(np.zeros(5), [0, 0])
    assert ((parents >= 0) & (parents < 5)).all()
