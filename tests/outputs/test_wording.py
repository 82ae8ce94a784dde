import pytest

from azulejar.outputs.collection.words import (
    counted,
    crates_shown,
    listed,
    per_cent,
    sureness,
    trust,
)


def test_numbers_and_lists():
    assert (counted(1, "tile"), counted(2400, "tile")) == ("1 tile", "2,400 tiles")
    assert [listed(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize("share, said", [(0, "0 %"), (0.001, "1 %"), (0.996, "99 %"), (1, "100 %")])
def test_all_and_nothing_are_said_only_where_it_is_so(share, said):
    assert per_cent(share) == said


def test_nothing_is_certain():
    assert (sureness(1.0), sureness(0.004), sureness(0.5)) == ("99 %", "< 1 %", "50 %")


def test_trust():
    assert [trust(mean) for mean in (0.95, 0.9, 0.8, 0.7, 0.69)] == [
        "sure", "sure", "fair", "fair", "check",
    ]  # fmt: skip


def test_crates_with_most_tiles_first_and_escaped():
    crates = {"1": 2, "<2>": 9, "3": 5, "4": 1}
    assert crates_shown(crates, 2) == "<b>&lt;2&gt;</b> ×9, <b>3</b> ×5 and 2 more"
