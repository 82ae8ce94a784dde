"""How a result is laid on a board that people have gone on with meanwhile."""

from azulejar.app.jobs.job_result import (
    JobResult,
    ResultTile,
    lay_by_file,
    lay_on_board,
    load_result,
    result_path,
    save_result,
)
from azulejar.app.schemas.boards import LOOSE, Board, PanelPlace, Placed
from azulejar.app.schemas.jobs import Job
from azulejar.app.schemas.tiles import ProjectTile

TILES = [ProjectTile(tile=i, file=f"{i}.png", number=str(i)) for i in range(1, 6)]


def board(*places, **other):
    """Tiles 1, 2, … at (panel, row, col)."""
    placed = [
        Placed(tile=i, panel=panel, row=row, col=col)
        for i, (panel, row, col) in enumerate(places, 1)
    ]
    return Board(placed=placed, **other)


def lies(board):
    return {each.tile: (each.panel, each.row, each.col) for each in board.placed}


def row_of(*tiles, panel=0):
    return [
        ResultTile(file=f"{tile}.png", panel=panel, row=0, col=i) for i, tile in enumerate(tiles)
    ]


def test_tiles_that_the_job_did_not_know_stay_or_give_way():
    before = board((LOOSE, 0, 0), (LOOSE, 0, 0), (0, 0, 1), (0, 5, 5), (LOOSE, 0, 0))
    after = lies(lay_on_board(before, JobResult(laid=row_of(1, 2)), TILES))
    assert after[1] == (0, 0, 0)
    assert after[2] == (0, 0, 1)
    assert after[3] == (LOOSE, 0, 0)
    assert after[4] == (0, 5, 5)
    assert after[5] == (LOOSE, 0, 0)


def test_what_was_locked_meanwhile_stays_where_it_is():
    before = board((0, 0, 1), (LOOSE, 0, 0), (LOOSE, 0, 0), locked=[1])
    after = lay_on_board(before, JobResult(laid=row_of(1, 2, 3)), TILES[:3])
    assert lies(after) == {1: (0, 0, 1), 2: (LOOSE, 0, 0), 3: (0, 0, 2)}
    assert after.locked == [1]


def test_what_people_have_moved_since_stays_where_it_is():
    began = board((LOOSE, 0, 0), (0, 0, 0), (0, 0, 1), (LOOSE, 0, 0), (LOOSE, 0, 0))
    result = JobResult(laid=row_of(2, 4, 3, 1, 5), seen=lay_by_file(TILES, began.placed))
    now = board((0, 0, 1), (0, 0, 0), (LOOSE, 0, 0), (LOOSE, 0, 0), (0, 7, 7))
    now.placed[1].turn = 90
    now.placed[3].turn = 90  # in the tray that is no place
    after = lay_on_board(now, result, TILES)
    assert lies(after) == {
        1: (0, 0, 1),
        2: (0, 0, 0),
        3: (LOOSE, 0, 0),
        4: (LOOSE, 0, 0),  # its place is taken
        5: (0, 7, 7),
    }
    assert {each.tile: each.turn for each in after.placed}[2] == 90
    again = lay_on_board(after, result, TILES)
    assert again == after


def test_marks_and_refusals_of_this_moment_are_kept():
    before = board(
        (0, 0, 0),
        (0, 0, 1),
        missing=[PanelPlace(panel=0, row=4, col=4), PanelPlace(panel=0, row=0, col=2)],
    )
    after = lay_on_board(
        before, JobResult(laid=[ResultTile(file="1.png", panel=0, row=0, col=2)]), TILES[:2]
    )
    assert after.missing == [PanelPlace(panel=0, row=4, col=4)]


def test_panels_that_are_empty_at_the_end_are_gone():
    before = board((0, 0, 0), (1, 0, 0), (2, 0, 0), panels=["a", "b", "c"])
    after = lay_on_board(before, JobResult(laid=row_of(1, 2, 3)), TILES[:3])
    assert after.panels == ["a"]
    after = lay_on_board(
        before, JobResult(laid=row_of(1, 2, panel=2), panels=["a", "b", "z"]), TILES[:3]
    )
    assert after.panels == ["a", "b", "z"]


def test_tiles_that_are_gone_are_passed_over():
    before = board((0, 0, 0))
    assert lies(lay_on_board(before, JobResult(laid=row_of(4, 1)), TILES[:1])) == {1: (0, 0, 1)}


def test_a_result_is_read_as_it_was_written_and_rubbish_is_none(tmp_path):
    made = JobResult(laid=row_of(1, 2), label="solve", source="solve", confidence=0.5)
    save_result(tmp_path, 3, made)
    assert load_result(tmp_path, 3) == made
    assert load_result(tmp_path, 4) is None
    result_path(tmp_path, 4).write_text('{"laid": 7}')
    assert load_result(tmp_path, 4) is None


def test_notes_of_jobs_of_earlier_versions_are_read():
    notes = ["Plain.", {"code": "solver-compiling", "text": "Compiling the solver."}]
    former = {"job": 1, "wish": {"kind": "demo"}, "state": "done", "notes": notes}
    assert [note.text for note in Job.model_validate(former).notes] == ["Plain."]
