"""Access control: Host, Origin, type of body and token of every request are checked first.

The page is served to this computer alone by default. What remains to be kept out are other pages
in the same browser: those that post to this server, and those whose domain name is made to
resolve to it (DNS rebinding).
"""

import hmac
import ipaddress
import socket
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejar.app.error_handlers import error_reply
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

    ``host`` is the address it listens on; ``token``, if given, must come with every request.
    """

    def __init__(self, app: ASGIApp, host: str, token: str | None = None) -> None:
        self.app = app
        self.host = host
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

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
        return (
            _refuse_other_pages(scope, headers)
            or self._require_token(scope, headers, port)
            or _refuse_wrong_type(scope, headers)
        )

    def _is_our_name(self, host: str, port: int | None) -> bool:
        name, _, given = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:
            name, given = host, ""
        if given != (str(port) if port is not None else "") and not (given == "" and port == 80):
            return False
        name = name.lower()
        if name in OWN_NAMES or name.strip("[]") == self.host.lower():
            return True
        return self.host in EVERYWHERE and (_is_address(name) or name in _names_of_this_computer())

    def _require_token(self, scope: Scope, headers: Headers, port: int | None) -> Response | None:
        if self.token is None:
            return None
        cookie = f"azulejar-{port}"  # a cookie is seen by all ports of a computer
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["path"] == "/" and scope["method"] == "GET" and "token" in query:
            if not _same(query.pop("token")[0], self.token):
                return _token_missing()
            reply = RedirectResponse("/?" + urlencode(query, doseq=True) if query else "/", 303)
            reply.set_cookie(cookie, self.token, httponly=True, samesite="strict", path="/")
            return reply
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and _same(given.strip(), self.token):
            return None
        if _same(_cookies(headers).get(cookie, ""), self.token):
            return None
        return _token_missing()


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


def _token_missing() -> Response:
    return error_reply(
        401,
        AzulejarError(
            "token-missing",
            "This server requires its token.",
            "Open the whole address that the server has printed, with ?token=….",
        ),
    )


def _same(given: str, token: str) -> bool:
    """Compare in a time that does not depend on the texts."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())


def _cookies(headers: Headers) -> Mapping[str, str]:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}


def _is_address(name: str) -> bool:
    """Whether a host is an IP address, which no name server can redirect."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _names_of_this_computer() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
