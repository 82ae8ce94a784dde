"""Jobs that add_pictures tiles: import, cut and the demo."""

import shutil

import numpy as np
import pytest

from azulejar.app.job_schemas import CutRequest, DemoRequest, ImportRequest
from azulejar.app.jobs import context as job_context
from azulejar.app.jobs import cut_job
from azulejar.app.jobs.context import Stopped
from azulejar.app.jobs.import_job import copy_tile
from azulejar.app.schemas import LOOSE, NewProjectTile
from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import ImportSettings, import_photograph
from azulejar.imaging.photographs.photo_files import PhotoFile
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.imaging.walls.detect import ENOUGH, DetectedGrid
from azulejar.practice.scenes import SCENES, render_scene

CORNERS = [(70, 60), (393, 70), (390, 325), (58, 320)]


@pytest.fixture(scope="session")
def photograph(painting):
    """Six tiles on a scanner."""
    cells = [
        painting[r * 64 : r * 64 + 64, c * 64 : c * 64 + 64] for r in (2, 3) for c in (2, 3, 4)
    ]
    tiles = np.stack([np.kron(cell, np.ones((2, 2, 1), np.uint8)) for cell in cells])
    return render_scene(SCENES["scanner"], tiles, (400, 600), 0).picture


@pytest.fixture(scope="session")
def wall(painting):
    """Four rows of five tiles of 64 px, with joints, on a grey wall."""
    pixels = painting[:256, :320].copy()
    pixels[::64] = pixels[63::64] = 120
    pixels[:, ::64] = pixels[:, 63::64] = 120
    wall = np.full((256 + 128, 320 + 128, 3), 200, np.uint8)
    wall[64:320, 64:384] = pixels
    return wall


@pytest.fixture(scope="session")
def imported(tmp_path_factory, photograph):
    """What the library leaves of two photographs, one of them without tiles: done once."""
    home = tmp_path_factory.mktemp("imported")
    write_picture(home / "photographs" / "table.png", photograph)
    write_picture(home / "photographs" / "empty.png", np.full((200, 300, 3), 90, np.uint8))
    (home / "work" / "import" / ".import").mkdir(parents=True)
    records = ImportLog(home / "work" / "import")
    import_photograph(records, PhotoFile(home / "photographs" / "table.png"), ImportSettings())
    return home


@pytest.fixture
def store(make_store, imported):
    """A project whose import was stopped at the last moment."""
    store = make_store(rows=0)
    for part in ("photographs", "work"):
        shutil.copytree(imported / part, store.folder / part, dirs_exist_ok=True)
    return store


def test_photographs_become_tiles_in_the_tray(store, work):
    done = work(store, ImportRequest())
    names = [f"table_{k:02}" for k in range(1, 7)]
    assert [tile.number for tile in store.tiles()] == names
    assert {each.panel for each in store.state().board.placed} == {LOOSE}
    assert sorted(path.stem for path in (store.folder / "tiles").glob("*.png")) == names
    assert all(tile.doubt in (None, tile.note) for tile in store.tiles())
    assert any("empty" in note.text for note in done.job.notes)
    assert work(store, ImportRequest()).result.tiles == []


def test_a_photograph_is_imported_anew_for_other_colours(store, work):
    work(store, ImportRequest())
    before = read_picture(store.folder / "tiles" / "table_01.png")
    first = store.tiles()[0]
    store.add_tiles([NewProjectTile(**first.model_dump(exclude={"tile"}) | {"crate": "7"})])
    work(store, ImportRequest(colour="grey-world"))
    assert len(store.tiles()) == 6
    assert store.tiles()[0].crate == "7"
    assert (read_picture(store.folder / "tiles" / "table_01.png") != before).any()


def test_an_import_never_takes_the_place_of_another_tile(tmp_path):
    new, old = np.full((8, 8, 3), 9, np.uint8), np.full((8, 8, 3), 7, np.uint8)
    source, target = tmp_path / "import" / "a.png", tmp_path / "tiles" / "a.png"
    write_picture(source, new)
    write_picture(target, old)
    with pytest.raises(AzulejarError, match="another tile a"):
        copy_tile(source, target, earlier=set())
    assert read_picture(target).max() == 7
    copy_tile(source, target, earlier={"a.png"})
    assert read_picture(target).max() == 9
    copy_tile(source, target, earlier=set())  # the same picture is no other tile


