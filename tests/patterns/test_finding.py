"""Which tiles are pattern tiles, of which design, and how it repeats."""

import numpy as np
import pytest

from azulejar.patterns.finding import find_patterns


@pytest.fixture(scope="module")
def found(stock):
    return find_patterns(stock[0])


def test_pattern_tiles_are_told_from_one_another_and_from_a_panel(found, stock):
    number = found.of_tiles()
    kind = stock[1]
    assert len(found) == 2
    for pattern in range(2):
        assert len(set(kind[number == pattern])) == 1
    assert (number[kind >= 0] >= 0).mean() > 0.9
    assert (number[kind < 0] < 0).all()


def test_mirror_images_are_two_designs_of_one_pattern(found, stock):
    designs = {stock[1][each.tiles[0]]: len(each.designs) for each in found}
    assert designs == {0: 1, 1: 2}


def test_the_repeat_and_its_symmetry_are_found(found, stock):
    repeat = {
        stock[1][each.tiles[0]]: (each.module.rows, each.module.cols, each.symmetry)
        for each in found
    }
    assert repeat[0] == (2, 2, "quarter turns and mirrors (p4m)")
    assert repeat[1] == (2, 2, "half turns and mirrors (pmm)")


def test_a_tile_turned_like_its_design_looks_like_it(found, stock):
    designs = found.designs
    for tile in found[0].tiles[:5]:
        picture = designs.pictures[designs.design[tile]].astype(int)
        turned = np.rot90(stock[0][tile], -designs.turn[tile])
        assert np.abs(turned - picture).mean() < 20


def test_names_join_designs_and_keep_them_apart(stock):
    everything = find_patterns(stock[0], names=["P-17-00101"] * len(stock[0]))
    assert [len(each.designs) for each in everything] == [3]


def test_there_is_nothing_alike_among_few_or_plain_tiles():
    plain = np.full((20, 50, 50, 3), 230, np.uint8)
    assert len(find_patterns(plain)) == 0
    assert len(find_patterns(plain[:0])) == 0
