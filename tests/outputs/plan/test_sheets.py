"""Panels cut into sheets: every place on one sheet, no sheet too large."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.solution import PlacedTile
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Box
from azulejar.outputs.plan.sheets import MM, PAPERS, PlanScale, Sheet, cut_sheets


def tiles_at(*places):
    return [PlacedTile(file=f"{r} {c}", row=r, col=c, turn=0) for r, c in places]


def everywhere(box):
    return tiles_at(*((r, c) for r in range(box.rows) for c in range(box.cols)))


def places_on(sheet):
    rows = range(sheet.top, sheet.top + sheet.rows)
    return [(r, c) for r in rows for c in range(sheet.left, sheet.left + sheet.cols)]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12))
def test_every_place_is_on_one_sheet(rows, cols, most_rows, most_cols):
    box = Box(0, rows, cols)
    sheets = cut_sheets(box, everywhere(box), most_rows, most_cols)
    found = [place for sheet in sheets for place in places_on(sheet)]
    assert sorted(found) == [(r, c) for r in range(rows) for c in range(cols)]
    assert max(sheet.rows for sheet in sheets) <= most_rows
    assert max(sheet.cols for sheet in sheets) <= most_cols
    assert len(sheets) <= -(-rows // most_rows) * -(-cols // most_cols)


def test_parts_are_even():
    box = Box(2, 1, 10)
    sheets = cut_sheets(box, everywhere(box), 5, 9)
    assert sheets == [Sheet(2, 0, 0, 1, 5), Sheet(2, 0, 5, 1, 5)]


def test_parts_without_a_tile_are_left_out_however_many():
    box = Box(0, 10_000, 10_000)
    sheets = cut_sheets(box, tiles_at((0, 0), (9_999, 5)), 10, 10)
    assert [(sheet.top, sheet.left) for sheet in sheets] == [(0, 0), (9_990, 0)]


def test_a_tile_has_its_size_on_the_paper():
    assert PlanScale(14, 5, "A4").side == pytest.approx(28 * MM)


@pytest.mark.parametrize(("box", "upright"), [(Box(0, 20, 5), True), (Box(0, 5, 20), False)])
def test_the_paper_lies_as_the_panel_does(box, upright):
    width, height = PlanScale(14, 10, "A4").page((box,))
    assert (width < height) == upright
    assert sorted((width, height)) == sorted(PAPERS["A4"])


@pytest.mark.parametrize("paper", ["A4", "A3"])
@pytest.mark.parametrize(
    ("tile_cm", "ratio", "told"), [(60, 1, "does not fit on"), (14, 40, "cannot be read on")]
)
def test_a_scale_that_cannot_be_is_refused_and_the_remedy_works(tile_cm, ratio, told, paper):
    with pytest.raises(AzulejarError, match=f"{told} {paper}") as error:
        PlanScale(tile_cm, ratio, paper).page((Box(0, 5, 5),))
    remedy = float(error.value.remedy.rsplit(":", 1)[1].rstrip("."))
    assert PlanScale(tile_cm, remedy, paper).page((Box(0, 5, 5),))
