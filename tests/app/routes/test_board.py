"""Changes by hand over HTTP."""

import pytest

from azulejar.app.schemas import BoardState


@pytest.fixture
def board(client, project):
    """A function that posts to the project and gives the board, or the refusal with its status."""

    def post(call, **body):
        body.setdefault(
            "revision", client.get(f"/api/projects/{project}").json()["state"]["revision"]
        )
        answer = client.post(f"/api/projects/{project}/{call}", json=body)
        return BoardState(**answer.json()) if answer.status_code == 200 else answer

    return post


def _at(tile, row, **other):
    return {"tile": tile, "panel": 0, "row": row, **other}


def test_edit_undo_redo(board):
    moved = board("edits", label="Move", placed=[_at(1, -2, turn=90)], lock=[1])
    assert moved.board.placed[0].model_dump() == {
        "tile": 1, "panel": 0, "row": -2, "col": 0, "turn": 90,
    }  # fmt: skip
    assert (moved.board.locked, moved.undo, moved.redo) == ([1], "Move", None)
    undone = board("undo")
    assert undone.board.placed[0].panel == -1
    assert (undone.board.locked, undone.undo, undone.redo) == ([], None, "Move")
    redone = board("redo")
    assert redone.board == moved.board
    assert redone.revision == moved.revision + 2


def test_what_clashes_or_is_stale_is_refused(board):
    first = board("edits", label="Move", placed=[_at(1, 0)])
    for answer, said in (
        (board("edits", label="Move", placed=[_at(2, 0)]), "one place"),
        (board("edits", label="Move", placed=[_at(2, 1)], revision=0), "meanwhile"),
        (board("undo", revision=first.revision - 1), "meanwhile"),
        (board("redo"), "nothing to redo"),
        (board("edits", label="Move", lock=[77]), "not in the project"),
    ):
        assert answer.status_code == 409
        assert said in answer.json()["problem"]
    assert board("edits", label="", lock=[1]).status_code == 422
    assert board("edits", label="Turn", placed=[_at(1, 0, turn=45)]).status_code == 422
    assert board("edits", label="Far", placed=[_at(1, 10_001)]).status_code == 422
    assert board("edits", label="Nothing").revision == first.revision


def test_all_who_watch_are_told(client, project, board, monkeypatch):
    told = []
    monkeypatch.setattr(client.app.state.services.hub, "publish", lambda *news: told.append(news))
    states = [board("edits", label="Move", placed=[_at(1, 0)]), board("undo"), board("redo")]
    assert told == [(project, "board", state) for state in states]
