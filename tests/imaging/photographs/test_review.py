"""Pictures in which a person checks what was found."""

import numpy as np
from PIL import Image

from azulejar.imaging.photographs.geometry import no_lens
from azulejar.imaging.photographs.review import (
    CELL,
    DOUBTFUL,
    MOST,
    SURE,
    close_up,
    draw_outlines,
    write_contact_sheets,
)

GREY = np.full((2000, 3000, 3), 100, np.uint8)
QUAD = np.array([[600.0, 500], [1200, 520], [1180, 1100], [590, 1090]])


def near(pixel, colour):
    return np.abs(pixel.astype(int) - colour).max() < 40


def test_an_overlay_shows_outlines_and_names():
    lens = no_lens(GREY.shape)
    drawn = draw_outlines(
        GREY, [QUAD, QUAD + np.array([1500, 0])], ["01", "02"], [False, True], lens
    )
    assert max(drawn.shape) == 1600
    scale = 1600 / 3000
    top, top_other = ((QUAD[:2].mean(axis=0) + shift) * scale for shift in ([0, 0], [1500, 0]))
    assert any(near(drawn[int(top[1]) + k, int(top[0])], SURE) for k in (-1, 0, 1))
    assert any(near(drawn[int(top_other[1]) + k, int(top_other[0])], DOUBTFUL) for k in (-1, 0, 1))
    middle = (QUAD.mean(axis=0) * scale).astype(int)
    name = drawn[middle[1] - 30 : middle[1] + 30, middle[0] - 40 : middle[0] + 40]
    assert (name == 255).any()
    assert (drawn[:100] == 100).all()


def test_a_close_up_has_the_tile_in_its_middle():
    picture = GREY.copy()
    picture[500:1100, 600:1200] = (20, 40, 200)
    shown = close_up(picture, QUAD, no_lens(GREY.shape))
    assert shown.shape == (CELL, CELL, 3)
    assert near(shown[CELL // 2, CELL // 2], (20, 40, 200))
    assert near(shown[3, 3], (100, 100, 100))


def test_contact_sheets_hold_all_and_replace_the_old(tmp_path):
    path = tmp_path / "one.jpg"
    Image.new("RGB", (CELL, CELL), "red").save(path)
    count = MOST + 1
    sheets = write_contact_sheets(tmp_path, [path] * count, ["a_01: doubtful"] * count)
    assert [sheet.name for sheet in sheets] == ["contact_sheet_1.jpg", "contact_sheet_2.jpg"]
    (only,) = write_contact_sheets(tmp_path, [path], ["a_01: doubtful: " + "word " * 40])
    assert [sheet.name for sheet in tmp_path.glob("contact*")] == [only.name]
    with Image.open(only) as sheet:
        assert near(np.asarray(sheet)[CELL // 2, CELL // 2], (254, 0, 0))
