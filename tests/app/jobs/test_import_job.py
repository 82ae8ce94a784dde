"""The job import: photographs become tiles in the tray."""

import shutil
import threading

import numpy as np
import pytest
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.app.jobs import import_job
from azulejar.app.schemas.boards import LOOSE
from azulejar.app.schemas.jobs import ImportRequest
from azulejar.app.schemas.tiles import NewProjectTile
from azulejar.app.uploads.imported import copy_tile
from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.import_log import (
    ImportedFragment,
    ImportedPhoto,
    ImportLog,
    write_record,
)
from azulejar.imaging.photographs.importing import ImportSettings, import_photograph
from azulejar.imaging.photographs.photo_files import PhotoFile
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.practice.breaking import break_tile
from azulejar.practice.scenes import SCENES, render_scene


@pytest.fixture(scope="session")
def photograph(painting):
    """Two tiles on a scanner."""
    tiles = np.stack([painting[128:192, left : left + 64] for left in (128, 192)])
    return render_scene(SCENES["scanner"], tiles, (200, 330), 0).picture


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
    record = store.folder / "work" / "import" / ".import" / "table.json"
    record.write_text(
        record.read_text("utf-8").replace('"outer": ""', '"outer": "top"', 1), "utf-8"
    )
    done = work(store, ImportRequest())
    names = [f"table_{k:02}" for k in (1, 2)]
    assert [tile.number for tile in store.tiles()] == names
    assert {each.panel for each in store.state().board.placed} == {LOOSE}
    assert sorted(path.stem for path in (store.folder / "tiles").glob("*.png")) == names
    assert all(tile.doubt in (None, tile.note) for tile in store.tiles())
    assert [tile.outer for tile in store.tiles()] == ["top", None]
    assert any("empty" in note.text for note in done.job.notes)
    assert work(store, ImportRequest()).result.tiles == []


def test_fragments_of_a_tile_are_joined_where_it_is_sure(store, work, painting):
    pieces = break_tile(painting[64:192, 64:192], 2, np.random.default_rng(3))
    files = [f"fragments/broken_f{k:02}.png" for k in (1, 2)]
    with ImportLog(store.folder / "work" / "import").writing("broken") as folder:
        for file, piece in zip(files, pieces, strict=True):
            write_picture(folder / file, np.pad(piece, ((9, 9), (9, 9), (0, 0))))
        found = tuple(ImportedFragment(file, 128, []) for file in files)
        record = ImportedPhoto("broken.jpg", "0", {"colour": "auto"}, (), None, found)
        write_record(folder, record)
    done = work(store, ImportRequest())
    told = next(note for note in done.job.notes if note.code == "fragments-joined")
    assert told.values == {"count": 2, "tiles": 1, "waiting": 0}
    joined = next(tile for tile in store.tiles() if tile.number == "broken_f01+f02")
    assert joined.note == "joined from broken_f01, broken_f02"
    assert (store.folder / "tiles" / joined.file).is_file()
    assert store.source_of(joined.file) is None
    assert work(store, ImportRequest()).result.tiles == []


def test_a_photograph_is_imported_anew_for_other_colours(store, work):
    work(store, ImportRequest())
    before = read_picture(store.folder / "tiles" / "table_01.png")
    first = store.tiles()[0]
    store.add_tiles([NewProjectTile(**first.model_dump(exclude={"tile"}) | {"crate": "7"})])
    work(store, ImportRequest(colour="grey-world"))
    assert len(store.tiles()) == 2
    assert store.tiles()[0].crate == "7"
    assert (read_picture(store.folder / "tiles" / "table_01.png") != before).any()


def test_photographs_in_different_light_come_to_one_if_asked(store, work, photograph):
    lit = (photograph * np.array([0.7, 0.8, 0.9])).astype(np.uint8)
    write_picture(store.folder / "photographs" / "tinted.png", lit)
    done = work(store, ImportRequest())
    assert "import-light-unknown" in {note.code for note in done.job.notes}
    work(store, ImportRequest(colour="glaze"))
    one, two = (
        read_picture(store.folder / "tiles" / f"{name}_01.png").mean(axis=(0, 1))
        for name in ("table", "tinted")
    )
    np.testing.assert_allclose(one, two, atol=3)


def test_a_stop_keeps_what_is_imported_and_does_not_wait_for_the_rest(store, work, monkeypatch):
    release = threading.Event()

    def dawdle(log, sources, settings, stop, *_):
        assert settings.half_tiles
        if sources[0].name == "table":
            return {"table"}
        stop.set()
        return release.wait(60)

    monkeypatch.setattr(import_job, "import_photographs", dawdle)
    (store.folder / "photographs" / "empty.png").rename(store.folder / "photographs" / "z.png")
    done = work(store, ImportRequest(half_tiles=True))
    assert not release.is_set()
    release.set()
    assert done.result.stopped
    assert [tile.number for tile in store.tiles()] == ["table_01", "table_02"]


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


def test_photographs_that_cannot_be_imported_are_left_out_if_asked(make_store, work):
    store = make_store(rows=0)
    empty = np.full((120, 180, 3), 90, np.uint8)
    for name in ("a", "b"):
        write_picture(store.folder / "photographs" / f"{name}.png", empty)
    with pytest.raises(AzulejarError, match="None of the 2 photographs"):
        work(store, ImportRequest())
    for left_out, reason in ((["a"], "^b"), (["b"], "There are no photographs")):
        with pytest.raises(AzulejarError, match=reason):
            work(store, ImportRequest(leave_out=left_out))
    assert {path.name for path in (store.folder / "left-out").iterdir()} == {"a.png", "b.png"}


def test_nothing_to_import_is_said(make_store, work):
    with pytest.raises(AzulejarError, match="no photographs"):
        work(make_store(rows=0), ImportRequest())


def test_a_note_names_photographs_whose_exif_data_are_damaged(store, work, photograph):
    path = store.folder / "photographs" / "damaged.png"
    Image.fromarray(photograph).save(path, exif=DAMAGED["no header"])
    notes = [each for each in work(store, ImportRequest()).job.notes if "EXIF" in each.text]
    assert [each.values["files"] for each in notes] == ["damaged.png"]


def test_sizes_are_noted_by_the_side_of_a_whole_tile(store, work):
    shutil.rmtree(store.folder / "work" / "import")  # what the fixture has imported
    (note,) = (n for n in work(store, ImportRequest(side=14)).job.notes if "size" in n.code)
    assert (note.code, note.values["tiles"]) == ("size-whole", 2)
    assert note.values["long"] == pytest.approx(14, rel=0.03)
    assert note.text.startswith("Whole tiles: 2, 14.")