def test_nothing_to_import_is_said(make_store, work):
    with pytest.raises(AzulejarError, match="no photographs"):
        work(make_store(rows=0), ImportRequest())


def test_a_photographed_panel_is_cut_with_every_tile_in_its_place(make_store, work, wall):
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    done = work(store, CutRequest(file="parede.png", rows=4, cols=5, corners=CORNERS))
    board = store.state().board
    files = {tile.tile: tile.file for tile in store.tiles()}
    assert {(files[p.tile], p.panel, p.row, p.col) for p in board.placed} == {
        (f"parede_r{r + 1:02}_c{c + 1:02}.png", 0, r, c) for r in range(4) for c in range(5)
    }
    assert board.panels == ["parede"]
    assert store.versions()[-1].source == "cut"
    assert done.job.version is not None
    work(store, CutRequest(file="parede.png", rows=4, cols=5, corners=CORNERS))
    assert store.state().board.panels == ["parede", "parede"]
    assert len(store.tiles()) == 40
    assert "parede-2_r01_c01.png" in {tile.file for tile in store.tiles()}


@pytest.mark.parametrize("name", ["other.png", "../panel/parede.png", "tiles.csv"])
def test_only_uploaded_photographs_are_cut(make_store, work, wall, name):
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    (store.folder / "panel" / "tiles.csv").write_text("file\n")
    with pytest.raises(AzulejarError, match="There is no photograph"):
        work(store, CutRequest(file=name))


def test_without_corners_the_largest_panel_is_cut_and_the_others_are_named(
    make_store, work, wall, plain_grid, monkeypatch
):
    found = [DetectedGrid(plain_grid(4, 5), ENOUGH), DetectedGrid(plain_grid(2, 3), ENOUGH)]
    monkeypatch.setattr(cut_job, "detect_grids", lambda picture, progress: found)
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    done = work(store, CutRequest(file="parede.png"))
    assert len(store.tiles()) == 20
    (note,) = [note for note in done.job.notes if note.code == "cut-another-panel"]
    assert "2 rows × 3 cols" in note.text
    assert note.values == {"rows": 2, "cols": 3}
    done = work(store, CutRequest(file="parede.png", rows=2))
    assert len(store.tiles()) == 26
    assert not any("another panel" in note.text for note in done.job.notes)


def test_a_doubtful_grid_asks_for_the_corners(make_store, work, wall, plain_grid, monkeypatch):
    doubtful = [DetectedGrid(plain_grid(4, 5), ENOUGH - 1)]
    monkeypatch.setattr(cut_job, "detect_grids", lambda picture, progress: doubtful)
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    with pytest.raises(AzulejarError, match="not certain") as refused:
        work(store, CutRequest(file="parede.png"))
    assert "four corners" in refused.value.remedy
    assert store.tiles() == []
    assert not any((store.folder / "tiles").iterdir())


def test_more_tiles_than_a_project_takes_are_refused(make_store, work, wall, monkeypatch):
    monkeypatch.setattr(job_context, "MAX_FILES", 19)
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    with pytest.raises(AzulejarError, match="takes 19 tiles"):
        work(store, CutRequest(file="parede.png", rows=4, cols=5, corners=CORNERS))


def test_a_stop_in_the_middle_leaves_no_tiles(make_store, work, monkeypatch):
    pixels = np.zeros((3, 8, 8, 3), np.uint8)
    monkeypatch.setattr("azulejar.app.jobs.demo_job.worn_puzzle", lambda seed: (pixels, None))
    store = make_store(rows=0)
    with pytest.raises(Stopped):
        work(store, DemoRequest(), stop="painting")
    assert not any((store.folder / "tiles").iterdir())


def test_the_demo_is_the_one_of_the_command_line(make_store, work, painting, monkeypatch):
    pixels = np.zeros((140, 8, 8, 3), np.uint8)
    monkeypatch.setattr("azulejar.app.jobs.demo_job.worn_puzzle", lambda seed: (pixels, None))
    store = make_store(rows=0)
    work(store, DemoRequest())
    assert [tile.file for tile in store.tiles()][:2] == ["tile_0001.png", "tile_0002.png"]
    assert len(store.tiles()) == 140
    assert read_picture(store.folder / "tiles" / "tile_0140.png").shape == (8, 8, 3)
