"""The tables of solvers and presets, and what a solver of one's own needs."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.measures.probability import on_scale
from azulejar.solvers import (
    PRESETS,
    RENAMED,
    SOLVERS,
    GuidedGrowth,
    KernelGrowth,
    Solver,
    get_preset,
    get_solver,
    solve,
)


def test_the_names_are_those_of_the_command_line():
    assert set(PRESETS) == {"fast", "standard", "paper"}
    for name in PRESETS:
        assert get_preset(name) is PRESETS[name]


def test_paper_has_the_paper_s_figures():
    """Section 3: 100 chromosomes, 500 generations, phases skipped with 10, 10 and 20 %."""
    paper = get_preset("paper")
    assert isinstance(paper, KernelGrowth)
    assert paper.population == 100
    assert paper.generations == 500
    assert (paper.skip_inherited, paper.skip_agreed) == (0.1, 0.2)
    assert (paper.rich, paper.elite) == (0.8, 4)


def test_fast_searches_less_than_standard():
    fast, standard = get_preset("fast"), get_preset("standard")
    assert isinstance(fast, GuidedGrowth)
    assert isinstance(standard, GuidedGrowth)
    assert fast.generations * fast.population < (standard.generations * standard.population)


def test_an_unknown_preset_is_refused_with_the_valid_ones():
    with pytest.raises(AzulejarError, match="no preset 'best'") as refused:
        get_preset("best")
    for name in PRESETS:
        assert name in refused.value.remedy


def test_the_table_of_solvers():
    assert set(SOLVERS) == {
        *("guided-growth", "kernel-growth", "sholomon", "multi-segment"),
        *("gallagher", "son", "yu", "paikin-tal", "psqp"),
    }
    assert all(get_solver(name).name == name for name in SOLVERS)
    with pytest.raises(AzulejarError, match="no solver 'nonsense'") as refused:
        get_solver("nonsense")
    for name in SOLVERS:
        assert name in refused.value.remedy


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_a_former_name_is_accepted_with_a_warning(old, new):
    assert old not in SOLVERS
    with pytest.warns(FutureWarning, match=f"'{old}' is now called '{new}'"):
        assert get_solver(old).name == new


def test_results_stored_under_former_names_are_found():
    assert get_solver("son").identity == "Loops(partners=5, share=0.25, most=40)"
    assert get_solver("yu").identity == "Linear(rounds=5, loudest=10.0)"
    assert get_solver("gallagher").identity == "Gallagher()"
    # Results of kernel growth with probabilities as they are, up to 0.6, are not taken for these.
    assert get_solver("kernel-growth").identity.endswith(" of unit scores")


class InOneRow(Solver):
    """As plain as a solver can be."""

    name = "in-one-row"

    def __init__(self, gap=1):
        self.gap = gap

    def solve(self, compatibility, knowns, seed, budget, on_progress):
        self.given = compatibility
        n = len(compatibility)
        return Assembly.of([0] * n, self.gap * np.arange(n), [0] * n)


def test_a_solver_of_one_s_own_is_a_name_and_one_method(noise_scores):
    scores, told = noise_scores(3), []
    assembly = solve(scores, solver=InOneRow(), on_progress=told.append)
    assert assembly.col.tolist() == [0, 1, 2]
    assert [(one.fraction, one.generation) for one in told] == [(1.0, 1)]
    assert told[0].fitness == pytest.approx(scores.fitness(assembly))
    assert InOneRow().is_compiled()
    assert InOneRow(2).identity == "InOneRow(gap=2)"


def test_a_solver_gets_scores_on_the_scale_it_asks_for(noise_scores):
    scores = noise_scores(3)
    plain, odds = InOneRow(), InOneRow()
    odds.scale = "log-odds"
    solve(scores, solver=plain)
    solve(scores, solver=odds)
    assert plain.given is scores
    assert odds.given.scores.tolist() == on_scale(scores, "log-odds").scores.tolist()
    others = {name for name, solver in SOLVERS.items() if solver.scale != "probability"}
    assert others == {"kernel-growth", "psqp"}
