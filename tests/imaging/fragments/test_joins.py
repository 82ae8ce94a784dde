"""Joins of an import: made where sure, and as people say."""

import csv

import numpy as np
import pytest

from azulejar import load_tiles
from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.join_list import LIST, decide_join, read_joins
from azulejar.imaging.fragments.joins import join_imported
from azulejar.imaging.photographs.import_log import (
    ImportedFragment,
    ImportedPhoto,
    ImportLog,
    write_record,
)
from azulejar.imaging.picture import read_picture, write_picture


@pytest.fixture
def tiles(tmp_path, fragments):
    """A folder of imported tiles with the two fragments of a tile, and one of another."""
    log = ImportLog(tmp_path / "tiles")
    kept = fragments[:2] + fragments[-1:]
    with log.writing("table") as folder:
        for each in kept:
            write_picture(folder / "fragments" / each.file, each.picture)
        found = tuple(ImportedFragment(f"fragments/{each.file}", each.side, []) for each in kept)
        settings = {"colour": "off"}
        write_record(folder, ImportedPhoto("table.jpg", "0", settings, (), None, found))
    return log.folder


def verdict(tiles, files, word):
    path = tiles / "fragments" / LIST
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["fragments", "verdict"], [files, word]])


def test_a_sure_join_becomes_a_tile_and_can_be_refused(tiles):
    joins, left = join_imported(tiles)
    assert [join.tile for join in joins] == ["a_1+2.png"]
    assert [fragment.file for fragment in left] == ["c_1.png"]
    assert (read_picture(tiles / "a_1+2.png", alpha=True)[..., 3] == 0).any()
    assert load_tiles(tiles).records[0].note == "joined from a_1, a_2"
    verdict(tiles, "a_1.png a_2.png", "não")
    joins, left = join_imported(tiles)
    assert not joins
    assert len(left) == 3
    assert not (tiles / "a_1+2.png").exists()
    assert "a_1.png a_2.png,,no" in (tiles / "fragments" / LIST).read_text("utf-8-sig")


def test_a_confirmed_join_is_made_whatever_its_probability(tiles):
    verdict(tiles, "a_1.png c_1.png", "yes")
    joins, _ = join_imported(tiles)
    made = [(join.tile, join.verdict, join.is_made) for join in joins]
    assert made == [("a_1+c_1.png", True, True)]
    assert (tiles / "a_1+c_1.png").is_file()


def test_a_decision_makes_or_unmakes_the_tile_and_is_taken_back(tiles):
    (join,), _ = join_imported(tiles)
    tile = tiles / join.tile
    assert decide_join(tiles, join.name, False).verdict is False
    assert not tile.exists()
    assert "a_1+2" not in (tiles / "tiles.csv").read_text("utf-8-sig")
    assert not decide_join(tiles, join.name, None).verdict
    assert tile.exists()
    decide_join(tiles, join.name, True)
    assert [(each.name, each.verdict) for each in read_joins(tiles)] == [("a_1+2", True)]
    with pytest.raises(AzulejarError, match="There is no such join any more"):
        decide_join(tiles, "a_1+3", True)


def test_a_fragment_is_in_one_tile_only(tiles):
    (join,), _ = join_imported(tiles)
    decide_join(tiles, join.name, False)
    path = tiles / "fragments" / LIST
    path.write_text(path.read_text("utf-8-sig") + ",a_1.png c_1.png,,yes\n", encoding="utf-8")
    join_imported(tiles)
    with pytest.raises(AzulejarError, match=r"a_1 is part of another tile already. Refuse that"):
        decide_join(tiles, join.name, True)


def test_a_splinter_of_one_pixel_fits_to_nothing(tiles):
    picture = np.zeros((20, 20, 4), np.uint8)
    picture[9, 9] = 255
    write_picture(tiles / "fragments" / "a_1.png", picture)
    joins, left = join_imported(tiles)
    assert not joins
    assert len(left) == 3


def test_fragments_that_cannot_meet_are_not_joined_by_a_yes(tiles):
    picture = np.zeros((20, 20, 4), np.uint8)
    picture[9, 9] = 255
    write_picture(tiles / "fragments" / "c_1.png", picture)
    verdict(tiles, "a_1.png c_1.png", "yes")
    with pytest.raises(AzulejarError, match=r"a_1.png c_1.png cannot be laid beside each other"):
        join_imported(tiles)


@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_verdict_on_a_fragment_that_is_not_there_is_said(tiles, word):
    verdict(tiles, "a_1.png a_2", word)  # as people write it, without .png
    with pytest.raises(AzulejarError, match=r"on a_1.png a_2, but there is no fragment a_2\."):
        join_imported(tiles)
    assert word in (tiles / "fragments" / LIST).read_text("utf-8")
    assert not list(tiles.glob("*.png"))


def test_a_damaged_record_is_said(tiles):
    record = tiles / ".import" / "table.json"
    record.write_text(record.read_text("utf-8").replace('"side": 96', '"side": 0'), "utf-8")
    with pytest.raises(AzulejarError, match=r"table.json is damaged"):
        join_imported(tiles)


def test_bad_input_is_said_in_a_sentence(tiles):
    verdict(tiles, "a_1.png a_2.png", "perhaps")
    with pytest.raises(AzulejarError, match=r"'perhaps' for a_1.png a_2.png. Write yes or no"):
        join_imported(tiles)
    write_picture(tiles / "fragments" / "a_1.png", np.zeros((20, 20, 4), np.uint8))
    with pytest.raises(AzulejarError, match=r"a_1.png shows no fragment"):
        join_imported(tiles)
    for path in (tiles / "fragments").glob("*.png"):
        path.unlink()
    with pytest.raises(AzulejarError, match="has no fragments of broken tiles"):
        join_imported(tiles)
