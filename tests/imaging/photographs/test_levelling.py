"""Photographs of one import come to a common white."""

from dataclasses import replace

import numpy as np
import pytest

from azulejar.imaging.photographs.import_log import (
    ImportedPhoto,
    ImportedTile,
    ImportLog,
    write_record,
)
from azulejar.imaging.photographs.levelling import level_photographs, light_doubt, report_light
from azulejar.imaging.photographs.light import PhotoLight
from azulejar.imaging.picture import read_picture, write_picture

GLAZE = np.array([220.0, 215, 205])
LAMPS = {"a": (1.0, 1.0, 1.0), "b": (0.8, 0.85, 0.9), "c": (1.1, 1.0, 0.85)}
CHART = (240.0, 240.0, 240.0)


@pytest.fixture
def log(tmp_path):
    return ImportLog(tmp_path / "tiles")


def add(log, name, lamp, colour="auto", **light):
    """Record a photograph of one plain tile under a lamp, its glaze read without error."""
    seen = GLAZE * lamp
    known = {"glaze": tuple(seen), "errors": (0.0, 0.0), "tiles": 16} | light
    tile = ImportedTile(f"{name}_01.png", "", 0, 0, 0, 1, [[0, 0]] * 4, False)
    record = ImportedPhoto(f"/{name}.jpg", name, {"colour": colour}, (tile,), PhotoLight(**known))
    with log.writing(name) as folder:
        write_picture(folder / tile.file, np.full((8, 8, 3), seen.round(), np.uint8))
        write_record(folder, record)


def colours(log):
    return np.array([read_picture(path)[0, 0] for path in sorted(log.folder.glob("*.png"))], float)


def test_photographs_come_to_the_light_of_most(log):
    for name, lamp in LAMPS.items():
        add(log, name, lamp)
    assert report_light(log.all()).before.tint > 0.05
    assert level_photographs(log) == {"a", "b", "c"}
    assert np.abs(colours(log) - colours(log)[0]).max() <= 1
    report = report_light(log.all())
    assert report.before.tint > 0.05
    assert report.after.tint < 0.001
    assert level_photographs(log) == set()


def test_later_photographs_come_to_the_light_of_earlier_ones(log):
    for name in ("a", "b"):
        add(log, name, LAMPS[name])
    level_photographs(log)
    before = colours(log)
    add(log, "c", LAMPS["c"])
    assert level_photographs(log) == {"c"}
    np.testing.assert_array_equal(colours(log)[:2], before)
    assert np.abs(colours(log) - before[0]).max() <= 1


def test_differences_that_may_be_chance_are_left_alone(log):
    for name, lamp in LAMPS.items():
        add(log, name, lamp, errors=(0.1, 0.1))
    before = colours(log)
    level_photographs(log)
    np.testing.assert_array_equal(colours(log), before)


@pytest.mark.parametrize("light", [{"tiles": 1}, {"tiles": 3}])
def test_the_glaze_of_few_tiles_changes_nothing_but_is_warned_of(log, light):
    for name, lamp in LAMPS.items():
        add(log, name, lamp, **light)
    before = colours(log)
    assert level_photographs(log) == set()
    np.testing.assert_array_equal(colours(log), before)
    doubt = light_doubt(log.all())
    assert doubt.code == "import-light-unknown"
    assert doubt.values["count"] == 3
    add(log, "d", LAMPS["a"], colour="off", **light)
    assert light_doubt(log.all()[-1:]) is None


def test_glaze_is_believed_if_it_was_asked_for(log):
    for name, lamp in LAMPS.items():
        add(log, name, lamp, colour="glaze", tiles=1, errors=(0.1, 0.1))
    level_photographs(log)
    assert np.abs(colours(log) - colours(log)[0]).max() <= 1


def test_off_changes_nothing(log):
    for name, lamp in LAMPS.items():
        add(log, name, lamp, colour="off")
    assert level_photographs(log) == set()


def test_a_chart_is_believed_more_than_glaze_and_becomes_neutral(log):
    """Each photograph shows other tiles, so that the glaze read differs from that of all."""
    painted = {"a": (1.0, 1.0, 1.0), "b": (0.9, 0.9, 0.95), "c": (1.05, 1.05, 1.0)}
    for name, lamp in LAMPS.items():
        reference = tuple(np.array(CHART) * lamp)
        add(log, name, lamp, glaze=tuple(GLAZE * lamp * painted[name]), tiles=1,
            reference=reference, source="chart")  # fmt: skip
    level_photographs(log)
    assert np.abs(colours(log) - colours(log)[0]).max() <= 1
    for record in log.all():
        neutral = np.array(record.light.reference) * record.light.gains
        assert np.ptp(neutral) < 0.1
    add(log, "d", (0.7, 0.8, 0.9), glaze=(90.0, 90.0, 90.0), tiles=1,
        reference=tuple(np.array(CHART) * (0.7, 0.8, 0.9)), source="chart")  # fmt: skip
    level_photographs(log)
    assert np.abs(colours(log) - colours(log)[0]).max() <= 1


def test_photographs_without_a_chart_come_to_those_with_one(log):
    add(log, "a", LAMPS["a"], reference=CHART, source="chart")
    add(log, "b", LAMPS["b"])
    add(log, "c", LAMPS["c"])
    level_photographs(log)
    assert np.abs(colours(log) - colours(log)[0]).max() <= 1


def test_a_reading_far_from_the_others_is_not_believed(log):
    add(log, "a", LAMPS["a"])
    add(log, "b", LAMPS["a"])
    add(log, "c", (1.0, 0.2, 0.2))
    before = colours(log)
    level_photographs(log)
    np.testing.assert_array_equal(colours(log), before)


def test_records_without_light_are_left_alone(log):
    add(log, "a", LAMPS["a"])
    add(log, "b", LAMPS["b"])
    record = log.read("b")
    with log.writing("b") as folder:
        write_record(folder, replace(record, light=None))
    assert level_photographs(log) == {"a"}
    assert report_light(log.all()) is None
