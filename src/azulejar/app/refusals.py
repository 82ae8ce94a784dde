"""Refusals that the page is told with a status of its own; any other AzulejarError is a 400."""

# ruff: noqa: N818 (they say what happened, as a person would)

from azulejar.errors import AzulejarError


class Refused(AzulejarError):
    """What was sent makes no sense."""

    status = 422


class NotFound(AzulejarError):
    """There is no such thing."""

    status = 404


class Clash(AzulejarError):
    """It does not go together with what is there now."""

    status = 409


class TooLarge(AzulejarError):
    """More bytes or pixels than are taken."""

    status = 413


class WrongKind(AzulejarError):
    """A file or body of a kind that is not taken."""

    status = 415


class TooMany(AzulejarError):
    """More at once than can be served."""

    status = 429


class Unready(AzulejarError):
    """It will be possible later."""

    status = 503
