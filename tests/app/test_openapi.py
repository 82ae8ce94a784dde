"""The OpenAPI describes every call, and nothing that fits it, or does not, ends in a 500."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from starlette.testclient import TestClient

from azulejar.app.schemas.messages import Problem
from azulejar.app.server import create_app
from azulejar.app.workspace import Workspace

EXAMPLES = 5  # of each call, and as many that do not fit
MUSEUM = "museum-of-noise"
ENDLESS = "/api/projects/{project}/events"


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    """A server with a project of a few tiles in which no job ever begins."""
    workspace = Workspace(tmp_path_factory.mktemp("projects"))
    app = create_app(workspace)
    app.state.services.queue._open = False
    with TestClient(app, base_url="http://127.0.0.1:8642", follow_redirects=False) as client:
        yield client
    workspace.close()


@pytest.fixture(scope="module")
def target(api, picture):
    """A project that is there, with a version; no call deletes it."""
    json = {"Content-Type": "application/json"}
    project = api.post("/api/projects", json={"name": "fuzzed"}).json()["project"]
    path = f"/api/projects/{project}"
    for number in range(1, 5):
        query = f"kind=tiles&name={number}.png"
        raw = {"Content-Type": "application/octet-stream"}
        api.post(f"{path}/uploads?{query}", content=picture(number), headers=raw)
    api.post(f"{path}/versions", json={"name": "first"}, headers=json)
    api.post("/api/museums", json={"name": MUSEUM}, headers=json)
    return project


def _operations():
    """Every call of a server, for which none has to run."""
    schema = schemathesis.openapi.from_dict(create_app(None).openapi())
    return [result.ok() for result in schema.get_all_operations()]


OPERATIONS = {operation.label: operation for operation in _operations()}


def test_every_call_of_the_page_is_described():
    wanted = {
        "GET /api/about",
        "GET /api/projects",
        "POST /api/projects",
        "POST /api/projects/demo",
        *(f"{method} /api/projects/{{project}}" for method in ("GET", "PATCH", "DELETE")),
        "PUT /api/projects/{project}/settings",
        *(
            f"{call[0]} /api/projects/{{project}}/{call[1]}"
            for call in (
                ("POST", "uploads"),
                ("POST", "edits"),
                ("POST", "undo"),
                ("POST", "redo"),
                ("GET", "confidence"),
                ("GET", "candidates"),
                ("GET", "versions"),
                ("POST", "versions"),
                ("GET", "versions/{version}"),
                ("PATCH", "versions/{version}"),
                ("POST", "versions/{version}/restore"),
                ("POST", "jobs"),
                ("GET", "jobs"),
                ("GET", "jobs/{job}"),
                ("POST", "jobs/{job}/stop"),
                ("GET", "events"),
                ("GET", "atlas"),
                ("GET", "atlas/{stamp}/{size}/{page}"),
                ("GET", "tiles/{tile}/picture"),
                ("GET", "exports/{name}"),
            )
        ),
    }
    assert wanted <= set(OPERATIONS)
    for operation in OPERATIONS.values():
        assert operation.definition.raw.get("summary")
        assert "500" in operation.definition.raw["responses"]


def _tries():
    """Each call with what fits and, where anything is to be sent, with what does not."""
    for call, operation in OPERATIONS.items():
        if not call.endswith(ENDLESS):
            yield call, GenerationMode.POSITIVE
            if operation.body or operation.query or operation.path_parameters:
                yield call, GenerationMode.NEGATIVE


@pytest.mark.parametrize(("call", "mode"), list(_tries()))
def test_nothing_ends_in_a_500(api, target, call, mode):
    operation = OPERATIONS[call]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def try_it(case):
        here = "project" in (case.path_parameters or {}) and not call.startswith("DELETE")
        if here and mode is GenerationMode.POSITIVE:
            case.path_parameters["project"] = target  # one that is not there says little
        if "museum" in (case.path_parameters or {}) and mode is GenerationMode.POSITIVE:
            case.path_parameters["museum"] = MUSEUM
        if isinstance(case.body, dict) and isinstance(case.body.get("revision"), int):
            state = api.get(f"/api/projects/{target}").json()["state"]
            case.body["revision"] = state["revision"]
        sent = case.as_transport_kwargs(base_url="http://127.0.0.1:8642")
        wanted = {"method", "url", "params", "headers", "json", "data", "content"}
        request = {name: value for name, value in sent.items() if name in wanted}
        if isinstance(request.get("data"), bytes | str):
            request["content"] = request.pop("data")
        answer = api.request(**request)
        assert answer.status_code != 500, answer.text
        assert str(answer.status_code) in operation.definition.raw["responses"], answer.text
        if answer.status_code >= 400:
            Problem(**answer.json())

    try_it()
