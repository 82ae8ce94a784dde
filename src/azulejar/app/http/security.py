"""Access control: Host, Origin and type of body of every request are checked first.

Roles are checked later, by ``dependencies``. This keeps out other pages in the same browser: those
that post to this server, and those whose domain name is made to resolve to it (DNS rebinding).
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejar.app.http.error_handlers import error_reply
from azulejar.errors import AzulejarError

OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # hosts that stand for all networks of this computer
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
JSON, BYTES = "application/json", "application/octet-stream"
MAX_JSON = 16 * 2**20  # bytes of a body; the largest edit has about 6 MB

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SecurityMiddleware:
    """ASGI middleware that lets only permitted requests through.

    ``host`` is the address it listens on; ``url`` the one at which a proxy offers it, if any.
    """

    def __init__(self, app: ASGIApp, host: str, url: str | None = None) -> None:
        self.app = app
        self.host = host
        self.url = None if url is None else urlsplit(url.lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.url is not None and headers.get("host", "").lower() == self.url.netloc:
            scope["scheme"] = self.url.scheme

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                added.update(HEADERS)
                added.setdefault("Cache-Control", "no-cache")
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
        else:
            await self.app(scope, _limit(receive, headers), send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the reply to a request that is refused, None for one that may pass."""
        port = (scope.get("server") or ("", None))[1]
        if not self._is_our_name(headers.get("host", ""), port):
            return error_reply(
                400,
                AzulejarError(
                    "host-unknown",
                    "This address does not belong to this server.",
                    "Use the address that the server has printed.",
                ),
            )
        return _refuse_other_pages(scope, headers) or _refuse_wrong_type(scope, headers)

    def _is_our_name(self, host: str, port: int | None) -> bool:
        if self.url is not None and host.lower() == self.url.netloc:
            return True
        name, _, given = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:
            name, given = host, ""
        if given != (str(port) if port is not None else "") and not (given == "" and port == 80):
            return False
        name = name.lower()
        if name in OWN_NAMES or name.strip("[]") == self.host.lower():
            return True
        return self.host in EVERYWHERE and (_is_address(name) or name in _names_of_this_computer())


def _refuse_other_pages(scope: Scope, headers: Headers) -> Response | None:
    """Return the refusal of a request that another page has sent."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    own = f"{scope['scheme']}://{headers.get('host', '')}".lower()
    foreign = origin is not None and origin.lower() != own
    if scope["method"] not in SAFE_METHODS and site not in (None, "same-origin"):
        foreign = True
    if not foreign:
        return None
    return error_reply(
        403,
        AzulejarError(
            "request-from-elsewhere",
            "The request comes from another page.",
            "Use the page of this server.",
        ),
    )


def _refuse_wrong_type(scope: Scope, headers: Headers) -> Response | None:
    """Refuse forms, which other pages can send without permission, by the type of their body."""
    if scope["method"] in SAFE_METHODS:
        return None
    wanted = BYTES if scope["path"].endswith("/uploads") else JSON
    if headers.get("content-type", "").partition(";")[0].strip().lower() == wanted:
        return None
    return error_reply(
        415,
        AzulejarError(
            "body-type-wrong",
            "The body is of the wrong type.",
            "Send Content-Type: {wanted}.",
            wanted=wanted,
        ),
    )


def _limit(receive: Receive, headers: Headers) -> Receive:
    """Limit bodies of JSON; uploads have limits of their own."""
    if headers.get("content-type", "").startswith(BYTES):
        return receive
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MAX_JSON:
            raise HTTPException(413, "The request is too large.")
        return message

    return limited


def _is_address(name: str) -> bool:
    """Whether a host is an IP address, which no name server can redirect."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a server listening there is reachable from this computer only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _names_of_this_computer() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
