"""Confidence and candidates of the board, compared with the library."""

import threading

import numpy as np
import pytest

from azulejar.app import judging
from azulejar.app.http.errors import Conflict
from azulejar.app.judging import board_confidence, find_candidates
from azulejar.app.projects.convert import board_assembly, in_library_order
from azulejar.app.schemas.boards import LOOSE, Edit, PanelPlace, Placed
from azulejar.app.schemas.jobs import SolveRequest
from azulejar.core.compatibility import Compatibility
from azulejar.judging.confidence import joint_confidence, tile_confidence


@pytest.fixture
def solved(make_store, work, quick, lay):
    """The true panel, scored, far from row 0, col 0."""
    store = make_store()
    work(store, SolveRequest(settings=quick()))
    lay(store, down=-7, right=4)
    return store


def edit(store, **changes):
    return store.edit(Edit(revision=store.state().revision, label="edit", **changes))


def at(store, row, col):
    return next(p for p in store.state().board.placed if (p.panel, p.row, p.col) == (0, row, col))


def test_confidence_is_that_of_the_library(solved):
    tiles = in_library_order(solved.tiles())
    scores = Compatibility.load(solved.folder / "scores" / "mgc_turned.npz")
    assembly = board_assembly(solved.state().board, tiles)
    found = board_confidence(solved)
    assert found.scored
    assert found.revision == solved.state().revision
    expected = tile_confidence(scores, assembly)
    assert [each.confidence for each in found.tiles] == pytest.approx(expected.tolist(), abs=1e-4)
    by_pair = {
        frozenset((int(a) // 4, int(b) // 4)): sure
        for (a, b), sure in zip(*joint_confidence(scores, assembly), strict=True)
    }
    number = {tile.tile: i for i, tile in enumerate(tiles)}
    lies = {(p.row, p.col): number[p.tile] for p in solved.state().board.placed}
    checked = 0
    for each in found.tiles:
        row, col = next(place for place, i in lies.items() if i == number[each.tile])
        for value, place in ((each.right, (row, col + 1)), (each.below, (row + 1, col))):
            other = lies.get(place)
            if other is None:
                assert value is None
            else:
                pair = frozenset((number[each.tile], other))
                assert value == pytest.approx(by_pair[pair], abs=1e-4)
                checked += 1
    assert checked == 4 * 4 + 3 * 5


def test_confidence_follows_the_board(solved):
    before = np.mean([each.confidence for each in board_confidence(solved).tiles])
    turned = at(solved, -6, 5)
    move = Placed(**turned.model_dump() | {"turn": (turned.turn + 90) % 360})
    edit(solved, placed=[move])
    after = {each.tile: each.confidence for each in board_confidence(solved).tiles}
    assert np.mean(list(after.values())) < before
    assert after[turned.tile] < 0.5
    edit(solved, placed=[Placed(tile=turned.tile, panel=LOOSE)])
    assert turned.tile not in {each.tile for each in board_confidence(solved).tiles}


def test_nothing_is_known_before_the_edges_are_scored(make_store, lay):
    store = make_store()
    lay(store)
    assert board_confidence(store).model_dump() == {
        "revision": 2, "scored": False, "tiles": [], "mean": None, "probably_wrong": False
    }  # fmt: skip
    with pytest.raises(Conflict, match="not been scored"):
        find_candidates(store, PanelPlace(panel=0, row=0, col=0), False, 12)


def test_the_tile_that_was_lifted_is_the_best_candidate_for_its_hole(solved):
    lifted = at(solved, -5, 6)
    edit(solved, placed=[Placed(tile=lifted.tile, panel=LOOSE)])
    found = find_candidates(solved, PanelPlace(panel=0, row=-5, col=6), False, 12)
    assert [(fit.tile, fit.turn) for fit in found.fits] == [(lifted.tile, lifted.turn)]
    assert not found.fits[0].placed
    assert len(found.fits[0].joints) == 4
    assert None not in found.fits[0].joints
    everything = find_candidates(solved, PanelPlace(panel=0, row=-5, col=6), True, 3)
    assert everything.fits[0].tile == lifted.tile
    assert [fit.placed for fit in everything.fits] == [False, True, True]


def test_a_tile_counts_as_lifted_where_candidates_for_its_place_are_asked(solved):
    here = at(solved, -6, 6)
    found = find_candidates(solved, PanelPlace(panel=0, row=-6, col=6), False, 12)
    assert [fit.tile for fit in found.fits] == [here.tile]
    assert found.fits[0].placed


def test_locked_tiles_are_no_candidates_for_other_places(solved):
    fast = at(solved, -7, 4)
    edit(solved, lock=[fast.tile])
    others = find_candidates(solved, PanelPlace(panel=0, row=-4, col=8), True, 100)
    assert fast.tile not in {fit.tile for fit in others.fits}
    own = find_candidates(solved, PanelPlace(panel=0, row=-7, col=4), True, 100)
    assert fast.tile in {fit.tile for fit in own.fits}


def test_a_place_without_neighbours_is_refused(solved):
    with pytest.raises(Conflict, match="No tile lies beside"):
        find_candidates(solved, PanelPlace(panel=0, row=50, col=50), False, 12)


def test_tiles_that_came_after_scoring_are_unknown_but_disturb_nobody(
    solved, add_pictures, painted
):
    before = board_confidence(solved)
    add_pictures(solved, painted(1, 2, True, 1)[0], "late")
    late = [tile.tile for tile in solved.tiles()][-1]
    edit(solved, placed=[Placed(tile=late, panel=0, row=20, col=20)])
    assert board_confidence(solved).tiles == before.tiles


def test_scores_of_another_measure_serve_where_there_are_no_others(solved, quick):
    solved.put_settings(quick(measure="ssd"))
    assert board_confidence(solved).scored


def test_damaged_scores_count_as_none(solved):
    (solved.folder / "scores" / "mgc_turned.npz").write_bytes(b"rubbish")
    assert not board_confidence(solved).scored


def test_many_threads_get_one_answer_and_load_once(solved, monkeypatch):
    loads = []
    load = judging._load
    monkeypatch.setattr(judging, "_load", lambda *a: loads.append(1) or load(*a))
    monkeypatch.setattr(judging, "_cache", judging._ScoreCache())
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(board_confidence(solved))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert all(answer == answers[0] for answer in answers)


def test_a_board_is_judged_once_for_all_who_ask(solved, monkeypatch):
    judged = []
    by_tile = judging._judge_board
    monkeypatch.setattr(judging, "_judge_board", lambda *a: judged.append(1) or by_tile(*a))
    first = board_confidence(solved)
    assert [board_confidence(solved) for _ in range(5)] == [first] * 5
    assert len(judged) <= 1
    edit(solved, placed=[Placed(tile=1, panel=LOOSE)])
    assert board_confidence(solved) != first


def test_only_a_few_projects_stay_in_memory(solved, monkeypatch, tmp_path):
    memory = judging._ScoreCache()
    monkeypatch.setattr(judging, "CACHE_BYTES", 3 * 80 * 80 * 4)
    path = solved.folder / "scores" / "mgc_turned.npz"
    files = frozenset(tile.file for tile in solved.tiles())
    for i in range(5):
        copy = tmp_path / f"{i}_turned.npz"
        copy.write_bytes(path.read_bytes())
        assert memory.get(copy, files) is not None
    assert len(memory._kept) == 3
