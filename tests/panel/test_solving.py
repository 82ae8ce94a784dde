"""Solving one panel as command line and page do: patterns, old pictures, stops."""

import threading
from functools import partial

import numpy as np
import pytest

from azulejar.core.knowns import Knowns
from azulejar.panel import solving
from azulejar.reference.following import Followed
from azulejar.solvers import get_preset
from azulejar.solvers.runs import best_of

SOLVER = get_preset("fast")


def never(*told):
    raise AssertionError("nothing is searched for")


def test_a_wall_is_laid_as_its_pattern_repeats(solved, wall):
    found = solved(wall, search=never)
    assert found.repeats and found.is_wall
    assert sorted(zip(found.assembly.row, found.assembly.col, strict=True)) == list(
        np.ndindex(4, 4)
    )
    np.testing.assert_array_equal(found.copies, np.full(16, 16))
    assert found.rivals.copies is not None


@pytest.mark.parametrize(("knowns", "patterns"), [(Knowns(upright=True), ...), (Knowns(), None)])
def test_a_wall_of_which_more_is_known_is_searched(solved, wall, knowns, patterns):
    options = {} if patterns is ... else {"patterns": patterns}
    found = solved(wall, knowns, **options)
    assert not found.repeats
    assert found.is_wall == (patterns is ...)
    assert (found.copies is None) == (patterns is None)


def test_a_repeated_frame_is_laid_if_the_solver_can(solved, wall, monkeypatch):
    framed, asked = Knowns(rows=2, cols=8), []
    monkeypatch.setattr(solving, "lay_frame", lambda designs, knowns: framed)

    def search(scores, knowns):
        asked.append(knowns)
        return best_of(scores, knowns, SOLVER)

    found = solved(wall, search=search)
    assert asked == [framed] and asked[0] is framed
    assert not found.repeats and not found.is_wall
    assert found.copies is not None
    monkeypatch.setattr(type(SOLVER), "can", lambda solver, knowns: False)
    assert solved(wall, search=never).repeats


def test_a_picture_is_followed_only_if_it_is_believed(solved, painted, monkeypatch):
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

    monkeypatch.setattr(solving, "follow_reference", follow)
    for believed in (True, False):
        asked.clear()
        found = solved(painted, search=search, reference=picture, on_look=partial(looked.append, 1))
        assert len(asked) == 2 and asked[1] < asked[0]
        assert found.followed is not None
        assert found.followed.believed == believed
        assert found.run.assembly is found.assembly
    assert looked == [1, 1]


def test_a_stop_while_the_picture_is_searched_keeps_the_first_assembly(
    solved, painted, monkeypatch
):
    stop = threading.Event()

    def follow(tiles, scores, picture, knowns, first, search, on_step):
        stop.set()
        on_step()
        raise AssertionError("the stop was not heeded")

    monkeypatch.setattr(solving, "follow_reference", follow)
    found = solved(painted, stop=stop, reference=np.zeros((60, 80, 3), np.uint8))
    assert found.followed is None
    assert len(found.assembly) == 12
