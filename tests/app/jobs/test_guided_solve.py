"""Solving with an old picture as a guide: believed, laid over the panel, or without effect."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from PIL import Image

from azulejar.app.jobs.job_result import _same_pictures
from azulejar.app.judging import board_confidence
from azulejar.app.projects.convert import panel_frame
from azulejar.app.schemas.boards import Edit, PanelReference
from azulejar.app.schemas.jobs import AuditRequest, SolveRequest, SortRequest
from azulejar.errors import AzulejarError
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.reference.following import Followed
from azulejar.reference.shown_grid import ShownGrid


@pytest.fixture
def give(painting):
    """A function that gives the first panel of a project an old picture of itself."""

    def put(store):
        part = cv2.resize(painting[:256, :320], (100, 80), interpolation=cv2.INTER_AREA)
        picture = np.full((100, 125, 3), 220, np.uint8)
        picture[10:90, 12:112] = part.mean(axis=2, keepdims=True)
        Image.fromarray(picture).save(store.folder / "references" / "1930.png")
        store.put_reference(PanelReference(panel=0, file="1930.png"), "add")
        return store

    return put


@pytest.fixture
def guide(work, quick):
    """A function that solves with the old picture; returns what its notes say, and the job."""

    def solve(store, **other):
        job = work(store, SolveRequest(settings=quick(), reference=True, **other)).job
        return [each for each in job.notes if each.code.startswith("reference")], job

    return solve


@pytest.fixture
def follow(monkeypatch):
    """A function that says what comes of every old picture, without looking at any."""

    def set_outcome(believed, joints=(), **told):
        def followed(tiles, scores, picture, knowns, first, search, on_step):
            if not believed:
                return Followed(first, scores)
            sure = scores.scores.copy()
            for a, b in joints:
                sure[a, b] = sure[b, a] = 99
            scores = scores.with_scores(sure / sure.sum(axis=1, keepdims=True))
            grid = ShownGrid(np.diag([1 / first.cols, 1 / first.rows, 1.0]), 0, 0, 1, 1)
            beside = np.zeros((9, 9, 3), np.uint8)
            return Followed(search(scores), scores, 9, 2.0, 6.0, beside=beside, shown=grid, **told)

        monkeypatch.setattr("azulejar.panel.solving.follow_reference", followed)

    return set_outcome


def test_picture_of_the_panel_is_believed_and_laid_over_it(
    make_store, give, guide, as_truth, work, quick
):
    store = give(make_store())
    (note,), job = guide(store)
    assert as_truth(store) > 0.9
    assert note.code == "reference-believed"
    assert 0.2 < note.values["share"] <= 1
    assert "Compare the two" in note.text
    (found,) = store.state().board.references
    assert found.believed
    frame = panel_frame(store.state().board, 0)
    assert (frame.rows, frame.cols) == (4, 5)  # turned as the picture shows it
    true = [(0.096, 0.1), (0.896, 0.1), (0.896, 0.9), (0.096, 0.9)]
    np.testing.assert_allclose(found.corners, true, atol=0.04)
    # The confidence rests on both, wherever it is shown, as long as the picture is believed.
    sure = board_confidence(store).mean
    assert job.confidence == pytest.approx(sure)
    assert work(store, AuditRequest(settings=quick())).job.findings == []
    store.undo(store.state().revision)
    assert store.state().board.references == [PanelReference(panel=0, file="1930.png")]
    store.redo(store.state().revision)
    assert board_confidence(store).mean == pytest.approx(sure)
    assert work(store, SolveRequest(settings=quick())).job.confidence != pytest.approx(sure)
    (kept,) = store.state().board.references
    assert not kept.believed and kept.corners == found.corners
    assert board_confidence(store).mean != pytest.approx(sure)


def test_picture_that_proves_nothing_changes_nothing(make_store, give, guide, follow, work, quick):
    store = give(make_store())
    work(store, SolveRequest(settings=quick()))
    before = store.state().board
    follow(False)
    (note,), _ = guide(store)
    assert note.code == "reference-unhelpful"
    assert "proved nothing and changed nothing" in note.text
    assert store.state().board == before


def test_stop_while_the_picture_is_searched_keeps_the_panel(make_store, give, work, quick):
    store = give(make_store())
    done = work(store, SolveRequest(settings=quick(), reference=True), stop="looking")
    assert done.result.stopped
    assert [each.code for each in done.job.notes if each.code.startswith("reference")] == []
    assert panel_frame(store.state().board, 0)[2:] in ((4, 5), (5, 4))
    assert not store.state().board.references[0].believed


def test_mirror_image_is_told(make_store, give, guide, follow):
    store = give(make_store())
    follow(True, mirrored=True)
    notes, _ = guide(store)
    assert [each.code for each in notes] == ["reference-believed", "reference-mirrored"]


def test_corners_are_those_of_the_panel_on_the_board(make_store, give, guide, follow, lay):
    """Of a panel with a locked tile that lies elsewhere on the board, and so is shifted."""
    store = give(make_store())
    state = lay(store, down=3, right=-2)
    locked = [each.tile for each in state.board.placed[:1]]
    store.edit(Edit(revision=state.revision, label="lock", lock=locked))
    follow(True)
    guide(store)
    (found,) = store.state().board.references
    (rows, cols), corners = panel_frame(store.state().board, 0)[2:], np.array(found.corners)
    assert {rows, cols} == {4, 5}
    assert {tuple(each) for each in corners.round(3).tolist()} == {(0, 0), (1, 0), (1, 1), (0, 1)}


def test_pattern_is_not_guided(make_store, give, guide):
    store = give(make_store())
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    wall = cut(paint_pattern(design, 4, 5, 40), 4, 5)
    for file, tile in zip(store.tile_files(), wall, strict=True):
        Image.fromarray(tile).save(store.folder / "tiles" / file)
    (note,), _ = guide(store)
    assert note.code == "reference-pattern"


def test_islands_are_cut_by_what_the_picture_tells(make_store, give, guide, follow):
    """Without it, no joint is sure enough."""
    store = give(make_store())
    follow(True, store.truth.joints().tolist())
    guide(store, islands=True)
    assert panel_frame(store.state().board, 0)[2:] in ((4, 5), (5, 4))


def test_picture_that_is_not_there_is_told(make_store, give, guide):
    store = make_store()
    with pytest.raises(AzulejarError, match="There is no old picture of this panel"):
        guide(store)
    give(store)
    (store.folder / "references" / "1930.png").unlink()
    with pytest.raises(AzulejarError, match=r"1930\.png is gone"):
        guide(store)


def test_picture_that_was_replaced_meanwhile_stays(make_store, give, follow, work, quick):
    store = give(make_store())
    follow(True)
    done = work(store, SolveRequest(settings=quick(), reference=True))
    other = PanelReference(panel=0, file="1930.png")
    board = store.state().board.model_copy(update={"references": [other]})
    changed = SimpleNamespace(references=[other.model_copy(update={"file": "else.png"})])
    assert _same_pictures(board, changed) == [other]
    assert _same_pictures(board, done.result)[0].believed


def test_sorting_keeps_the_picture_but_not_where_it_lay(
    make_store, give, follow, work, quick, guide
):
    store = give(make_store())
    follow(True)
    guide(store)
    work(store, SortRequest(settings=quick(), solve=False))
    assert store.state().board.references == [PanelReference(panel=0, file="1930.png")]
