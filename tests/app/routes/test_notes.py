"""Notes on tiles, joints and panels."""

import pytest

from azulejar.app.http.errors import Forbidden
from azulejar.app.people.roles import Person, Role
from azulejar.app.schemas.people import NewNote

JOINT = {"tile": 2, "side": 3, "other": 1, "other_side": 1}


def test_notes_are_on_a_tile_a_joint_or_a_panel(client, project):
    path = f"/api/projects/{project}/notes"
    for place in ({"tile": 1}, {"joint": JOINT}, {"panel": 0}):
        made = client.post(path, json={"text": "chipped", **place})
        assert made.status_code == 201, made.text
    notes = client.get(path).json()
    assert notes == client.get(f"/api/projects/{project}").json()["notes"]
    assert [(n["tile"], n["panel"], bool(n["joint"])) for n in notes] == [
        (1, None, False), (None, None, True), (None, 0, False),
    ]  # fmt: skip
    assert notes[1]["joint"] == {"tile": 1, "side": 1, "other": 2, "other_side": 3}
    for wrong in ({}, {"tile": 1, "panel": 0}, {"tile": 1, "text": " "}):
        assert client.post(path, json={"text": "x", **wrong}).status_code == 422


def test_a_removed_note_comes_back(client, project):
    path = f"/api/projects/{project}/notes"
    note = client.post(path, json={"text": "chipped", "tile": 1}).json()
    assert client.delete(f"{path}/{note['note']}").status_code == 204
    assert client.get(path).json() == []
    assert client.post(f"{path}/{note['note']}/restore").json() == note
    assert client.get(path).json() == [note]
    assert client.delete(f"{path}/9").json()["code"] == "note-unknown"
    kinds = [each["what"] for each in client.get(f"/api/projects/{project}/history").json()]
    assert kinds[:3] == ["note", "note-removed", "note"]


def test_others_notes_are_removed_by_managers_alone(workspace, project):
    notes = workspace.open(project).notes
    made = notes.add(NewNote(text="mine", tile=1), "Ana")
    with pytest.raises(Forbidden, match="by Ana"):
        notes.remove(made.note, Person("Rui", Role.WORK))
    notes.remove(made.note, Person("Eva", Role.MANAGE))
    assert notes.all() == []
