"""Old pictures of panels: given, shown, moved and removed, and what is refused."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import PanelReference
from azulejar.app.schemas.jobs import ExportRequest

BYTES = {"Content-Type": "application/octet-stream"}
CORNERS = [[0.1, 0.1], [0.9, 0.12], [0.95, 0.9], [-0.1, 1.2]]


@pytest.fixture
def give(client, project, picture):
    """A function that gives a panel an old picture."""

    def send(name="1930.png", data=None, panel=0):
        return client.post(
            f"/api/projects/{project}/references/uploads",
            params={"panel": panel, "name": name, "label": f"label.reference|name={name}"},
            content=picture(1, (90, 70)) if data is None else data,
            headers=BYTES,
        )

    return send


@pytest.fixture
def edit(client, project):
    """A function that edits the old pictures of panels."""

    def send(**reference):
        revision = client.get(f"/api/projects/{project}").json()["state"]["revision"]
        body = {"revision": revision, "label": "corners", "references": [reference]}
        return client.post(f"/api/projects/{project}/edits", json=body)

    return send


def test_picture_is_kept_with_the_project(client, project, folder, give):
    given = give().json()["board"]["references"]
    assert given == [{"panel": 0, "file": "1930.png", "corners": None, "believed": False}]
    assert client.get(f"/api/projects/{project}").json()["state"]["board"]["references"] == given
    shown = client.get(f"/api/projects/{project}/references/1930.png/picture", params={"size": 64})
    assert shown.headers["content-type"] == "image/jpeg"
    with Image.open(io.BytesIO(shown.content)) as opened:
        assert opened.size == (64, 50)
    (entry, *_) = client.get(f"/api/projects/{project}/history").json()
    assert (entry["what"], entry["about"]) == ("edit", "label.reference|name=1930.png")
    again = ProjectStore(folder)  # as after a restart
    assert [each.model_dump() for each in again.state().board.references] == given
    again.close()


def test_corners_and_removal_can_be_undone(client, project, give, edit):
    given = give().json()["board"]["references"]
    laid = edit(panel=0, file="1930.png", corners=CORNERS, believed=True).json()
    assert laid["board"]["references"][0]["corners"] == CORNERS
    assert laid["board"]["references"][0]["believed"] is False  # that is not for people to say
    gone = edit(panel=0, file=None).json()
    assert gone["board"]["references"] == []
    for wanted in (laid["board"]["references"], given, []):
        state = client.get(f"/api/projects/{project}").json()["state"]
        revision = {"revision": state["revision"]}
        state = client.post(f"/api/projects/{project}/undo", json=revision).json()
        assert state["board"]["references"] == wanted


def test_version_from_before_the_picture_keeps_it(client, project, give):
    client.post(f"/api/projects/{project}/versions", json={"name": "before"})
    state = give().json()
    path = f"/api/projects/{project}/versions/1/restore"
    back = client.post(path, json={"revision": state["revision"]}).json()
    assert back["board"]["references"] == state["board"]["references"]


def test_same_file_is_kept_once_and_another_of_its_name_beside_it(give, folder, picture):
    give()
    assert give("again.png").json()["board"]["references"][0]["file"] == "1930.png"
    other = give(data=picture(2, (90, 70))).json()
    assert other["board"]["references"][0]["file"] == "1930-2.png"
    assert sorted(path.name for path in (folder / "references").iterdir()) == [
        "1930-2.png",
        "1930.png",
    ]


def _plain():
    stream = io.BytesIO()
    Image.new("RGB", (200, 200), "white").save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "status", "told"),
    [
        ("old.pdf", b"%PDF", 415, "old.pdf is no picture. Give a JPEG"),
        ("old.zip", b"PK", 415, "old.zip is no picture. Give a JPEG"),
        ("old.jpg", b"no picture", 422, "old.jpg is broken, or no picture"),
        ("old.png", None, 422, "old.png has 40×30 px, too few to tell tiles apart."),
        ("old.png", _plain(), 422, "old.png is of one colour: it shows nothing."),
        ("../old.png", b"", 422, "cannot be used"),
    ],
)
def test_what_is_no_old_picture_is_refused(give, folder, picture, name, data, status, told):
    before = sorted(folder.rglob("*"))
    answer = give(name, picture(1, (40, 30)) if data is None else data)
    problem = answer.json()
    assert answer.status_code == status
    assert told in f"{problem['problem']} {problem['remedy']}"
    assert sorted(folder.rglob("*")) == before


def test_damaged_picture_is_refused(give, picture):
    answer = give("old.png", picture(1, (90, 70))[:4000])
    assert answer.status_code == 422
    assert answer.json()["code"] == "picture-broken"


def test_large_picture_is_refused_before_it_is_sent(client, project):
    answer = client.post(
        f"/api/projects/{project}/references/uploads",
        params={"panel": 0, "name": "old.png", "label": "add"},
        content=b"",
        headers=BYTES | {"Content-Length": str(10**9)},
    )
    assert answer.status_code == 413
    assert answer.json()["code"] == "file-too-large"


def test_picture_of_no_panel_and_unknown_files_are_refused(client, project, give, edit):
    assert give(panel=7).json()["code"] == "panel-unknown"
    assert edit(panel=0, file="other.png").json()["code"] == "reference-unknown"
    assert edit(panel=0, file="../project.db").status_code == 422
    shown = client.get(f"/api/projects/{project}/references/project.db/picture")
    assert (shown.status_code, shown.json()["code"]) == (404, "reference-unknown")


def test_link_to_a_panel_does_not_show_its_old_picture(client, project, give):
    give()
    made = client.post(f"/api/projects/{project}/links", json={"panel": 0, "name": "x"}).json()
    shared = client.post("/api/shared", json={"secret": made["secret"]}).json()
    assert shared["board"]["references"] == []


def test_zip_of_a_project_has_the_picture(make_store, work):
    store = make_store(2, 2)
    Image.fromarray(np.eye(80, dtype=np.uint8) * 255).save(store.folder / "references/old.png")
    store.put_reference(PanelReference(panel=0, file="old.png"), "add")
    name = work(store, ExportRequest(what="project")).job.download
    with zipfile.ZipFile(store.folder / "exports" / name) as archive:
        assert any(each.endswith("references/old.png") for each in archive.namelist())
