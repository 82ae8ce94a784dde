import numpy as np
import pytest

from azulejar.core.assembly import Assembly, Place
from azulejar.judging.seams import LoosePart
from azulejar.outputs.language import Words
from azulejar.outputs.wording import (
    count_clause,
    count_noun,
    describe_part,
    describe_place,
    doubts,
    format_percent,
    format_sureness,
    join_words,
    largest_crates,
    trust_of,
)


def test_numbers_and_lists():
    assert (count_noun(1, "tile"), count_noun(2400, "tile")) == ("1 tile", "2,400 tiles")
    assert [join_words(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert (count_clause(1, "panel"), count_clause(2, "panel", "was", "were")) == (
        "1 panel is",
        "2 panels were",
    )


@pytest.mark.parametrize("share, said", [(0, "0 %"), (0.001, "1 %"), (0.996, "99 %"), (1, "100 %")])
def test_all_and_nothing_are_said_only_where_it_is_so(share, said):
    assert format_percent(share) == said


def test_nothing_is_certain():
    assert [format_sureness(p) for p in (1.0, 0.004, 0.5)] == ["99 %", "< 1 %", "50 %"]


def test_a_hopeless_panel_is_said_in_whole_per_cent():
    assert "only about 1 % of the tiles" in doubts(0.003)[0]


def test_tiles_taken_for_upright_are_a_reason_for_a_hopeless_panel():
    assert "upright" not in doubts(0.1)[0]
    assert doubts(0.1, upright=True)[0].endswith("if some may be turned, leave that out.")
    assert doubts(0.9, upright=True) == []


def test_trust():
    assert [trust_of(mean) for mean in (0.95, 0.9, 0.8, 0.7, 0.69)] == [
        "sure", "sure", "fair", "fair", "check",
    ]  # fmt: skip


def test_crates_with_most_tiles_come_first():
    crates = {"1": 2, "<2>": 9, "3": 5, "4": 1}
    assert largest_crates(crates, 2) == ([("<2>", 9), ("3", 5)], 2)
    assert largest_crates(crates, 4).more == 0


def test_places_count_from_1():
    assert describe_place(Place(0, 2, 3), several=False) == "row 3, col 4"
    assert describe_place(Place(1, 2, 3), several=True) == "panel 2, row 3, col 4"
    assert describe_place(Place(-1, 0, 0), several=True) == "without a place"


def test_a_part_that_may_be_another_panel_is_described():
    assembly = Assembly.of(*np.divmod(np.arange(12), 4), np.zeros(12, int))
    assert "8 tiles (rows 2 to 3, cols 1 to 4) meet the rest along a seam" in describe_part(
        LoosePart(tuple(range(4, 12)), mirrored=True), assembly
    )
    told = describe_part(LoosePart((4, 5), mirrored=True), assembly, Words("pt"))
    assert "2 azulejos (linhas 2 a 2, colunas 1 a 2) encontram o resto" in told
    told = describe_part(LoosePart((0, 1, 2, 3)), assembly)
    assert told.startswith("A part of 4 tiles is connected to the rest of the panel by mostly")
