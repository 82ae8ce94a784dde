"""What speaks against a panel as a whole: its outline, its size, a part that holds to nothing."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.judging.seams import LoosePart
from azulejar.measures import get_measure
from azulejar.panel import doubts
from azulejar.panel.doubts import PanelDoubts, question_laid, question_panel
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.solvers import Budget


def never(*told):
    raise AssertionError("nothing is looked for")


def test_a_wall_that_is_laid_as_its_pattern_repeats_is_not_questioned(solved, wall):
    assert question_panel(solved(wall), wall.pixels, Knowns(), Budget()) == PanelDoubts()


def test_doubts_are_those_of_the_whole_panel(solved, painted, monkeypatch):
    found = solved(painted, Knowns(rows=2, cols=6))
    part = LoosePart((0, 1, 2))
    monkeypatch.setattr(doubts, "find_loose_part", lambda *told: part)
    monkeypatch.setattr(doubts, "is_ragged", lambda *told: True)
    doubted = question_panel(found, painted.pixels, Knowns(rows=2, cols=6), Budget())
    assert doubted.better_size in ((3, 4), (4, 3))
    assert doubted.loose_part is part
    assert doubted.ragged
    assert question_panel(found, painted.pixels, Knowns(rows=2, cols=6), None).better_size is None


def test_no_seam_of_alike_tiles_is_doubted(solved, wall, monkeypatch):
    found = solved(wall, Knowns(upright=True))
    monkeypatch.setattr(doubts, "find_loose_part", never)
    assert question_panel(found, wall.pixels, Knowns(upright=True), None).loose_part is None


@pytest.fixture(scope="module")
def tiles():
    """The tiles of a painted panel of 4 × 6, in reading order."""
    pixels = np.stack(cut(paint_panel(4, 6, 32, seed=3), 4, 6))
    return TileSet(pixels, tuple(f"{i:02}" for i in range(24)))


@pytest.fixture(scope="module")
def scores(tiles):
    return get_measure("mgc").score(tiles)


def laid(move=lambda row, col: (row, col), panel=0):
    """The panel of 4 × 6, with all places changed by ``move``."""
    row, col = np.array([move(*divmod(tile, 6)) for tile in range(24)]).T
    return Assembly.of(row, col, np.zeros(24, int), np.full(24, panel))


def test_a_panel_that_is_right_is_not_doubted(scores, tiles):
    assert not list(question_laid(scores, laid(), tiles.pixels, Budget(), upright=True))


def test_two_halves_that_were_exchanged_are_a_loose_part(scores, tiles):
    halves = laid(lambda row, col: (row, (col + 3) % 6), panel=1)
    (found,) = question_laid(scores, halves, tiles.pixels, Budget())
    assert found.number == 1
    assert len(found.doubts.loose_part) == 12
    assert np.array_equal(found.tiles, np.arange(24))
    copies = np.ones(24, int)
    assert not list(question_laid(scores, halves, tiles.pixels, Budget(), copies=copies))


def test_a_panel_of_another_size_is_told(scores, tiles):
    wide = laid(lambda row, col: (row % 2, col + 6 * (row // 2)))
    (found,) = question_laid(scores, wide, tiles.pixels, Budget())
    assert sorted(found.doubts.better_size) == [4, 6]
    assert all(
        each.doubts.better_size is None for each in question_laid(scores, wide, tiles.pixels, None)
    )


def test_pieces_that_do_not_touch_yet_are_not_taken_for_loose_ones(scores, tiles):
    apart = laid(lambda row, col: (row, col + 2 * (col > 2)))
    assert not list(question_laid(scores, apart, tiles.pixels, Budget()))
