"""Texts of a plan, cut to the room that there is, however long they are; half tiles."""

import time
from unittest.mock import MagicMock

import pytest

from azulejar.core.solution import PlacedTile
from azulejar.outputs.plan import drawing
from azulejar.outputs.plan.drawing import draw_tile, register_fonts, shorten, text_width


@pytest.fixture(scope="module", autouse=True)
def fonts():
    register_fonts()


@pytest.mark.parametrize("keep_end", [False, True])
def test_as_much_as_fits_is_kept(keep_end):
    text = "the glaze is chipped at two corners"
    for width in range(0, 200, 7):
        found = shorten(text, width, 8, keep_end=keep_end)
        kept = found.strip("…")
        assert text.endswith(kept) if keep_end else text.startswith(kept)
        assert found == text or text_width(found, 8) <= width or kept == ""
        if found != text and kept:
            more = text[-len(kept) - 2 :] if keep_end else text[: len(kept) + 2]
            assert text_width(more + "…", 8) > width


def test_a_note_of_a_million_characters_takes_no_time():
    started = time.process_time()
    assert shorten("x" * 10**6, 100, 8).endswith("x…")
    assert time.process_time() - started < 30


@pytest.mark.parametrize(
    ("half", "box"),
    [(None, (-10, -10, 20, 20)), ("width", (-5, -10, 10, 20)), ("both", (-5, -5, 10, 10))],
)
def test_a_half_tile_lies_in_the_middle_of_its_place(monkeypatch, half, box):
    drawn = MagicMock()
    monkeypatch.setattr(drawing, "draw_jpeg", drawn)
    canvas = MagicMock()
    tile = PlacedTile(file="a.png", row=0, col=0, turn=90, half=half)
    draw_tile(canvas, b"", 100, 200, 20, tile)
    canvas.translate.assert_called_once_with(110, 210)
    canvas.rotate.assert_called_once_with(-90)
    drawn.assert_called_once_with(canvas, b"", *box)
