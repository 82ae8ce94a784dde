"""``azulejar plan``: the panel on paper."""

import re

import pytest
from pypdf import PdfReader


@pytest.fixture
def truth(puzzles):
    return puzzles / "turned" / "truth.json"


def test_by_default_plan_pdf_on_a4(azulejar, tmp_path, truth):
    assert azulejar("plan", truth) == "Plan, 3 pages: plan.pdf\n"
    pages = PdfReader(tmp_path / "plan.pdf").pages
    overview, sheet, listed = (page.extract_text() for page in pages)
    assert "4 rows × 5 cols, 0.70 m wide and 0.56 m high" in overview
    names = {f"tile_{i:04}" for i in range(1, 21)}
    assert set(re.findall(r"tile_\d{4}", sheet)) == names
    assert set(re.findall(r"tile_\d{4}", listed)) == names


def test_of_a_result(azulejar, tmp_path, solved):
    azulejar("plan", solved, "-o", "a/plan.pdf")
    assert len(PdfReader(tmp_path / "a" / "plan.pdf").pages) == 3


def test_scale_tile_and_paper(azulejar, tmp_path, truth):
    azulejar("plan", truth, "--scale", "1:2.5", "--tile-cm", "20", "--paper", "a3")
    pages = PdfReader(tmp_path / "plan.pdf").pages
    assert "1.00 m wide and 0.80 m high" in pages[0].extract_text()
    assert "1:2.5 · tiles of 20 cm" in pages[1].extract_text()
    assert sorted(map(round, pages[0].mediabox[2:])) == [842, 1191]


def test_an_existing_file_is_kept_unless_it_may_be_replaced(azulejar, refused, tmp_path, truth):
    (tmp_path / "plan.pdf").write_text("mine")
    assert "plan.pdf exists already." in refused("plan", truth)
    azulejar("plan", truth, "--overwrite")
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-o", "plan.docx"), "plan.docx is no PDF."),
        (("--scale", "5"), "'5' is no scale."),
        (("--scale", "1:0"), "'1:0' is no scale."),
        (("--scale", "1:90"), "A tile of 14 cm at 1:90 cannot be read on A4."),
        (("--tile-cm", "60", "--scale", "1:1"), "A tile of 60 cm at 1:1 does not fit on A4."),
        (("--tile-cm", "-1"), "A tile cannot be -1 cm wide."),
        (("--tile-cm", "nan"), "A tile cannot be nan cm wide."),
        (("--paper", "letter"), "There is no paper letter here."),
        (("--tiles", "nowhere"), "There is no folder nowhere."),
    ],
)
def test_what_cannot_be_printed_is_refused(refused, truth, arguments, told):
    assert told in refused("plan", truth, *arguments)


def test_a_full_disk(refused, truth):
    assert "Could not write plan.pdf:" in refused("plan", truth, file_limit=10_000)


def test_a_terminal_shows_how_far_it_is(terminal, truth):
    program = terminal("plan", truth)
    assert program.close() == 0
    assert re.search(r"Drawing the plan.*left", program.shown)
    assert "Plan, 3 pages: plan.pdf" in program.shown
