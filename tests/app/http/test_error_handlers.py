"""What goes wrong is told as a Problem: one sentence, one remedy, no traceback."""

import logging
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from azulejar.app.http import errors as http_errors
from azulejar.app.http.error_handlers import RESPONSES, UnexpectedErrors, add_handlers
from azulejar.app.schemas.messages import Problem
from azulejar.app.schemas.projects import NewProject
from azulejar.errors import AzulejarError


@pytest.fixture
def raising(tmp_path):
    """A server whose only call raises what it is given."""
    app = FastAPI()
    app.state.services = SimpleNamespace(workspace=SimpleNamespace(folder=tmp_path))
    add_handlers(app)
    app.add_middleware(UnexpectedErrors)
    errors = []

    @app.get("/")
    def call():
        raise errors[0]

    @app.post("/")
    def take(new: NewProject):
        return new

    def answer(error):
        errors[:] = [error]
        return TestClient(app).get("/")

    answer.app = app
    return answer


KINDS = [each for each in vars(http_errors).values() if hasattr(each, "status")]


@pytest.mark.parametrize("kind", [AzulejarError, *KINDS])
def test_refusals_have_a_status_of_their_own(raising, kind):
    answer = raising(kind("so-it-is", "{what} is so.", "Do that.", what="It"))
    assert answer.status_code == getattr(kind, "status", 400)
    assert answer.json() == {
        "code": "so-it-is",
        "values": {"what": "It"},
        "problem": "It is so.",
        "remedy": "Do that.",
    }


def test_all_refusals_are_in_the_openapi():
    assert len(KINDS) == 9
    assert {each.status for each in KINDS} <= set(RESPONSES)


def test_a_mistake_of_ours_is_logged_and_told_without_a_traceback(raising, caplog):
    with caplog.at_level(logging.ERROR):
        answer = raising(ZeroDivisionError("secret path /home/somebody"))
    assert answer.status_code == 500
    Problem(**answer.json())
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text


def test_files_are_named_without_the_folder_in_which_the_server_keeps_them(raising, tmp_path):
    path = str(tmp_path / "museu" / "collection.db")
    answer = raising(AzulejarError("damaged", "{path} is damaged.", "Repair it.", path=path))
    assert answer.json()["problem"] == "museu/collection.db is damaged."
    assert answer.json()["values"] == {"path": "museu/collection.db"}


def test_a_file_that_cannot_be_written_is_told_without_its_path(raising):
    answer = raising(OSError(28, "No space left on device", "/home/somebody/x"))
    assert answer.status_code == 503
    assert answer.json()["code"] == "disk-full"
    assert "/home" not in answer.text
    answer = raising(OSError(5, "Input/output error", "/home/somebody/x"))
    assert answer.status_code == 503
    assert answer.json()["values"] == {"reason": "Input/output error"}
    assert "Input/output error" in answer.json()["problem"]
    assert "/home" not in answer.text


def test_what_the_framework_refuses_is_a_problem_too(raising):
    answer = raising(HTTPException(413, "Too much.", headers={"X-Why": "size"}))
    assert (answer.status_code, answer.headers["X-Why"]) == (413, "size")
    assert answer.json()["code"] == "request-too-large"
    assert raising(HTTPException(406, "Not so.")).json()["problem"] == "Not so."
    for answer in (TestClient(raising.app).get("/x"), TestClient(raising.app).delete("/")):
        assert answer.status_code in (404, 405)
        Problem(**answer.json())


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"name": 5}', b'{"name": "\\u0000"}', b'{"name": "x", "y": 1}',
             b'{"name": ""}', b"\xff", b'{"name": "' + b"x" * 121 + b'"}']
)  # fmt: skip
def test_what_makes_no_sense_is_told_in_a_sentence(raising, body):
    answer = TestClient(raising.app).post(
        "/", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in (400, 422)
    Problem(**answer.json())


def test_a_page_that_has_gone_is_not_answered(raising, caplog):
    with caplog.at_level(logging.ERROR), pytest.raises(AssertionError):
        raising(ClientDisconnect())  # the test client insists on an answer
    assert caplog.text == ""
