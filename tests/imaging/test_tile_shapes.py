"""Half and quarter tiles are told by the sizes of their pictures."""

import pytest

from azulejar.imaging.tile_shapes import find_halves, whole_sizes


@pytest.mark.parametrize("lost", [0, 4, 6, 10, 14])
def test_whole_half_and_quarter_tiles_also_where_edges_are_lost(lost):
    whole, part = 200 - lost, 100 - lost
    sizes = [(whole, whole), (whole + 3, whole), (part, whole), (whole, part), (part, part)]
    halved = find_halves(sizes)
    assert halved.tolist() == [
        [False, False], [False, False], [False, True], [True, False], [True, True],
    ]  # fmt: skip
    assert whole_sizes(sizes, halved)[2:] == [(2 * part, whole), (whole, 2 * part), (2 * part,) * 2]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((50, 50), id="a smaller tile, of another panel"),
        pytest.param((192, 108), id="a photograph"),
        pytest.param((400, 200), id="a wall"),
        pytest.param((40, 20), id="a scrap"),
        pytest.param((110, 100), id="a tile that is not quite square"),
    ],
)
def test_what_is_no_half_tile(other):
    assert find_halves([(100, 100), (102, 100), other]) is None


def test_halves_need_whole_tiles_beside_them():
    assert find_halves([(100, 50), (50, 100)]) is None
