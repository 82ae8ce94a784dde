"""The light of one photograph, undone as it is imported."""

import pytest

from azulejar.imaging.photographs import undo_light
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import ImportSettings, import_photograph
from azulejar.imaging.photographs.photo_files import PhotoFile
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.practice.scenes import SCENES, render_scene

pytestmark = pytest.mark.usefixtures("find_tiles_once")


def test_the_light_of_a_photograph_is_recorded(tmp_path, painted, monkeypatch):
    monkeypatch.setattr(undo_light, "ENOUGH_TILES", 6)
    picture = render_scene(
        SCENES["light cloth"], painted[:6], (600, 900), 0, lamp=(0.9, 0.8, 0.7), chart=True
    ).picture
    write_picture(tmp_path / "cloth.png", picture)
    kept = {}
    for colour in (Colour.AUTO, Colour.OFF):
        log = ImportLog(tmp_path / colour)
        record = import_photograph(log, PhotoFile(tmp_path / "cloth.png"), ImportSettings(colour))
        assert log.all() == [record]
        assert record.light.source == "chart"
        assert len(record.tiles) == record.light.tiles == 6
        red, green, blue = record.light.reference
        assert red > green > blue
        kept[colour] = record.light.evened, read_picture(log.folder / record.tiles[0].file)
    assert [evened for evened, _ in kept.values()] == [True, False]
    assert (kept[Colour.AUTO][1] != kept[Colour.OFF][1]).any()
