"""Errors that the server answers with a status of their own; any other AzulejarError is a 400."""

# ruff: noqa: N818 (named like the statuses of HTTP)

from typing import Any

from azulejar.errors import AzulejarError


class Unauthorized(AzulejarError):
    """401: the request is not authenticated."""

    status = 401


class Forbidden(AzulejarError):
    """403: the person lacks the required role."""

    status = 403


class NotFound(AzulejarError):
    """404: nothing has this name or number."""

    status = 404


class Conflict(AzulejarError):
    """409: the request contradicts the present state of the project."""

    status = 409


class TooLarge(AzulejarError):
    """413: more bytes, pixels or files than are accepted."""

    status = 413


class UnsupportedFile(AzulejarError):
    """415: a file or body of a type that is not accepted."""

    status = 415


class InvalidRequest(AzulejarError):
    """422: the request cannot be understood."""

    status = 422

    @classmethod
    def of(cls, error: AzulejarError, values: dict[str, Any]) -> "InvalidRequest":
        """Return the same error with that status and other values."""
        return cls(error.code, *error.templates, **values)


class TooManyRequests(AzulejarError):
    """429: more at once than can be served."""

    status = 429


class Unavailable(AzulejarError):
    """503: it will be possible later."""

    status = 503
