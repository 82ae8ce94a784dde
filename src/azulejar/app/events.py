"""Who watches a project: server-sent events to any number of pages.

Only the latest word on each matter counts, so that what waits for a slow page stays small and its
end is never lost: a newer board takes the place of an older one that was not yet sent.
"""

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from azulejar.app.refusals import TooMany
from azulejar.app.schemas import Job, Live, Message
from azulejar.errors import AzulejarError

HEARTBEAT = 15.0  # seconds
MOMENT = 0.5  # seconds
MOST_WATCHERS = 500
ENDED = ("done", "stopped", "failed")

Matter = tuple[str, int | None]
Payload = Message | Sequence[Message]


class Watcher:
    """One page that watches; only its event loop touches what waits."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._waiting: dict[Matter, bytes] = {}
        self._open = True
        self._news = asyncio.Event()

    def put(self, matter: Matter, chunk: bytes, outdated: Matter | None = None) -> None:
        """Let a chunk wait in the place of an older one on the same matter."""
        self._waiting.pop(matter, None)
        if outdated is not None:
            self._waiting.pop(outdated, None)
        self._waiting[matter] = chunk
        self._news.set()

    def close(self) -> None:
        """End the stream once it has sent what waits."""
        self._open = False
        self._news.set()

    async def stream(self, heartbeat: float = HEARTBEAT) -> AsyncIterator[bytes]:
        """What is sent; a comment now and then keeps the line open."""
        yield b": watching\n\n"
        while self._open or self._waiting:
            try:
                await asyncio.wait_for(self._news.wait(), heartbeat)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            if waiting:
                yield b"".join(waiting.values())


class Hub:
    """All watchers, by project. ``publish`` may be called from any thread and never waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._soon: set[tuple[str, ...]] = set()
        self._open = True

    def watch(self, project: str) -> Watcher:
        """A new watcher, to be called in the event loop."""
        watcher = Watcher()
        with self._lock:
            if sum(map(len, self._watchers.values())) >= MOST_WATCHERS:
                raise TooMany("Too many pages watch this server.", "Close some of them.")
            self._watchers[project].add(watcher)
            if not self._open:
                watcher.close()
        return watcher

    def leave(self, project: str, watcher: Watcher) -> None:
        """The page is gone."""
        with self._lock:
            self._watchers[project].discard(watcher)
            if not self._watchers[project]:
                del self._watchers[project]

    def publish(self, project: str, event: str, payload: Payload) -> None:
        """Tell all who watch the project."""
        with self._lock:
            watchers = list(self._watchers.get(project, ()))
        if not watchers:
            return
        matter, outdated = matters(event, payload)
        chunk = encoded(event, payload)
        for watcher in watchers:
            _in_loop(watcher, partial(watcher.put, matter, chunk, outdated))

    def publish_soon(self, project: str, news: Mapping[str, Callable[[], Payload]]) -> None:
        """Tell events, in their order, a moment later, once for all calls meanwhile.

        For changes that come in hundreds; what is told is made only then.
        """
        key = (project, *news)
        with self._lock:
            if key in self._soon or project not in self._watchers:
                return
            self._soon.add(key)
        timer = threading.Timer(MOMENT, self._publish_now, (key, project, news))
        timer.daemon = True
        timer.start()

    def _publish_now(
        self, key: tuple[str, ...], project: str, news: Mapping[str, Callable[[], Payload]]
    ) -> None:
        with self._lock:
            self._soon.discard(key)
        with suppress(AzulejarError):  # the project may be closed meanwhile
            for event, make in news.items():
                self.publish(project, event, make())

    async def close(self) -> None:
        """End all streams."""
        with self._lock:
            self._open = False
            watchers = [each for group in self._watchers.values() for each in group]
        for watcher in watchers:
            _in_loop(watcher, watcher.close)


def matters(event: str, payload: Payload) -> tuple[Matter, Matter | None]:
    """What an event is about, and what it makes out of date: the end of a job its assemblies."""
    if isinstance(payload, Job):
        return (event, payload.job), ("live", payload.job) if payload.state in ENDED else None
    return (event, payload.job if isinstance(payload, Live) else None), None


def encoded(event: str, payload: Payload) -> bytes:
    """As a page receives it."""
    if isinstance(payload, Message):
        data = payload.model_dump_json()
    else:
        data = "[" + ",".join(each.model_dump_json() for each in payload) + "]"
    return f"event: {event}\ndata: {data}\n\n".encode()


def _in_loop(watcher: Watcher, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # its loop may be closed meanwhile
        watcher.loop.call_soon_threadsafe(call)
