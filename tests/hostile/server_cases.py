"""Hostile cases for the server: damaged uploads and requests that no page sends.

A case is made from a seed, and goes to the whole application without a socket. It returns what went
wrong as one line, or None.
"""

import io
import json
import random
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image
from starlette.testclient import TestClient

from azulejar.app.projects.store import ProjectStore
from azulejar.app.server import create_app
from azulejar.app.workspace import Workspace

ADDRESS = "http://127.0.0.1:8642"
SECONDS = 10.0  # more is too slow for any of these requests
TILES = 6
JSON, BYTES = "application/json", "application/octet-stream"
PROBLEM = {"code", "values", "problem", "remedy"}
NUMBERS = (0, 1, -1, 3, 10**4, 2**31, 2**63, -(2**63), 10**30, 0.5, 1e308, True, None, "1", [], {})
TEXTS = ("", "a", "\x00", "\u202e", "😀" * 50, "x" * 5000, "../..", "<b>", "{0}", "%s", "\ud800")
NAMES = ("a.png", "a.jpg", "tiles.csv", "a.zip", "a.tif", "..", "a\x00.png", "con.png", "é.png", "")


class Attacker:
    """A client of one server, and what it knows about a project there."""

    def __init__(self, client: TestClient, workspace: Workspace) -> None:
        self.client, self.workspace = client, workspace
        self.project = client.post("/api/projects", json={"name": "p"}).json()["project"]
        for number in range(TILES):
            self.upload(f"{number}.png", picture(number))
        paths = client.get("/api/openapi.json").json()["paths"]
        self.routes = sorted(
            (path, method) for path, methods in paths.items() for method in methods
        )

    @property
    def home(self) -> str:
        return f"/api/projects/{self.project}"

    def upload(self, name: str, data: bytes, kind: str = "tiles") -> httpx.Response:
        return self.client.post(
            f"{self.home}/uploads",
            params={"kind": kind, "name": name},
            content=data,
            headers={"Content-Type": BYTES},
        )


@contextmanager
def attacked(folder: Path) -> Iterator[Attacker]:
    """Start a server on a folder, without a socket and without workers."""
    workspace = Workspace(folder)
    app = create_app(workspace)
    app.state.services.queue._begin = lambda: None  # jobs wait: these cases are about requests
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        client.headers["Content-Type"] = JSON
        yield Attacker(client, workspace)
    workspace.close()


def server_case(seed: int, attacker: Attacker) -> str | None:
    """Send one hostile request; return what went wrong."""
    rng = random.Random(seed)
    kind = rng.choice((_upload_case, _upload_case, _route_case, _route_case, _edit_case))
    started = time.monotonic()
    told, wrong = kind(rng, attacker)
    if wrong is None and time.monotonic() - started > SECONDS:
        wrong = "too slow"
    return None if wrong is None else f"seed {seed}, {told}: {wrong}"


_Result = tuple[str, str | None]
"""What was sent, and what went wrong."""


def _judge(answer: httpx.Response) -> str | None:
    """Return what is wrong with an answer: anything but a reply, or a problem with its remedy."""
    if answer.status_code >= 500:
        return f"status {answer.status_code}: {answer.text[:200]}"
    if answer.status_code >= 400:
        try:
            body = answer.json()
        except ValueError:
            return f"status {answer.status_code} without a problem: {answer.text[:200]}"
        if set(body) != PROBLEM or not body["problem"] or not body["remedy"]:
            return f"status {answer.status_code} without a problem: {answer.text[:200]}"
        if "Traceback" in answer.text:
            return "a traceback"
    return None


def _upload_case(rng: random.Random, attacker: Attacker) -> _Result:
    make = rng.choice((_mutated_zip, _mutated_zip, _odd_zip, _mutated_picture, _odd_table))
    name, data = make(rng)
    kind = rng.choice(("tiles", "tiles", "photographs", "panel"))
    answer = attacker.upload(rng.choice((name, name, name, rng.choice(NAMES))), data, kind)
    left = list((attacker.workspace.folder / attacker.project / "work").iterdir())
    wrong = _judge(answer) or (f"left {left[0].name} behind" if left else None)
    return f"{make.__name__[1:]} as {kind}", wrong


def _route_case(rng: random.Random, attacker: Attacker) -> _Result:
    """Call any route with any parameters and any body."""
    path, method = rng.choice(attacker.routes)
    if (path, method) == ("/api/projects/{project}", "delete"):
        method = "get"
    if path.endswith("/events"):  # a stream does not end
        method = "post"
    values = {
        "project": rng.choice((attacker.project, attacker.project, "..", "nothing", "%00")),
        "version": rng.choice((1, 0, -1, 2**40, "x")),
        "job": rng.choice((1, 0, -1, 2**40, "x")),
        "tile": rng.choice((1, 3, -1, 2**70, "x")),
        "stamp": rng.choice(("0" * 16, "x", "..")),
        "size": rng.choice((1, 64, -3, 10**9)),
        "page": rng.choice((0, 7, -1, 10**9)),
        "name": rng.choice(("a.zip", "..", "x" * 300, "%2e%2e%2fproject.db")),
    }
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", str(value))
    params = {
        name: _text(rng.choice((*NUMBERS, *TEXTS)))
        for name in ("panel", "row", "col", "top", "size", "everything", "kind", "name")
        if rng.random() < 0.4
    }
    body = rng.choice(
        (_body(rng), _body(rng), b"", b"{", b"\xff\xfe", b"[" * 20_000, b'{"a":' * 999)
    )
    header = {"Content-Type": rng.choice((JSON, JSON, JSON, BYTES, "text/plain", ""))}
    answer = attacker.client.request(method.upper(), path, params=params, content=body,
                                     headers=header)  # fmt: skip
    return f"{method} {path[:80]}", _judge(answer)


