"""The folder of projects."""

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from azulejar.app import workspace as module
from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects.database import MOST_CONNECTED
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.jobs import DemoRequest
from azulejar.app.schemas.tiles import NewProjectTile
from azulejar.app.workspace import BIN, NEW, Workspace, default_folder
from azulejar.errors import AzulejarError


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("Santa Clara", "santa-clara"),
        ("Painel nº 3 – Água", "painel-no-3-agua"),
        ("青い", "project"),
        ("../../etc", "etc"),
        ("-", "project"),
        ("x" * 120, "x" * 48),
    ],
)
def test_ids_come_from_names(workspace, name, project):
    made, store = workspace.create(name)
    assert (made, store.name) == (project, name)
    assert store.folder == workspace.folder / project
    assert workspace.open(project) is store
    assert workspace.create(name)[0] == f"{project}-2"


def test_projects_are_listed_by_their_last_change(workspace, monkeypatch):
    clock = iter(f"2030-01-0{day}T00:00:00+00:00" for day in range(1, 10))
    monkeypatch.setattr("azulejar.app.projects.database.now", lambda: next(clock))
    workspace.create("A")
    workspace.create("B")
    workspace.open("a").rename("A now")
    assert [each.name for each in workspace.projects()] == ["A now", "B"]


def test_many_projects_are_listed_without_being_held_open(workspace, monkeypatch):
    for _ in range(3):
        workspace.create("many")
    listed = workspace.projects()
    workspace.close()
    again = Workspace(workspace.folder)
    assert again.projects() == listed
    assert all(again.opened(each.project) is None for each in listed)
    monkeypatch.setattr(module, "ProjectStore", None)  # what has not changed is not looked at again
    assert again.projects() == listed
    monkeypatch.undo()
    again.open("many").rename("Other")
    assert sorted(each.name for each in again.projects()) == ["Other", "many", "many"]
    again.close()


def test_a_server_with_few_descriptors_has_any_number_of_projects(workspace):
    stores = [workspace.create("many")[1] for _ in range(3 * MOST_CONNECTED)]
    assert sum(store.connected for store in stores) == MOST_CONNECTED
    stores[0].rename("the first")  # is opened again by itself
    assert workspace.open("many") is stores[0]
    assert stores[0].name == "the first"
    assert sum(store.connected for store in stores) == MOST_CONNECTED


def test_other_formats_are_told_truly(workspace):
    for version, code in ((7, "project-format-newer"), (0, "project-format-unknown")):
        _, store = workspace.create("other")
        store.close()
        db = sqlite3.connect(store.folder / "project.db")
        db.execute(f"PRAGMA user_version = {version}")
        db.close()
        with pytest.raises(AzulejarError) as refusal:
            ProjectStore(store.folder)
        assert refusal.value.code == code


def test_a_damaged_project_does_not_hide_the_others(workspace):
    workspace.create("good")
    (workspace.folder / "bad").mkdir()
    (workspace.folder / "bad" / "project.db").write_text("nonsense" * 100)
    (workspace.folder / "mine").mkdir()
    assert [each.project for each in workspace.projects()] == ["good"]
    with pytest.raises(AzulejarError, match="cannot be opened"):
        workspace.open("bad")


def test_a_copied_project_is_found_under_any_name(workspace, tmp_path):
    ProjectStore.create(tmp_path / "x", "Copied").close()
    for name in ("My Panel", "my-panel", "MY PANEL"):
        shutil.copytree(tmp_path / "x", workspace.folder / name)
    assert set(workspace.ids()) == {"my-panel", "my-panel-2", "my-panel-3"}
    assert workspace.open("my-panel").folder.name == "my-panel"
    assert workspace.id_of(workspace.folder / "My Panel") in ("my-panel-2", "my-panel-3")
    assert workspace.create("My panel")[0] == "my-panel-4"


@pytest.mark.parametrize("project", ["nothing", "..", ".bin", "../projects", "a/b", ""])
def test_only_projects_are_opened(workspace, project):
    workspace.create("a")
    with pytest.raises(NotFound):
        workspace.open(project)


def test_the_bin_keeps_what_is_thrown_away(workspace):
    for _ in range(2):
        project, store = workspace.create("old")
        store.add_tiles([NewProjectTile(file="1.png", number="1")])
        workspace.move_to_bin(project)
    assert workspace.projects() == []
    binned = list((workspace.folder / BIN).iterdir())
    assert len(binned) == 2
    shutil.move(binned[0], workspace.folder / "back")
    assert len(workspace.open("back").tiles()) == 1


def test_two_at_once_get_projects_of_their_own(workspace):
    with ThreadPoolExecutor(8) as pool:
        made = [project for project, _ in pool.map(workspace.create, ["Panel"] * 16)]
    assert len(set(made)) == 16
    assert sorted(workspace.ids()) == sorted(made)
    assert not list(workspace.folder.glob(f"{NEW}*"))


def test_what_fails_or_was_killed_in_the_making_leaves_nothing(workspace):
    with pytest.raises(RuntimeError), workspace.making() as folder:
        raise RuntimeError
    assert not folder.exists()
    (workspace.folder / f"{NEW}left").mkdir()
    workspace.close()
    assert Workspace(workspace.folder).projects() == []
    assert not list(workspace.folder.glob(f"{NEW}*"))


