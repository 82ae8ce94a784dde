"""Connections that keep the server waiting, or are too many; how it stops. Over real sockets."""

import logging
import socket
import threading
import time
from contextlib import nullcontext
from http.client import HTTPResponse
from types import SimpleNamespace

import httpx
import pytest
import uvicorn

from azulejar.app import server
from azulejar.app.http import connections
from azulejar.app.server import create_app

SECONDS = 300  # a guard against hanging


@pytest.fixture
def running(workspace, monkeypatch):
    """A server in a thread, whose patience is short; gives itself and its address."""
    monkeypatch.setattr(connections, "HEADERS", 1.0)
    monkeypatch.setattr(server, "UPLOADS", 0.2)
    listener = socket.create_server(("127.0.0.1", 0))
    made = []
    build = server._Server.__init__

    def remember(self, *arguments):
        build(self, *arguments)
        made.append(self)

    monkeypatch.setattr(server._Server, "__init__", remember)
    monkeypatch.setattr(uvicorn.Server, "capture_signals", lambda self: nullcontext())
    thread = threading.Thread(target=server.run_server, args=(create_app(workspace), listener))
    thread.start()
    while not (made and made[0].started):
        time.sleep(0.01)

    def stop():
        made[0].should_exit = True
        thread.join(SECONDS)
        assert not thread.is_alive()

    yield listener.getsockname(), stop
    stop()
    listener.close()


def _head(address, *, line="GET /api/about HTTP/1.1", more=""):
    return f"{line}\r\nHost: {address[0]}:{address[1]}\r\n{more}".encode()


def _ended(connection):
    """What comes until the server closes the connection."""
    connection.settimeout(SECONDS)
    found = b""
    try:
        while chunk := connection.recv(4096):
            found += chunk
    except ConnectionResetError:
        pass
    return found


def test_a_head_that_never_ends_is_given_up(running):
    address, _ = running
    with socket.create_connection(address) as slow:
        slow.sendall(_head(address))
        with pytest.raises(OSError):
            for _ in range(10 * SECONDS):  # each line alone would be in time
                slow.sendall(b"X-More: yes\r\n")
                time.sleep(0.1)


def test_one_that_says_nothing_is_given_up(running):
    with socket.create_connection(running[0]) as silent:
        assert _ended(silent) == b""


def test_the_second_head_of_a_connection_has_a_limit_too(running):
    address, _ = running
    with socket.create_connection(address) as slow:
        slow.sendall(_head(address, more="\r\n"))
        slow.settimeout(SECONDS)
        with HTTPResponse(slow) as first:
            first.begin()
            assert first.status == 200
            first.read()
        slow.sendall(_head(address))
        assert _ended(slow) == b""


def test_an_upload_that_pauses_is_given_up_and_leaves_nothing(running, workspace, monkeypatch):
    monkeypatch.setattr(connections, "PAUSE", 0.3)
    address, _ = running
    project, store = workspace.create("p")
    line = f"POST /api/projects/{project}/uploads?kind=tiles&name=a.png HTTP/1.1"
    more = "Content-Type: application/octet-stream\r\nContent-Length: 5000\r\n\r\nabc"
    with socket.create_connection(address) as slow:
        slow.sendall(_head(address, line=line, more=more))
        assert _ended(slow) == b""
    _until(lambda: not list((store.folder / "work").iterdir()))


def test_streams_and_slow_answers_are_no_pauses(running, workspace):
    address, _ = running
    project, _ = workspace.create("p")
    with socket.create_connection(address) as page:
        line = f"GET /api/projects/{project}/events HTTP/1.1"
        page.sendall(_head(address, line=line, more="\r\n"))
        page.settimeout(SECONDS)
        assert b"200 OK" in page.recv(4096)
        page.settimeout(2.0)
        with pytest.raises(TimeoutError):  # still open
            while page.recv(4096):
                pass


def test_a_burst_does_not_take_all_descriptors(workspace, monkeypatch):
    """The loop accepts a whole backlog, and twice more, before the first of them is refused."""
    seen = []
    monkeypatch.setattr(server, "most_connections", lambda: 128)
    monkeypatch.setattr(
        server,
        "_Server",
        lambda config, hub: SimpleNamespace(run=lambda sockets: seen.append(config.backlog)),
    )
    server.run_server(create_app(workspace), None)
    assert 0 < 4 * seen[0] <= 128


def test_there_are_only_so_many(running, monkeypatch):
    address, _ = running
    monkeypatch.setattr(connections, "HEADERS", 30.0)
    monkeypatch.setattr(connections, "most_connections", lambda: 5)
    held = [socket.create_connection(address) for _ in range(5)]
    time.sleep(0.2)
    with socket.create_connection(address) as late:
        answer = _ended(late)
    assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"The server has too many connections." in answer
    for each in held:
        each.close()
    _until(lambda: httpx.get(f"http://{address[0]}:{address[1]}/api/about").status_code == 200)


def test_the_limit_leaves_descriptors_for_the_rest(monkeypatch):
    resource = pytest.importorskip("resource")
    for allowed, most in ((256, 128), (10**6, 500), (resource.RLIM_INFINITY, 500)):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, allowed=allowed: (allowed, allowed))
        assert connections.most_connections.__wrapped__() == most


def test_it_stops_quietly_in_the_middle_of_an_upload(running, workspace, caplog):
    address, stop = running
    project, store = workspace.create("p")
    line = f"POST /api/projects/{project}/uploads?kind=tiles&name=a.png HTTP/1.1"
    more = "Content-Type: application/octet-stream\r\nContent-Length: 5000\r\n\r\nabc"
    with socket.create_connection(address) as sender, caplog.at_level(logging.WARNING):
        sender.sendall(_head(address, line=line, more=more))
        _until(lambda: list((store.folder / "work").glob("upload-*")))
        stop()
        assert caplog.records == []
    assert not list((store.folder / "work").glob("upload-*"))


def _until(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
