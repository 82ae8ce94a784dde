"""Half and quarter tiles in a photograph."""

import csv
from collections import Counter

import cv2
import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.photographs import importing
from azulejar.imaging.photographs.find import find_tiles
from azulejar.imaging.photographs.importing import import_tiles
from azulejar.imaging.picture import write_picture
from azulejar.practice.half_tiles import cut_at, half_rim
from azulejar.practice.painting import paint_panel

TABLE = (96, 84, 70)


@pytest.fixture(scope="module")
def photograph():
    """Twelve tiles of a panel with a half rim, some turned, seen at a slant."""
    random = np.random.default_rng(0)
    table = random.normal(TABLE, 3, (480, 680, 3)).clip(0, 255).astype(np.uint8)
    pieces = cut_at(paint_panel(4, 4, tile=96), 4, 4, 0, None, half_rim(3), half_rim(4))
    for (y, x), piece in zip(np.ndindex(3, 4), pieces, strict=True):
        tile = np.rot90(piece, random.integers(4))
        table[40 + 140 * y :, 40 + 150 * x :][: len(tile), : tile.shape[1]] = tile
    height, width = table.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + np.array([[90, 30], [60, 60], [90, 40], [20, 120]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    size = width + 150, height + 150
    return cv2.warpPerspective(table, matrix, size, borderValue=TABLE)


@pytest.fixture(scope="module")
def detection(photograph):
    return find_tiles(photograph, half_tiles=True)


def test_all_of_them_are_found_and_told_apart(detection):
    kinds = Counter(each.half for each in detection.tiles)
    assert (kinds[None], kinds["height"] + kinds["width"], kinds["both"]) == (2, 6, 4)
    for each in detection.tiles:
        wide, high = np.linalg.norm(each.corners[:2] - each.corners[1:3], axis=1)
        assert (each.half == "height") == (wide > 1.5 * high)
        assert (each.half == "width") == (high > 1.5 * wide)
        assert each.misfit < 0.02


def test_they_are_imported_with_their_shapes(photograph, detection, tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "find_tiles", lambda picture, half_tiles: detection)
    write_picture(tmp_path / "table.png", photograph)
    assert import_tiles([tmp_path / "table.png"], tmp_path / "tiles", half_tiles=True) == 12
    tiles = load_tiles(tmp_path / "tiles")
    assert tiles.notes[0] == "2 whole tiles, 6 half tiles, 4 quarter tiles."
    assert tiles.halved is not None
    assert [record.half is None for record in tiles.records] == (~tiles.halved.any(axis=1)).tolist()


def test_their_sizes_are_listed_by_the_side_of_whole_ones(
    photograph, detection, tmp_path, monkeypatch
):
    monkeypatch.setattr(importing, "find_tiles", lambda picture, half_tiles: detection)
    write_picture(tmp_path / "table.png", photograph)
    import_tiles([tmp_path / "table.png"], tmp_path / "tiles", half_tiles=True)
    lists = tmp_path / "tiles" / "tiles.csv"
    assert "width_cm" not in lists.read_text("utf-8-sig")
    notes = len(load_tiles(tmp_path / "tiles").notes)
    import_tiles([tmp_path / "table.png"], tmp_path / "tiles", half_tiles=True, side=14)
    with lists.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        expected = [7 if line["half"] in (name, "both") else 14 for name in ("width", "height")]
        measured = [float(line["width_cm"]), float(line["height_cm"])]
        assert measured == pytest.approx(expected, rel=0.03)
    assert len(load_tiles(tmp_path / "tiles").notes) == notes  # no heading is unknown
    with pytest.raises(AzulejarError, match="No tile has a side of 1400 cm"):
        import_tiles([tmp_path / "table.png"], tmp_path / "tiles", side=1400)
