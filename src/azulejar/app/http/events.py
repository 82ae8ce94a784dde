"""Server-sent events of a project, to any number of pages.

Only the latest event of each topic counts, so that the queue of a slow page stays small and its
end is never lost: a newer board replaces an older one that was not yet sent.
"""

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from azulejar.app.http.errors import TooManyRequests
from azulejar.app.schemas.jobs import Job, LiveAssembly
from azulejar.app.schemas.messages import Schema
from azulejar.app.schemas.people import Cursor, Presence
from azulejar.errors import AzulejarError

HEARTBEAT = 15.0  # seconds
DELAY = 0.5  # seconds over which publish_soon gathers calls
MOST_SUBSCRIBERS = 500
ENDED = ("done", "stopped", "failed")

Topic = tuple[str, int | None]
Payload = Schema | Sequence[Schema]


class Subscriber:
    """One subscribed page and its person; only its event loop touches the queue."""

    def __init__(self, who: str = "") -> None:
        self.who = who
        self.cursor = Cursor(panel=0)
        self.loop = asyncio.get_running_loop()
        self._queued: dict[Topic, bytes] = {}
        self._open = True
        self._wake = asyncio.Event()

    def put(self, topic: Topic, chunk: bytes, outdated: Topic | None = None) -> None:
        """Queue a chunk in place of an older one of the same topic."""
        self._queued.pop(topic, None)
        if outdated is not None:
            self._queued.pop(outdated, None)
        self._queued[topic] = chunk
        self._wake.set()

    def close(self) -> None:
        """End the stream once the queue is sent."""
        self._open = False
        self._wake.set()

    async def stream(self, heartbeat: float = HEARTBEAT) -> AsyncIterator[bytes]:
        """Yield what is to be sent; a comment at each heartbeat keeps the connection open."""
        yield b": connected\n\n"
        while self._open or self._queued:
            try:
                await asyncio.wait_for(self._wake.wait(), heartbeat)
            except TimeoutError:
                yield b": heartbeat\n\n"
                continue
            self._wake.clear()
            queued, self._queued = self._queued, {}
            if queued:
                yield b"".join(queued.values())


class Hub:
    """All subscribers, by project. ``publish`` may be called from any thread and never waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[str, set[Subscriber]] = defaultdict(set)
        self._soon: set[tuple[str, ...]] = set()
        self._open = True

    def subscribe(self, project: str, who: str = "") -> Subscriber:
        """Add a subscriber; call this in the event loop."""
        subscriber = Subscriber(who)
        with self._lock:
            if sum(map(len, self._subscribers.values())) >= MOST_SUBSCRIBERS:
                raise TooManyRequests(
                    "too-many-pages", "Too many pages watch this server.", "Close some of them."
                )
            self._subscribers[project].add(subscriber)
            if not self._open:
                subscriber.close()
        self._publish_people(project, who)
        return subscriber

    def unsubscribe(self, project: str, subscriber: Subscriber) -> None:
        """Remove the subscriber of a page that is gone."""
        with self._lock:
            self._subscribers[project].discard(subscriber)
            if not self._subscribers[project]:
                del self._subscribers[project]
        self._publish_people(project, subscriber.who)

    def people(self, project: str) -> list[Presence]:
        """Return everyone who has the project open, with their selection, by name."""
        with self._lock:
            here = {each.who: each.cursor for each in self._subscribers.get(project, ())}
        return [
            Presence(name=name, **cursor.model_dump())
            for name, cursor in sorted(here.items())
            if name
        ]

    def move(self, project: str, who: str, cursor: Cursor) -> None:
        """Broadcast a person's current selection to the others."""
        with self._lock:
            for each in self._subscribers.get(project, ()):
                if each.who == who:
                    each.cursor = cursor
        self._publish_people(project, who)

    def drop(self, who: str) -> None:
        """Close all event streams of a person, so that they have to authenticate again."""
        with self._lock:
            groups = self._subscribers.values()
            dropped = [each for group in groups for each in group if each.who == who]
        _close(dropped)

    def end(self, project: str) -> None:
        """Close all event streams of a project that was deleted, so that its pages are left."""
        with self._lock:
            ended = list(self._subscribers.get(project, ()))
        _close(ended)

    def _publish_people(self, project: str, who: str) -> None:
        if who:  # where there are no accounts, nobody has a name
            self.publish(project, "people", self.people(project))

    def is_watched(self, project: str) -> bool:
        """Whether a page has the project open."""
        with self._lock:
            return project in self._subscribers

    def publish(self, project: str, event: str, payload: Payload) -> None:
        """Send an event to all subscribers of the project."""
        with self._lock:
            subscribers = list(self._subscribers.get(project, ()))
        if not subscribers:
            return
        topic, outdated = topics(event, payload)
        chunk = encode_event(event, payload)
        for subscriber in subscribers:
            _call_in_loop(subscriber, partial(subscriber.put, topic, chunk, outdated))

    def publish_soon(self, project: str, news: Mapping[str, Callable[[], Payload]]) -> None:
        """Send events, in their order, a moment later, once for all calls meanwhile.

        This is for changes that come in hundreds; payloads are made only then.
        """
        key = (project, *news)
        with self._lock:
            if key in self._soon or project not in self._subscribers:
                return
            self._soon.add(key)
        timer = threading.Timer(DELAY, self._publish_now, (key, project, news))
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
            subscribers = [each for group in self._subscribers.values() for each in group]
        _close(subscribers)


def topics(event: str, payload: Payload) -> tuple[Topic, Topic | None]:
    """Return the topic of an event, and the topic that it makes obsolete: the end of a job its
    live assemblies."""
    if isinstance(payload, Job):
        return (event, payload.job), ("live", payload.job) if payload.state in ENDED else None
    return (event, payload.job if isinstance(payload, LiveAssembly) else None), None


def encode_event(event: str, payload: Payload) -> bytes:
    """Return an event as the bytes that a page receives."""
    if isinstance(payload, Schema):
        data = payload.model_dump_json()
    else:
        data = "[" + ",".join(each.model_dump_json() for each in payload) + "]"
    return f"event: {event}\ndata: {data}\n\n".encode()


def _close(subscribers: Sequence[Subscriber]) -> None:
    for subscriber in subscribers:
        _call_in_loop(subscriber, subscriber.close)


def _call_in_loop(subscriber: Subscriber, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # its loop may be closed meanwhile
        subscriber.loop.call_soon_threadsafe(call)
