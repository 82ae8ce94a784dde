import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.collection.sort import name_groups, without_removed
from azulejar.collection.sort_results import folder_name
from azulejar.core.joints import Joints
from azulejar.core.tiles import Record


def records(n, **panels):
    """Of n tiles without a panel but for ``tN=NAME``."""
    return [Record(panel=panels.get(f"t{tile}")) for tile in range(n)]


def test_new_groups_are_numbered():
    assert name_groups([[0, 1], [2]], records(3)) == ["1", "2"]


def test_a_group_keeps_the_name_of_most_of_its_tiles():
    before = {0: "7", 1: "7", 2: "7", 3: "2", 4: "2"}
    assert name_groups([[3, 4, 0], [1, 2], [5]], records(6), before) == ["2", "7", "1"]


def test_of_two_halves_the_larger_keeps_the_name_and_the_other_gets_one_that_never_was():
    before = dict.fromkeys(range(5), "1") | {9: "2"}
    assert name_groups([[0, 1], [2, 3, 4]], records(10), before) == ["3", "1"]


def test_what_is_on_record_comes_first():
    names = name_groups([[0, 1], [2, 3]], records(4, t3="Stairs"), {0: "Stairs", 2: "1", 3: "1"})
    assert names == ["2", "Stairs"]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.data())
def test_no_two_groups_have_one_name(panel, data):
    groups = [[t for t, p in enumerate(panel) if p == k] for k in sorted(set(panel))]
    named = data.draw(
        st.dictionaries(
            st.integers(0, len(panel) - 1),
            st.sampled_from(["1", "2", "03", "A", "a", "a b", "a_b"]),
        )
    )
    names = name_groups(groups, records(len(panel)), named)
    assert len({name.casefold() for name in names}) == len(groups)
    assert len({folder_name(name).casefold() for name in names}) == len(groups)


def test_what_fitted_a_removed_tile_counts_for_the_others():
    """Edge 0 of tile 0 may meet tiles 1 and 2, which are one tile, and tile 3."""
    start = np.zeros(17, np.int32)
    start[1:] = np.cumsum([3, *[0] * 3, 1, *[0] * 3, 1, *[0] * 3, 1, *[0] * 3])
    score = np.array([0.5, 0.4, 0.02, 0.5, 0.4, 0.02], np.float32)
    joints = Joints(start, np.array([4, 8, 12, 0, 0, 0], np.int32), score)
    assert without_removed(joints, []) is joints
    left = without_removed(joints, [2]).score
    assert left.tolist() == pytest.approx([0.667, 0, 0.027, 0.667, 0, 0.027], abs=1e-3)


def test_folders_are_plain_and_in_order():
    assert folder_name("3") == "panel_0003"
    assert folder_name("Escadaria") == "panel_Escadaria"
    assert folder_name("Sala dos Reis/left: 2").startswith("panel_Sala_dos_Reis_left_2_")
    assert not set("/.") & set(folder_name("../../x"))
    assert len({folder_name(name) for name in ("3", "0003", "a b", "a_b", "a/b")}) == 5
