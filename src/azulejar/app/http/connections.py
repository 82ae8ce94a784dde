"""HTTP connections: how many there may be, and how long they may keep the server waiting."""

import asyncio
import sys
from functools import cache

from uvicorn.protocols.http.h11_impl import H11Protocol

from azulejar.app.http.error_handlers import error_reply
from azulejar.errors import AzulejarError

MOST_CONNECTIONS = 500
HEADERS = 10.0  # seconds in which the head of a request must arrive
PAUSE = 60.0  # seconds without a byte after which an upload is given up


class GuardedProtocol(H11Protocol):
    """The connections of uvicorn, which has no limits of its own for these."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.write(_refusal())
            transport.close()
        else:
            self._expect(HEADERS)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.awaits_body:
            self._expect(PAUSE)
        elif not self._awaits_request:
            self._expect(None)
        elif self._timer is None:  # a head that comes byte by byte gets no more time
            self._expect(HEADERS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(None)
        super().connection_lost(exc)

    @property
    def awaits_body(self) -> bool:
        """Whether a request has begun whose body is not complete."""
        return not self._awaits_request and self.cycle.more_body

    @property
    def _awaits_request(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _expect(self, seconds: float | None) -> None:
        """Give up the connection after so many seconds; None for as long as it takes."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._timer = None
        if self.flow.read_paused and self.awaits_body:
            self._expect(PAUSE)  # it is our disk that is slow
        else:
            self.transport.close()


@cache
def most_connections() -> int:
    """Return the limit, which leaves half of the descriptors that this process may have."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if allowed < 0 else min(MOST_CONNECTIONS, allowed // 2)


@cache
def _refusal() -> bytes:
    """Return the whole reply to a connection beyond the limit."""
    reply = error_reply(
        503,
        AzulejarError(
            "too-many-connections",
            "The server has too many connections.",
            "Close some pages, and try again.",
        ),
    )
    head = [(b"connection", b"close"), *reply.raw_headers]
    lines = [b"HTTP/1.1 503 Service Unavailable", *(b": ".join(pair) for pair in head), b"", b""]
    return b"\r\n".join(lines) + bytes(reply.body)
