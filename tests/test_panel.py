"""Solving one panel as command line and page do: patterns, frames, old pictures, stops, doubts."""

import threading
from functools import partial

import numpy as np
import pytest

from azulejar import panel
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.judging.seams import LoosePart
from azulejar.measures import get_measure
from azulejar.panel import question_panel, solve_panel
from azulejar.patterns.finding import recognise_wall
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.reference.following import Followed
from azulejar.solvers import Budget, get_preset
from azulejar.solvers.runs import best_of

SOLVER = get_preset("fast")


def tile_set(*pictures):
    tiles = np.concatenate([np.stack(cut(picture, *size)) for picture, *size in pictures])
    return TileSet(tiles, tuple(f"{i:02}" for i in range(len(tiles))))


@pytest.fixture(scope="module")
def painted():
    """The tiles of a painted panel of 3 × 4."""
    return tile_set((paint_panel(3, 4, 32, seed=3), 3, 4))


@pytest.fixture(scope="module")
def wall():
    """The tiles of a wall of 4 × 4 alike tiles."""
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    return tile_set((paint_pattern(design, 4, 4, 40), 4, 4))


def solved(tiles, knowns=None, *, search=None, stop=None, **options):
    scores = get_measure("mgc").score(tiles)
    patterns = options.pop("patterns", recognise_wall(tiles.pixels))
    knowns = knowns or Knowns()
    search = search or partial(best_of, solver=SOLVER)
    stop = stop or threading.Event()
    return solve_panel(
        tiles, scores, knowns, SOLVER, search, patterns=patterns, stop=stop, **options
    )


def never(scores, knowns):
    raise AssertionError("nothing is searched for")


def test_a_wall_is_laid_as_its_pattern_repeats(wall):
    found = solved(wall, search=never)
    assert found.repeats and found.is_wall
    assert sorted(zip(found.assembly.row, found.assembly.col, strict=True)) == list(
        np.ndindex(4, 4)
    )
    np.testing.assert_array_equal(found.copies, np.full(16, 16))
    assert found.rivals.copies is not None
    assert question_panel(found, wall.pixels, Knowns(), Budget()) == panel.PanelDoubts()


@pytest.mark.parametrize(("knowns", "patterns"), [(Knowns(upright=True), ...), (Knowns(), None)])
def test_a_wall_of_which_more_is_known_is_searched(wall, knowns, patterns):
    options = {} if patterns is ... else {"patterns": patterns}
    found = solved(wall, knowns, **options)
    assert not found.repeats
    assert found.is_wall == (patterns is ...)
    assert (found.copies is None) == (patterns is None)


def test_a_picture_is_followed_only_if_it_is_believed(painted, monkeypatch):
    asked, looked = [], []
    picture = np.zeros((60, 80, 3), np.uint8)

    def follow(tiles, scores, picture, knowns, first, search, on_step):
        on_step()
        again = search(scores.with_scores(scores.scores / 2))
        beside = picture if believed else None
        return Followed(again if believed else first, scores, beside=beside)

    def search(scores, knowns):
        asked.append(scores.scores.max())
        return best_of(scores, knowns, SOLVER, seed=len(asked))

    monkeypatch.setattr(panel, "follow_reference", follow)
    for believed in (True, False):
        asked.clear()
        found = solved(painted, search=search, reference=picture, on_look=partial(looked.append, 1))
        assert len(asked) == 2 and asked[1] < asked[0]
        assert found.followed is not None
        assert found.followed.believed == believed
        assert found.run.assembly is found.assembly
    assert looked == [1, 1]


def test_a_stop_while_the_picture_is_searched_keeps_the_first_assembly(painted, monkeypatch):
    stop = threading.Event()

    def follow(tiles, scores, picture, knowns, first, search, on_step):
        stop.set()
        on_step()
        raise AssertionError("the stop was not heeded")

    monkeypatch.setattr(panel, "follow_reference", follow)
    found = solved(painted, stop=stop, reference=np.zeros((60, 80, 3), np.uint8))
    assert found.followed is None
    assert len(found.assembly) == 12


def test_doubts_are_those_of_the_whole_panel(painted, monkeypatch):
    found = solved(painted, Knowns(rows=2, cols=6))
    part = LoosePart((0, 1, 2))
    monkeypatch.setattr(panel, "find_loose_part", lambda *told: part)
    monkeypatch.setattr(panel, "is_ragged", lambda *told: True)
    doubted = question_panel(found, painted.pixels, Knowns(rows=2, cols=6), Budget())
    assert doubted.better_size in ((3, 4), (4, 3))
    assert doubted.loose_part is part
    assert doubted.ragged
    assert question_panel(found, painted.pixels, Knowns(rows=2, cols=6), None).better_size is None


def test_no_seam_of_alike_tiles_is_doubted(wall, monkeypatch):
    found = solved(wall, Knowns(upright=True))
    monkeypatch.setattr(panel, "find_loose_part", never)
    assert question_panel(found, wall.pixels, Knowns(upright=True), None).loose_part is None


def test_an_assembly_has_every_tile_once(painted):
    found = solved(painted)
    assert isinstance(found.assembly, Assembly)
    assert len(set(zip(found.assembly.row, found.assembly.col, strict=True))) == 12
