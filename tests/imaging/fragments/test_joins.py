"""Joins of an import: made where sure, and as people say."""

import csv

import numpy as np
import pytest

from azulejar import load_tiles
from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.joins import LIST, join_imported
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
    assert [join.file for join in joins] == ["a_1.png"]
    assert [fragment.file for fragment in left] == ["c_1.png"]
    assert (read_picture(tiles / "a_1.png", alpha=True)[..., 3] == 0).any()
    assert load_tiles(tiles).records[0].note == "joined from a_1, a_2"
    verdict(tiles, "a_1.png a_2.png", "não")
    joins, left = join_imported(tiles)
    assert not joins
    assert len(left) == 3
    assert not (tiles / "a_1.png").exists()
    assert "a_1.png a_2.png,,no" in (tiles / "fragments" / LIST).read_text("utf-8-sig")


def test_a_confirmed_join_is_made_whatever_its_probability(tiles):
    verdict(tiles, "a_1.png c_1.png", "yes")
    joins, _ = join_imported(tiles)
    assert [(join.file, join.verdict, join.is_made) for join in joins] == [("a_1.png", True, True)]
    assert (tiles / "a_1.png").is_file()


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
