"""Texts of a plan: cut to the room that there is, however long they are."""

import time

import pytest

from azulejar.outputs.plan.drawing import register_fonts, shorten, text_width


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
