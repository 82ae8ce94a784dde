"""What each preset stands for."""

import pytest

from azulejar.errors import AzulejarError
from azulejar.solvers import GuidedGrowth, KernelGrowth
from azulejar.solvers.presets import PRESETS, get_preset


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
    assert paper.rich == 0.8


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
