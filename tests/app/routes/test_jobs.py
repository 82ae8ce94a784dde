"""Jobs and events over HTTP."""

import asyncio
import json
import socket
import threading
import time

import httpx
import pytest
import uvicorn
from in_process import run_async
from starlette.testclient import TestClient

from azulejar.app.server import create_app
from azulejar.app.workspace import Workspace

WATCHERS = 50
SOLVE = {"kind": "solve", "settings": {"measure": "mgc", "preset": "fast"}}


@pytest.fixture
def painted_project(workspace, add_pictures, painted):
    """The id of a project of 20 painted tiles."""
    project, store = workspace.create("Painted")
    add_pictures(store, painted(4, 5, True, 0)[0])
    return project


def ended(client, project, job):
    """The job once it has ended."""
    end = time.monotonic() + 500
    while time.monotonic() < end:
        now = client.get(f"/api/projects/{project}/jobs/{job}").json()
        if now["state"] not in ("queued", "running"):
            return now
        time.sleep(0.05)
    raise AssertionError("the job did not end")


def test_a_request_becomes_a_job_and_an_export_can_be_downloaded(client, painted_project):
    base = f"/api/projects/{painted_project}"
    queued = client.post(f"{base}/jobs", json=SOLVE)
    assert queued.status_code == 202
    done = ended(client, painted_project, queued.json()["job"])
    assert done["state"] == "done"
    assert [job["job"] for job in client.get(f"{base}/jobs").json()] == [done["job"]]
    assert client.get(f"{base}/confidence").json()["scored"]
    found = client.get(f"{base}/candidates", params={"panel": 0, "row": 0, "col": 0})
    assert found.status_code == 200
    body = {"kind": "export", "what": "placement"}
    export = ended(client, painted_project, client.post(f"{base}/jobs", json=body).json()["job"])
    answer = client.get(f"{base}/exports/{export['download']}")
    assert answer.headers["content-disposition"] == 'attachment; filename="Painted-placement.csv"'
    assert answer.text.count("\n") == 21


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "dance"}, 422),
        ({"kind": "solve", "settings": {"measure": "nose"}}, 422),
        ({"kind": "solve", "colour": "blue"}, 422),
        ({"kind": "cut", "file": "a\x00b"}, 422),
        ({}, 422),
    ],
)
def test_an_invalid_request_is_refused(client, project, body, status):
    answer = client.post(f"/api/projects/{project}/jobs", json=body)
    assert answer.status_code == status
    assert answer.json().keys() == {"code", "values", "problem", "remedy"}


@pytest.mark.parametrize(
    "path", ["jobs/999", "exports/nothing.csv", "atlas/0123456789abcdef/16/0", "tiles/999/picture"]
)
def test_what_is_not_there_is_not_found(client, project, path):
    answer = client.get(f"/api/projects/{project}/{path}")
    assert answer.status_code == 404
    assert answer.json().keys() == {"code", "values", "problem", "remedy"}


@pytest.fixture
def served(workspace):
    """The address of a server that really listens."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(create_app(workspace), log_level="error", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


async def watch(client, path, ready):
    """Events up to the end of a job, as (name, data)."""
    told = []
    async with client.stream("GET", path) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = None
        async for line in answer.aiter_lines():
            if line.startswith(":"):
                ready.release()
            elif line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                told.append((name, json.loads(line.removeprefix("data: "))))
                if name == "job" and told[-1][1]["state"] not in ("queued", "running"):
                    return told
    return told


def test_fifty_watchers_see_a_solve_to_its_end_beside_one_who_does_not_read(
    served, painted_project
):
    base = f"/api/projects/{painted_project}"

    async def main():
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=served, timeout=None, limits=limits) as client:
            ready = asyncio.Semaphore(0)
            watching = [
                asyncio.create_task(watch(client, f"{base}/events", ready)) for _ in range(WATCHERS)
            ]
            for _ in watching:
                await ready.acquire()
            answer = await client.post(f"{base}/jobs", json=SOLVE)
            assert answer.status_code == 202
            late = asyncio.create_task(watch(client, f"{base}/events", asyncio.Semaphore(0)))
            return await asyncio.gather(*watching, late)

    host, port = served.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as deaf:
        deaf.sendall(f"GET {base}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        streams = run_async(main())
    assert len(streams) == WATCHERS + 1
    for told in streams:
        assert told[-1][1]["state"] == "done"
        assert {"job", "board", "versions"} <= {name for name, _ in told}


def test_a_page_that_is_closed_during_its_first_upload_leaves_no_project(
    served, workspace, picture, monkeypatch
):
    """Two pages; the other one stays, and its empty project too."""
    monkeypatch.setattr("azulejar.app.routes.jobs.PATIENCE", 0.1)
    host, port = served.removeprefix("http://").split(":")
    left, stays = (workspace.create(name)[0] for name in ("left", "stays"))

    async def main():
        async with httpx.AsyncClient(base_url=served, timeout=None) as client:
            ready = asyncio.Semaphore(0)
            pages = [
                asyncio.create_task(watch(client, f"/api/projects/{project}/events", ready))
                for project in (left, stays)
            ]
            for _ in pages:
                await ready.acquire()
            with socket.create_connection((host, int(port))) as upload:
                upload.sendall(
                    f"POST /api/projects/{left}/uploads?kind=tiles&name=a.png HTTP/1.1\r\n"
                    f"Host: {host}:{port}\r\nContent-Type: application/octet-stream\r\n"
                    "Content-Length: 5000\r\n\r\n".encode()
                    + picture()[:100]
                )
                while not list((workspace.folder / left / "work").iterdir()):
                    await asyncio.sleep(0.01)
            pages[0].cancel()
            while left in workspace.ids():
                await asyncio.sleep(0.01)
            assert stays in workspace.ids()
            pages[1].cancel()

    run_async(asyncio.wait_for(main(), 30))


def test_a_server_removes_what_an_earlier_one_left_empty(workspace, add_pictures, painted):
    _, store = workspace.create("given up")
    (store.folder / "work" / "upload-1.png").touch()
    kept, store = workspace.create("kept")
    add_pictures(store, painted(4, 5, True, 0)[0])
    workspace.close()
    again = Workspace(workspace.folder)
    with TestClient(create_app(again), base_url="http://127.0.0.1:8642"):
        assert again.ids() == [kept]
    again.close()
