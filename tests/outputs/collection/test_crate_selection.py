from hypothesis import given
from hypothesis import strategies as st

from azulejar.outputs.collection.crate_selection import (
    ENOUGH,
    LEAST,
    MOST,
    order_in_blocks,
    panels_in_one_crate,
    select_crates,
)

PANELS = {
    "1": {"12": 40, "17": 30, "40": 13, "5": 17},
    "2": {"12": 20, "17": 5},
    "3": {"9": 95, "1": 5},
    "4": {str(crate): 1 for crate in range(100, 140)},
}
some_panels = st.dictionaries(
    st.sampled_from("abcdef"),
    st.dictionaries(st.sampled_from("12345678"), st.integers(1, 50), min_size=1),
    min_size=1,
)


def test_the_fewest_crates_that_hold_enough():
    first, *rest = select_crates(PANELS)
    assert (first.panel, first.crates, first.share) == ("1", ("12", "17", "5"), 0.87)
    assert first.also == {"2": 1.0}
    assert rest == []  # one crate is enough for 2 and 3, and none for 4


def test_panels_that_lie_in_one_crate():
    assert panels_in_one_crate(PANELS) == ["2", "3"]


@given(some_panels)
def test_every_opening_is_worth_it(panels):
    for opening in select_crates(panels):
        crates = panels[opening.panel]
        assert 2 <= len(opening.crates) <= MOST
        held = sum(crates[crate] for crate in opening.crates)
        assert opening.share == held / sum(crates.values()) >= LEAST
        lightest = crates[opening.crates[-1]]
        assert held - lightest < ENOUGH * sum(crates.values())
        assert all(count <= lightest for crate, count in crates.items()
                   if crate not in opening.crates)  # fmt: skip


@given(some_panels)
def test_blocks_hold_every_crate_and_panel_once(panels):
    crates, columns = order_in_blocks(panels)
    assert sorted(columns) == sorted(panels)
    assert sorted(crates) == sorted({crate for each in panels.values() for crate in each})


def test_what_belongs_together_comes_side_by_side():
    panels = {"a": {"1": 5, "3": 5}, "b": {"2": 5, "4": 5}, "c": {"1": 5, "3": 5}}
    crates, columns = order_in_blocks(panels)
    assert abs(columns.index("a") - columns.index("c")) == 1
    assert abs(crates.index("1") - crates.index("3")) == 1