def _edit_case(rng: random.Random, attacker: Attacker) -> _Result:
    """Change the board; what was acknowledged must be on the disk."""
    state = attacker.client.get(attacker.home).json()["state"]
    which = rng.sample(range(1, TILES + 1), rng.randrange(1, TILES))
    places = rng.sample([(row, col) for row in range(4) for col in range(4)], len(which))
    placed = [
        {"tile": tile, "panel": 0, "row": row, "col": col, "turn": rng.choice((0, 90, 180, 270))}
        for tile, (row, col) in zip(which, places, strict=True)
    ]
    if rng.random() < 0.3:
        placed[0][rng.choice(list(placed[0]))] = rng.choice(NUMBERS)
    revision = state["revision"] - (rng.random() < 0.1)
    edit = {"revision": revision, "label": "move", "placed": placed}
    answer = attacker.client.post(f"{attacker.home}/edits", content=_dump(edit))
    wrong = _judge(answer)
    if wrong is None and answer.status_code == 200:
        store = ProjectStore(attacker.workspace.folder / attacker.project)
        try:
            if store.state().model_dump(mode="json") != answer.json():
                wrong = "the board that was acknowledged is not on the disk"
        finally:
            store.close()
    return "edit", wrong


# What is sent


def picture(seed: int) -> bytes:
    """Return a small picture of noise as PNG."""
    pixels = np.random.default_rng(seed).integers(0, 256, (24, 24, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def _mutated_zip(rng: random.Random) -> tuple[str, bytes]:
    data = bytearray(_pack([(f"z{n}.png", picture(rng.randrange(10**6))) for n in range(3)], rng))
    directory = data.index(b"PK\x01\x02")
    for _ in range(rng.choice((1, 1, 2, 8))):
        first = directory if rng.random() < 0.7 else 0
        data[rng.randrange(first, len(data))] = rng.randrange(256)
    return "a.zip", bytes(data[: rng.randrange(len(data))] if rng.random() < 0.1 else data)


def _odd_zip(rng: random.Random) -> tuple[str, bytes]:
    name = rng.choice(("../a.png", "/a.png", "C:\\a.png", "a" * 300 + ".png", "a\x01.png", "é.png",
                       "tiles.csv", "a/b/c/", "con.png", ".png", "x.zip"))  # fmt: skip
    content = rng.choice((b"", bytes(rng.choice((10, 900_000))), picture(1), rng.randbytes(500)))
    return "a.zip", _pack([(f"{n}{name}" if n else name, content) for n in range(12)], rng)


def _pack(files: list[tuple[str, bytes]], rng: random.Random) -> bytes:
    packed = io.BytesIO()
    how = rng.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)
    )
    with zipfile.ZipFile(packed, "w", how) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return packed.getvalue()


def _mutated_picture(rng: random.Random) -> tuple[str, bytes]:
    kind, suffix = rng.choice((("PNG", "png"), ("JPEG", "jpg"), ("TIFF", "tif"), ("WEBP", "webp"),
                               ("GIF", "gif"), ("BMP", "bmp")))  # fmt: skip
    file = io.BytesIO()
    Image.open(io.BytesIO(picture(rng.randrange(10**6)))).save(file, kind)
    data = bytearray(file.getvalue())
    for _ in range(rng.choice((1, 4, 30))):
        data[rng.randrange(min(len(data), rng.choice((40, 400, 10**6))))] = rng.randrange(256)
    return f"{rng.randrange(10**6)}.{suffix}", bytes(data[: rng.randrange(1, len(data) + 1)])


def _odd_table(rng: random.Random) -> tuple[str, bytes]:
    cells = [_text(rng.choice((*NUMBERS, *TEXTS))) for _ in range(12)]
    head = rng.choice(
        ("file,inventory,row,col,turn", "file", "file,file", "", "row,col", "file;row")
    )
    lines = [head, *(",".join([f"{n}.png", *cells[n : n + 4]]) for n in range(4))]
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return "tiles.csv", text[: rng.randrange(len(text) + 1)] if rng.random() < 0.3 else text


def _body(rng: random.Random) -> bytes:
    keys = ("name", "revision", "label", "placed", "kind", "settings", "file", "rows", "cols",
            "measure", "preset", "locked", "corners", "panels")  # fmt: skip
    return _dump({key: _value(rng, 3) for key in rng.sample(keys, rng.randrange(6))})


def _value(rng: random.Random, depth: int) -> Any:
    if depth and rng.random() < 0.3:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and rng.random() < 0.2:
        return {rng.choice(("tile", "row", "panel", "kind", "x")): _value(rng, depth - 1)}
    return rng.choice((*NUMBERS, *TEXTS))


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _text(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode()


# For run.py

REQUESTS = 12  # of one try, to a server of its own


def prepare(folder: Path) -> None:
    """Start a server once, so that everything is imported."""
    with attacked(folder / "projects"):
        pass


def _requests(rng: random.Random, folder: Path) -> Any:
    from trying import WRONG, Try  # beside this module, where run.py finds it

    seed = rng.randrange(2**32)

    def run() -> tuple[int, str]:
        with attacked(folder / "projects") as attacker:
            told = [server_case(seed + number, attacker) for number in range(REQUESTS)]
        wrong = "; ".join(filter(None, told))
        return (WRONG, wrong) if wrong else (0, "")

    return Try("requests", run)


KINDS = {"requests to the server": _requests}
