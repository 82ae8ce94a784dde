"""Projects over HTTP."""

from starlette.testclient import TestClient

from azulejar.app.routes.projects import About, Project
from azulejar.app.schemas.projects import ProjectSummary
from azulejar.app.server import create_app
from azulejar.app.workspace import BIN, Workspace
from azulejar.collection.storage.catalogue import Collection


def test_what_the_server_offers(client):
    about = About(**client.get("/api/about").json())
    assert "dlcm" in about.measures
    assert "standard" in about.presets
    assert (about.max_files, about.max_bytes) == (5_000, 200_000_000)
    assert about.museum is None


def test_the_server_of_one_museum_names_it(tmp_path):
    Collection.create(tmp_path / "Museu Novo").close()
    workspace = Workspace(tmp_path / "Museu Novo")
    with TestClient(create_app(workspace), base_url="http://127.0.0.1:8642") as client:
        assert client.get("/api/about").json()["museum"] == "museu-novo"
    workspace.close()


def test_a_project_from_its_making_to_the_bin(client, workspace):
    made = client.post("/api/projects", json={"name": "São Roque"})
    assert made.status_code == 201
    project = Project(**made.json())
    assert (project.project, project.name, project.tiles) == ("sao-roque", "São Roque", [])
    path = f"/api/projects/{project.project}"
    assert Project(**client.get(path).json()) == project
    renamed = ProjectSummary(**client.patch(path, json={"name": "Roque"}).json())
    assert [ProjectSummary(**each) for each in client.get("/api/projects").json()] == [renamed]
    client.post(f"{path}/versions", json={"name": "empty"})
    gone = client.delete(path)
    assert (gone.status_code, gone.content) == (204, b"")
    assert client.get("/api/projects").json() == []
    assert client.get(path).status_code == client.delete(path).status_code == 404
    assert len(list((workspace.folder / BIN).iterdir())) == 1


def test_a_project_into_which_nothing_came_does_not_go_to_the_bin(client, workspace):
    path = f"/api/projects/{client.post('/api/projects', json={'name': 'none'}).json()['project']}"
    assert client.delete(path).status_code == 204
    assert client.delete(path).status_code == 404
    assert client.get("/api/bin").json() == []
    assert not (workspace.folder / BIN).exists()


def test_settings_are_kept_and_checked(client, project):
    path = f"/api/projects/{project}/settings"
    settings = client.get(f"/api/projects/{project}").json()["settings"] | {"rows": 4}
    assert client.put(path, json=settings).json() == settings
    assert client.get(f"/api/projects/{project}").json()["settings"] == settings
    assert client.put(path, json={"rows": 0}).status_code == 422
    assert client.put(path, json={"columns": 3}).status_code == 422
    for name, wrong in (("measure", "mgx"), ("preset", "slow")):
        answer = client.put(path, json={name: wrong})
        assert answer.status_code == 422
        assert wrong in answer.json()["problem"]


def test_the_demo_is_a_project_with_its_painting_queued(client):
    client.app.state.services.queue._open = False  # queued, but nothing is begun here
    demo = Project(**client.post("/api/projects/demo").json())
    assert demo.name == "Demo"
    assert [(job.request.kind, job.state) for job in demo.jobs] == [("demo", "queued")]


def test_500_quick_calls_change_nothing(client, project):
    path = f"/api/projects/{project}"
    before = client.get(path).json()
    for number in range(100):
        for answer in (
            client.get("/api/projects"),
            client.get(f"{path}/versions"),
            client.get("/api/about"),
            client.post(f"{path}/undo", json={"revision": number + 10_000}),
            client.get(path),
        ):
            assert answer.status_code in (200, 409)
    assert client.get(path).json() == before
