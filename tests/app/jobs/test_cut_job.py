"""The job cut: a photographed panel becomes tiles in their places."""

import numpy as np
import pytest
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.app.jobs import context as job_context
from azulejar.app.jobs import cut_job
from azulejar.app.schemas.jobs import CutRequest
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.imaging.walls.detect import ENOUGH, DetectedGrid

CORNERS = [(70, 60), (393, 70), (390, 325), (58, 320)]


@pytest.fixture(scope="session")
def wall(painting):
    """Four rows of five tiles of 64 px, with joints, on a grey wall."""
    pixels = painting[:256, :320].copy()
    pixels[::64] = pixels[63::64] = 120
    pixels[:, ::64] = pixels[:, 63::64] = 120
    wall = np.full((256 + 128, 320 + 128, 3), 200, np.uint8)
    wall[64:320, 64:384] = pixels
    return wall


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


def test_a_grid_is_shown_before_it_is_cut_exactly_so(make_store, work, wall, monkeypatch):
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    request = CutRequest(file="parede.png", rows=4, cols=5, corners=CORNERS, look=True)
    looked = work(store, request).job
    assert (store.tiles(), looked.version) == ([], None)
    assert (looked.grid.rows, looked.grid.cols, looked.grid.width) == (4, 5, 448)
    monkeypatch.setattr(cut_job, "grid_from_corners", None)  # nothing is looked for again
    work(store, CutRequest(file="parede.png", accepted=looked.job))
    assert len(store.tiles()) == 20
    corners = store.source_of("parede_r02_c03.png").corners
    cell = [looked.grid.crossings[row][col] for row, col in ((1, 2), (1, 3), (2, 3), (2, 2))]
    assert corners == cell
    write_picture(store.folder / "panel" / "other.png", wall)
    with pytest.raises(AzulejarError, match="not one of this photograph"):
        work(store, CutRequest(file="other.png", accepted=looked.job))


def test_a_guess_is_shown_where_no_grid_is_sure(make_store, work, wall, plain_grid, monkeypatch):
    found = [DetectedGrid(plain_grid(4, 5), ENOUGH - 1)]
    monkeypatch.setattr(cut_job, "detect_grids", lambda picture, progress: found)
    store = make_store(rows=0)
    write_picture(store.folder / "panel" / "parede.png", wall)
    grid = work(store, CutRequest(file="parede.png", look=True)).job.grid
    assert (grid.rows, grid.cols, grid.sure) == (4, 5, False)


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


def test_a_note_names_a_photograph_whose_exif_data_are_damaged(make_store, work, wall):
    store = make_store(rows=0)
    for name, block in (("whole", b""), ("damaged", DAMAGED["no header"])):
        Image.fromarray(wall).save(store.folder / "panel" / f"{name}.png", exif=block)
        request = CutRequest(file=f"{name}.png", rows=4, cols=5, corners=CORNERS, look=True)
        codes = [note.code for note in work(store, request).job.notes]
        assert ("orientation-hidden" in codes) is (name == "damaged")
