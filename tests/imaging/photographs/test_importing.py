"""Photographs one by one, each whole or not at all."""

import errno
import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageCms

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import ImportLog, write_record
from azulejar.imaging.photographs.importing import (
    ImportSettings,
    StepError,
    import_photograph,
    import_photographs,
    is_imported,
)
from azulejar.imaging.photographs.photo_files import PhotoFile
from azulejar.imaging.picture import colour_profile, date_taken

TAKEN = "2024:05:17 10:30:00"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
pytestmark = pytest.mark.usefixtures("find_tiles_once")


@pytest.fixture
def source(tmp_path, photograph):
    """A photograph of six tiles on wood, with profile and date."""
    path = tmp_path / "wood.jpg"
    exif = Image.Exif()
    exif[0x8769] = {36867: TAKEN}
    picture = Image.fromarray(photograph("wood", 6).picture)
    picture.save(path, quality=95, icc_profile=PROFILE, exif=exif.tobytes())
    return PhotoFile(path)


def test_tiles_keep_profile_date_and_size(tmp_path, source):
    before = source.path.read_bytes()
    record = import_photograph(ImportLog(tmp_path / "tiles"), source, ImportSettings(review=True))
    assert [tile.file for tile in record.tiles] == [f"wood_{k:02}.png" for k in range(1, 7)]
    for tile in record.tiles:
        path = tmp_path / "tiles" / tile.file
        assert colour_profile(path) == PROFILE
        assert date_taken(path) == TAKEN
        sides = np.array(tile.corners) - np.roll(tile.corners, 1, axis=0)
        longest = np.linalg.norm(sides, axis=1).max()
        with Image.open(path) as picture:
            assert picture.size == (round(longest), round(longest))
    assert source.path.read_bytes() == before
    assert (tmp_path / "tiles" / "review" / "wood.jpg").is_file()


def test_what_is_done_is_known_by_contents_and_settings(tmp_path, source):
    records = ImportLog(tmp_path / "tiles")
    assert not is_imported(records, source, ImportSettings())
    import_photograph(records, source, ImportSettings())
    assert is_imported(records, source, ImportSettings())
    assert is_imported(records, source, ImportSettings(review=True))
    assert not is_imported(records, source, ImportSettings(Colour.GREY_WORLD))
    assert not is_imported(records, source, ImportSettings(Colour.OFF))
    (tmp_path / "moved").mkdir()
    moved = PhotoFile(source.path.rename(tmp_path / "moved" / "wood.jpg"))
    assert is_imported(records, moved, ImportSettings())
    moved.path.write_bytes(moved.path.read_bytes() + b"changed")
    with pytest.raises(AzulejarError, match="another photograph of the name wood"):
        is_imported(records, moved, ImportSettings())
    moved.path.rename(source.path)
    assert not is_imported(records, source, ImportSettings())


def test_what_earlier_versions_left_alone_is_not_imported_again(tmp_path, source):
    records = ImportLog(tmp_path / "tiles")
    record = import_photograph(records, source, ImportSettings(Colour.OFF))
    assert not is_imported(records, source, ImportSettings())
    with records.writing(source.name) as folder:
        write_record(folder, replace(record, settings={"colour": "none"}, light=None))
    assert is_imported(records, source, ImportSettings())
    assert is_imported(records, source, ImportSettings(Colour.NONE))
    assert is_imported(records, source, ImportSettings(Colour.OFF))
    assert not is_imported(records, source, ImportSettings(Colour.GLAZE))


def test_grey_world_changes_colours_and_none_does_not(tmp_path, source, photograph):
    plain = import_photograph(ImportLog(tmp_path / "plain"), source, ImportSettings())
    grey = import_photograph(
        ImportLog(tmp_path / "grey"), source, ImportSettings(Colour.GREY_WORLD)
    )
    assert [tile.corners for tile in plain.tiles] == [tile.corners for tile in grey.tiles]
    one, other = (
        np.asarray(Image.open(tmp_path / name / "wood_01.png")) for name in ("plain", "grey")
    )
    # The photograph is of brown wood, so the balance takes red away.
    assert one[..., 0].mean() / one[..., 2].mean() > other[..., 0].mean() / other[..., 2].mean()


def test_a_full_disk_is_no_fault_of_the_photographs(tmp_path, source, monkeypatch):
    def write(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", write)
    told = []
    with pytest.raises(AzulejarError) as refused:
        import_photographs(
            ImportLog(tmp_path / "tiles"), [source] * 2, ImportSettings(), threading.Event(),
            told.append, told.append,
        )  # fmt: skip
    assert refused.value.code == "output-write-failed"
    assert not told


@pytest.mark.parametrize(
    ("settings", "picture", "step", "saved"),
    [
        (ImportSettings(), Image.new("RGB", (400, 600), (90, 80, 70)), "finding", True),
        (ImportSettings(Colour.CARD), None, "colour", True),
        (ImportSettings(), b"no picture", "reading", False),
    ],
)
def test_a_step_that_fails_is_named_and_shown(tmp_path, source, settings, picture, step, saved):
    if isinstance(picture, bytes):
        source.path.write_bytes(picture)
    elif picture:
        picture.save(source.path)
    records = ImportLog(tmp_path / "tiles")
    with pytest.raises(StepError, match=rf"wood\.jpg, {step}: "):
        import_photograph(records, source, settings)
    assert (records.folder / "review" / "failed" / f"wood_{step}.jpg").is_file() is saved
    assert records.all() == []
    assert list(records.folder.glob("*.png")) == []
