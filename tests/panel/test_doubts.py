"""What speaks against a panel as a whole: its outline, its size, a part that holds to nothing."""

from azulejar.core.knowns import Knowns
from azulejar.judging.seams import LoosePart
from azulejar.panel import doubts
from azulejar.panel.doubts import PanelDoubts, question_panel
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
