"""Which turns leave a design as it is."""

import numpy as np
import pytest

from azulejar.patterns.repeats import Module
from azulejar.patterns.symmetry import count_turns, describe_symmetry, even_out
from azulejar.practice.painting.patterns import DESIGNS, paint_module

PICTURES = np.array([paint_module(DESIGNS[i], 50) for i in (0, 2, 11)])


def test_turns_in_which_designs_look_the_same_are_counted():
    assert count_turns(PICTURES).tolist() == [4, 1, 2]


def test_designs_are_evened_out_over_those_turns():
    rng = np.random.default_rng(0)
    noisy = np.clip(PICTURES + rng.normal(0, 9, PICTURES.shape), 0, 255).astype(np.uint8)
    even = even_out(noisy)
    assert (even[0] == np.rot90(even[0])).all()
    assert (even[1] == noisy[1]).all()
    assert (even[2] == np.rot90(even[2], 2)).all()


@pytest.mark.parametrize(("number", "kind"), [(0, "p4m"), (1, "p1"), (2, "p2")])
def test_the_kind_of_a_wall_is_named(number, kind):
    alone = Module(np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64), 0, 0.0)
    assert describe_symmetry(PICTURES[number], alone).endswith(f"({kind})")
