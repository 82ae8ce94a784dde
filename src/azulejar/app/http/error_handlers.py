"""Replies to requests that fail: a Problem for the page, never a traceback."""

import asyncio
import errno
import logging
import os
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejar.app.schemas.messages import Problem
from azulejar.errors import AzulejarError
from azulejar.system.reading import describe_problem

log = logging.getLogger("azulejar")

# For the OpenAPI description: every call may fail with these. One of them brings the model and the
# others refer to it, since FastAPI prepares the models of all routes before a server's first reply.
_PROBLEM = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": what} | ({"model": Problem} if status == 400 else _PROBLEM)
    for status, what in {
        400: "The request could not be carried out.",
        401: "Nobody is logged in, or the password is wrong.",
        403: "The person may not do that, or the request comes from another page.",
        404: "Nothing has this name or number.",
        405: "This address does not accept this method.",
        409: "The request contradicts the present state of the project.",
        413: "The request is larger than is accepted.",
        415: "The body or file is of a type that is not accepted.",
        422: "The request cannot be understood.",
        429: "There are more requests at once than can be served.",
        500: "azulejar has a bug.",
        503: "The request can be repeated later.",
    }.items()
}


def error_reply(status: int, error: AzulejarError) -> JSONResponse:
    """Return an error as the body of a reply."""
    body = Problem.of(error).model_dump()
    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})


def add_handlers(app: FastAPI) -> None:
    """Answer every error with a Problem, which names files by their path within the workspace."""
    app.add_exception_handler(AzulejarError, _on_azulejar_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(OSError, _on_system_error)


def _on_azulejar_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AzulejarError)
    status = getattr(error, "status", 400)
    home: Path = request.app.state.services.workspace.folder
    for prefix in {f"{home}{os.sep}", f"{home.resolve()}{os.sep}"}:
        error = error.replacing(prefix, "")
    return error_reply(status, error)


def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field, reason = describe_problem(first | {"loc": first["loc"][1:] or first["loc"][:1]})
    return error_reply(
        422,
        AzulejarError(
            "request-invalid",
            "The request is not valid: {field} {reason}.",
            "Load the page again.",
            field=field or "it",
            reason=reason,
        ),
    )


def _on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        told = AzulejarError("page-not-found", "There is no such page.", "Load the page again.")
    elif error.status_code == 405:
        told = AzulejarError(
            "method-not-allowed", "That cannot be done there.", "Load the page again."
        )
    elif error.status_code == 413:
        told = AzulejarError(
            "request-too-large", "The request is too large.", "Load the page again."
        )
    else:
        told = AzulejarError(
            "request-failed",
            "{reason}",
            "Load the page again.",
            reason=str(error.detail),
        )
    reply = error_reply(error.status_code, told)
    reply.headers.update(error.headers or {})
    return reply


def _on_system_error(request: Request, error: Exception) -> JSONResponse:
    """Answer that the disk is full or a file is gone, without the path, which the page must not
    know."""
    assert isinstance(error, OSError)
    log.error("%s %s: %s", request.method, request.url.path, error)
    if error.errno == errno.ENOSPC:
        told = AzulejarError(
            "disk-full", "The disk is full; nothing more can be saved.", "Make room on the disk."
        )
    else:
        told = AzulejarError(
            "file-inaccessible",
            "A file could not be read or written: {reason}.",
            "Make room, or try again.",
            reason=error.strerror or "the system refused",
        )
    return error_reply(503, told)


class UnexpectedErrors:
    """ASGI middleware that logs errors nobody foresaw and answers them without a traceback."""

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
            return  # nobody is left to be answered
        except asyncio.CancelledError:  # the server stops
            if scope["type"] != "http" or begun:
                raise
            stopping = AzulejarError(
                "server-stopping", "The server is being stopped.", "Start it again."
            )
            await error_reply(503, stopping)(scope, receive, send)
        except Exception:
            if scope["type"] != "http" or begun:
                raise
            log.exception("%s %s", scope["method"], scope["path"])
            reply = error_reply(
                500,
                AzulejarError(
                    "unexpected-error",
                    "Something went wrong that should not have; your work is saved.",
                    "Load the page again, and report what you did.",
                ),
            )
            await reply(scope, receive, send)
