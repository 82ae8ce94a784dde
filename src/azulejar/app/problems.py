"""What goes wrong, as the Problem that the page shows."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejar.app.schemas import Problem
from azulejar.errors import AzulejarError

log = logging.getLogger("azulejar")

# For the OpenAPI: every call may end in these.
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in {
        400: "It could not be done.",
        401: "The token is missing or wrong.",
        403: "The request comes from another page.",
        404: "There is no such thing.",
        405: "That cannot be done there.",
        409: "It does not go together with what is there now.",
        413: "More than is taken.",
        415: "Of a kind that is not taken.",
        422: "What was sent makes no sense.",
        429: "More at once than can be served.",
        500: "A mistake in azulejar.",
        503: "It will be possible later.",
    }.items()
}


def answer(status: int, problem: str, remedy: str) -> JSONResponse:
    """A Problem as an answer."""
    body = Problem(problem=problem, remedy=remedy).model_dump()
    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})


def add_handlers(app: FastAPI) -> None:
    """Let every error end as a Problem, without a traceback."""
    app.add_exception_handler(AzulejarError, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(OSError, _system)


def _refusal(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AzulejarError)
    return answer(getattr(error, "status", 400), error.problem, error.remedy)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    text = f"{where}: {first['msg']}" if where else str(first["msg"])
    return answer(422, f"The request makes no sense ({text}).", "Load the page again.")


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    told = {404: "There is no such page.", 405: "That cannot be done there."}
    answered = answer(
        error.status_code, told.get(error.status_code, str(error.detail)), "Load the page again."
    )
    answered.headers.update(error.headers or {})
    return answered


def _system(request: Request, error: Exception) -> JSONResponse:
    """The disk is full, or a file has gone; the path is nothing that the page should know."""
    assert isinstance(error, OSError)
    log.error("%s %s: %s", request.method, request.url.path, error)
    what = error.strerror or "the system refused"
    return answer(503, f"A file could not be read or written: {what}.", "Make room, or try again.")


class Mistakes:
    """ASGI middleware: what nobody foresaw is logged here, and told without a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except Exception:
            if scope["type"] != "http" or begun:
                raise
            log.exception("%s %s", scope["method"], scope["path"])
            await _mistake()(scope, receive, send)


def _mistake() -> JSONResponse:
    return answer(
        500,
        "Something went wrong that should not have; your work is saved.",
        "Load the page again, and report what you did.",
    )
