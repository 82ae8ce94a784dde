"""Projects made from a result of solve or a folder of tiles."""

import json

import pytest
from PIL import Image

from azulejar.app.local_projects import is_openable, open_local
from azulejar.errors import AzulejarError


@pytest.fixture
def result(tmp_path):
    """A function that writes a result of two tiles; ``shade`` is what they look like."""
    folder = tmp_path / "result"
    tiles = tmp_path / "tiles"

    def write(shade=0, rows=(0, 1), **other):
        folder.mkdir(exist_ok=True)
        tiles.mkdir(exist_ok=True)
        placed = [
            {"file": f"{n}.png", "row": row, "col": 0, "turn": 0, "panel": 3 * n}
            for n, row in enumerate(rows)
        ]
        for each in placed:
            Image.new("RGB", (8, 8), (shade, 0, each["row"])).save(tiles / each["file"])
        solution = {"format": "azulejar-solution/1", "rows": 2, "cols": 1, "folder": "../tiles"}
        text = json.dumps(solution | {"tiles": placed} | other)
        (folder / "solution.json").write_text(text)
        return folder

    return write


def _rows(store):
    return [each.row for each in store.state().board.placed]


def test_sources_are_told_from_folders_of_projects(result, tmp_path, workspace):
    folder = result()
    assert is_openable(folder)
    assert is_openable(folder / "solution.json")
    assert is_openable(tmp_path / "tiles")
    assert not is_openable(workspace.folder)
    assert not is_openable(tmp_path / "nothing")


def test_panels_are_numbered_without_gaps(workspace, result):
    store = workspace.open(open_local(workspace, result()))
    assert [each.panel for each in store.state().board.placed] == [0, 1]
    assert store.state().board.panels == ["1", "2"]


def test_the_same_result_opens_the_same_project(workspace, result):
    first = open_local(workspace, result())
    assert open_local(workspace, result()) == first
    assert len(workspace.open(first).versions()) == 1
    assert workspace.open(first).settings().one_size  # its tiles were accepted when it was solved


def test_a_newer_solution_of_the_same_tiles_is_another_version(workspace, result):
    folder = result(rows=(5, 0))
    first = open_local(workspace, folder)
    text = (folder / "solution.json").read_text()
    (folder / "solution.json").write_text(text.replace('"row": 0', '"row": 9'))
    assert open_local(workspace, folder) == first
    store = workspace.open(first)
    assert _rows(store) == [5, 9]
    assert [version.source for version in store.versions()] == ["open", "open"]
    store.undo(store.state().revision)
    assert _rows(store) == [5, 0]
    assert store.state().undo is None  # what was opened first is where undo ends


def test_other_tiles_under_the_same_names_are_another_project(workspace, result):
    first = open_local(workspace, result(shade=0))
    second = open_local(workspace, result(shade=99))
    assert first != second
    assert open_local(workspace, result(shade=99)) == second


def test_what_goes_wrong_leaves_no_project(workspace, result, tmp_path):
    folder = result()
    (tmp_path / "tiles" / "0.png").write_bytes(b"broken")
    with pytest.raises(AzulejarError, match=r"0\.png is broken"):
        open_local(workspace, folder)
    assert [path.name for path in workspace.folder.iterdir()] == [".lock"]


def test_progress_is_told_while_tiles_are_copied(workspace, result):
    told = []
    open_local(workspace, result(), told.append)
    assert told == [0.5, 1.0]


def test_a_long_path_gives_a_short_name(workspace, tmp_path):
    folder = tmp_path / ("a" * 100) / ("b" * 100)
    folder.mkdir(parents=True)
    Image.new("RGB", (8, 8)).save(folder / "1.png")
    project = open_local(workspace, folder)
    assert len(workspace.open(project).name) <= 120
