"""Painted walls repeat as their designs say, each tile a little differently."""

import numpy as np
import pytest

from azulejar.practice.painting.patterns import DESIGNS, paint_module, paint_pattern

TILE = 20


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_a_wall_repeats_after_its_period_and_not_before(design):
    module = paint_module(design, TILE).astype(int)
    rows, cols = design.period
    wall = paint_pattern(design, rows, 2 * cols, TILE).astype(int)
    assert wall.shape == (rows * TILE, 2 * cols * TILE, 3)
    again = np.abs(wall[:, : cols * TILE] - wall[:, cols * TILE :]).mean()
    assert 0 < again < 12
    if cols > 1:
        assert np.abs(module - np.roll(module, TILE, axis=1)).mean() > 12


def test_a_drop_hangs_each_module_lower():
    (design,) = (each for each in DESIGNS if each.drop)
    module = paint_module(design, TILE).astype(int)
    left, right = np.split(module, 2, axis=1)
    assert np.abs(np.roll(left, design.drop * TILE, axis=0) - right).mean() < 4


def test_designs_with_all_symmetries_look_alike_in_every_turn_and_mirrored():
    for design in DESIGNS:
        if design.symmetry == "all":
            module = paint_module(design, TILE).astype(int)
            for image in (np.rot90(module), module[:, ::-1], module.swapaxes(0, 1)):
                assert np.abs(module - image).mean() < 4