def test_one_server_at_a_time(workspace):
    with pytest.raises(AzulejarError, match="in use by another"):
        Workspace(workspace.folder)
    program = "import sys; from azulejar.app.workspace import Workspace; Workspace(sys.argv[1])"
    other = subprocess.run(
        [sys.executable, "-c", program, workspace.folder], capture_output=True, text=True
    )
    assert "in use by another server" in other.stderr
    workspace.close()
    Workspace(workspace.folder).close()


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AzulejarError, match="cannot be used for projects"):
        Workspace(tmp_path / "file")


def test_the_default_is_among_the_documents_or_at_home(tmp_path, monkeypatch):
    documents = tmp_path / "Documents"
    monkeypatch.setattr(module.platformdirs, "user_documents_path", lambda: documents)
    monkeypatch.setattr(module.Path, "home", lambda: tmp_path)
    assert default_folder() == tmp_path / "azulejar"
    documents.mkdir()
    assert default_folder() == documents / "azulejar"


def test_tiles_that_were_moved_in_but_not_entered_are_adopted(workspace, picture):
    project, store = workspace.create("a")
    (store.folder / "tiles" / "7.png").write_bytes(picture())
    (store.folder / "tiles" / "tiles.csv").write_text("file,crate\n7,Box 2\n")
    (store.folder / "tiles" / "broken.png").write_bytes(picture()[:60])
    (store.folder / "work" / "upload-1.png").write_bytes(b"half")
    (store.folder / "work" / "upload-2").mkdir()
    workspace.close()
    again = Workspace(workspace.folder)
    (tile,) = again.open(project).tiles()
    assert (tile.file, tile.number, tile.crate) == ("7.png", "7", "Box 2")
    assert len(again.open(project).state().board.placed) == 1
    assert list((store.folder / "work").iterdir()) == []
    again.close()


def test_what_never_had_anything_in_it_is_removed(workspace):
    project, store = workspace.create("given up")
    coming = store.folder / "work" / "upload-1.png"
    coming.touch()
    workspace.remove_untouched(project)
    assert store.folder.exists()  # an upload is on its way
    coming.unlink()
    workspace.remove_untouched(project)
    assert not store.folder.exists()
    assert workspace.opened(project) is None
    assert not (workspace.folder / BIN).exists()
    workspace.remove_untouched(project)  # twice does no harm


@pytest.mark.parametrize(
    "touch",
    [
        lambda store: store.add_tiles([NewProjectTile(file="1.png", number="1")]),
        lambda store: store.keep_version("mine"),
        lambda store: store.new_job(DemoRequest()),
        lambda store: (store.folder / "photographs" / "a.jpg").touch(),
        lambda store: (store.folder / "tiles" / "tiles.csv").touch(),
    ],
)
def test_what_has_something_in_it_is_never_removed(workspace, touch):
    project, store = workspace.create("begun")
    touch(store)
    workspace.remove_untouched(project)
    assert workspace.open(project) is store


def test_a_renamed_project_is_not_removed(workspace, monkeypatch):
    clock = iter(("2030-01-01T00:00:00+00:00",) * 2 + ("2030-01-01T00:00:05+00:00",))
    monkeypatch.setattr("azulejar.app.projects.database.now", lambda: next(clock))
    project, store = workspace.create("empty")
    store.rename("for tomorrow")
    workspace.remove_untouched(project)
    assert workspace.ids() == [project]


def test_a_deleted_project_is_taken_back(workspace):
    project, store = workspace.create("Santa Clara")
    store.add_tiles([NewProjectTile(file="1.png", number="1")])
    entry = workspace.move_to_bin(project)
    assert [(each.entry, each.name, each.tiles) for each in workspace.deleted()] == [
        (entry, "Santa Clara", 1)
    ]
    workspace.create("Santa Clara")
    assert workspace.restore(entry) == "santa-clara-2"
    assert workspace.open("santa-clara-2").tiles()[0].number == "1"
    assert workspace.deleted() == []
    for wrong in (entry, "../x", "x"):
        with pytest.raises(NotFound, match="not in the bin"):
            workspace.restore(wrong)


def test_the_museum_that_the_server_serves_alone_is_not_deleted(made_museum, tmp_path):
    shutil.copytree(made_museum, tmp_path / "museu")
    workspace = Workspace(tmp_path / "museu")
    workspace.museum("museu")
    with pytest.raises(Conflict, match="the server was started with"):
        workspace.move_to_bin("museu")
    assert list(workspace.museums()) == ["museu"]
    workspace.close()


def test_an_archived_project_is_marked_in_the_list(workspace):
    _, store = workspace.create("Santa Clara")
    store.archive(True, "Ana")
    assert workspace.projects()[0].archived
    store.archive(False, "Ana")
    assert not workspace.projects()[0].archived
    assert [each.what for each in store.history()] == ["project-archived"] * 2


def test_a_museum_that_could_not_be_sorted_is_not_made(workspace, monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(AzulejarError, match="needs faiss"):
        workspace.create_museum("Museu")
    assert workspace.museums() == {}
